import { attributeOf, type KnownThing } from "../../belief/thing.ts";
import { attributesOf, headOf, isKindOf, lookup, roomKind, singularOf } from "../../ontology/index.ts";
import type { Expression } from "../../schema/index.ts";
import { evaluate } from "../algebra/evaluate.ts";
import { node, print } from "../algebra/notation.ts";
import type { Scope } from "../algebra/operator.ts";
import type { Reading } from "../read/reading.ts";
import { nodesCalled, replaced } from "../rival-values.ts";
import { isPerson } from "../say/naming.ts";
import { anyMore } from "./any-more.ts";
import { beforeThat } from "./before-that.ts";
import { canHold, otherOf, sameOfOther } from "./other.ts";
import { nodeOf, ofRooms, ofThings, type Spoken, spokenOf, toldIn, unique } from "./spoken-of.ts";
import type { Turn } from "./turn.ts";

/** Words of a question, read by themselves or with the questions before. */
type Read = (question: string, isAlone: boolean) => Promise<readonly Reading[]>;

/** So many turns back something may be meant. */
const MOST_TURNS = 3;
/** So many that may be meant by a pronoun are tried, each so much less likely than the one before. */
const MOST_MEANT = 2;
const LESS_LIKELY = 0.2;
/** So many readings of each are looked at. */
const MOST_READINGS = 2;

/** Where it is known what was answered, to guess from the questions alone what is meant costs so much; more where nothing may be left. */
const BY_WORDS_ALONE = 0.3;
const BY_WORDS_ELSE = 0.6;

/** The ways to understand a question of a conversation, the likeliest first. */
export async function readInTalk(
  question: string,
  turns: readonly Turn[],
  scope: Scope,
  read: Read,
): Promise<readonly Reading[]> {
  const own = await read(question, false);
  // What is a pair's own and says something of the question before is no question that stands by itself.
  const further = own[0]?.goesOn ? [] : await goingOn(question, turns, scope, (said) => read(said, true));
  const known = ELSE.test(question) ? BY_WORDS_ELSE : BY_WORDS_ALONE;
  const extra = further.length > 0 ? known : 0;
  const byWords = own.map((one) => ({ ...one, cost: one.cost + extra }));
  const all = [...further, ...byWords].sort((a, b) => a.cost - b.cost);
  return justTold(all, turns, scope);
}

/**
 * The ways to understand a question as going on from the answers before: with what they were about in the place of the words
 * that stand for it. None where it stands by itself.
 */
