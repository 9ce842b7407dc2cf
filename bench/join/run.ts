/**
 * `node bench/join/run.ts --cache DIR --seeds 42001-42024 [--agents 2] [--foreign 400 [--part 1/4]] [--verbose]`: how maps of simulated houses
 * are joined. Pairs of one house against how what both maps have really lies (`knowable.ts`), and pairs of different houses, of which
 * none may be joined. Houses that `make.ts` has not made are left out.
 */
import { parseArgs } from "node:util";
import type { Truth } from "../../src/evaluation/tracking/truth.ts";
import { compose, invert, type Transform, type Vec3, yawOf } from "../../src/geometry/index.ts";
import { mobilityOf } from "../../src/ontology/index.ts";
import { type Alignment, align } from "../../src/sharing/align/align.ts";
import { applyLevel, type LevelPose, turnBetween } from "../../src/sharing/align/level.ts";
import { HOUSE_OPTIONS, type JoinHouse, openHouse, type RobotMap, seedsNamed, settingsOf } from "./houses.ts";
import { bestPose, sigmaAtM, truePairs } from "./knowable.ts";

const { values } = parseArgs({
  options: {
    ...HOUSE_OPTIONS,
    foreign: { type: "string", default: "0" },
    /** "2/5": only the second fifth of the foreign pairs, and no others. */
    part: { type: "string", default: "1/1" },
    verbose: { type: "boolean", default: false },
  },
});
/** A thing is in both maps where both robots looked at it so often, with so many pixels of a picture of 80 by 60. */
const MIN_LOOKS = 3;
const MIN_PX = 15;
/** … and in both recordings where the detector told both of it so often: what was glimpsed once is not believed. */
const MIN_SHOWN = 2;
/** A distinctive thing is one of so few of its kind in the house. */
const FEW = 2;
const RIGHT_M = 0.2;
const RIGHT_RAD = (2 * Math.PI) / 180;

const settings = settingsOf(values);
const houses: JoinHouse[] = [];
for (const seed of seedsNamed(values.seeds!)) {
  const house = await openHouse(seed, settings, false);
  if (house) houses.push(house);
}

interface Outcome {
  readonly name: string;
  readonly shared: number;
  /** The same of what both detectors told of. */
  readonly shown: number;
  readonly result: Alignment;
  readonly errorM?: number;
  readonly errorRad?: number;
  /** How exactly that is known itself. */
  readonly sigmaM: number;
  /** The same against where the first frames of both maps lie, which no map that has drifted since can tell. */
  readonly fromStartM?: number;
  readonly fromStartRad?: number;
  readonly ms: number;
}

const own: Outcome[] = (values.part.startsWith("1/") ? houses : []).flatMap((house) => {
  const { seed, truth, robots } = house;
  return robots.flatMap((a, n) =>
    robots.slice(n + 1).map((b) => {
      const beganMs = performance.now();
      const result = align(a.sketch, b.sketch);
      const ms = performance.now() - beganMs;
      const start = startOf(a, b);
      const pairs = truePairs(house, a, b);
      const knowable = bestPose(pairs)?.pose ?? start;
      const sigmaM = sigmaAtM(pairs, middleOf(b));
      const errors = result.best && errorOf(result.best.pose, knowable, b);
      const since = result.best && errorOf(result.best.pose, start, b);
      const fromStart = since && { fromStartM: since.errorM, fromStartRad: since.errorRad };
      const counts = sharedThings(truth, a.agentId, b.agentId);
      return {
        name: `${seed} ${a.agentId} ${b.agentId}`,
        ...counts,
        result,
        ms,
        sigmaM,
        ...errors,
        ...fromStart,
      };
    }),
  );
});
for (const outcome of own) if (values.verbose) console.log(lineOf(outcome));

const asked = own.filter(({ shared }) => shared >= 6);
const isRight = ({ errorM = Infinity, errorRad = Infinity }: Outcome) =>
  errorM <= RIGHT_M && errorRad <= RIGHT_RAD;
