import { apply, type Transform, type Vec3 } from "../geometry/index.ts";
import type { SceneMap } from "../map/index.ts";
import { FLOORS } from "../map/settings.ts";
import { eachHit, type MemoryReader } from "../memory/index.ts";
import type { RecordInput, RecordOf, Stored } from "../schema/core.ts";
import { withoutStamps } from "./redraw.ts";

/** Records that name a room and are not redrawn with the rooms. */
const HOUSED = ["caption", "event"] as const;
/** Regions asked for at once. */
const AT_ONCE = 256;

/** Captions and events that happened in rooms of a map that was joined, with the rooms that stand there now. */
export async function rehoused(
  reader: MemoryReader,
  sceneId: string,
  ended: readonly Stored<RecordOf<"region">>[],
  transform: Transform,
  map: SceneMap,
): Promise<RecordInput[]> {
  const now = new Map<string, string>();
  for (const { id, type, hull } of ended) {
    const middle = type === "room" ? middleOf(hull) : undefined;
    const room = middle && map.roomAt(apply(transform, middle));
    if (room && room.id !== id) now.set(id, room.id);
  }
  const moved: RecordInput[] = [];
  const old = [...now.keys()];
  for (let at = 0; at < old.length; at += AT_ONCE) {
    const where = { sceneId: [sceneId], regionId: old.slice(at, at + AT_ONCE) };
    for (const kind of HOUSED)
      for await (const { record } of eachHit(reader, kind, { where }))
        moved.push({ ...withoutStamps(record), regionId: now.get(record.regionId!)! } as RecordInput);
  }
  return moved;
}

/**
 * Rooms and floors of the joined map, valid from when either robot first knew of them: a question about a moment before
 * the join then sees one map as well.
 */
export function sinceFirstKnown(
  regions: readonly RecordInput[],
  ended: readonly Stored<RecordOf<"region">>[],
  transform: Transform,
  map: SceneMap,
): RecordInput[] {
  const since = new Map<string, number>();
  const floors = regions.filter((region) => region.kind === "region" && region.type === "floor");
  for (const { type, hull, validFromUs } of ended) {
    const middle = middleOf(hull);
    const at = middle && apply(transform, middle);
    const here =
      at && type === "room" ? map.roomAt(at) : at && type === "floor" ? floorAt(floors, at.z) : undefined;
    if (here) since.set(here.id, Math.min(validFromUs, since.get(here.id) ?? Infinity));
  }
  return regions.flatMap((region) => {
    const validFromUs = since.get(region.id) ?? Infinity;
    return validFromUs < region.validFromUs ? [{ ...region, validFromUs }] : [];
  });
}

function floorAt(floors: readonly RecordInput[], z: number): RecordInput | undefined {
  return floors.find(
    (floor) => floor.kind === "region" && Math.abs((floor.hull?.[0]?.z ?? Infinity) - z) < FLOORS.sameStoreyM,
  );
}

/** Names that people gave the rooms of a joined map, moved to the same places in the other map. */
export async function movedSayings(
  reader: MemoryReader,
  {
    sceneId,
    root,
    child,
    transform,
  }: {
    readonly sceneId: string;
    readonly root: string;
    readonly child: string;
    readonly transform: Transform;
  },
): Promise<RecordInput[]> {
  const moved: RecordInput[] = [];
  const where = { sceneId: [sceneId], category: ["correction"] };
  for await (const { record } of eachHit(reader, "event", { where })) {
    const { within, frame } = record.detail as { within?: Vec3; frame?: string };
    if (record.validToUs !== null || within === undefined || frame !== child) continue;
    const detail = { ...record.detail, within: { ...apply(transform, within) }, frame: root };
    moved.push({ ...withoutStamps(record), detail } as RecordInput);
  }
  return moved;
}

/** A point over the floor of an outline, where it is one. */
function middleOf(hull: readonly Vec3[] | undefined): Vec3 | undefined {
  if (!hull || hull.length < 3) return undefined;
  const sum = hull.reduce((a, b) => ({ x: a.x + b.x, y: a.y + b.y, z: a.z + b.z }));
  return { x: sum.x / hull.length, y: sum.y / hull.length, z: sum.z / hull.length + 0.1 };
}
