import { isKindOf, lookup } from "../../ontology/index.ts";
import { LIMITS, type Maybe } from "../../schema/core.ts";
import { KINDS } from "./kinds.ts";
import { CLOSER_WEIGHTS, TAKEN_FOR, WEIGHTS } from "./naming-weights.ts";
import type { IsApart } from "./partitions.ts";

/** What is known of a region that is to be named. */
export interface Nameable {
  /** What the eyes say, a mean probability a word. */
  readonly votes: ArrayLike<number>;
  /** What their closer looks say, a mean probability a kind; absent of eyes that know words only. */
  readonly kindVotes?: ReadonlyMap<string, number>;
  readonly longM: number;
  readonly wideM: number;
  readonly highM: number;
  /** Its lowest place above the floor; no number where the floor is not known. */
  readonly aboveM: number;
  readonly middle: readonly number[];
}

/** A name that is sure enough, if there is one, and what else it may be, likeliest first. */
export interface Named {
  readonly label: string | undefined;
  readonly maybe: readonly Maybe[];
}

/** From which probability a name is said, and from which it is worth remembering. */
const SURE = 0.4;
const LIKELY = 0.06;
/** No name is said that the eyes themselves do not say this much: the rest only tells which of its kin it is. */
const SAID = 0.27;
/** Where there are closer looks, which agree with the others too often to be a second opinion. */
const SAID_CLOSER = 0.37;
/** Real things differ more among themselves than a simulator's, and are seen in part: of logarithms, and in metres. */
const SIZE_SD = 0.3;
const ABOVE_SD = 0.15;
const LEAST_FIT = -8;
/** How many more things of a word there are than its kinds here, and how much more they differ, in hundredths. */
const OTHERS = 0.4;
const LEAST_OTHERS = 100;
/** How much of what closer looks say of a word's kinds they say of such others. */
const OTHERS_CLOSER = 0.2;
const MORE_SPREAD = 30;
/** Votes that nobody has met are unlikely, not impossible. */
const UNSAID = 0.01;
/** The share of the things of a kind that is in any room, as all things are: no room is impossible. */
const ANYWHERE = 0.1;
/** What stands nearer says more about the room; what is farther than this says nothing. */
const NEAR_M = 3;
const FAR_M = 5;
const ROUNDS = 2;

interface Kind {
  readonly name: string;
  readonly word: string;
  readonly usual: readonly { readonly mean: number; readonly variance: number }[];
  readonly common: number;
  /** How many times likelier than anywhere it is in each kind of room. */
  readonly rooms: Float64Array;
  /** What it may be called as well, where its own name is not sure: a desk lamp is a lamp. */
  readonly broader: readonly string[];
}

/**
 * What speaks for each kind, a row a kind: votes; not being larger than such things are, nor smaller; not standing higher, nor lower; the room;
 * how common it is; closer looks. A thing that is hidden in part seems smaller and higher, never larger or lower.
 */
export type Evidence = readonly Float64Array[];
const ROOM = 5;

/** How much each of these says, and of each word of the eyes what was meant by it. */
export interface NamingFit {
  readonly weights: readonly number[];
  /** The same of things that closer looks told of, with how much those say. */
  readonly closerWeights?: readonly number[];
  readonly takenFor: ReadonlyMap<string, readonly (readonly [meant: string, share: number])[]>;
}

let known: readonly Kind[] | undefined;
/** The logarithm of the share of all things that is in each kind of room. */
let usualRooms: Float64Array | undefined;
let shipped: NamingFit | undefined;

/** The kinds that have a name here. */
export function kinds(): readonly Kind[] {
  known ??= readKinds();
  return known;
}

