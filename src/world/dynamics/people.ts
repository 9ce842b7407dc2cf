import type { Random } from "../../geometry/index.ts";
import { distance, type TimeUs, type Vec3 } from "../../geometry/index.ts";
import type { Placement } from "../house/types.ts";
import { cosOfStep, sinOfStep, stepOfYaw, stepTowards, yawOfStep } from "../house/yaw.ts";
import { distanceField, pathTo } from "../navigation/geodesic.ts";
import { alongPath, roomAt } from "./timeline.ts";
import type { PathPoint } from "./types.ts";
import type { WorldState } from "./world-state.ts";

const SPEED_M_PER_S = 1.1;
const SITTING = { x: 0.5, y: 0.46, z: 0.98 } as const;

/** Puts a person on a free spot somewhere in the house at the very start. */
export function enter(state: WorldState, person: number, startUs: TimeUs, random: Random): boolean {
  const rooms = random.shuffle(state.house.rooms);
  for (const room of rooms) {
    const [a, , c] = room.polygon.points as [Vec3, Vec3, Vec3];
    const middle = { x: (a.x + c.x) / 2, y: (a.y + c.y) / 2, z: room.floorZM };
    const spot = standSpot(state, person, middle, room.id, random);
    if (spot === undefined) continue;
    state.move(person, standing(state, person, spot, yawOfStep(random.int(0, 24))), startUs, "start");
    return true;
  }
  return false;
}

/** A place to stand within reach of a point, in the same room, clear of doors and of other people. */
export function standSpot(
  state: WorldState,
  person: number,
  near: Vec3,
  room: string | null,
  random: Random,
): Vec3 | undefined {
  const space = state.space();
  const floorZM = state.house.rooms.find((r) => r.id === room)?.floorZM;
  if (floorZM === undefined) return undefined;
  const turn = random.int(0, 24);
  for (const radius of [0.45, 0.6, 0.75, 0.9, 1.1, 1.4, 1.8]) {
    for (let i = 0; i < 24; i++) {
      const step = turn + i;
      const around = {
        x: near.x + radius * cosOfStep(step),
        y: near.y + radius * sinOfStep(step),
        z: floorZM,
      };
      const node = space.nodeAt(around);
      if (node < 0 || space.free[node] !== 1) continue;
      const point = space.pointOf(node);
      if (roomAt(state.house, point) === room && !inDoorway(state, point) && !crowded(state, person, point))
        return point;
    }
  }
  return undefined;
}

/** A thing that moves with a mover, and the position of its base in the mover's axes (x ahead, y left, z up). */
export interface Cargo {
  readonly thing: number;
  readonly at: Vec3;
}

/** Walks there, if there is a path; returns the arrival time. `held` is carried in front of the person. */
export function walk(
  state: WorldState,
  person: number,
  to: Vec3,
  timeUs: TimeUs,
  held?: number,
): TimeUs | undefined {
  const start = rise(state, person, timeUs);
  const { centre, extent } = state.placements[person]!;
  const feet = { ...centre, z: centre.z - extent.z / 2 };
  const space = state.space();
  const origin = space.nearestFree(feet, 0.6);
  const end = space.nodeAt(to);
  const way = pathTo(space, distanceField(space, origin, [end]), end);
  if (way === undefined) return undefined;
  return goAlong(state, person, way, start, held === undefined ? [] : [inArms(state, held)]);
}

/** Moves along a path with its cargo, ignoring obstacles; returns the arrival time. */
export function goAlong(
  state: WorldState,
  mover: number,
  way: readonly Vec3[],
  startUs: TimeUs,
  cargo: readonly Cargo[] = [],
  speedMps = SPEED_M_PER_S,
): TimeUs {
  const from = state.placements[mover]!;
  let at = startUs;
  const path: PathPoint[] = [
    { timeUs: at, position: { ...from.centre, z: from.centre.z - from.extent.z / 2 } },
  ];
  for (const position of way) {
    const lengthM = distance(path.at(-1)!.position, position);
    if (lengthM < 0.01) continue;
    at += Math.round((lengthM / speedMps) * 1e6);
    path.push({ timeUs: at, position });
  }
  if (path.length < 2) return startUs;
  const last = alongPath(path, at);
  const arrived = standing(state, mover, last.position, last.heading);
  const { id } = state.thing(mover);
  state.move(mover, from, startUs, cargo.length === 0 ? "walk" : "carry", path);
  state.move(mover, arrived, at, "stand");
  state.note({ type: "walk", timeUs: startUs, endUs: at, thing: id, who: id, from, to: arrived });
  for (const one of cargo) takeAlong(state, mover, one, startUs, path);
  return at;
}

/** Sits down on a seat that has room for one. */
export function sit(
  state: WorldState,
  person: number,
  seat: number,
  timeUs: TimeUs,
  random: Random,
): TimeUs | undefined {
  const placement = state.placements[seat]!;
  const place = seatPlace(state, person, seat, placement, random);
  if (place === undefined) return undefined;
  const spot = standSpot(state, person, placement.centre, placement.room, random);
  const there = spot === undefined ? undefined : walk(state, person, spot, timeUs);
  if (there === undefined) return undefined;
  state.move(person, place, there + 1_000_000, "sit");
  state.setFluent(seat, "occupancy", "occupied", there + 1_000_000);
  state.note({
    type: "sit",
    timeUs: there + 1_000_000,
    endUs: there + 1_000_000,
    thing: state.thing(person).id,
    other: state.thing(seat).id,
    who: state.thing(person).id,
  });
  return there + 1_000_000;
}

