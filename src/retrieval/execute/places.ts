import { distance, type Vec3 } from "../../geometry/index.ts";
import type { SpaceKey } from "../../memory/index.ts";
import { LIMITS } from "../../schema/core.ts";
import type { StepOf } from "../plan/steps.ts";
import { resolvePlace, resolveTime } from "./references.ts";
import type { Run } from "./run.ts";

/** A strip is at least so wide: two things on one table have something between them too. */
const MIN_WIDTH_M = 0.5;
/** How far above and below its ends a thing between them may be. */
const HEIGHT_M = 1;
/** Sample positions of a path; each costs one search. */
const PATH_POINTS = 24;

/** The strips between every two places of a step; none if a place is unknown. */
export async function stripsBetween(step: StepOf<"between">, run: Run): Promise<SpaceKey[]> {
  const [first, second] = [await resolvePlace(step.a, step, run), await resolvePlace(step.b, step, run)];
  return first.flatMap(({ point: a }) =>
    second.flatMap(({ point: b }) => {
      const lengthM = Math.hypot(b.x - a.x, b.y - a.y);
      return lengthM === 0 ? [] : [strip(a, b, lengthM, step.widthShare)];
    }),
  );
}

function strip(a: Vec3, b: Vec3, lengthM: number, widthShare: number): SpaceKey {
  const halfM = Math.max(MIN_WIDTH_M, widthShare * lengthM) / 2;
  const [x, y] = [(-(b.y - a.y) / lengthM) * halfM, ((b.x - a.x) / lengthM) * halfM];
  return {
    type: "region",
    points: [
      { x: a.x + x, y: a.y + y },
      { x: b.x + x, y: b.y + y },
      { x: b.x - x, y: b.y - y },
      { x: a.x - x, y: a.y - y },
    ],
    minZ: Math.min(a.z, b.z) - HEIGHT_M,
    maxZ: Math.max(a.z, b.z) + HEIGHT_M,
  };
}

/** Circles around some of the camera positions in a span of time, sampled evenly by number. */
export async function circlesAlong(step: StepOf<"alongPath">, run: Run): Promise<SpaceKey[]> {
  const [fromUs, end] = [await resolveTime(step.start, run), await resolveTime(step.end, run)];
  if (fromUs === undefined || end === undefined) return [];
  const looks = await run.searchIds({
    kinds: ["observation", "view", "caption"],
    time: { overlaps: { fromUs, toUs: Math.max(end, fromUs + 1) } },
    ...(step.author === undefined ? {} : { where: { author: [step.author] } }),
    rank: "earliest",
    limit: LIMITS.hitsPerSearch,
  });
  const count = Math.min(PATH_POINTS, looks.length);
  const chosen = Array.from(
    { length: count },
    (_, i) => looks[Math.floor(((i + 0.5) * looks.length) / count)]!,
  );
  const read = await run.read(chosen.map(({ id }) => ({ id, score: 1, scores: {}, why: [] })));
  const centres: Vec3[] = [];
  for (const { hit } of read) {
    const { position } = hit;
    // A repeated position would only cost another search.
    if (position && centres.every((known) => distance(known, position) > step.radiusM / 4))
      centres.push(position);
  }
  return centres.map((centre) => ({ type: "radius", centre, radiusM: step.radiusM }));
}
