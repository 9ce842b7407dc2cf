import type { Random } from "../../geometry/index.ts";
import { mm } from "../house/plan/rect.ts";
import { solidsFor } from "../house/solids.ts";
import { boxOfSpot, findSpot } from "../house/stock/slot.ts";
import { FLOOR_STOCK, STOCK } from "../house/stock/tables.ts";
import type { FluentValues, Placement, RoomType } from "../house/types.ts";
import { turnedHalf, yawOfStep } from "../house/yaw.ts";
import { FreeSpace } from "../navigation/free-space.ts";
import type { WorldState } from "./world-state.ts";

const TRIES = 24;
/** Floor area that one change may cut off. */
const CUT_OFF_M2 = 0.1;

/** An alternative place for a thing: on or in furniture that suits it, sometimes anywhere. */
export function newPlace(
  state: WorldState,
  i: number,
  inSight: boolean,
  random: Random,
): Placement | undefined {
  const { category } = state.thing(i);
  const usual = random.chance(0.75);
  const hosts = state.house.things.flatMap((thing, host) =>
    thing.type === "furniture" && host !== i && (!usual || goesWith(category, thing.category)) ? [host] : [],
  );
  const floor = state.house.rooms.filter(
    (room) => FLOOR_STOCK[room.type as RoomType]?.[category] !== undefined,
  );
  for (let attempt = 0; attempt < TRIES; attempt++) {
    if (floor.length > 0 && random.chance(0.25)) {
      const placement = onFloor(state, i, random.pick(floor).id, random);
      if (placement !== undefined) return placement;
    } else if (hosts.length > 0) {
      const placement = onHost(state, i, random.pick(hosts), inSight, random);
      if (placement !== undefined) return placement;
    }
  }
  return undefined;
}

function goesWith(category: string, host: string): boolean {
  return (STOCK[host]?.[category] ?? 0) > 0 || (STOCK[`${host}/in`]?.[category] ?? 0) > 0;
}

/** A free place for a thing on or in one piece of furniture. */
export function onHost(
  state: WorldState,
  i: number,
  host: number,
  inSight: boolean,
  random: Random,
): Placement | undefined {
  const hostPlacement = state.placements[host];
  const size = state.house.starts[i]!.look.size;
  const closed = state.fluents[host]!.openness !== "open";
  const slots = state.slotsOf(host).filter((slot) => !(inSight && closed && slot.shelf.kind === "cavity"));
  if (hostPlacement === undefined || slots.length === 0) return undefined;
  const slot = random.pick(slots);
  const spot = findSpot(slot, state.thing(i).category, size, random, (box) =>
    state.clashes([box], new Set([i])),
  );
  if (spot === undefined) return undefined;
  const inside = slot.shelf.kind !== "top";
  return {
    centre: spot.centre,
    extent: size,
    yawRad: spot.yawRad,
    room: hostPlacement.room,
    supportedBy: slot.host,
    ...(inside ? { insideOf: slot.host } : {}),
    hidden: slot.shelf.kind === "cavity" && closed,
  };
}

/** On the floor near a wall, without cutting off any floor. */
function onFloor(state: WorldState, i: number, roomId: string, random: Random): Placement | undefined {
  const room = state.house.rooms.find((r) => r.id === roomId)!;
  const floor = state.house.things.find(
    (thing) => thing.category === "floor" && thing.roomAtStart === roomId,
  )!;
  const size = state.house.starts[i]!.look.size;
  const step = random.pick([0, 2, 4, 6, 12, 14, 18, 22]);
  const half = turnedHalf(size.x, size.y, step);
  const { x: x0, y: y0 } = room.polygon.points[0]!;
  const { x: x1, y: y1 } = room.polygon.points[2]!;
  const near = random.range(0.02, 0.35);
  const side = random.int(0, 4);
  const x =
    side === 0
      ? x0 + half.x + near
      : side === 1
        ? x1 - half.x - near
        : random.range(x0 + half.x, x1 - half.x);
  const y =
    side === 2
      ? y0 + half.y + near
      : side === 3
        ? y1 - half.y - near
        : random.range(y0 + half.y, y1 - half.y);
  const centre = { x: mm(x), y: mm(y), z: room.floorZM + size.z / 2 };
  const placement: Placement = {
    centre,
    extent: size,
    yawRad: yawOfStep(step),
    room: roomId,
    supportedBy: floor.id,
    hidden: false,
  };
  const box = boxOfSpot(placement, size);
  // Rugs count within the tolerance; a few centimetres to everything else.
  const roomy = {
    min: { x: box.min.x - 0.02, y: box.min.y - 0.02, z: box.min.z + 0.02 },
    max: { x: box.max.x + 0.02, y: box.max.y + 0.02, z: box.max.z },
  };
  if (
    state.withinFurniture(roomy) ||
    state.clashes([roomy], new Set([i])) ||
    byDoor(state, placement) ||
    !overFloor(state, placement)
  )
    return undefined;
  return leavesFloorWhole(state, i, placement, state.fluents[i]!) ? placement : undefined;
}

function byDoor(state: WorldState, { centre, extent }: Placement): boolean {
  return state.house.openings.some((o) => {
    if (o.kind === "window" || Math.abs(o.centre.z - (centre.z - extent.z / 2)) > 0.5) return false;
    const dx = o.centre.x - centre.x;
    const dy = o.centre.y - centre.y;
    return dx * dx + dy * dy < 1.3 * 1.3;
  });
}

/** Not over the stairwell. */
function overFloor(state: WorldState, { centre, extent }: Placement): boolean {
  const z = centre.z - extent.z / 2;
  return state.house.stairs.every(({ foot, head }) => {
    if (Math.abs(head.z - z) > 0.1 && Math.abs(foot.z - z) > 0.1) return true;
    return (
      centre.x < Math.min(foot.x, head.x) - 0.9 ||
      centre.x > Math.max(foot.x, head.x) + 0.9 ||
      centre.y < Math.min(foot.y, head.y) - 0.9 ||
      centre.y > Math.max(foot.y, head.y) + 0.9
    );
  });
}

/**
 * Whether a robot can still reach everything it could before, with the thing in that place or state. Rooms behind
 * closed doors count the same before and after.
 */
export function leavesFloorWhole(
  state: WorldState,
  i: number,
  placement: Placement,
  fluents: FluentValues,
): boolean {
  const { id } = state.thing(i);
  const scene = state.scene();
  const solids = solidsFor(state.thing(i), state.house.starts[i]!.look, placement, fluents);
  const after = new FreeSpace({
    ...scene,
    placementOf: (other) => (other === id ? placement : scene.placementOf(other)),
    solidsOf: (other) => (other === id ? solids : scene.solidsOf(other)),
  });
  const before = state.robotSpace();
  const from = {
    ...placement.centre,
    z: state.house.rooms.find((room) => room.id === placement.room)?.floorZM ?? 0,
  };
  const lost = (space: FreeSpace): number => space.areaM2() - space.reachableM2(space.nearestFree(from, 2));
  return lost(after) <= lost(before) + CUT_OFF_M2;
}
