import {
  apply,
  compose,
  type FrameGraph,
  fromYaw,
  type Polygon,
  type Transform,
  type Vec3,
  yawOf,
} from "../../geometry/index.ts";
import { LociError, WORLD_FRAME } from "../../schema/core.ts";
import type { ReadItem } from "../evidence.ts";
import { notProvided } from "../plan/plan.ts";
import type { PlaceRef, Step, TimeRef } from "../plan/steps.ts";
import type { Run } from "./run.ts";

/** How many of the best are searched for a position. */
const ANCHORS_READ = 32;

/** The points that a place of a plan refers to; with their item, if there is one. */
export async function resolvePlace(
  place: PlaceRef,
  step: Step,
  run: Run,
): Promise<{ point: Vec3; item?: ReadItem }[]> {
  if (place === "here") return [{ point: poseOf(step, run).p }];
  if (!("of" in place)) return [{ point: place }];
  const { items } = await run.input(place.of);
  const placed = (await run.read(items.slice(0, ANCHORS_READ))).flatMap((item) =>
    item.hit.position ? [{ point: item.hit.position, item }] : [],
  );
  if (placed.length === 0) run.note(`"${place.of}" found nothing that has a place`);
  return placed.slice(0, place.top);
}

/** The time that a plan means, or undefined where the step it refers to found nothing. */
export async function resolveTime(time: TimeRef, run: Run): Promise<number | undefined> {
  const { nowUs } = run.context;
  if (time === "now") return nowUs;
  if (typeof time === "number") return time;
  if ("agoS" in time) return nowUs - Math.round(time.agoS * 1e6);
  const [item] = await run.read((await run.input(time.of)).items.slice(0, 1));
  if (item === undefined) {
    run.note(`"${time.of}" found nothing that has a time`);
    return undefined;
  }
  const { validFromUs, validToUs } = item.hit.record;
  return time.edge === "start" ? validFromUs : (validToUs ?? nowUs);
}

/** The asker's pose. */
export function poseOf(step: Step, run: Run): Transform {
  return run.context.pose ?? notProvided(step, "the asker's pose");
}

/** The same place and heading without tilt, so that left is level and above is up. */
export function upright(pose: Transform): Transform {
  return { p: pose.p, q: fromYaw(yawOf(pose.q)) };
}

/** Camera axes (+Z forward, +X right, +Y down) seen from the body (+X forward, +Y left, +Z up). */
const BODY_FROM_CAMERA: Transform = { p: { x: 0, y: 0, z: 0 }, q: { w: 0.5, x: -0.5, y: 0.5, z: -0.5 } };

export function cameraOf(worldFromBody: Transform): Transform {
  return compose(worldFromBody, BODY_FROM_CAMERA);
}

const MAX_REGIONS = 64;

/** These regions and their siblings: the children of their parents, by the forest or by the records. */
export async function withSiblings(ids: readonly string[], run: Run): Promise<string[]> {
  const { forest } = run.context;
  const all = new Set(ids);
  for (const { id, hit } of await run.read(ids.map((id) => ({ id, score: 1, scores: {}, why: [] })))) {
    const parent = forest?.parent(id) ?? ("parent" in hit.record ? hit.record.parent : undefined);
    if (parent === undefined) continue;
    const [above] = await run.read([{ id: parent, score: 1, scores: {}, why: [] }]);
    const recorded = above?.hit.record.kind === "region" ? above.hit.record.children : [];
    for (const sibling of [...(forest?.children(parent) ?? []), ...recorded]) all.add(sibling);
  }
  // A place is no region: a room's siblings may be leaves of the forest.
  const regions = (
    await run.read([...all].slice(0, MAX_REGIONS).map((id) => ({ id, score: 1, scores: {}, why: [] })))
  ).filter(({ hit }) => hit.record.kind === "region");
  return regions.map(({ id }) => id);
}

const FLOOR_SLACK_M = 0.5;

/** The prism of a region's hull in the world; without a hull, that of its box. */
export async function polygonOf(id: string, run: Run): Promise<Polygon | undefined> {
  const [region] = await run.read([{ id, score: 1, scores: {}, why: [] }]);
  if (region === undefined) return undefined;
  const { record, box } = region.hit;
  if (record.kind !== "region")
    throw new LociError("invalid-input", `"${id}" is a ${record.kind}, not a region`);
  const heights = box && { minZ: box.min.z - FLOOR_SLACK_M, maxZ: box.max.z + FLOOR_SLACK_M };
  if (record.hull && record.hull.length >= 3) {
    const frames = await run.context.reader.frames();
    const points = record.hull.map((p) => inWorld(p, record.anchor?.submap, frames));
    return { points, ...heights };
  }
  if (box === undefined) return undefined;
  const { min, max } = box;
  const points = [min, { x: max.x, y: min.y }, max, { x: min.x, y: max.y }].map(({ x, y }) => ({ x, y }));
  return { points, ...heights };
}

function inWorld(p: Vec3, submap: string | undefined, frames: FrameGraph): Vec3 {
  if (submap === undefined || submap === WORLD_FRAME) return p;
  const worldFromSubmap = frames.resolve(WORLD_FRAME, submap);
  return worldFromSubmap ? apply(worldFromSubmap, p) : p;
}
