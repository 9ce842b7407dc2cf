import { headOf, isKindOf, lookup, pluralOf, singularOf } from "../../ontology/index.ts";
import type { Expression } from "../../schema/index.ts";
import { kindOf } from "../algebra/check.ts";
import { evaluate } from "../algebra/evaluate.ts";
import { node, print } from "../algebra/notation.ts";
import type { Scope } from "../algebra/operator.ts";
import { goesOn } from "../read/placeholders.ts";
import type { Reading } from "../read/reading.ts";
import { nodesCalled, replaced } from "../rival-values.ts";
import { isPerson } from "../say/naming.ts";
import { toTheOther } from "./by-robot.ts";
import { fillings, referents, type Talk, talkOf } from "./fill.ts";
import type { Mention, Referent } from "./mentions.ts";
import { everBefore, holdsIt } from "./parts.ts";
import { toldOf } from "./picked.ts";
import { isElliptic, naming, onItsFloor, undislocated, withWholeCodes } from "./plainly.ts";
import { fits, isOf, isOne } from "./score.ts";
import { nodeOf, ofThings, type Spoken } from "./spoken.ts";
import type { Turn } from "./turn.ts";

/** Reads the words of a question, alone or with the previous questions. */
type Read = (question: string, isAlone: boolean) => Promise<readonly Reading[]>;

/** The most referents of a pronoun that are tried by name, and the most readings examined for each. */
const MOST_MEANT = 2;
const MOST_READINGS = 2;
/** The most ways to fill a reading. */
const MOST_WAYS = 3;
/**
 * The extra cost of a reading from the questions alone where the previous answer is known; higher beside a form that
 * continues the conversation.
 */
const BY_WORDS_ALONE = 0.3;
const BESIDE_SURE = 0.6;
/** Where a reading that continues the previous answer costs no more than this, no others are tried. */
const SURE = 0.1;

/**
 * The readings of a question in a conversation, the likeliest first: those of its words with their open places filled
 * by what the turns left, and those of the question with names for its pronouns.
 */
