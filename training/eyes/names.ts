/**
 * Fits how much votes, size, height, room and closer looks say of what a thing is, and what the eyes' words turned out to be
 * (src/perception/eyes/naming-weights.ts), with the weights of the net and of the cutting as they are shipped:
 *
 *     node training/eyes/names.ts --seeds 52-61 [--cache training/eyes/.cache/regions] [--report]
 *
 * For the report every house is named by what the others teach.
 */
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { openEyes } from "../../src/models/eyes/index.ts";
import { Joining } from "../../src/perception/eyes/joining.ts";
import { kinds } from "../../src/perception/eyes/known-kinds.ts";
import type { Nameable } from "../../src/perception/eyes/named.ts";
import {
  addRooms,
  type Evidence,
  evidenceFor,
  likelyKinds,
  loudest,
  type NamingFit,
  nearnessOf,
  posterior,
  readTakenFor,
} from "../../src/perception/eyes/naming.ts";
import { oneness } from "../../src/perception/eyes/oneness.ts";
import type { IsApart } from "../../src/perception/eyes/partitions.ts";
import { closenessOf } from "../../src/perception/eyes/regions.ts";
import { wholesIn } from "../../src/perception/eyes/things.ts";
import { type Scene, scenesOf } from "./scenes.ts";

const OUT = new URL("../../src/perception/eyes/naming-weights.ts", import.meta.url).pathname;
const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "52-61" },
    report: { type: "boolean", default: false },
    cache: { type: "string", default: new URL("./.cache/regions", import.meta.url).pathname },
  },
});
/**
 * A thing's own word counts as seen so often before any house was looked at, every other one so often: simulated mugs are
 * taken for more things than real ones, and of papers there are none.
 */
const OWN = 8;
const OTHER = 0.02;
/** Rarer mistakes are not written down. */
const LEAST_SHARE = 0.015;
const FIRST = [1.2, 0.4, 0.1, 0.4, 0.4, 0.5, 0.2];
const FIRST_CLOSER = [0.6, 0.4, 0.1, 0.4, 1, 0.7, 0.2, 1.4];
/** How common kinds are is not fitted: simulated houses are furnished alike, others are not. */
const COMMON = 6;
const STEPS = 60;
const ROUNDS = 3;
const RATE = 0.15;

interface Case extends Nameable {
  /** The kind that it really is; -1 for pieces, walls and what has no name here. */
  readonly kind: number;
}
interface Room {
  readonly house: string;
  readonly cases: readonly Case[];
  readonly isApart: IsApart | undefined;
}

const net = await openEyes();
const words = net.categories;
const closerKinds = net.kinds ?? [];
await net.close();
const seeds = values.seeds.split(",").flatMap((range) => {
  const [from = 0, to = from] = range.split("-").map(Number);
  return Array.from({ length: to - from + 1 }, (_, n) => from + n);
});
const rooms: Room[] = [];
for await (const scene of scenesOf(seeds, values.cache)) rooms.push(roomOf(scene));
const houses = [...new Set(rooms.map(({ house }) => house))];
for (const house of values.report ? houses : []) {
  const others = rooms.filter((room) => room.house !== house);
  report(house, rooms.filter((room) => room.house === house).at(-1)!, fitted(others));
}
const { weights, closerWeights = [] } = fitted(rooms);
const written = (numbers: readonly number[]) => numbers.map((weight) => Number(weight.toFixed(2))).join(", ");
writeFileSync(
  OUT,
  `/** Fitted by training/eyes/names.ts --seeds ${values.seeds}: how much each says of what speaks for a kind (\`Evidence\`). */
export const WEIGHTS: readonly number[] = [${written(weights)}];
/** The same of things that closer looks told of. */
export const CLOSER_WEIGHTS: readonly number[] = [${written(closerWeights)}];
/** Of each word of the eyes what was meant, in hundredths. */
export const TAKEN_FOR = \`
${takenFor(rooms)}
\`;
`,
);

/** The things of a map as they are named, each with the kind that it is; only the best of a thing counts. */
function roomOf({ map, regions, links, regionOf, seen, truth, categories, floorZ, house }: Scene): Room {
  const joined = new Joining(regions, links, regionOf, oneness).join();
  const cut = { seen, ...joined, closeness: closenessOf(joined, links) };
  const number = new Map(kinds().map(({ name }, n) => [name, n]));
  const best = new Map<number, { count: number; at: number }>();
  const { things, by } = wholesIn(map, cut, words, floorZ, closerKinds);
  things.forEach(({ region }, at) => {
    const counts = new Map<number, number>();
    for (const member of region.members) counts.set(truth[member]!, (counts.get(truth[member]!) ?? 0) + 1);
    const [most, count] = [...counts].reduce((a, b) => (b[1] > a[1] ? b : a));
    const isOne = most > 0 && count > region.members.length / 2 && count > (best.get(most)?.count ?? 0);
    if (isOne) best.set(most, { count, at });
  });
  const kindOf = new Map([...best].map(([thing, { at }]) => [at, number.get(categories[thing - 1]!) ?? -1]));
  const cases = things.map(({ region: _, ...thing }, at) => ({ ...thing, kind: kindOf.get(at) ?? -1 }));
  return { house, cases, isApart: by.isApart };
}

