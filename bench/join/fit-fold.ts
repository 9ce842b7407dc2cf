/**
 * Fits the weights of tracking/merge/fold.ts: logistic regression over pairs of things of two maps that a join asked about,
 * labelled by whose segments their looks were. Deterministic.
 * `node bench/join/fit-fold.ts --cache DIR --minutes 2 --seeds 44001-44030 [--held 45001-45012] [--out FILE]`
 */
import { writeFileSync } from "node:fs";
import { cp, rm } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { joinScene, openMemory } from "../../src/compose.ts";
import { type Across, FOLD_FEATURES, SameAcross } from "../../src/tracking/merge/fold.ts";
import { TRUTH_FILE } from "../../src/world/recorder/index.ts";
import { dotOf, fit, quality, type Sample } from "../logistic.ts";
import { HOUSE_OPTIONS, type JoinHouse, openHouse, seedsNamed, settingsOf } from "./houses.ts";
import { thingsIn } from "./names.ts";

const { values } = parseArgs({
  options: {
    ...HOUSE_OPTIONS,
    held: { type: "string" },
    out: { type: "string" },
    ridge: { type: "string", default: "1" },
  },
});
const settings = settingsOf(values);
const NAMES = Object.keys(FOLD_FEATURES);
/** What is known before any pair was seen: what one robot saw side by side, and often, is two. */
const PRIOR = Float64Array.from(NAMES, (name) => (name === "rivalTogether" ? -5 : 0));
type Policy = (x: Float64Array, y: 0 | 1) => number;

// Which pieces are left over depends on what was merged before: first by the truth, then by the first weights, and both
// count (DAgger, Ross et al. 2011).
const ridge = Number(values.ridge);
const first = await samplesOf(values.seeds!, (_, y) => (y === 1 ? 1 : -1));
const begun = fit(first, ridge, PRIOR);
const train = [...first, ...(await samplesOf(values.seeds!, (x) => dotOf(begun, x)))];
const weights = fit(train, ridge, PRIOR);
console.log(`${train.length} pairs of ${values.seeds}: ${quality(train, weights)}`);
console.log(`pieces: ${quality(train.filter(isOfPieces), weights)}`);
if (values.held !== undefined) {
  const held = await samplesOf(values.held, (x) => dotOf(weights, x));
  console.log(`held out, ${values.held}: ${quality(held, weights)}`);
  console.log(`pieces: ${quality(held.filter(isOfPieces), weights)}`);
}
const lines = NAMES.map((name, n) => `  ${name}: ${Number(weights[n]!.toFixed(2))},`);
console.log(lines.join("\n"));
if (values.out !== undefined)
  writeFileSync(
    values.out,
    `/**
 * Natural log of odds a unit of each feature of fold.ts. Source: fit, over ${train.length} pairs of houses ${values.seeds}, by
 * \`node bench/join/fit-fold.ts --cache DIR --minutes ${values.minutes} --seeds ${values.seeds}\`.
 */
export const FOLD_WEIGHTS: Readonly<Record<string, number>> = {
${lines.join("\n")}
};
`,
  );

function isOfPieces({ x }: Sample): boolean {
  return x[NAMES.indexOf("rival")] === 1;
}

async function samplesOf(list: string, policy: Policy): Promise<Sample[]> {
  const samples: Sample[] = [];
  for (const seed of seedsNamed(list)) {
    const house = await openHouse(seed, settings, false);
    if (house) samples.push(...(await samplesIn(house, policy)));
  }
  return samples;
}

async function samplesIn({ folder }: JoinHouse, policy: Policy): Promise<Sample[]> {
  const samples: Sample[] = [];
  const place = join(folder, "fold");
  await rm(place, { recursive: true, force: true });
  await cp(join(folder, "memory"), place, { recursive: true });
  const memory = await openMemory(place);
  const { logOdds } = SameAcross.prototype;
  try {
    const thingOf = await thingsIn(await memory.reader(), join(folder, "recording", TRUTH_FILE));
    SameAcross.prototype.logOdds = (across: Across) => {
      const [one, other] = [across.part, across.other].map(({ thing }) => thingOf.get(thing.stateId));
      const y = one != null && one === other ? 1 : 0;
      const x = Float64Array.from(Object.values(FOLD_FEATURES), (feature) => feature(across));
      if (one !== undefined && other !== undefined) samples.push({ x, y });
      return policy(x, y);
    };
    await joinScene(memory);
  } finally {
    SameAcross.prototype.logOdds = logOdds;
    await memory.close();
    await rm(place, { recursive: true, force: true });
  }
  return samples;
}