const isRightFromStart = ({ fromStartM: errorM, fromStartRad: errorRad, ...outcome }: Outcome) =>
  isRight({ ...outcome, ...(errorM !== undefined && { errorM, errorRad: errorRad! }) });
const joined = (list: readonly Outcome[]) => list.filter(({ result }) => result.pose);
console.log(
  `houses ${houses.length}, pairs ${own.length}; share six distinctive static things or more: ${asked.length}`,
);
console.log(
  `  of those joined within ${RIGHT_M} m and 2°: ${joined(asked).filter(isRight).length} (${percent(joined(asked).filter(isRight).length, asked.length)})`,
);
const told = own.filter(({ shown }) => shown >= 6);
console.log(
  `  of the ${told.length} whose recordings have six in common: ${joined(told).filter(isRight).length} (${percent(joined(told).filter(isRight).length, told.length)})`,
);
console.log(
  `  … of where the maps began, drift and all: ${joined(asked).filter(isRightFromStart).length} (${percent(joined(asked).filter(isRightFromStart).length, asked.length)})`,
);
const off = joined(own).filter((one) => !isRight(one));
const surelyOff = off.filter(
  ({ errorM = 0, errorRad = 0, sigmaM }) => errorRad > RIGHT_RAD || errorM > RIGHT_M + 2 * sigmaM,
);
console.log(
  `  of all pairs joined: ${joined(own).length}, wrongly: ${off.length}, by more than twice what is known of it: ${surelyOff.length}`,
);
console.log(`  refused: ${countsOf(own.flatMap(({ result }) => result.refused ?? []))}`);
const errors = joined(own).map(({ errorM }) => errorM!);
if (errors.length > 0)
  console.log(
    `  error of those joined: median ${median(errors).toFixed(3)} m, ${((median(joined(own).map(({ errorRad }) => errorRad!)) * 180) / Math.PI).toFixed(2)}°; most ${Math.max(...errors).toFixed(3)} m`,
  );
console.log(`  align: median ${median(own.map(({ ms }) => ms)).toFixed(0)} ms`);

const most = Number(values.foreign);
if (most > 0) {
  const pairs = houses.flatMap((house, n) =>
    houses
      .slice(n + 1)
      .flatMap((other) => house.robots.flatMap((a) => other.robots.map((b) => ({ house, other, a, b })))),
  );
  const stride = Math.max(1, Math.floor(pairs.length / most));
  const [part, parts] = values.part.split("/").map(Number) as [number, number];
  const tried = pairs
    .filter((_, n) => n % stride === 0)
    .slice(0, most)
    .filter((_, n) => n % parts === part - 1);
  const refusals: string[] = [];
  let [wrong, closest] = [0, -Infinity];
  for (const { house, other, a, b } of tried) {
    const { pose, refused, best } = align(a.sketch, b.sketch);
    if (values.verbose && best && best.total > 15)
      console.log(
        `  ${house.seed} ${a.agentId} ${other.seed} ${b.agentId}: ${refused ?? "JOINED"} total ${best.total.toFixed(1)} (things ${best.things.toFixed(1)}, walls ${best.walls.toFixed(1)}, ground ${best.ground.toFixed(1)}) ${best.pairs.length} pairs, found ${best.found.toFixed(2)}, ${best.sharedM2.toFixed(0)} m²`,
      );
    closest = Math.max(closest, best?.total ?? -Infinity);
    if (pose) {
      wrong++;
      console.log(
        `  WRONG: ${house.seed} ${a.agentId} with ${other.seed} ${b.agentId}, ${best!.total.toFixed(1)} nats`,
      );
    } else refusals.push(refused!);
  }
  console.log(
    `foreign pairs ${tried.length}: joined ${wrong}; refused: ${countsOf(refusals)}; best score ${closest.toFixed(1)} nats`,
  );
}

/** How the maps would lie to each other had neither robot drifted. */
function startOf(a: RobotMap, b: RobotMap): LevelPose {
  const { p, q }: Transform = compose(a.mapFromWorld, invert(b.mapFromWorld));
  return { ...p, yawRad: yawOf(q) };
}