function readKinds(): Kind[] {
  const rows: Row[] = KINDS.trim()
    .split("\n")
    .map((line) => {
      const [name = "", word = "", count = "", figures = "", rooms = ""] = line.split("|");
      const numbers = (text: string) => text.split(" ").map(Number);
      return { name, word, count: Number(count), figures: numbers(figures), rooms: numbers(rooms) };
    });
  const inAll = rows.reduce((sum, { count }) => sum + count, 0);
  const inRooms = rows[0]!.rooms.map((_, k) => rows.reduce((sum, { rooms }) => sum + rooms[k]!, 0));
  usualRooms = Float64Array.from(inRooms, (n) => Math.log(n / inAll));
  const names = [...new Set(rows.flatMap(({ name, word }) => [name, word]))].filter(
    (name) => lookup(name)?.isKind === false,
  );
  return [...unmetKinds(rows, inRooms, inAll), ...rows].map(({ name, word, count, figures, rooms }) => ({
    name,
    word,
    usual: [0, 1, 2, 3].map((k) => ({
      mean: figures[2 * k]! / 100,
      variance: (figures[2 * k + 1]! / 100) ** 2 + (k < 3 ? SIZE_SD : ABOVE_SD) ** 2,
    })),
    common: Math.log(count / inAll),
    rooms: Float64Array.from(
      rooms,
      (n, k) => ANYWHERE + ((1 - ANYWHERE) * n * inAll) / (count * inRooms[k]!),
    ),
    broader: names.filter((other) => other !== name && isKindOf(name, other)),
  }));
}

interface Row {
  readonly name: string;
  readonly word: string;
  readonly count: number;
  readonly figures: readonly number[];
  readonly rooms: readonly number[];
}

/** Of each word those things that are of none of the kinds known here: there are more tables than a simulator has. */
function unmetKinds(rows: readonly Row[], inRooms: readonly number[], inAll: number): Row[] {
  const groups = Map.groupBy(
    rows.filter(({ word }) => word !== "other"),
    ({ word }) => word,
  );
  return [...groups].map(([word, own]) => {
    const all = own.reduce((sum, { count }) => sum + count, 0);
    const mean = (of: (row: Row) => number) => own.reduce((sum, row) => sum + (row.count / all) * of(row), 0);
    const figures = [0, 1, 2, 3].flatMap((k) => {
      const middle = mean((row) => row.figures[2 * k]!);
      const spread = mean((row) => row.figures[2 * k + 1]! ** 2 + (row.figures[2 * k]! - middle) ** 2);
      return [middle, Math.sqrt(spread + MORE_SPREAD ** 2)];
    });
    // What simulators hardly have may be common all the same: papers, and people.
    const count = Math.max(OTHERS * all, LEAST_OTHERS);
    // In any room, as all things are, and in those of its kin a little more often.
    const rooms = inRooms.map(
      (n, k) => (count * (n / inAll + own.reduce((sum, row) => sum + row.rooms[k]!, 0) / all)) / 2,
    );
    return { name: word, word, count, figures, rooms };
  });
}

/**
 * Names for the things of a map, all at once: by what the eyes say and what that word of theirs turned out to be, by size
 * and height as such things have them, and by the room, as the other things tell it. The weights are fitted
 * (docs/eyes.md#names). A name is as special as is sure: a lamp, where it may be a desk lamp or a floor lamp.
 */
export function namesOf(
  things: readonly Nameable[],
  words: readonly string[],
  isApart?: IsApart,
  fit = shippedFit(),
): Named[] {
  const { takenFor } = fit;
  return likelyKinds(things, words, fit, isApart).map((post, n) => {
    const { votes, kindVotes } = things[n]!;
    const said = meantBy(votes, words, takenFor);
    words.forEach((word, k) => {
      said.set(word, Math.max(said.get(word) ?? 0, votes[k] ?? 0));
    });
    return namedBy(post, said, kindVotes);
  });
}

/** Whether a place of this size has room for one thing of a name only, by the smallest of its kinds. */
export function isRoomForOne(
  name: string,
  { longM, wideM, highM }: Pick<Nameable, "longM" | "wideM" | "highM">,
): boolean {
  const own = kinds().filter((kind) => kind.name === name || kind.broader.includes(name));
  const sizes = [longM, wideM, highM].map(Math.log);
  return (
    own.length > 0 &&
    own.every(({ usual }) => sizes.every((size, k) => size <= usual[k]!.mean + Math.sqrt(usual[k]!.variance)))
  );
}

/** How high things of a name are that are the lowest of its kinds; 0 for what is no kind here. */
export function usualHighM(name: string): number {
  const own = kinds().filter((kind) => kind.name === name || kind.broader.includes(name));
  return own.length === 0 ? 0 : Math.exp(Math.min(...own.map(({ usual }) => usual[2]!.mean)));
}