/** What was meant by each word of the eyes, as a line each. */
function takenFor(from: readonly Room[]): string {
  const all = kinds();
  const counts = new Map(
    words.map((word) => [word, new Map(words.map((other) => [other, other === word ? OWN : OTHER]))]),
  );
  for (const { cases } of from) {
    for (const { kind, votes } of cases) {
      if (kind < 0) continue;
      const { word: meant } = all[kind]!;
      const loud = loudest(votes);
      words.forEach((word, n) => {
        const own = counts.get(word)!;
        own.set(meant, (own.get(meant) ?? 0) + 2 * loud[n]!);
      });
    }
  }
  return [...counts].map(([word, meant]) => lineOf(word, meant)).join("\n");
}

function lineOf(word: string, meant: ReadonlyMap<string, number>): string {
  const all = [...meant.values()].reduce((a, b) => a + b, 0);
  const kept = [...meant].filter(([, count]) => count >= LEAST_SHARE * all).sort((a, b) => b[1] - a[1]);
  return [word, ...kept.map(([name, count]) => `${name}:${Math.round((100 * count) / all)}`)].join("|");
}

/** Weights by the likelihood of the true kinds; what the room says is told anew each round, by the weights of the last. */
function fitted(from: readonly Room[]): NamingFit {
  const takenOf = readTakenFor(takenFor(from));
  const plain = from.map((room) => ({
    ...room,
    cases: room.cases.map(({ kindVotes: _, ...one }): Case => one),
  }));
  return {
    takenFor: takenOf,
    weights: climbed(FIRST, plain, takenOf),
    ...(closerKinds.length > 0 && { closerWeights: climbed(FIRST_CLOSER, from, takenOf) }),
  };
}

function climbed(
  first: readonly number[],
  from: readonly Room[],
  takenOf: NamingFit["takenFor"],
): readonly number[] {
  const weights = [...first];
  const rows = from.map(({ cases }) => cases.map((one) => evidenceFor(one, words, takenOf)));
  const near = from.map(({ cases, isApart }) => nearnessOf(cases, isApart));
  for (let round = 0; round < ROUNDS; round++) {
    from.forEach((_, n) => {
      addRooms(
        near[n]!,
        rows[n]!,
        rows[n]!.map((evidence) => posterior(evidence, weights)),
      );
    });
    const known = from.flatMap(({ cases }, n) =>
      cases.flatMap(({ kind }, k): [Evidence, number][] => (kind < 0 ? [] : [[rows[n]![k]!, kind]])),
    );
    for (let step = 0; step < STEPS; step++) climb(weights, known);
  }
  return weights;
}

/** One step up the mean likelihood; no weight below none, and how common things are stays as it is. */
function climb(weights: number[], known: readonly (readonly [Evidence, number])[]): void {
  const slope = new Float64Array(weights.length);
  for (const [evidence, kind] of known) {
    const post = posterior(evidence, weights);
    for (let n = 0; n < post.length; n++) {
      const off = (n === kind ? 1 : 0) - post[n]!;
      if (Math.abs(off) > 1e-6) for (let k = 0; k < slope.length; k++) slope[k]! += off * evidence[n]![k]!;
    }
  }
  weights.forEach((weight, k) => {
    if (k !== COMMON) weights[k] = Math.max(0, weight + (RATE * slope[k]!) / known.length);
  });
}

/** How often the likeliest kind is right, one of three, and when sure; and how often who asks for a kind is shown one. */
function report(house: string, { cases, isApart }: Room, fit: NamingFit): void {
  const posts = likelyKinds(cases, words, fit, isApart);
  const own = cases.flatMap(({ kind }, n) => (kind < 0 ? [] : [{ kind, post: posts[n]! }]));
  const place = ({ kind, post }: (typeof own)[number]) => post.filter((p) => p > post[kind]!).length;
  const sure = own.filter(({ post }) => Math.max(...post) >= 0.5);
  const asked = [...new Set(own.map(({ kind }) => kind))];
  const shown = asked.filter((kind) => {
    const [best] = posts.map((post, n) => ({ p: post[kind]!, n })).sort((a, b) => b.p - a.p);
    return cases[best!.n]!.kind === kind;
  });
  const share = (right: number, of: number) => `${(right / Math.max(1, of)).toFixed(2)} of ${of}`;
  console.log(
    `${house}: first ${share(own.filter((one) => place(one) === 0).length, own.length)}, of three ${share(own.filter((one) => place(one) < 3).length, own.length)}, when sure ${share(sure.filter((one) => place(one) === 0).length, sure.length)}, asked for ${share(shown.length, asked.length)}; weights ${fit.closerWeights?.map((w) => w.toFixed(2)).join(" ")}`,
  );
}
