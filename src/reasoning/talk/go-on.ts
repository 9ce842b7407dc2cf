import { isKindOf, roomKind } from "../../ontology/index.ts";
import type { Expression } from "../../schema/index.ts";
import { evaluate } from "../algebra/evaluate.ts";
import { node } from "../algebra/notation.ts";
import type { Scope } from "../algebra/operator.ts";
import { goesOn } from "../read/placeholders.ts";
import type { Reading } from "../read/reading.ts";
import { nodesCalled, replaced } from "../rival-values.ts";
import { isPutIn, type Way, waysToSay, withMeant } from "./by-name.ts";
import { resolved, spokenIn, turnOf } from "./resolve.ts";
import { nodeOf, ofThings, spokenOf } from "./spoken-of.ts";
import type { Turn } from "./turn.ts";
import { isOne, isRoom, toldOf } from "./wanted.ts";

/** Words of a question, read by themselves or with the questions before. */
type Read = (question: string, isAlone: boolean) => Promise<readonly Reading[]>;

/** So many that may be meant by a pronoun are tried, each so much less likely than the one before. */
const MOST_MEANT = 2;
const LESS_LIKELY = 0.2;
/** So many readings of each are looked at. */
const MOST_READINGS = 2;
/** Where it is known what was answered, to guess from the questions alone what is meant costs so much; more beside a form that goes on. */
const BY_WORDS_ALONE = 0.3;
const BESIDE_SURE = 0.6;
/** What goes on from the answer before and costs no more is read in no other way. */
const SURE = 0.1;

/** The ways to understand a question of a conversation, the likeliest first; of earlier questions alone, only where it goes on from one. */
export async function readInTalk(
  question: string,
  history: readonly (string | Turn)[],
  scope: Scope,
  read: Read,
): Promise<readonly Reading[]> {
  const text = question.replace(/\b(it|that|there|he|she)['’]s\b/gi, "$1 is").trim();
  const readings = await read(question, false);
  const last = history.at(-1);
  const turns =
    typeof last === "string"
      ? readings.some(({ goesOn }) => goesOn)
        ? await turnRead(last, scope, read)
        : []
      : history.filter((one) => typeof one !== "string");
  const own: Reading[] = [];
  for (const one of readings) own.push(...(await resolved(one, text, turns, scope)));
  if (turns.length === 0) return own;
  const isSure = own.some((one) => one.goesOn && one.cost <= SURE);
  const further = isSure ? [] : await byName(text, turns, scope, (said) => read(said, true));
  const extra = isSure ? BESIDE_SURE : further.length > 0 ? BY_WORDS_ALONE : 0;
  const byWords = own.map((one) => (one.goesOn ? one : { ...one, cost: one.cost + extra }));
  const all = [...further, ...byWords].sort((a, b) => a.cost - b.cost);
  return justTold(all, turns, scope);
}

/** An earlier question of which nobody kept what it came to. */
async function turnRead(question: string, scope: Scope, read: Read): Promise<readonly Turn[]> {
  const part = (await read(question, true))[0]?.parts[0];
  return part && !goesOn(part) ? [await turnOf(question, part, scope)] : [];
}

/** Readings with the name of what is meant in the place of the words that stand for it. None where it stands by itself. */
async function byName(
  text: string,
  turns: readonly Turn[],
  scope: Scope,
  read: (question: string) => Promise<readonly Reading[]>,
): Promise<readonly Reading[]> {
  if (standsAlone(text)) return (await read(text)).slice(0, MOST_READINGS);
  const found: Reading[] = [];
  const ways: readonly Way[] = waysToSay(text, await spokenIn(turns, scope));
  for (const [n, way] of ways.slice(0, MOST_MEANT).entries())
    for (const reading of (await read(way.said)).slice(0, MOST_READINGS)) {
      const parts = reading.parts.map((part) => withMeant(part, way));
      if (isPutIn(reading.parts, parts, way.meant))
        found.push({ ...reading, parts, cost: reading.cost + n * LESS_LIKELY });
    }
  return found;
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

/** "The lamp", where there are several and one of those just told of is a lamp, or one stands in the room just spoken of: that one. */
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
