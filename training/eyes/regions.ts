/**
 * Fits what tells two pieces of one thing from two things, and a thing from a piece of one or of a wall
 * (src/perception/eyes/weights.ts), with the weights of the net as they are shipped:
 *
 *     node training/eyes/regions.ts --seeds 52-57 --check 58-59 [--cache training/eyes/.cache/regions] [--joins | --things | --line]
 *
 * Pieces are joined along the way as they will be (Nunez-Iglesias et al. 2013): what a fit joins is what the next learns from.
 */
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { Random } from "../../src/geometry/index.ts";
import { Joining, type Meeting } from "../../src/perception/eyes/joining.ts";
import { onenessFeatures, oneness as shippedOneness } from "../../src/perception/eyes/oneness.ts";
import type { Region } from "../../src/perception/eyes/pieces.ts";
import { closenessOf, type Partition } from "../../src/perception/eyes/regions.ts";
import { logOdds, type SmallNet } from "../../src/perception/eyes/small-net.ts";
import { thingnessFeatures, thingnessOdds } from "../../src/perception/eyes/thingness.ts";
import { ONENESS, THINGNESS, THINGNESS_LINE } from "../../src/perception/eyes/weights.ts";
import { type Case, fitLine, fitNet } from "./fit-net.ts";
import { type Scene, scenesOf } from "./scenes.ts";

/** A wrong join counts as so many missed ones: a piece too many is a smaller fault than two things in one. */
const WRONG_JOIN = 2;
/** Regions below are shown to nobody, and matter little. */
const SPECK = 10;
const ROUNDS = 4;
/** Pairs that a map gives in one round: it weighs most of them again and again. */
const PAIRS = 15_000;
/** What likeness, edges and middles say of one thing or two, and walls, looks and neighbours of a thing, is of one sign (`fitNet`). */
const ONE = [1, 1, 1, 0, 0, 0, -1, -1, 0, 0, 1, -1, -1, -1, 0, 0, 0, 0, 0, 0, 1, 0, 0];
const THING = [-1, 0, 0, 0, 0, 0, 1, 0, 0, 0, -1, 0, 0, 0, 1, 1, -1, -1, -1, 1];
/** Features that the line is over: what it was taken for, how many places, how far off its middle is, and how close its places lie. */
const LINE = [0, 1, 2, 6, 17, 18, 19];
const HERE = new URL("../..", import.meta.url).pathname;

const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "52-57" },
    check: { type: "string", default: "58-59" },
    cache: { type: "string", default: new URL("./.cache/regions", import.meta.url).pathname },
    out: { type: "string", default: `${HERE}src/perception/eyes/weights.ts` },
    /** Pieces are joined as they are by now, and only what is a thing is fitted, to the last map of each house. */
    things: { type: "boolean", default: false },
    /** Only how pieces are joined is fitted, and what is a thing stays as it is. */
    joins: { type: "boolean", default: false },
    /** Only the line that goes with the net of what is a thing is fitted. */
    line: { type: "boolean", default: false },
  },
});
const maps = await all(scenesOf(listed(values.seeds), values.cache));
const learned = values.things ? lastOf(maps) : maps;
const checked = await all(scenesOf(listed(values.check), values.cache));
console.log(`${learned.length} maps to learn from, ${checked.length} to check`);
const oneness = values.things || values.line ? ONENESS : fitOneness(learned);
const thingness = values.joins || values.line ? THINGNESS : fitThingness(learned, oneness);
const line = values.line ? fitLine(casesOf(learned, oneness), LINE) : THINGNESS_LINE;
for (const [name, scenes] of [
  ["learned", learned],
  ["checked", checked],
] as const)
  report(name, scenes, oneness, thingness, line);
writeFileSync(
  values.out,
  `import type { SmallNet } from "./small-net.ts";

/** Fitted by training/eyes/regions.ts --seeds ${values.seeds} --check ${values.check}. */
export const ONENESS: SmallNet = ${JSON.stringify(oneness)};
export const THINGNESS: SmallNet = ${JSON.stringify(thingness)};
/** By --line. */
export const THINGNESS_LINE: readonly number[] = ${JSON.stringify(line)};
`,
);

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const out: T[] = [];
  for await (const item of items) out.push(item);
  return out;
}

function listed(range: string): number[] {
  const [from = 0, to = from] = range.split("-").map(Number);
  return Array.from({ length: to - from + 1 }, (_, n) => from + n);
}

/** The thing that most of a region's places are of, and its share; remembered until the region grows. */
function mostOf(truth: Int32Array, known: WeakMap<Region, { length: number; thing: number; share: number }>) {
  return (region: Region) => {
    const { length } = region.members;
    const before = known.get(region);
    if (before?.length === length) return before;
    const counts = new Map<number, number>();
    for (const n of region.members) counts.set(truth[n]!, (counts.get(truth[n]!) ?? 0) + 1);
    const [thing, count] = [...counts].reduce((best, one) => (one[1] > best[1] ? one : best));
    const now = { length, thing, share: count / length };
    known.set(region, now);
    return now;
  };
}

/** Two pieces that were weighed, and the thing of which the smaller one is. */
interface Pair extends Omit<Case, "weight"> {
  readonly of: number;
  readonly isSpeck: boolean;
}

/** Pairs as cases: a thing of a thousand pieces counts more than one of ten, but not a hundred times. */
function weighed(pairs: readonly Pair[]): Case[] {
  const key = ({ of, holds }: Pair) => (holds ? of : -1 - of);
  const counts = Map.groupBy(pairs, key);
  return pairs.map((pair) => {
    const { features, holds, isSpeck } = pair;
    const cost = (holds ? 1 : WRONG_JOIN) * (isSpeck ? 0.2 : 1);
    return { features, holds, weight: cost / Math.sqrt(counts.get(key(pair))!.length) };
  });
}

