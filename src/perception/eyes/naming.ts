import { areKin, isKindOf } from "../../ontology/index.ts";
import { LIMITS } from "../../schema/core.ts";
import { settings } from "../../schema/settings.ts";
import { FITTED, kinds, usualRooms } from "./known-kinds.ts";
import type { Nameable, Named } from "./named.ts";
import { CLOSER_WEIGHTS, TAKEN_FOR, WEIGHTS } from "./naming-weights.ts";
import type { IsApart } from "./partitions.ts";
import { printedOrNot, printOf } from "./print.ts";

/** Value, unit, minimum, maximum, source. */
const NAMING = settings("eyes.naming", {
  /** Probability from which a name is given, and from which an alternative is kept. */
  sure: [0.4, "probability", 0.2, 0.8, "experiment"],
  /**
   * The first threshold with close-up evidence, where the network's own votes for any name are below this share: of the
   * names in between 1 of 7 was right (houses 52 to 55 and 72 to 74, 1,000 things of four segmentations each).
   */
  loud: [0.5, "share", 0.25, 1, "experiment"],
  sureQuietly: [0.5, "probability", 0.25, 1, "experiment"],
  likely: [0.06, "probability", 0.03, 0.12, "experiment"],
  /** A specific name is given if it has this share of the broader one's probability. */
  special: [0.52, "share", 0.26, 0.76, "experiment"],
  /** A name needs at least this vote of the network itself: the other evidence only chooses among related categories. */
  said: [0.27, "share", 0.135, 0.54, "experiment"],
  /** The same with close-up evidence, which agrees with the other votes too often to be independent. */
  saidCloser: [0.32, "share", 0.16, 0.64, "experiment"],
  /** The most that one measurement may count against a category. */
  leastFit: [-8, "log-odds", -16, -4, "experiment"],
  /** Share of the close-up votes for a word's categories that is given to its unknown categories. */
  othersCloser: [0.2, "share", 0.1, 0.4, "experiment"],
  /** Votes without precedent are unlikely, not impossible. */
  unsaid: [0.01, "probability", 0.005, 0.02, "experiment"],
  /** Nearer things say more about the room; beyond this distance they say nothing. */
  nearM: [3, "m", 1.5, 6, "experiment"],
  farM: [5, "m", 2.5, 10, "experiment"],
  rounds: [2, "count", 1, 4, "limit"],
  room: [5, "weight", 2, 10, "experiment"],
});

/**
 * Evidence for each category, one row per kind of evidence: votes; not larger than usual, nor smaller; not higher,
 * nor lower; the room; frequency; close-up votes. A partly hidden thing appears smaller and higher, never larger or
 * lower.
 */
export type Evidence = readonly Float64Array[];

/** The weights of these, and the true categories behind each word of the network. */
export interface NamingFit {
  readonly weights: readonly number[];
  /** The weights for things with close-up evidence, including its own. */
  readonly closerWeights?: readonly number[];
  readonly takenFor: ReadonlyMap<string, readonly (readonly [meant: string, share: number])[]>;
}

let shipped: NamingFit | undefined;

/**
 * Names all things of a map at once: by the network's votes and their known confusions, by size and height, and by
 * the room that the other things suggest. The weights are fitted (docs/eyes.md#names). A name is as specific as it is
 * certain: a lamp, if it may be a desk lamp or a floor lamp.
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
    return printedOrNot(namedBy(post, said, kindVotes), things[n]!, said);
  });
}

function shippedFit(): NamingFit {
  shipped ??= { weights: WEIGHTS, closerWeights: CLOSER_WEIGHTS, takenFor: readTakenFor(TAKEN_FOR) };
  return shipped;
}

/** Probabilities of the categories, for each thing. */
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
  for (let round = 0; round < NAMING.rounds; round++) {
    addRooms(near, evidence, posts);
    posts = weighed();
  }
  return posts;
}

/** The evidence for each category except the room, which comes from the other things. */
export function evidenceFor(
  thing: Nameable,
  words: readonly string[],
  takenFor: NamingFit["takenFor"],
): Evidence {
  const said = meantBy(thing.votes, words, takenFor);
  const sizes = [Math.log(thing.longM), Math.log(thing.wideM), Math.log(thing.highM), thing.aboveM];
  const { kindVotes } = thing;
  return kinds().map(({ name, word, usual, common }) => {
    const row = [Math.log((said.get(word) ?? 0) + NAMING.unsaid), 0, 0, 0, 0, 0, common];
    usual.forEach(({ mean, variance }, k) => {
      const isAnyLength = k < 2 && sizes[k]! > mean && FITTED.includes(name);
      const off = isAnyLength ? 0 : sizes[k]! - mean;
      if (!Number.isFinite(off)) return;
      const more = k < 3 ? 1 : 3;
      row[off > 0 ? more : more + 1]! += Math.max(NAMING.leastFit, -(off ** 2) / (2 * variance));
      row[more]! -= Math.log(variance) / 4;
      row[more + 1]! -= Math.log(variance) / 4;
    });
    if (kindVotes) row.push(Math.log((kindVotes.get(name) ?? othersOf(word, kindVotes)) + NAMING.unsaid));
    return Float64Array.from(row);
  });
}