function shippedFit(): NamingFit {
  shipped ??= { weights: WEIGHTS, closerWeights: CLOSER_WEIGHTS, takenFor: readTakenFor(TAKEN_FOR) };
  return shipped;
}

/** Probabilities of the kinds, for each thing. */
export function likelyKinds(
  things: readonly Nameable[],
  words: readonly string[],
  fit: NamingFit,
  isApart?: IsApart,
): Float64Array[] {
  const near = nearnessOf(things, isApart);
  const evidence = things.map((thing) => evidenceFor(thing, words, fit.takenFor));
  const weightsOf = ({ kindVotes }: Nameable) => (kindVotes && fit.closerWeights) || fit.weights;
  const weighed = () => evidence.map((rows, n) => posterior(rows, weightsOf(things[n]!)));
  let posts = weighed();
  for (let round = 0; round < ROUNDS; round++) {
    addRooms(near, evidence, posts);
    posts = weighed();
  }
  return posts;
}

/** What speaks for each kind, but for the room, which the others tell. */
export function evidenceFor(
  thing: Nameable,
  words: readonly string[],
  takenFor: NamingFit["takenFor"],
): Evidence {
  const said = meantBy(thing.votes, words, takenFor);
  const sizes = [Math.log(thing.longM), Math.log(thing.wideM), Math.log(thing.highM), thing.aboveM];
  const { kindVotes } = thing;
  return kinds().map(({ name, word, usual, common }) => {
    const row = [Math.log((said.get(word) ?? 0) + UNSAID), 0, 0, 0, 0, 0, common];
    usual.forEach(({ mean, variance }, k) => {
      const off = sizes[k]! - mean;
      if (!Number.isFinite(off)) return;
      const more = k < 3 ? 1 : 3;
      row[off > 0 ? more : more + 1]! += Math.max(LEAST_FIT, -(off ** 2) / (2 * variance));
      row[more]! -= Math.log(variance) / 4;
      row[more + 1]! -= Math.log(variance) / 4;
    });
    if (kindVotes) row.push(Math.log((kindVotes.get(name) ?? othersOf(word, kindVotes)) + UNSAID));
    return Float64Array.from(row);
  });
}

/** What closer looks say of those things of a word that are of none of its kinds. */
function othersOf(word: string, kindVotes: ReadonlyMap<string, number>): number {
  let sum = 0;
  for (const kind of kinds()) if (kind.word === word) sum += kindVotes.get(kind.name) ?? 0;
  return sum * OTHERS_CLOSER;
}

/** What is said loudest counts in full, the rest less: weak votes are what anything gets, and say little of what was meant. */
export function loudest(votes: ArrayLike<number>): Float64Array {
  const all = Float64Array.from(votes);
  const most = all.reduce((a, b) => Math.max(a, b), 0);
  return all.map((vote) => (vote > 0 ? vote * (vote / most) : 0));
}

/** How likely each word is meant: what the eyes call a mug was a can now and then. */
function meantBy(
  votes: ArrayLike<number>,
  words: readonly string[],
  takenFor: NamingFit["takenFor"],
): Map<string, number> {
  const out = new Map<string, number>();
  const loud = loudest(votes);
  words.forEach((word, n) => {
    const vote = loud[n] ?? 0;
    if (!(vote > 0)) return;
    for (const [meant, share] of takenFor.get(word) ?? [[word, 1] as const])
      out.set(meant, (out.get(meant) ?? 0) + vote * share);
  });
  return out;
}

/** A word a line, then what was meant by it, each with its hundredths. */
export function readTakenFor(text: string): NamingFit["takenFor"] {
  return new Map(
    text
      .trim()
      .split("\n")
      .map((line) => {
        const [word = "", ...meant] = line.split("|");
        return [
          word,
          meant.map((one) => {
            const [name = "", share = ""] = one.split(":");
            return [name, Number(share) / 100] as const;
          }),
        ] as const;
      }),
  );
}

/** Probabilities of the kinds. */
export function posterior(rows: Evidence, weights: readonly number[]): Float64Array {
  const scores = new Float64Array(rows.length);
  rows.forEach((row, n) => {
    let sum = 0;
    for (let k = 0; k < row.length; k++) sum += weights[k]! * row[k]!;
    scores[n] = sum;
  });
  return shares(scores);
}