/** Joins the pieces of a scene, by a net or by the truth, and collects every pair that was weighed on the way. */
function joined(scene: Scene, net: SmallNet | undefined, pairs?: Pair[]): Partition {
  const most = mostOf(scene.truth, new WeakMap());
  const regions = scene.regions.map(copied);
  const score = (a: Region, b: Region, meeting: Meeting): number => {
    const features = onenessFeatures(a, b, meeting);
    const [x, y] = [most(a), most(b)];
    const holds = x.thing === y.thing;
    if (pairs && x.thing >= 0 && y.thing >= 0 && Math.min(x.share, y.share) > 0.6) {
      const smaller = x.length <= y.length ? x : y;
      pairs.push({ features, holds, of: smaller.thing, isSpeck: smaller.length < SPECK });
    }
    if (net === ONENESS) return shippedOneness(a, b, meeting);
    return net ? logOdds(net, features) : holds ? 1 + features[0]! : -1;
  };
  const cut = new Joining(regions, scene.links, scene.regionOf.slice(), score).join();
  return { seen: scene.seen, ...cut, closeness: closenessOf(cut, scene.links) };
}

function copied(region: Region): Region {
  const entries = Object.entries(region).map(([key, value]) => [key, value.slice()]);
  return Object.fromEntries(entries) as Region;
}

function fitOneness(scenes: readonly Scene[]): SmallNet {
  const random = new Random("pairs");
  const cases: Case[] = [];
  let net: SmallNet | undefined;
  for (let round = 0; round < ROUNDS; round++) {
    for (const scene of scenes) {
      const pairs: Pair[] = [];
      joined(scene, net, pairs);
      const own = weighed(pairs);
      const share = PAIRS / own.length;
      for (const one of own) if (random.chance(Math.min(1, share))) cases.push(one);
    }
    net = fitNet(cases, { units: 20, steps: round + 1 === ROUNDS ? 8_000 : 3_000, directions: ONE });
    console.log(`round ${round + 1}: ${cases.length} pairs, right ${rightOf(net, cases)}`);
  }
  return net!;
}

/** Of each house the map at its end. */
function lastOf(scenes: readonly Scene[]): Scene[] {
  return scenes.filter((scene, n) => scenes[n + 1]?.house !== scene.house);
}

function rightOf(net: SmallNet, cases: readonly Case[]): string {
  let [right, whole] = [0, 0];
  for (const { features, holds, weight } of cases) {
    whole += weight;
    if (logOdds(net, features) > 0 === holds) right += weight;
  }
  return (right / whole).toFixed(3);
}

/** Regions of a scene, and whether each is the one by which its thing is best known. */
function thingCases(scene: Scene, oneness: SmallNet): Case[] {
  const cut = joined(scene, oneness);
  const most = mostOf(scene.truth, new WeakMap());
  const best = new Map<number, number>();
  cut.regions.forEach((region, n) => {
    const { thing, share, length } = most(region);
    if (thing <= 0 || share <= 0.5 || length < SPECK) return;
    const other = best.get(thing);
    if (
      other === undefined ||
      share * length > most(cut.regions[other]!).share * cut.regions[other]!.members.length
    )
      best.set(thing, n);
  });
  return cut.regions.flatMap((region, n): Case[] => {
    if (region.members.length < SPECK) return [];
    const { thing } = most(region);
    return [{ features: thingnessFeatures(cut, n, scene.floorZ), holds: best.get(thing) === n, weight: 1 }];
  });
}

function casesOf(scenes: readonly Scene[], oneness: SmallNet): Case[] {
  return scenes.flatMap((scene) => thingCases(scene, oneness));
}

function fitThingness(scenes: readonly Scene[], oneness: SmallNet): SmallNet {
  return fitNet(casesOf(scenes, oneness), { units: 12, steps: 6_000, directions: THING }, "things");
}

/** Things of which at least a speck was seen. */
function thingsIn({ truth }: Scene): number {
  const counts = new Map<number, number>();
  for (const thing of truth) if (thing > 0) counts.set(thing, (counts.get(thing) ?? 0) + 1);
  return [...counts.values()].filter((count) => count >= SPECK).length;
}

/** What of the last map of each house is shown at several thresholds, and how often it is right when it is so sure. */
function report(
  name: string,
  scenes: readonly Scene[],
  oneness: SmallNet,
  thingness: SmallNet,
  line: readonly number[],
): void {
  const last = lastOf(scenes);
  const cases = casesOf(last, oneness);
  const sure = cases.map(({ features }) => 1 / (1 + Math.exp(-thingnessOdds(features, thingness, line))));
  const things = cases.filter(({ holds }) => holds).length;
  const there = last.reduce((sum, scene) => sum + thingsIn(scene), 0);
  console.log(`${name}: ${cases.length} regions, ${things} are things, of ${there}`);
  for (const least of [0, 0.3, 0.4, 0.5, 0.6, 0.7]) {
    const shown = cases.filter((_, n) => sure[n]! >= least);
    const right = shown.filter(({ holds }) => holds).length;
    console.log(
      `  ≥ ${least}: ${shown.length} shown, ${(right / shown.length).toFixed(2)} right, ${(right / there).toFixed(2)} found`,
    );
  }
  const bins = [0, 0.2, 0.4, 0.6, 0.8].map((from) => {
    const own = cases.filter((_, n) => sure[n]! >= from && sure[n]! < from + 0.2);
    return `${from}: ${(own.filter(({ holds }) => holds).length / Math.max(1, own.length)).toFixed(2)} of ${own.length}`;
  });
  console.log(`  right by how sure: ${bins.join(", ")}`);
}
