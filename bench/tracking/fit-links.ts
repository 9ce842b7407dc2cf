/**
 * Fits the weights of merge/features.ts: logistic regression over pairs of records that tracking asked about in kept
 * houses, labelled by whose segments their looks were. Deterministic.
 * `node bench/tracking/fit-links.ts --cache DIR --seeds 131-133,401,402 [--held 134,403] [--out FILE]`
 */
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import type { Truth } from "../../src/evaluation/tracking/truth.ts";
import { contentId, type LiftedDetection } from "../../src/schema/index.ts";
import { FEATURES, pairOf } from "../../src/tracking/merge/features.ts";
import { SameThing } from "../../src/tracking/merge/same-thing.ts";
import type { Scene } from "../../src/tracking/state/scene.ts";
import type { Thing } from "../../src/tracking/state/thing.ts";
import { Words } from "../../src/tracking/state/words.ts";
import { describe, dotOf, fit, quality, type Sample } from "../logistic.ts";
import { type House, housesNamed, openHouse } from "./houses.ts";
import { replay } from "./replay.ts";

const { values } = parseArgs({
  options: {
    cache: { type: "string" },
    seeds: { type: "string", default: "131-133,401,402" },
    held: { type: "string" },
    out: { type: "string" },
    ridge: { type: "string", default: "1" },
  },
});
const { cache } = values;
if (cache === undefined) throw new Error("usage: node bench/tracking/fit-links.ts --cache DIR --seeds LIST");
const NAMES = Object.keys(FEATURES);
const MAX_MISTAKES = 4;
/** What is known before any pair was seen: flat things seen from the two sides of a wall are two. */
const PRIOR = Float64Array.from(NAMES, (name) => (name === "backToBack" ? -6 : 0));

/** Which looks went into what was said of a thing: noted beside the words themselves. */
const looksOf = new WeakMap<Words, string[]>();
const { add, absorb } = Words.prototype;
Words.prototype.add = function (this: Words, detection: LiftedDetection, weight: number) {
  looksOf.set(this, [...(looksOf.get(this) ?? []), detection.id]);
  add.call(this, detection, weight);
};
Words.prototype.absorb = function (this: Words, other: Words) {
  looksOf.set(this, [...(looksOf.get(this) ?? []), ...(looksOf.get(other) ?? [])]);
  absorb.call(this, other);
};

// What is asked depends on what was merged before: first nothing is, then what the first weights say, and both count
// (DAgger, Ross et al. 2011).
const first = await samplesOf(values.seeds, undefined);
const weightsOfFirst = fit(first, Number(values.ridge), PRIOR);
console.log(
  `${first.length} samples of ${values.seeds}: ${describe(first)}; ${quality(first, weightsOfFirst)}`,
);
const second = await samplesOf(values.seeds, weightsOfFirst);
const train = [...first, ...second];
const weights = fit(train, Number(values.ridge), PRIOR);
console.log(`${train.length} samples: ${describe(train)}; ${quality(train, weights)}`);
if (values.held !== undefined)
  console.log(`held out, ${values.held}: ${quality(await samplesOf(values.held, weights), weights)}`);
for (const [n, name] of NAMES.entries()) console.log(`  ${name.padEnd(16)} ${weights[n]!.toFixed(2)}`);
if (values.out !== undefined) {
  const lines = NAMES.map((name, n) => `  ${name}: ${Number(weights[n]!.toFixed(2))},`);
  writeFileSync(
    values.out,
    `/**
 * Natural log of odds a unit of each feature of features.ts. Source: fit, over ${train.length} pairs of houses ${values.seeds}, by
 * \`node bench/tracking/fit-links.ts --cache DIR --seeds ${values.seeds}\`.
 */
export const WEIGHTS: Readonly<Record<string, number>> = {
${lines.join("\n")}
};
`,
  );
}

async function samplesOf(list: string, policy: Float64Array | undefined): Promise<Sample[]> {
  const samples: Sample[] = [];
  for (const options of housesNamed(list)) {
    const { house, truth } = await openHouse(cache!, options);
    samples.push(...(await samplesIn(house, truth, policy)));
  }
  return samples;
}

async function samplesIn(house: House, truth: Truth, policy: Float64Array | undefined): Promise<Sample[]> {
  const thingAt = segments(house, truth);
  const samples: Sample[] = [];
  const asked = new Map<string, number>();
  const mistaken = new Map<string, number>();
  const { logOdds } = SameThing.prototype;
  SameThing.prototype.logOdds = function (this: SameThing, scene: Scene, a: Thing, b: Thing) {
    const key = a.stateId < b.stateId ? `${a.stateId} ${b.stateId}` : `${b.stateId} ${a.stateId}`;
    const times = (asked.get(key) ?? 0) + 1;
    asked.set(key, times);
    const [one, other] = [mostlyOf(a, thingAt), mostlyOf(b, thingAt)];
    const pair = pairOf(scene, a, b);
    const x = Float64Array.from(Object.values(FEATURES), (feature) => feature(pair));
    const odds = policy ? dotOf(policy, x) : -Infinity;
    if (one === undefined || other === undefined) return odds;
    const y = one !== null && one === other ? 1 : 0;
    const isWrong =
      policy !== undefined && odds >= 0 !== (y === 1) && (mistaken.get(key) ?? 0) < MAX_MISTAKES;
    if (isWrong) mistaken.set(key, (mistaken.get(key) ?? 0) + 1);
    // Two that stand side by side are asked about in every frame: the first times, and then ever more rarely; and a few
    // times where the weights in use are wrong about them.
    if (isWrong || Number.isInteger(Math.log2(times))) samples.push({ x, y });
    return odds;
  };
  try {
    await replay(house);
  } finally {
    SameThing.prototype.logOdds = logOdds;
  }
  return samples;
}

/** The thing that a detection was of, by its id; null for what the detector made up. */
function segments(house: House, truth: Truth): Map<string, string | null> {
  const found = new Map<string, string | null>();
  for (const step of house.steps) {
    if (step.kind !== "observe") continue;
    const { agentId, timeUs, observationId } = step.percept;
    const frame = truth.frameAt(agentId, timeUs);
    for (const [n, thing] of (frame?.segments ?? []).entries())
      found.set(contentId("det", observationId, n), thing);
  }
  return found;
}

/** Whose most of its looks are; undefined where no thing has two thirds of them. */
function mostlyOf(thing: Thing, thingAt: ReadonlyMap<string, string | null>): string | null | undefined {
  const looks = looksOf.get(thing.words) ?? [];
  const counts = new Map<string | null, number>();
  for (const id of looks) {
    const of = thingAt.get(id);
    if (of !== undefined) counts.set(of, (counts.get(of) ?? 0) + 1);
  }
  for (const [of, count] of counts) if (count * 3 >= looks.length * 2) return of;
  return undefined;
}
