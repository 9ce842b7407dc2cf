import { node } from "../algebra/notation.ts";
import type { SituationRead } from "../situation/situate.ts";
import type { Side, Stance } from "../situation/terms.ts";
import { readDescription } from "./description.ts";
import { type Named, namedAt } from "./named.ts";
import type { Reading } from "./reading.ts";
import { relationsAt, sideAt } from "./relations.ts";
import type { Written } from "./tokens.ts";

/** The words of a sentence, and the words after a pause. */
interface Sentence {
  readonly words: readonly string[];
  readonly parted: readonly boolean[];
}

/** A speaker's statement of their position before a question: its reading, and the remaining sentences. */
export interface Situated {
  readonly situation: SituationRead;
  readonly asking: readonly Written[];
}

/** A reading with a lower cost explains the words well. */
const PLAIN_COST = 0.3;
/** First words of sentences about oneself. */
const OWN = /^(?:i|we|my|there|with|on|to|behind)$/;
/** An activity: "washing"; not "something", "nothing" and the like. */
const DOING = /^(?!\w*thing$)\w{2,}ing$/;
const POSTURES =
  /^(?:sitting|sit|sat|seated|standing|stand|stood|lying|laying|lie|resting|sleeping|am|was|being)$/;
const FACING = /^(?:facing|looking|watching|towards|toward|viewing)$/;
const COMING = /^(?:entering|entered|coming|came|enter|arrived|arriving)$/;
const LEAVING = /^(?:leaving|exiting|leave|exit)$/;
/** Words after a verb that only say that one is there. */
const ALONG = /^(?:at|to|towards|toward|into|in|out|from|through|up|off|on|over|my|right|directly|just|by)$/;
const LINKS = /^(?:is|are|was|were|right|directly|immediately|just|that|which|being|located|situated)$/;
const BOUNDS = /^(?:and|while|with|facing|looking|but|when|as|having|where|there|about|i|being)$/;
/** The stance that a place relation implies. */
const STANCES: Readonly<Record<string, Stance>> = {
  on: "on",
  in: "in",
  at: "at",
  front: "front",
  beside: "beside",
  near: "near",
  around: "near",
  under: "near",
  behind: "behind",
  between: "between",
  left: "left",
  right: "right",
  opposite: "near",
};
const SIDES: ReadonlySet<string> = new Set(["front", "left", "right", "behind"]);
const IN_REACH = /\b(?:immediate|immediately|right next|within (?:arms? )?reach|arm'?s? reach)\b/;

/**
 * "I am sitting on the bed facing the window, the lamp to my left. What is behind me?": the statements before the
 * question as a situation. Undefined where they do not give a position among things.
 */
export function readSituation(sentences: readonly Written[]): Situated | undefined {
  // A description of a thing to find gives its place, and not the speaker's.
  if (!sentences.some(isOwn) && readDescription(sentences)) return undefined;
  const first = sentences.findIndex(({ end }) => end === "?");
  const count = first < 0 ? sentences.length - 1 : first;
  const parts = sentences
    .slice(0, count)
    .map(({ tokens }) =>
      partsOf({ words: tokens.map(({ word }) => word), parted: tokens.map(({ parted }) => parted) }),
    );
  const stance = parts.find(({ anchor }) => anchor !== undefined);
  const facing = parts.find((one) => one.facing !== undefined)?.facing;
  const sides = parts.flatMap((one) => one.sides);
  if (!stance && !facing && sides.length === 0) return undefined;
  return {
    situation: { relation: stance?.relation, anchor: stance?.anchor, facing, sides },
    asking: sentences.slice(count),
  };
}

/** "By the sink, facing the door: is the bed left, right or behind?": directions are measured from centre to centre. */
export function isFromThingToThing({ parts: [part], cost }: Reading, rank: number): boolean {
  return (
    rank === 0 &&
    cost < PLAIN_COST &&
    part !== undefined &&
    ((part.op === "from" && part.of.length === 3 && part.of[0]?.op === "direction") ||
      // A speaker who gives a position and a destination asks for the route between them.
      (part.op === "route" && part.of.length > 1))
  );
}

/** Whether a sentence is about the speaker. */
function isOwn({ tokens }: Written): boolean {
  return tokens.some(({ word }) => /^(?:i|me|my|mine|we|us|our)$/.test(word));
}

type Sided = SituationRead["sides"][number];
function partsOf(s: Sentence): SituationRead {
  const [first = ""] = s.words;
  if (!OWN.test(first) && !DOING.test(first)) return { sides: [] };
  const used = new Set<number>();
  const sides = sidesIn(s, used);
  const facing = facedIn(s, used);
  const stance = stanceIn(s, used);
  return { sides: [...sides, ...(stance?.behind ?? [])], facing: facing ?? stance?.facing, ...stance?.at };
}

/** "the lamp to my left", "on my left there is a lamp": the thing next to the words for a side. */
function sidesIn(s: Sentence, used: Set<number>): Sided[] {
  const found: Sided[] = [];
  for (let at = 0; at < s.words.length; at++) {
    const side = s.words[at] === "i" || s.words[at] === "that" ? undefined : sideAt(s.words, at);
    if (!side || !SIDES.has(side.relation)) continue;
    // "to the left of the bed" is relative to the bed.
    if (relationsAt(s.words, at).some(({ end }) => end > side.end)) continue;
    const noun = before(s, at, used) ?? after(s, side.end, used);
    if (!noun) continue;
    for (let n = at; n < side.end; n++) used.add(n);
    if (!isPlaced(s, noun.from)) for (let n = noun.from; n < noun.end; n++) used.add(n);
    found.push({
      side: side.relation as Side,
      thing: noun.thing,
      isInReach: IN_REACH.test(s.words.slice(at, side.end + 3).join(" ")) || undefined,
    });
    at = side.end - 1;
  }
  return found;
}

/** "standing by the door on my right": the door is also the position. */
function isPlaced(s: Sentence, from: number): boolean {
  return /^(?:by|beside|near|at|to)$/.test(s.words[from - 1] ?? "");
}

/** The noun phrase that ends before a word. */
function before(s: Sentence, at: number, used: ReadonlySet<number>): Named | undefined {
  let end = at;
  while (end > 0 && LINKS.test(s.words[end - 1]!)) end--;
  for (let from = Math.max(0, end - 6); from < end; from++) {
    const inner = s.words.slice(from, end);
    if (used.has(from) || inner.some((word) => BOUNDS.test(word) || /ing$|^(?:am|was)$/.test(word))) continue;
    const noun = namedAt(s.words, from, end);
    if (noun?.end === end) return noun;
  }
  return undefined;
}

/** The noun phrase after "there is". */
function after(s: Sentence, at: number, used: ReadonlySet<number>): Named | undefined {
  let from = at;
  while (/^(?:is|are|was|were|there|i|have|has|can|see)$/.test(s.words[from] ?? "")) from++;
  return from > at || s.parted[from] ? nounFrom(s, from, used) : undefined;
}

/** A noun phrase up to the next part of the sentence. */
function nounFrom(s: Sentence, from: number, used: ReadonlySet<number>): Named | undefined {
  if (used.has(from)) return undefined;
  let bound = from + 1;
  while (bound < s.words.length && !s.parted[bound] && !BOUNDS.test(s.words[bound]!) && !used.has(bound))
    bound++;
  return namedAt(s.words, from, bound);
}

function facedIn(s: Sentence, used: Set<number>): SituationRead["facing"] {
  for (const [at, word] of s.words.entries()) {
    if (used.has(at) || !FACING.test(word) || s.words[at + 1] === "for") continue;
    const noun = nounFrom(s, skipped(s, at + 1, ALONG), used);
    if (!noun) continue;
    for (let n = at; n < noun.end; n++) used.add(n);
    return noun.thing;
  }
  return undefined;
}

interface Standing {
  readonly at?: Pick<SituationRead, "relation" | "anchor">;
  readonly facing?: SituationRead["facing"];
  readonly behind?: readonly Sided[];
}

/** The first thing that the speaker sits on, stands by, uses, enters or leaves. */
function stanceIn(s: Sentence, used: ReadonlySet<number>): Standing | undefined {
  for (const [at, word] of s.words.entries()) {
    const isPosture = POSTURES.test(word);
    // "There are two dining tables." is not about dining.
    if (at > 0 && !/^(?:i|am|was|be|just|and|while|been|still|currently|now|from)$/.test(s.words[at - 1]!))
      continue;
    if (used.has(at) || !(isPosture || DOING.test(word) || COMING.test(word) || LEAVING.test(word))) continue;
    const found = isPosture ? placedBy(s, at, used) : doing(s, at, used);
    if (found) return found;
  }
  return undefined;
}

const MORE = /^(?:right|directly|just|down|up|over|out|back|here|there)$/;

/** "sitting on the bed". */
function placedBy(s: Sentence, at: number, used: ReadonlySet<number>): Standing | undefined {
  for (const { relation, end } of relationsAt(s.words, skipped(s, at + 1, MORE))) {
    const noun = nounFrom(s, end, used);
    const stance = STANCES[relation];
    if (noun && stance) return { at: { relation: stance, anchor: noun.thing } };
  }
  return undefined;
}

/** "washing my hands at the sink", "walking into the room", "opening the window". */
function doing(s: Sentence, at: number, used: ReadonlySet<number>): Standing | undefined {
  const word = s.words[at]!;
  const from = skipped(s, at + 1, ALONG);
  const along = s.words.slice(at + 1, from);
  const isIn =
    (COMING.test(word) || /^(?:walk|stepp|go)/.test(word)) &&
    /^(?:in|into|through|the|this|a)$/.test(s.words[at + 1] ?? "") &&
    /\b(?:the|this|a) (?:room|door)\b/.test(s.words.join(" "));
  const noun = nounFrom(s, s.words[from] === "away" ? skipped(s, from + 1, ALONG) : from, used);
  if (isIn && (!noun || !/door/.test(noun.name))) return { at: { relation: "entering", anchor: DOORS } };
  const thing = noun?.thing;
  if (thing && s.words[from] === "away") return { behind: [{ side: "behind", thing }] };
  if (thing && /^(?:towards?|to)$/.test(along[0] ?? "") && /^(?:walk|head|go|mov|run)/.test(word))
    return { facing: thing };
  const relation = isIn ? "entering" : LEAVING.test(word) ? "leaving" : "at";
  // The position of an action is the thing in, on or from which it is done.
  for (let next = from + 1; next < s.words.length && !BOUNDS.test(s.words[next]!); next++) {
    if (!/^(?:at|in|into|on|from|by|near)$/.test(s.words[next]!)) continue;
    const place = nounFrom(s, next + 1, used);
    if (place?.isKnown) return { at: { relation, anchor: place.thing } };
  }
  return thing && { at: { relation, anchor: thing } };
}

const DOORS = node("things", [], { category: "door" });

function skipped(s: Sentence, from: number, words: RegExp): number {
  let at = from;
  while (words.test(s.words[at] ?? "")) at++;
  return at;
}
