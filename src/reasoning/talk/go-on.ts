import { isKindOf, roomKind } from "../../ontology/index.ts";
import type { Expression } from "../../schema/index.ts";
import { evaluate } from "../algebra/evaluate.ts";
import { node } from "../algebra/notation.ts";
import type { Scope } from "../algebra/operator.ts";
import { goesOn } from "../read/placeholders.ts";
import type { Reading } from "../read/reading.ts";
import { nodesCalled, replaced } from "../rival-values.ts";
import { isPutIn, type Way, waysToSay, withMeant } from "./by-name.ts";
import { toTheOther } from "./by-robot.ts";
import { isElliptic, naming, undislocated, withThere, withWholeCodes } from "./plainly.ts";
import { resolved, spokenIn, turnOf } from "./resolve.ts";
import { nodeOf, ofThings, spokenOf } from "./spoken-of.ts";
import type { Turn } from "./turn.ts";
import { isOne, isRoom, toldOf } from "./wanted.ts";

/** Reads the words of a question, alone or with the previous questions. */
type Read = (question: string, isAlone: boolean) => Promise<readonly Reading[]>;

/** The most referents of a pronoun that are tried, and the extra cost of each further one. */
const MOST_MEANT = 2;
const LESS_LIKELY = 0.2;
/** The most readings examined for each. */
const MOST_READINGS = 2;
/**
 * The extra cost of a reading from the questions alone where the previous answer is known; higher beside a form that
 * continues the conversation.
 */
const BY_WORDS_ALONE = 0.3;
const BESIDE_SURE = 0.6;
/** Where a reading that continues the previous answer costs no more than this, no others are tried. */
const SURE = 0.1;

/**
 * The readings of a question in a conversation, the likeliest first; by the earlier questions alone only where it
 * continues one.
 */
export async function readInTalk(
  question: string,
  history: readonly (string | Turn)[],
  scope: Scope,
  read: Read,
): Promise<readonly Reading[]> {
  const text = question.replace(/\b(it|that|there|he|she|they)['’](s|re)\b/gi, asVerb).trim();
  const whole =
    history.length === 0 ? text : withWholeCodes(inPlace(withThere(text), history.at(-1)), history.at(-1));
  const last = history.at(-1);
  const told = history.filter((one) => typeof one !== "string");
  const readings: Reading[] = [];
  for (const one of await read(whole === text ? question : whole, false)) {
    const parts = await Promise.all(one.parts.map((part) => toTheOther(part, told, scope)));
    readings.push({ ...one, parts });
  }
  const turns =
    typeof last === "string"
      ? readings.some(({ goesOn }) => goesOn)
        ? await turnRead(last, scope, read)
        : []
      : told;
  const own: Reading[] = [];
  for (const one of readings) own.push(...(await resolved(one, whole, turns, scope)));
  if (turns.length === 0) return own;
  // An exact form is unambiguous: "how many chairs are there?" has no place.
  const isSure = own.some((one) => (one.goesOn || one.isExact) && one.cost <= SURE);
  const further = isSure ? [] : await byName(whole, turns, scope, read);
  const extra = isSure ? BESIDE_SURE : further.length > 0 ? BY_WORDS_ALONE : 0;
  const byWords = own.map((one) => (one.goesOn || one.isExact ? one : { ...one, cost: one.cost + extra }));
  const all = [...further, ...byWords].sort((a, b) => a.cost - b.cost);
  return justTold(all, turns, scope);
}

/** With its subject, and the robot that is meant by name. */
function inPlace(text: string, last: string | Turn | undefined): string {
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

/** Readings with a name in the place of each pronoun. None where the question stands by itself. */
async function byName(
  text: string,
  turns: readonly Turn[],
  scope: Scope,
  read: Read,
): Promise<readonly Reading[]> {
  if (standsAlone(text)) return (await read(text, true)).slice(0, MOST_READINGS);
  // "And on the table next to it?" means nothing without the previous question.
  const isAlone = !isElliptic(text);
  const found: Reading[] = [];
  const ways: readonly Way[] = waysToSay(text, await spokenIn(turns, scope));
  for (const [n, way] of ways.slice(0, MOST_MEANT).entries())
    for (const reading of (await read(way.said, isAlone)).slice(0, MOST_READINGS)) {
      const parts = reading.parts.map((part) => withMeant(part, way));
      if (!isPutIn(reading.parts, parts, way.meant)) continue;
      for (const one of await resolved({ ...reading, parts }, text, turns, scope))
        found.push({ ...one, cost: one.cost + n * LESS_LIKELY, said: way.said });
    }
  return found;
}

/** Words with which a question continues another. */
const GOES_ON =
  /^\s*(?:and|or|but|so|then|no|what about|how about)\b|\b(?:it|its|they|them|their|that|those|these|there|he|him|his|she|her|hers|ones?|same|other|others|else|another|before|both|which|too|also)\b/i;

/** Whether a question names its room and needs nothing from earlier ones. */
function standsAlone(text: string): boolean {
  const words = text
    .toLowerCase()
    .split(/[^\p{L}']+/u)
    .filter(Boolean);
  return (
    !GOES_ON.test(text) && words.some((word, n) => roomKind(word) ?? roomKind(`${words[n - 1]} ${word}`))
  );
}

/** "The lamp", where there are several: the one mentioned just before, or the one in the room mentioned. */
async function justTold(
  readings: readonly Reading[],
  turns: readonly Turn[],
  scope: Scope,
): Promise<readonly Reading[]> {
  const spoken = await spokenOf(turns.at(-1)!, scope);
  const told = new Set(toldOf(spoken).flatMap(({ things }) => things.map(({ trackId }) => trackId)));
  const [room, ...others] = spoken.filter(isRoom);
  const isMeant = async (set: Expression): Promise<Expression | undefined> => {
    const value = await evaluate(set, scope);
    if (value.kind !== "things" || value.things.length < 2) return undefined;
    const own = value.things.filter(({ trackId }) => told.has(trackId));
    if (own.length === 1) return nodeOf(ofThings(own));
    // "Which has a cushion on it?", "what colour is the cushion?"
    const borne = value.things.filter(({ heldBy }) => heldBy && told.has(heldBy.trackId));
    if (own.length === 0 && borne.length === 1) return nodeOf(ofThings(borne));
    if (own.length > 0 || !room || others.length > 0 || !isOne(room)) return undefined;
    const isDoor = isKindOf(String(set.with["category"]), "door");
    const there = isDoor
      ? node("relate", [set, nodeOf(room)], { relation: "at" })
      : node("in", [set, nodeOf(room)]);
    const inRoom = await evaluate(there, scope);
    return inRoom.kind === "things" && inRoom.things.length > 0 ? node("the", [there]) : undefined;
  };
  const resolvedIn = async (part: Expression): Promise<Expression> => {
    let whole = part;
    if (nodesCalled("rooms", part).length > 0) return whole;
    for (const one of nodesCalled("the", part)) {
      const [set] = one.of;
      if (set?.op !== "things" || set.with["category"] === undefined || one.with["number"] !== undefined)
        continue;
      const meant = await isMeant(set);
      if (meant) whole = replaced(whole, one, meant);
    }
    return whole;
  };
  return Promise.all(
    readings.map(async (reading) => ({
      ...reading,
      parts: await Promise.all(reading.parts.map(resolvedIn)),
    })),
  );
}