function shares(scores: Float64Array): Float64Array {
  const most = scores.reduce((a, b) => Math.max(a, b), -Infinity);
  const odds = scores.map((score) => Math.exp(score - most));
  const all = odds.reduce((a, b) => a + b, 0);
  return odds.map((one) => one / all);
}

/** A thing that tells another of its room, and how much. */
interface Neighbour {
  readonly number: number;
  readonly weight: number;
}

/** What tells each thing in which room it is: what is near, and not behind a wall. */
export function nearnessOf(
  things: readonly Nameable[],
  isApart: IsApart = () => false,
): readonly (readonly Neighbour[])[] {
  const out: Neighbour[][] = things.map(() => []);
  things.forEach(({ middle }, n) => {
    for (let m = 0; m < n; m++) {
      const other = things[m]!.middle;
      const apartM = Math.hypot(...middle.map((value, k) => value - other[k]!));
      if (apartM > FAR_M || isApart(middle, other)) continue;
      const weight = Math.exp(-apartM / NEAR_M);
      out[n]!.push({ number: m, weight });
      out[m]!.push({ number: n, weight });
    }
  });
  return out;
}

/** Fills in what the room says: each thing tells those near it in which kind of room it would be. */
export function addRooms(
  near: readonly (readonly Neighbour[])[],
  evidence: readonly Evidence[],
  posts: readonly Float64Array[],
): void {
  const all = kinds();
  const rooms = usualRooms!.length;
  const told = posts.map((post) =>
    Float64Array.from({ length: rooms }, (_, room) =>
      Math.log(post.reduce((sum, p, kind) => sum + p * all[kind]!.rooms[room]!, 0)),
    ),
  );
  near.forEach((others, n) => {
    const sum = Float64Array.from(usualRooms!);
    for (const { number, weight } of others)
      for (let room = 0; room < rooms; room++) sum[room]! += weight * told[number]![room]!;
    const here = shares(sum);
    evidence[n]!.forEach((row, kind) => {
      row[ROOM] = Math.log(here.reduce((p, share, room) => p + share * all[kind]!.rooms[room]!, 0));
    });
  });
}

/** The most special name that is sure, and what else is likely. */
function namedBy(
  post: Float64Array,
  said: ReadonlyMap<string, number>,
  kindVotes: ReadonlyMap<string, number> | undefined,
): Named {
  const all = kinds();
  const [own, broad, words] = [
    new Map<string, number>(),
    new Map<string, number>(),
    new Map<string, number>(),
  ];
  const add = (to: Map<string, number>, name: string, p: number) => to.set(name, (to.get(name) ?? 0) + p);
  post.forEach((p, n) => {
    const { name, word, broader } = all[n]!;
    add(own, name, p);
    const spoken = word === "other" && kindVotes ? 0 : (said.get(word) ?? 0);
    if (Math.max(spoken, kindVotes?.get(name) ?? 0) < (kindVotes ? SAID_CLOSER : SAID)) return;
    add(words, word, p);
    for (const one of [name, ...broader]) add(broad, one, p);
  });
  const special = [...broad]
    .filter(([, p]) => p >= SURE)
    .sort((a, b) => b[1] - a[1])
    .reduce<string | undefined>((a, [b]) => (a === undefined || isKindOf(b, a) ? b : a), undefined);
  // The eyes' own word, where it is as likely meant in its strict sense as not: a mug, or else a toothbrush cup.
  const plain = [...words].find(([word, p]) => p >= SURE && (broad.get(word) ?? 0) >= p / 2);
  const sure = special ?? plain?.[0];
  // What is likelier, though the eyes do not say it enough, speaks against any other name.
  const [likeliest] = [...own].reduce((a, b) => (b[1] > a[1] ? b : a));
  const isOwn = (name: string) => all.some((kind) => kind.name === likeliest && kind.word === name);
  const label = sure !== undefined && (areKin(sure, likeliest) || isOwn(sure)) ? sure : undefined;
  const maybe = [...own]
    .map(([category, p]) => ({ category, p }))
    .filter(({ category, p }) => p >= LIKELY && category !== label)
    .sort((a, b) => b.p - a.p)
    .slice(0, LIMITS.maybes);
  return { label, maybe };
}

function areKin(a: string, b: string): boolean {
  return a === b || isKindOf(a, b) || isKindOf(b, a);
}