/** Gets up from a seat; takes no time when already standing. Returns when the person is standing. */
function rise(state: WorldState, person: number, timeUs: TimeUs): TimeUs {
  const placement = state.placements[person]!;
  const seat = placement.supportedBy === undefined ? -1 : state.index(placement.supportedBy);
  if (seat < 0 || state.thing(seat).type === "structure") return timeUs;
  const full = state.house.starts[person]!.look.size;
  const space = state.space();
  const node = space.nearestFree({ ...placement.centre, z: floorOf(state, placement) }, 2);
  const feet = space.pointOf(Math.max(0, node));
  state.setFluent(seat, "occupancy", "free", timeUs);
  state.move(person, { ...standing(state, person, feet, placement.yawRad), extent: full }, timeUs, "stand");
  state.note({
    type: "stand",
    timeUs,
    endUs: timeUs,
    thing: state.thing(person).id,
    other: state.thing(seat).id,
    who: state.thing(person).id,
  });
  return timeUs;
}

function seatPlace(
  state: WorldState,
  person: number,
  seat: number,
  host: Placement,
  random: Random,
): Placement | undefined {
  const step = stepOfYaw(host.yawRad);
  const x = -host.extent.x / 2 + 0.34 + SITTING.x / 2;
  const sides = host.extent.y > 1.4 ? random.shuffle([-0.4, 0.4]) : [0];
  for (const y of sides) {
    const centre = {
      x: host.centre.x + x * cosOfStep(step) - y * sinOfStep(step),
      y: host.centre.y + x * sinOfStep(step) + y * cosOfStep(step),
      z: host.centre.z - host.extent.z / 2 + 0.42 + SITTING.z / 2,
    };
    const placement: Placement = {
      centre,
      extent: SITTING,
      yawRad: host.yawRad,
      room: host.room,
      supportedBy: state.thing(seat).id,
      hidden: false,
    };
    if (!state.clashes(state.boxesIf(person, placement, {}), new Set([person, seat]))) return placement;
  }
  return undefined;
}

/** How a person stands on a spot. */
export function standing(state: WorldState, person: number, feet: Vec3, yawRad: number): Placement {
  const extent = state.house.starts[person]!.look.size;
  const room = roomAt(state.house, { ...feet, z: feet.z + 0.5 }) ?? null;
  const floor = state.house.things.find((thing) => thing.category === "floor" && thing.roomAtStart === room);
  return {
    centre: { x: feet.x, y: feet.y, z: feet.z + extent.z / 2 },
    extent,
    yawRad,
    room,
    ...(floor === undefined ? {} : { supportedBy: floor.id }),
    hidden: false,
  };
}

/** Held at chest height, a forearm ahead. */
export function inArms(state: WorldState, held: number): Cargo {
  const { extent } = state.placements[held]!;
  return { thing: held, at: { x: 0.2 + Math.max(extent.x, extent.y) / 2, y: 0, z: 0.95 } };
}

function takeAlong(
  state: WorldState,
  mover: number,
  { thing, at }: Cargo,
  fromUs: TimeUs,
  path: readonly PathPoint[],
): void {
  const along: PathPoint[] = [];
  for (let i = 0; i + 1 < path.length; i++) {
    const a = path[i]!;
    const b = path[i + 1]!;
    const step = stepTowards(b.position.x - a.position.x, b.position.y - a.position.y);
    for (const { timeUs, position } of [a, b]) {
      along.push({
        timeUs,
        position: {
          x: position.x + at.x * cosOfStep(step) - at.y * sinOfStep(step),
          y: position.y + at.x * sinOfStep(step) + at.y * cosOfStep(step),
          z: position.z + at.z,
        },
      });
    }
  }
  const { insideOf: _inside, ...rest } = state.placements[thing]!;
  state.move(thing, { ...rest, supportedBy: state.thing(mover).id, hidden: false }, fromUs, "carry", along);
}

function floorOf(state: WorldState, placement: Placement): number {
  return state.house.rooms.find((room) => room.id === placement.room)?.floorZM ?? 0;
}

/** People do not stop in doorways, where a leaf would hit them. */
function inDoorway(state: WorldState, point: Vec3): boolean {
  return state.house.openings.some((o) => {
    if (o.kind === "window" || Math.abs(o.centre.z - point.z) > 0.5) return false;
    const dx = o.centre.x - point.x;
    const dy = o.centre.y - point.y;
    return dx * dx + dy * dy < 1.2 * 1.2;
  });
}

function crowded(state: WorldState, person: number, point: Vec3): boolean {
  return state.placements.some((placement, i) => {
    if (placement === undefined || i === person || state.thing(i).type !== "person") return false;
    const dx = placement.centre.x - point.x;
    const dy = placement.centre.y - point.y;
    return dx * dx + dy * dy < 0.7 * 0.7 && Math.abs(placement.centre.z - point.z) < 2;
  });
}