export async function readInTalk(
  question: string,
  history: readonly (string | Turn)[],
  scope: Scope,
  read: Read,
): Promise<readonly Reading[]> {
  const text = question.replace(/\b(it|that|there|he|she|they)['’](s|re)\b/gi, asVerb).trim();
  const last = history.at(-1);
  const whole = last === undefined ? text : withWholeCodes(inPlace(onItsFloor(text), last), last);
  const told = history.filter((one) => typeof one !== "string");
  const readings: Reading[] = [];
  for (const one of await read(whole === text ? question : whole, false)) {
    const parts = await Promise.all(one.parts.map((part) => toTheOther(part, told, scope)));
    readings.push({ ...one, parts });
  }
  const turns =
    typeof last === "string"
      ? readings.some((one) => one.goesOn)
        ? await turnRead(last, scope, read)
        : []
      : told;
  const talk = await talkOf(whole, turns, scope);
  const own: Reading[] = [];
  for (const one of readings) own.push(...(await filled(one, whole, talk, scope)));
  if (turns.length === 0) return own;
  // An exact form is unambiguous: "how many chairs are there?" has no place.
  const isSure = readings.some((one) => (one.goesOn || one.isExact) && one.cost <= SURE);
  const isFresh = !isSure && talk.mentions.length === 0 && !isElliptic(whole) && !GOES_ON.test(whole);
  const further = isFresh
    ? (await read(whole, true)).slice(0, MOST_READINGS)
    : isSure
      ? []
      : await byName(whole, talk, scope, read);
  const extra = isSure ? BESIDE_SURE : further.length > 0 ? BY_WORDS_ALONE : 0;
  // A full question may mean what was spoken of besides what it names, not instead.
  const isKept = (one: Reading) =>
    one.goesOn ||
    one.isExact ||
    (isFresh && namesIn(further[0]).every((name) => namesIn(one).includes(name)));
  const byWords = own.map((one) => (isKept(one) ? one : { ...one, cost: one.cost + extra }));
  const all = [...further, ...byWords]
    .map((one) => ({ ...one, parts: one.parts.map(everBefore) }))
    .sort((a, b) => a.cost - b.cost);
  return Promise.all(all.map((one) => justTold(one, whole, talk, scope)));
}

/** Words with which a question continues another. */
const GOES_ON =
  /^\s*(?:and|or|but|so|then|no|what about|how about)\b|\b(?:same|else|another|others?|then|instead|ones?|th(?:is|at|ese|ose)|as well|too|also|either)\b/i;

/** The kinds and names that a reading has. */
function namesIn(reading: Reading | undefined): readonly unknown[] {
  const nodes = reading?.parts.flatMap((part) => ["things", "rooms"].flatMap((op) => nodesCalled(op, part)));
  return (nodes ?? []).map(({ with: { category, name } }) => category ?? name);
}

/** With its subject, and the robot that is meant by name. */
function inPlace(text: string, last: string | Turn): string {
  return undislocated(naming(undislocated(text), last));
}

function asVerb(_: string, who: string, verb: string): string {
  return `${who} ${verb.toLowerCase() === "s" ? "is" : "are"}`;
}

/** An earlier question without a stored result. */
async function turnRead(question: string, scope: Scope, read: Read): Promise<readonly Turn[]> {
  const part = (await read(question, true))[0]?.parts[0];
  return part && !goesOn(part) ? [await turnOf(question, part, scope)] : [];
}

/** A question that is evaluated only so that others can continue it. */
async function turnOf(question: string, expression: Expression, scope: Scope): Promise<Turn> {
  return { question, parts: [{ expression, value: await evaluate(expression, scope) }] };
}

/** A reading with what its open places may stand for; of several questions in one, each continues the one before. */
async function filled(reading: Reading, text: string, talk: Talk, scope: Scope): Promise<readonly Reading[]> {
  if (!reading.parts.some(goesOn)) return amongThem(reading, talk);
  let ways: readonly { readonly parts: readonly Expression[]; readonly cost: number }[] = [
    { parts: [], cost: 0 },
  ];
  for (const part of reading.parts) {
    const next: { readonly parts: readonly Expression[]; readonly cost: number }[] = [];
    for (const { parts, cost } of ways) {
      const before = parts.at(-1);
      const isOwn = before !== undefined && goesOn(part);
      const turns = isOwn ? [...talk.turns, await turnOf(text, before, scope)] : talk.turns;
      if (goesOn(part) && turns.length === 0) continue;
      const own = isOwn ? await talkOf(text, turns, scope) : talk;
      for (const one of await fillings(part, own, scope))
        next.push({ parts: [...parts, one.expression], cost: cost + one.cost });
    }
    ways = next.sort((a, b) => a.cost - b.cost).slice(0, MOST_WAYS);
  }
  const { mention, meant } = mentionMeant(text, talk) ?? {};
  const said = mention && meant?.[0] ? named(text, mention, meant[0], talk) : reading.said;
  return ways.map(({ parts, cost }) => ({
    ...reading,
    parts,
    cost: reading.cost + cost,
    goesOn: true,
    said: reading.said ?? said,
  }));
}

/** Cost of asking of all there is where "which of them" asks of those that were told. */
const OF_ALL = 0.3;

/** "Which ones are upstairs?": of those that were told, what the words ask for. */
function amongThem(reading: Reading, { mentions, spoken }: Talk): readonly Reading[] {
  const mention = mentions.find(({ isAmong }) => isAmong);
  const [them] = mention
    ? referents(
        spoken.filter((one) => fits(one, mention.wants)),
        [mention.wants],
      )
    : [];
  if (!them || them.meant.things.length === 0) return [reading];
  const parts = reading.parts.map((part) => narrowedTo(part, them.node));
  const isNarrowed = parts.some((part, n) => part !== reading.parts[n]);
  if (!isNarrowed) return [reading];
  return [
    { ...reading, parts, cost: reading.cost + them.cost, goesOn: true },
    { ...reading, cost: reading.cost + OF_ALL },
  ];
}

/** The outermost set of things of a question, narrowed to some things. */
function narrowedTo(part: Expression, them: Expression): Expression {
  const [first, ...rest] = part.of;
  if (!first || part.op === "the" || holdsIt(part)) return part;
  if (kindOf(first) === "things") return { ...part, of: [ofThem(first, them), ...rest] };
  const inner = narrowedTo(first, them);
  return inner === first ? part : { ...part, of: [inner, ...rest] };
}

/** Those of them that are in a set; of what lies in places, those whose place is one of these. */
function ofThem(set: Expression, them: Expression): Expression {
  const places = set.op === "held" ? set.of[0]! : set.with["category"] === "slot" ? set : undefined;
  if (!places) return node("and", [them, set]);
  return node("filter", [them, node("exists", [node("and", [node("holder", [node("it")]), places])])]);
}

/** Readings with a name in the place of a pronoun. */
async function byName(text: string, talk: Talk, scope: Scope, read: Read): Promise<readonly Reading[]> {
  // "And on the table next to it?" means nothing without the previous question.
  const isAlone = !isElliptic(text);
  const found: Reading[] = [];
  const { mention, meant } = mentionMeant(text, talk) ?? {};
  if (!mention || !meant) return [];
  for (const referent of meant.slice(0, MOST_MEANT)) {
    const name = plainly(referent.meant, text);
    const said = named(text, mention, referent, talk);
    for (const reading of (await read(said, isAlone)).slice(0, MOST_READINGS)) {
      const parts = reading.parts.map((part) => withMeant(part, name, referent));
      if (!isPutIn(reading.parts, parts, name, referent.meant)) continue;
      for (const one of await filled({ ...reading, parts }, text, talk, scope))
        found.push({ ...one, cost: one.cost + referent.cost, said });
    }
  }
  return found;
}

/** The question with a name for the pronoun; and for the place too: "was she in there then?" */
function named(text: string, mention: Mention, { meant }: Referent, { mentions, spoken }: Talk): string {
  const said = text.replace(mention.form, mention.say?.(plainly(meant, text)) ?? "$&");
  const place = mentions.find((one) => one !== mention && one.isPlace && one.wants.sort === "room");
  // "What else is on there with it?": on what bears it, not in its room.
  const isBorne = spoken.some((one) => one.isHolder && one.ago === 0 && one.things.some(({ slot }) => !slot));
  const rooms = place && !isBorne ? spoken.filter((one) => fits(one, place.wants) && isOne(one)) : [];
  const [there] = place ? referents(rooms, [place.wants]) : [];
  return place?.say && there ? said.replace(place.form, place.say(there.meant.name)) : said;
}

/** "It" without a referent: the time of day, the weather. */
const NOTHING = /\b(?:what time|how late) is it\b|\bis it (?:true|possible|raining|cold|warm|late|likely)\b/i;

/** The first mention for which something fits, and what does. */
function mentionMeant(
  text: string,
  { mentions, spoken }: Talk,
):
  | { readonly mention: Mention; readonly meant: readonly (Referent & { readonly cost: number })[] }
  | undefined {
  for (const mention of mentions) {
    if (!mention.say) continue;
    const rest = text.replace(mention.form, " ");
    const fitting = spoken.filter((one) => fits(one, mention.wants) && !isNamedIn(rest, one));
    const meant = mention.picked?.map((one) => ({ ...one, cost: 0 })) ?? referents(fitting, [mention.wants]);
    if (meant.length === 0) continue;
    return NOTHING.test(text) || hasOwn(mention.before) ? undefined : { mention, meant };
  }
  return undefined;
}

/** A thing that the question also names is not the referent of its pronoun: "who put that one on the bench?" */
function isNamedIn(text: string, { things: [thing, ...more] }: Spoken): boolean {
  if (!thing || more.length > 0 || isPerson(thing)) return false;
  const said = new Set(text.toLowerCase().split(/[^\p{L}-]+/u));
  return [thing.category, headOf(thing.category)?.name ?? thing.category].some((noun) =>
    said.has(noun.toLowerCase()),
  );
}

/** The shortest name that the question does not use otherwise: "sofa" for a three-seat sofa. */
function plainly({ things: [thing, ...more], name }: Spoken, text: string): string {
  const head = thing && more.length === 0 && !isPerson(thing) ? headOf(thing.category)?.name : undefined;
  return head === undefined || text.toLowerCase().includes(head) ? name : head;
}

/** Whether a clause before the pronoun names its referent: "and the bed, is it made?" */
function hasOwn(before: string): boolean {
  const clause = /^(.*)(?:[,;.?!]|\band\b|\bif\b|\bor\b)/is.exec(before)?.[1] ?? "";
  const words = clause.split(/[^\p{L}]+/u);
  return words.some((word, n) => n > 0 && lookup(singularOf(word.toLowerCase())) !== undefined);
}

/** An expression with the referent in the place of the set read for its name. */
function withMeant(part: Expression, name: string, { meant: { rooms }, node: put }: Referent): Expression {
  const wanted = singularOf(name).toLowerCase();
  const isRooms = rooms.length > 0;
  const isBare = wanted === "thing" || (rooms.length > 1 && wanted === "room");
  const names = (one: Expression) => {
    if (one.op !== (isRooms ? "rooms" : "things")) return false;
    const options = Object.keys(one.with).length;
    const said = String(one.with[isRooms ? "name" : "category"] ?? one.with["name"] ?? "").toLowerCase();
    return isBare ? options === 0 : options === 1 && said === wanted;
  };
  const walk = (one: Expression): Expression =>
    names(one) || (one.op === "the" && one.of[0] && names(one.of[0]))
      ? put
      : { ...one, of: one.of.map(walk) };
  return walk(part);
}

/** Whether the referent is in the expressions now; people and rooms of one name are recognised by it. */
function isPutIn(
  before: readonly Expression[],
  after: readonly Expression[],
  name: string,
  { things: [first] }: Spoken,
): boolean {
  if (before.some((part, n) => print(part) !== print(after[n]!))) return true;
  const isNamed = !first || isPerson(first);
  return isNamed && before.some((part) => print(part).toLowerCase().includes(name.toLowerCase()));
}

/** "The lamp", "the books", where there are more: those mentioned just before, or those in the room mentioned. */
async function justTold(reading: Reading, text: string, { spoken }: Talk, scope: Scope): Promise<Reading> {
  const last = spoken.filter(({ ago }) => ago === 0);
  const told = new Set(toldOf(last).flatMap(({ things }) => things.map(({ trackId }) => trackId)));
  const [room, ...others] = last.filter((one) => isOf("room", one));
  const meantBy = async (set: Expression, isOneMeant: boolean): Promise<Expression | undefined> => {
    const value = await evaluate(set, scope);
    if (value.kind !== "things" || value.things.length < 2) return undefined;
    const own = value.things.filter(({ trackId }) => told.has(trackId));
    // "Which has a cushion on it? What colour is the cushion?"
    const borne = value.things.filter(({ heldBy }) => heldBy && told.has(heldBy.trackId));
    const meant = own.length > 0 ? own : borne;
    if (meant.length === 1 || (!isOneMeant && own.length > 0)) return nodeOf(ofThings(meant));
    if (!isOneMeant || own.length > 0 || !room || others.length > 0 || !isOne(room)) return undefined;
    const there = isKindOf(String(set.with["category"]), "door")
      ? node("relate", [set, nodeOf(room)], { relation: "at" })
      : node("in", [set, nodeOf(room)]);
    const inRoom = await evaluate(there, scope);
    return inRoom.kind === "things" && inRoom.things.length > 0 ? node("the", [there]) : undefined;
  };
  const narrowed = async (part: Expression): Promise<Expression> => {
    let whole = part;
    if (nodesCalled("rooms", part).length > 0) return part;
    for (const one of [...nodesCalled("the", part), ...nodesCalled("things", part)]) {
      const set = one.op === "the" ? one.of[0]! : one;
      const { category, ...more } = set.with;
      if (set.op !== "things" || typeof category !== "string" || one.with["number"] !== undefined) continue;
      if (one === set && (Object.keys(more).length > 0 || !isDefinite(category, text))) continue;
      const meant = await meantBy(set, one !== set);
      if (meant) whole = replaced(whole, one, meant);
    }
    return whole;
  };
  return { ...reading, parts: await Promise.all(reading.parts.map(narrowed)) };
}

/** Whether the question names several of a kind as known: "the books", "those chairs". */
function isDefinite(category: string, text: string): boolean {
  return new RegExp(String.raw`\b(?:the|those|these) (?:\w+ )?${pluralOf(category)}\b`, "i").test(text);
}