/** How far off an answer is at the middle of what the second robot knows. */
function errorOf(pose: LevelPose, truth: LevelPose, robot: RobotMap): { errorM: number; errorRad: number } {
  const middle = middleOf(robot);
  const [p, q] = [applyLevel(pose, middle), applyLevel(truth, middle)];
  // Storeys have the same walls: a storey too high is no better than a room too far.
  return {
    errorM: Math.hypot(p.x - q.x, p.y - q.y, p.z - q.z),
    errorRad: turnBetween(pose.yawRad, truth.yawRad),
  };
}

function middleOf({ sketch: { things } }: RobotMap): Vec3 {
  const n = Math.max(1, things.length);
  return things.reduce((sum, { centre }) => ({ x: sum.x + centre.x / n, y: sum.y + centre.y / n, z: 0 }), {
    x: 0,
    y: 0,
    z: 0,
  });
}

/** Static things of which there are few, that both robots looked at, and of which the detectors of both told. */
function sharedThings(truth: Truth, one: string, other: string): { shared: number; shown: number } {
  const { house, histories, frames } = truth.document;
  const kinds = countBy(house.things.map(({ category }) => category));
  const few = house.things.filter(({ id, category, type }) => {
    const isStatic =
      ["fixed", "furniture"].includes(mobilityOf(category) ?? "") && histories[id]?.segments.length === 1;
    return type !== "structure" && type !== "person" && isStatic && kinds.get(category)! <= FEW;
  });
  const inBoth = (
    least: number,
    thingsOf: (frame: (typeof frames)[number]) => readonly (string | null)[],
  ) => {
    const [a, b] = [one, other].map((agent) =>
      countBy(frames.flatMap((frame) => (frame.agentId === agent ? [...new Set(thingsOf(frame))] : []))),
    );
    return few.filter(({ id }) => (a!.get(id) ?? 0) >= least && (b!.get(id) ?? 0) >= least).length;
  };
  return {
    shared: inBoth(MIN_LOOKS, ({ visible }) =>
      visible.filter(({ pixels }) => pixels >= MIN_PX).map(({ thing }) => thing),
    ),
    shown: inBoth(MIN_SHOWN, ({ segments }) => segments),
  };
}

function lineOf({
  name,
  shared,
  shown,
  result,
  errorM,
  errorRad,
  sigmaM,
  fromStartM,
  fromStartRad,
  ms,
}: Outcome): string {
  const { best, refused, ahead } = result;
  const parts = best
    ? `total ${best.total.toFixed(1)} (things ${best.things.toFixed(1)}, walls ${best.walls.toFixed(1)}, ground ${best.ground.toFixed(1)}), ahead ${ahead.toFixed(1)}, ${best.pairs.length} pairs, found ${best.found.toFixed(2)}, ${best.sharedM2.toFixed(0)} m²`
    : "nothing";
  const off =
    errorM === undefined
      ? ""
      : `off ${errorM.toFixed(3)} m (known to ${sigmaM.toFixed(2)} m) ${((errorRad! * 180) / Math.PI).toFixed(2)}°, from the start ${fromStartM!.toFixed(3)} m ${((fromStartRad! * 180) / Math.PI).toFixed(2)}°`;
  return `${name}: ${refused ?? "joined"}, shares ${shared} (${shown} told), ${parts}, ${off}, ${ms.toFixed(0)} ms`;
}

function countBy<T>(list: readonly T[]): Map<T, number> {
  const counts = new Map<T, number>();
  for (const each of list) counts.set(each, (counts.get(each) ?? 0) + 1);
  return counts;
}

function countsOf(list: readonly string[]): string {
  return [...countBy(list)].map(([name, n]) => `${name} ${n}`).join(", ") || "none";
}

function median(list: readonly number[]): number {
  return list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)] ?? Number.NaN;
}

function percent(part: number, whole: number): string {
  return whole === 0 ? "–" : `${((100 * part) / whole).toFixed(1)} %`;
}