/** Close-up votes for a word's things in none of its known categories. */
function othersOf(word: string, kindVotes: ReadonlyMap<string, number>): number {
  let sum = 0;
  for (const kind of kinds()) if (kind.word === word) sum += kindVotes.get(kind.name) ?? 0;
  return sum * NAMING.othersCloser;
}

/** Strong votes count fully, weak ones less: everything gets weak votes, which say little. */
export function loudest(votes: ArrayLike<number>): Float64Array {
  const all = Float64Array.from(votes);
  const most = all.reduce((a, b) => Math.max(a, b), 0);
  return all.map((vote) => (vote > 0 ? vote * (vote / most) : 0));
}

/** Probability of each intended word: what the network called a mug was sometimes a can. */
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

/** One word per line, followed by the true categories, each with its hundredths. */
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

/** Posterior probabilities of the categories. */
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

/** A thing that is evidence for another's room, and its weight. */
interface Neighbour {
  readonly number: number;
  readonly weight: number;
}

/** The things that are evidence for each thing's room: those nearby and not behind a wall. */
export function nearnessOf(
  things: readonly Nameable[],
  isApart: IsApart = () => false,
): readonly (readonly Neighbour[])[] {
  const out: Neighbour[][] = things.map(() => []);
  things.forEach(({ middle }, n) => {
    for (let m = 0; m < n; m++) {
      const other = things[m]!.middle;
      const apartM = Math.hypot(...middle.map((value, k) => value - other[k]!));
      if (apartM > NAMING.farM || isApart(middle, other)) continue;
      const weight = Math.exp(-apartM / NAMING.nearM);
      out[n]!.push({ number: m, weight });
      out[m]!.push({ number: n, weight });
    }
  });
  return out;
}

/** Fills in the room evidence: each thing tells those near it which room type it suggests. */
export function addRooms(
  near: readonly (readonly Neighbour[])[],
  evidence: readonly Evidence[],
  posts: readonly Float64Array[],
): void {
  const all = kinds();
  const rooms = usualRooms().length;
  const told = posts.map((post) =>
    Float64Array.from({ length: rooms }, (_, room) =>
      Math.log(post.reduce((sum, p, kind) => sum + p * all[kind]!.rooms[room]!, 0)),
    ),
  );
  near.forEach((others, n) => {
    const sum = Float64Array.from(usualRooms());
    for (const { number, weight } of others)
      for (let room = 0; room < rooms; room++) sum[room]! += weight * told[number]![room]!;
    const here = shares(sum);
    evidence[n]!.forEach((row, kind) => {
      row[NAMING.room] = Math.log(here.reduce((p, share, room) => p + share * all[kind]!.rooms[room]!, 0));
    });
  });
}

/** The most specific certain name, and likely alternatives. */
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
    if (Math.max(spoken, kindVotes?.get(name) ?? 0) < (kindVotes ? NAMING.saidCloser : NAMING.said)) return;
    add(words, word, p);
    for (const one of [name, ...broader]) add(broad, one, p);
  });
  const loudest = Math.max(...said.values(), ...(kindVotes?.values() ?? []));
  const least = kindVotes && loudest < NAMING.loud ? NAMING.sureQuietly : NAMING.sure;
  const special = [...broad]
    .filter(([, p]) => p >= least)
    .sort((a, b) => b[1] - a[1])
    .reduce<readonly [string, number] | undefined>(
      (a, b) => (a === undefined || (isKindOf(b[0], a[0]) && b[1] >= NAMING.special * a[1]) ? b : a),
      undefined,
    )?.[0];
  // The network's own word, if its strict sense is as likely as not: a mug, or else a toothbrush cup.
  const plain = [...words].find(([word, p]) => p >= least && (broad.get(word) ?? 0) >= p / 2);
  const sure = special ?? plain?.[0];
  // A likelier category with too few votes of the network still speaks against any other name.
  const [likeliest] = [...own].reduce((a, b) => (b[1] > a[1] ? b : a));
  const isOwn = (name: string) => all.some((kind) => kind.name === likeliest && kind.word === name);
  const isSaid = (broad.get(likeliest) ?? 0) >= least;
  const named =
    sure === undefined || areKin(sure, likeliest) || isOwn(sure) ? sure : isSaid ? likeliest : undefined;
  const label = named ?? printOf(post, said);
  const maybe = [...own]
    .map(([category, p]) => ({ category, p }))
    .filter(({ category, p }) => p >= NAMING.likely && category !== label)
    .sort((a, b) => b.p - a.p)
    .slice(0, LIMITS.maybes);
  return { label, maybe };
}