async function goingOn(
  question: string,
  turns: readonly Turn[],
  scope: Scope,
  read: (question: string) => Promise<readonly Reading[]>,
): Promise<readonly Reading[]> {
  const last = turns.at(-1);
  if (!last) return [];
  const text = question.replace(/\b(it|that|there|he|she)['’]s\b/gi, "$1 is").trim();
  const said = beforeThat(text, last) ?? otherRoom(text, turns) ?? theOneThatIs(text, turns);
  if (said) return [{ parts: [said], p: 1, cost: 0, notes: [] }];
  const spoken: (readonly Spoken[])[] = [];
  for (const turn of turns.slice(-MOST_TURNS).toReversed()) spoken.push(await spokenOf(turn, scope));
  const alone = standsAlone(text) ? await read(text) : [];
  if (alone.length > 0) return alone.slice(0, MOST_READINGS);
  const [all, told] = [spoken.flat(), await toldInAll(turns, scope)];
  const of = alwaysThere(text, spoken) ?? sameOfOther(text, last, all) ?? anyMore(text, told);
  if (of) return [{ parts: [of], p: 1, cost: 0, notes: [] }];
  const kind = oneOfKind(text, all);
  if (kind !== undefined) return (await read(kind)).slice(0, MOST_READINGS);
  const isElse = ELSE.test(text);
  const found: Reading[] = [];
  for (const [n, way] of waysToSay(text.replace(ELSE, ""), spoken)
    .slice(0, isElse ? 1 : MOST_MEANT)
    .entries()) {
    for (const reading of (await read(way.said)).slice(0, MOST_READINGS)) {
      const parts = reading.parts.map((part) => withMeant(part, way.meant, way.node));
      if (!isPutIn(reading.parts, parts, way.meant)) continue;
      const rest = isElse ? parts.map((part) => butTold(part, all)) : parts;
      found.push({ ...reading, parts: rest, cost: reading.cost + n * LESS_LIKELY });
    }
  }
  return found.length === 0 && WHO_ELSE.test(text) ? besides(text, told, read) : found;
}

const IS_THERE_ONE =
  /\b(?:is|are|was|were) there (?:one|any|another)(?= (?:in|on|at|upstairs|downstairs)\b)/i;

/** "Is there one in the bedroom too?": one of the kind that was spoken of last. */
function oneOfKind(text: string, all: readonly Spoken[]): string | undefined {
  const [thing] =
    all.find(({ things, isHolder }) => things[0] && !isHolder && !isPerson(things[0]))?.things ?? [];
  if (!thing || !IS_THERE_ONE.test(text)) return undefined;
  return text.replace(IS_THERE_ONE, `is there a ${headOf(thing.category)?.name ?? thing.category}`);
}

/** What was answered lately, the last first. */
async function toldInAll(turns: readonly Turn[], scope: Scope): Promise<readonly Spoken[]> {
  const lately = turns.slice(-MOST_TURNS).toReversed();
  return (await Promise.all(lately.map((turn) => toldIn(turn, scope)))).flat();
}

const WHO_ELSE = /\b(?:who|anyone|anybody|someone|somebody) else\b/i;

/** "Who else was there?": without those who were told of. */
async function besides(
  text: string,
  spoken: readonly Spoken[],
  read: (question: string) => Promise<readonly Reading[]>,
): Promise<readonly Reading[]> {
  const people = spoken.filter(({ things }) => things.length > 0 && things.every(isPerson));
  const readings = people.length > 0 ? await read(text.replace(ELSE, "").replace(/^and\s+/i, "")) : [];
  return readings
    .slice(0, MOST_READINGS)
    .map((reading) => ({ ...reading, parts: reading.parts.map((part) => butTold(part, people)) }));
}

/** Words that a question goes on with from another. */
const GOES_ON =
  /^\s*(?:and|or|but|so|then|no|what about|how about)\b|\b(?:it|its|they|them|their|that|those|these|there|he|him|his|she|her|hers|ones?|same|other|others|else|another|before|both|which|too|also)\b/i;

/** Whether a question names its room and needs nothing of those before. */
function standsAlone(text: string): boolean {
  const words = text
    .toLowerCase()
    .split(/[^\p{L}']+/u)
    .filter(Boolean);
  return (
    !GOES_ON.test(text) && words.some((word, n) => roomKind(word) ?? roomKind(`${words[n - 1]} ${word}`))
  );
}

/** A question with a name in the place of what stands for it. */
interface Way {
  readonly said: string;
  readonly meant: Spoken;
  /** What the name stands for. */
  readonly node: Expression;
}

const IT = /\b(?:it|(?:that|this) one|(?<!\b(?:before|after|was|like|than|about|of) )that(?=\s*[?.!]*$))\b/i;
const ITS = /\bits\b/i;
const HE = /\b(?:he|she|him|her(?=\s*(?:[?.!]|$|\b(?:in|on|at|last|again|before|there)\b)))\b/i;
const THEY =
  /\b(?:they|them|(?:those|these)(?=\s*[?.!]*$)|the two(?= (?:is|are|was|were|do|does|did|has|have)\b|\s*[?.!]*$))\b/i;
const OTHER = /\bthe other(?: one)?\b(?! (?:ones|side|end|way|day|two|rooms?|things?))/i;
/** "The title of the brown one". */
const THE_LOOKING = /\bthe (\p{L}+) one\b(?! (?:in|on|at|of|with|from)\b)/iu;
const THAT_ROOM = /\b(?:that|this|the same) room\b/i;
/** "On that table". */
const THAT_KIND = /\b(?:that|the same) (\p{L}{3,})\b(?=\s*(?:[?.!,]|$|is\b|was\b|in\b|on\b))/iu;
const THOSE_ROOMS =
  /\b(?:those|these|the) (?:two |three |four )?rooms\b(?= (?:is|are|has|have|was)\b)|\b(?:those|these) rooms\b/i;
/** "There" as a place: not "is there a". */
const THERE =
  /\b(?:in|over|up|down) there\b|\b(?<!\b(?:is|are|was|were|be) )there\b(?! (?:is|are|was|were|a|an|any|some|another|no|many|more)\b)|\bthere(?=\s*[?.!]*$)/i;
/** "It" as nothing: the time of day, the weather. */
const NOTHING = /\b(?:what time|how late) is it\b|\bis it (?:true|possible|raining|cold|warm|late|likely)\b/i;
/** What is on or in something needs something that things are on or in. */
const HELD = /\b(on|in|inside|into|on top of) (?:it|that)\b/i;

function waysToSay(text: string, spoken: readonly (readonly Spoken[])[]): Way[] {
  const all = spoken.flat();
  const one = all.filter(({ things, rooms }) => things.length + rooms.length === 1);
  const rooms = one.filter((each) => each.rooms.length > 0);
  const people = one.filter(({ things: [thing] }) => thing && isPerson(thing));
  const things = one.filter((each) => !rooms.includes(each) && !people.includes(each));
  const put = (form: RegExp, means: readonly Spoken[], say = (name: string) => `the ${name}`): Way[] =>
    means.map((each) => {
      const meant = plainly(each, text);
      return { said: text.replace(form, say(meant.name)), meant, node: nodeOf(each) };
    });
  if (THOSE_ROOMS.test(text)) {
    const those = unique(all.flatMap((each) => each.rooms));
    return those.length > 1 ? put(THOSE_ROOMS, [ofRooms(those)]) : [];
  }
  if (THAT_ROOM.test(text)) return put(THAT_ROOM, rooms);
  const kind = THAT_KIND.exec(text)?.[1]?.toLowerCase();
  if (kind !== undefined && lookup(kind)) {
    const such = things.filter((each) => isKindOf(each.things[0]!.category, kind));
    return put(THAT_KIND, such);
  }
  const [look] = attributesOf(THE_LOOKING.exec(text)?.[1]?.toLowerCase() ?? "");
  if (look) {
    const such = named(all, (thing) => attributeOf(thing, look.attribute)?.value === look.value);
    if (such.length === 1) return put(THE_LOOKING, [ofThings(such)]);
  }
  if (OTHER.test(text)) return theOther(text, all);
  if (HE.test(text)) return put(HE, people, (name) => name);
  const many = all.filter((each) => each.things.length > 1);
  if (THEY.test(text)) return put(THEY, many);
  if (NOTHING.test(text) || hasOwn(text)) return [];
  if (ITS.test(text)) return put(ITS, things, (name) => `the ${name}'s`);
  if (!IT.test(text)) return THERE.test(text) ? put(THERE, rooms, (name) => `in the ${name}`) : [];
  const held = HELD.exec(text)?.[1];
  if (held !== undefined) {
    const holders = things.filter((each) => canHold(each, held));
    return put(IT, holders);
  }
  const told = things.filter(({ isHolder }) => !isHolder);
  return put(IT, isAboutRoom(spoken[0]!) ? [...rooms, ...told] : told);
}

/** By the plainest name that the question does not use otherwise: "sofa" for a three-seat sofa. */
function plainly(spoken: Spoken, text: string): Spoken {
  const [thing, ...more] = spoken.things;
  const head = thing && more.length === 0 && !isPerson(thing) ? headOf(thing.category)?.name : undefined;
  return head === undefined || text.toLowerCase().includes(head) ? spoken : { ...spoken, name: head };
}

/** Whether the last turn was about a room and nothing in it. */
function isAboutRoom(last: readonly Spoken[]): boolean {
  return last.length > 0 && last.every(({ things }) => things.length === 0);
}

/** Whether a clause before the pronoun names what it stands for: "and the bed, is it made?" */
function hasOwn(text: string): boolean {
  const at = IT.exec(text)?.index ?? ITS.exec(text)?.index ?? 0;
  const before = text.slice(0, at);
  const clause = /^(.*)(?:[,;.?!]|\band\b|\bif\b|\bor\b)/is.exec(before)?.[1] ?? "";
  return clause.split(/[^\p{L}]+/u).some((word, n, all) => DETERMINER.test(all[n - 1] ?? "") && isNoun(word));
}

const DETERMINER = /^(?:the|a|an|my|our|any|some|other|\p{Ll}+)$/u;

function isNoun(word: string): boolean {
  return lookup(singularOf(word.toLowerCase())) !== undefined;
}

function theOther(text: string, all: readonly Spoken[]): Way[] {
  const found = otherOf(all);
  if (!found) return [];
  const meant = plainly(found.one, text);
  const name = `the ${meant.name}`;
  // "And the other one, what is it next to?" is said once.
  const own = /^.*\bthe other(?: one)?\s*,\s*(.*)$/i.exec(text)?.[1];
  const said = own && IT.test(own) ? own.replace(IT, name) : text.replace(OTHER, name);
  return [{ said, meant, node: found.other }];
}

/** An expression with what is meant in the place of what its name was read as. */
function withMeant(part: Expression, { name, rooms }: Spoken, put: Expression): Expression {
  const wanted = singularOf(name).toLowerCase();
  const names = (one: Expression) => {
    const said = String(one.with[rooms.length > 0 ? "name" : "category"] ?? "").toLowerCase();
    const isBare = wanted === "thing" || (rooms.length > 1 && wanted === "room");
    if (one.op !== (rooms.length > 0 ? "rooms" : "things")) return false;
    return isBare
      ? Object.keys(one.with).length === 0
      : said === wanted && Object.keys(one.with).length === 1;
  };
  const walk = (one: Expression): Expression => {
    if (one.op === "the" && one.of[0] && names(one.of[0])) return put;
    return names(one) ? put : { ...one, of: one.of.map(walk) };
  };
  return walk(part);
}

/** Whether what is meant is in the expressions now; people and rooms of one name are known by it. */
function isPutIn(
  before: readonly Expression[],
  after: readonly Expression[],
  { things, name }: Spoken,
): boolean {
  if (before.some((part, n) => print(part) !== print(after[n]!))) return true;
  const isNamed = things.length === 0 || isPerson(things[0]!);
  return isNamed && before.some((part) => print(part).toLowerCase().includes(name.toLowerCase()));
}

const ELSE = /\s+else\b/i;

/** What else: without what was told already. */
function butTold(part: Expression, spoken: readonly Spoken[]): Expression {
  const own = spoken.filter(({ isHolder }) => !isHolder);
  const told = named(own, () => true);
  const [inner, ...rest] = part.of;
  if (inner && AROUND.has(part.op)) return { ...part, of: [butTold(inner, spoken), ...rest] };
  const set = part.op === "name" || part.op === "exists" ? part.of[0]! : part;
  if (told.length === 0 || !SETS.has(set.op)) return part;
  return replaced(part, set, node("minus", [set, nodeOf(ofThings(told))]));
}

/** What is asked stands inside of these. */
const AROUND: ReadonlySet<string> = new Set(["at", "from", "by"]);
const SETS: ReadonlySet<string> = new Set(["relate", "in", "contents", "filter", "things"]);

const ALWAYS =
  /^(?:and )?(?:was|were|has|have|is) (it|that|the ([\w -]+?)) (?:always|all along)(?: been)?(?: right| over)? (?:there|here)\b/i;

/** "Was it always there?", "was the lamp always there?": whether it was moved. */
function alwaysThere(text: string, spoken: readonly (readonly Spoken[])[]): Expression | undefined {
  const [, who, noun = ""] = ALWAYS.exec(text) ?? [];
  if (who === undefined) return undefined;
  const own = spoken.flat().filter(({ isHolder }) => !isHolder);
  const things =
    noun === "" ? [] : named(own, (thing) => isKindOf(thing.category, singularOf(noun.toLowerCase())));
  const one =
    noun === "" ? own.find((each) => each.things.length === 1) : things.length === 1 && ofThings(things);
  return one ? node("none", [node("changes", [nodeOf(one)], { kinds: ["moved"] })]) : undefined;
}

function named(spoken: readonly Spoken[], fits: (thing: KnownThing) => boolean): KnownThing[] {
  const all = spoken.flatMap(({ things }) => things).filter(fits);
  return [...new Map(all.map((thing) => [thing.trackId, thing])).values()];
}

/** "The lamp", where one of those just told of is a lamp and there are others: that one. */
async function justTold(
  readings: readonly Reading[],
  turns: readonly Turn[],
  scope: Scope,
): Promise<readonly Reading[]> {
  const last = turns.at(-1);
  const told = last ? named(await toldIn(last, scope), () => true) : [];
  if (told.length < 2) return readings;
  const tracks = new Set(told.map(({ trackId }) => trackId));
  const resolved = async (part: Expression): Promise<Expression> => {
    let whole = part;
    for (const one of nodesCalled("the", part)) {
      const [set] = one.of;
      if (set?.op !== "things" || set.with["category"] === undefined || one.with["number"] !== undefined)
        continue;
      const value = await evaluate(set, scope);
      const fitting = value.kind === "things" ? value.things : [];
      const own = fitting.filter(({ trackId }) => tracks.has(trackId));
      if (fitting.length > 1 && own.length === 1) whole = replaced(whole, one, nodeOf(ofThings(own)));
    }
    return whole;
  };
  return Promise.all(
    readings.map(async (reading) => ({ ...reading, parts: await Promise.all(reading.parts.map(resolved)) })),
  );
}

const THE_ONE = /^(?:and|or|what about|how about|no,? i (?:meant|mean))?,?\s*the (\w+) one\s*[?.]*$/i;

/** "And the full one?": the last question, of another of the kind that is so. */
function theOneThatIs(text: string, turns: readonly Turn[]): Expression | undefined {
  const [look] = attributesOf(THE_ONE.exec(text)?.[1]?.toLowerCase() ?? "");
  const [part, ...more] = turns.at(-1)?.parts ?? [];
  if (!look || !part || more.length > 0) return undefined;
  const [one, ...others] = nodesCalled("things", part.expression);
  const category = one?.with["category"];
  if (!one || others.length > 0 || category === undefined) return undefined;
  return replaced(part.expression, one, node("things", [], { category, [look.attribute]: look.value }));
}

const AND_ROOM =
  /^(?:and|or|what about|how about|and what about)\s+(?:in |of |for )?(?:the |my |our )?([\p{L}' ]+?)\s*\?*$/iu;

/** "And the bathroom?": the last question of one room, of that room. */
function otherRoom(text: string, turns: readonly Turn[]): Expression | undefined {
  const name = AND_ROOM.exec(text)?.[1]?.toLowerCase();
  if (name === undefined || !roomKind(name)) return undefined;
  for (const { parts } of turns.toReversed()) {
    if (parts.length !== 1) continue;
    const [{ expression }] = parts as [Turn["parts"][number]];
    const rooms = nodesCalled("rooms", expression).filter((one) => one.with["name"] !== undefined);
    if (new Set(rooms.map(print)).size !== 1) continue;
    return rooms.reduce((all, one) => replaced(all, one, node("rooms", [], { name })), expression);
  }
  return undefined;
}
