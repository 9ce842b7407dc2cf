import {
  directionCone,
  fromYaw,
  type Interval,
  intersectIntervals,
  type Transform,
} from "../../geometry/index.ts";
import type { ScalarKey, SpaceKey, TimeKey } from "../../memory/index.ts";
import { notProvided } from "../plan/plan.ts";
import type { ConstraintStep, StepOf } from "../plan/steps.ts";
import { type Compiled, inShapes } from "./compiled.ts";
import { circlesAlong, stripsBetween } from "./places.ts";
import {
  cameraOf,
  polygonOf,
  poseOf,
  resolvePlace,
  resolveTime,
  upright,
  withSiblings,
} from "./references.ts";
import type { Run } from "./run.ts";

/** The search below with one more condition. */
export async function constrain(step: ConstraintStep, below: Compiled, run: Run): Promise<Compiled> {
  switch (step.op) {
    case "near": {
      const places = await resolvePlace(step.at, step, run);
      return inShapes(
        below,
        places.map(({ point }) => ({ type: "radius", centre: point, radiusM: step.radiusM })),
      );
    }
    case "nearest": {
      const places = await resolvePlace(step.at, step, run);
      const shaped = inShapes(
        below,
        places.map(({ point }) => ({
          type: "nearest",
          point,
          ...(step.maxM === undefined ? {} : { maxM: step.maxM }),
        })),
      );
      return { ...shaped, request: { ...shaped.request, rank: "distance", limit: step.k } };
    }
    case "dir":
      return inDirection(step, below, run);
    case "inRegion": {
      const ids =
        typeof step.region === "string"
          ? [step.region]
          : (await run.input(step.region.of)).items.slice(0, 3).map(({ id }) => id);
      const shapes: SpaceKey[] = [];
      for (const id of step.siblings ? await withSiblings(ids, run) : ids) {
        const polygon = await polygonOf(id, run);
        if (polygon) shapes.push({ type: "region", ...polygon });
        else run.note(`region "${id}" has no extent or cannot be seen`);
      }
      return inShapes(below, shapes);
    }
    case "between":
      return inShapes(below, await stripsBetween(step, run));
    case "alongPath":
      return inShapes(below, await circlesAlong(step, run));
    case "box":
      return inShapes(below, [{ type: "box", min: step.min, max: step.max }]);
    case "visibleFrom": {
      const worldFromCamera = cameraOf(step.pose ?? poseOf(step, run));
      const [tanHalfWidth, tanHalfHeight] = [
        Math.tan(step.horizontalRad / 2),
        Math.tan(step.verticalRad / 2),
      ];
      return inShapes(below, [
        {
          type: "frustum",
          worldFromCamera,
          tanHalfWidth,
          tanHalfHeight,
          nearM: 0.05,
          farM: Math.max(0.1, step.rangeM),
        },
      ]);
    }
    case "where":
      return withScalars(step, below);
    case "asOf": {
      const open = run.context.readerAsOf ?? notProvided(step, "a way to open the memory as of another time");
      const { worldUs, memoryUs } = step;
      const reader = await open({
        ...(worldUs === undefined ? {} : { asOfWorldUs: worldUs }),
        ...(memoryUs === undefined ? {} : { asOfMemoryUs: memoryUs }),
      });
      return { ...below, reader };
    }
    case "at":
    case "since":
    case "before":
    case "after": {
      const t = await resolveTime(step.time, run);
      if (t === undefined) return { ...below, nothing: "its time is not known" };
      if (step.op === "before") return inTime(below, { before: t });
      if (step.op === "after") return inTime(below, { after: t });
      return inTime(below, { overlaps: { fromUs: t, toUs: step.op === "at" ? t + 1 : null } });
    }
    case "during": {
      const [fromUs, end] = [await resolveTime(step.start, run), await resolveTime(step.end, run)];
      if (fromUs === undefined || end === undefined) return { ...below, nothing: "its time is not known" };
      return inTime(below, { overlaps: { fromUs, toUs: Math.max(end, fromUs + 1) } });
    }
  }
}

/**
 * Directions as the asker sees them (docs/formulas.md#directions). Of a thing, "in front" is towards the asker and "behind" away from
 * it, as English has it for things without a front; of the asker itself it is where the asker faces.
 */
async function inDirection(step: StepOf<"dir">, below: Compiled, run: Run): Promise<Compiled> {
  const places = await resolvePlace(step.of, step, run);
  const vertical = step.direction === "above" || step.direction === "below";
  const cones = places.map(({ point, item }) => {
    const yawRad =
      step.frame === "object" && item?.hit.record.kind === "state" ? item.hit.record.yawRad : undefined;
    if (step.frame === "object" && yawRad === undefined && !vertical)
      run.note("its front is not known; taken as the asker sees it");
    const viewer: Transform =
      yawRad !== undefined
        ? { p: point, q: fromYaw(yawRad) }
        : vertical
          ? { p: point, q: fromYaw(0) }
          : { p: point, q: upright(poseOf(step, run)).q };
    const mirrored = step.of !== "here" && yawRad === undefined;
    const flipped = { front: "behind", behind: "front" } as const;
    const direction =
      mirrored && (step.direction === "front" || step.direction === "behind")
        ? flipped[step.direction]
        : step.direction;
    return directionCone(direction, viewer, step.rangeM, step.halfAngleRad);
  });
  const shaped = inShapes(
    below,
    cones.map((cone) => ({ type: "cone", ...cone })),
  );
  return { ...shaped, ...(cones[0] ? { cone: cones[0] } : {}) };
}

function inTime(below: Compiled, time: TimeKey): Compiled {
  const known = below.request.time;
  const overlaps = both(known?.overlaps, time.overlaps);
  if (overlaps === null) return { ...below, nothing: "its times exclude each other" };
  const before = least(known?.before, time.before);
  const after = most(known?.after, time.after);
  const merged: TimeKey = {
    ...(overlaps ? { overlaps } : {}),
    ...(before === undefined ? {} : { before }),
    ...(after === undefined ? {} : { after }),
  };
  return { ...below, request: { ...below.request, time: merged } };
}

function both(a: Interval | undefined, b: Interval | undefined): Interval | undefined | null {
  if (a === undefined || b === undefined) return a ?? b;
  return intersectIntervals(a, b) ?? null;
}

const least = (a: number | undefined, b: number | undefined) =>
  a === undefined ? b : b === undefined ? a : Math.min(a, b);
const most = (a: number | undefined, b: number | undefined) =>
  a === undefined ? b : b === undefined ? a : Math.max(a, b);

function withScalars(step: StepOf<"where">, below: Compiled): Compiled {
  const { category, author, sceneId, owner, attributes } = step;
  const known = below.request.where;
  const lists = { category, author, sceneId, owner };
  let where: ScalarKey = {
    ...known,
    ...(attributes ? { attributes: { ...known?.attributes, ...attributes } } : {}),
  };
  for (const key of ["category", "author", "sceneId", "owner"] as const) {
    const [old, added] = [known?.[key], lists[key]];
    if (added === undefined) continue;
    const list = old === undefined ? added : old.filter((value) => added.includes(value));
    if (list.length === 0) return { ...below, nothing: `nothing can be of both ${key}s` };
    where = { ...where, [key]: list };
  }
  return { ...below, request: { ...below.request, where } };
}
