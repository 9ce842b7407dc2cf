import type { Belief } from "../../belief/belief.ts";
import type { RoomView } from "../../belief/room-names.ts";
import type { KnownThing } from "../../belief/thing.ts";
import { distance, lerp, type Vec3 } from "../../geometry/index.ts";
import type { SceneMap } from "../../map/index.ts";
import { type Doorway, doorAt, doorwaysOf, onFloor } from "./doorways.ts";

/** A route: the rooms passed in order, including the first and the last, and the doors between them. */
export interface Way {
  readonly rooms: readonly RoomView[];
  readonly doors: readonly KnownThing[];
  readonly points: readonly Vec3[];
  readonly lengthM: number;
  /** Along the mapped floor; from door to door; or straight, where no route is known. */
  readonly by: "map" | "doors" | "straight";
}

export interface WayOptions {
  readonly memory: Belief;
  readonly agentId?: string | undefined;
  readonly map?: WalkedMap | undefined;
  /** Rooms and doors, by id, that the route must avoid. */
  readonly without?: ReadonlySet<string> | undefined;
}

/** The part of a map that is used here. */
type WalkedMap = Pick<SceneMap, "path" | "nearestReachable">;

/** The distance between samples of a route, to find its rooms. */
const SAMPLE_M = 0.25;
/** A shorter stretch is the corner of a room, not a room on the route. */
const LEAST_PASSED_M = 0.5;
/** A route through fewer rooms may be longer than the shortest by this factor. */
const PLAINER = 1.5;
/** The assumed ratio of real routes to straight lines. */
const DETOUR = 1.3;

/** The shortest known route between two places: on the map, otherwise from door to door, otherwise a straight line. */
export async function wayBetween(from: Vec3, to: Vec3, options: WayOptions): Promise<Way> {
  const { memory, agentId, map, without } = options;
  const doorways = await doorwaysOf(memory, agentId);
  const isFree = ({ rooms, doors }: Pick<Way, "rooms" | "doors">) =>
    !rooms.slice(1, -1).some(({ id }) => without?.has(id)) &&
    !doors.some(({ trackId }) => without?.has(trackId));
  const doors = doorways.flatMap(({ door }) => door ?? []);
  const path = map && mapped(map, from, to);
  if (path) {
    const passed = await passedBy(path.points, memory);
    const way: Way = {
      rooms: passed.map(({ room }) => room),
      doors: passed.slice(1).flatMap(({ at }) => doorAt(at, doors) ?? []),
      points: path.points,
      lengthM: path.lengthM,
      by: "map",
    };
    const plainer = await plainerWay(way, map, { from, to }, open(doorways, way.rooms, without), options);
    if (plainer && isFree(plainer)) return plainer;
    if (isFree(way)) return way;
  }
  const [start, goal] = [await memory.roomAt(from), await memory.roomAt(to)];
  const rooms = [start, goal].flatMap((room) => room ?? []);
  const [begin, end] = [start ? onFloor(from, start) : from, goal ? onFloor(to, goal) : to];
  const straight: Way = {
    rooms: start?.id === goal?.id ? rooms.slice(0, 1) : rooms,
    doors: [],
    points: [begin, end],
    lengthM: distance(begin, end),
    by: "straight",
  };
  if (!start || !goal) return { ...straight, lengthM: straight.lengthM * DETOUR };
  if (start.id === goal.id) return { ...straight, by: "doors" };
  return (
    throughDoors({ from: begin, start }, { to: end, goal }, open(doorways, [start, goal], without)) ?? {
      ...straight,
      lengthM: straight.lengthM * DETOUR,
    }
  );
}

/**
 * A route through fewer rooms, where it is not much longer: people take the hall and not the dining room to save a
 * metre (all 5 routes in `bench/people` that differ from the shortest do so).
 */
async function plainerWay(
  shortest: Way,
  map: WalkedMap,
  { from, to }: { readonly from: Vec3; readonly to: Vec3 },
  doorways: readonly Doorway[],
  { memory }: WayOptions,
): Promise<Way | undefined> {
  const [start, goal] = [shortest.rooms[0], shortest.rooms.at(-1)];
  if (!start || !goal || shortest.rooms.length < 3) return undefined;
  const ends = [
    { from, start },
    { to, goal },
  ] as const;
  const plain = throughDoors(...ends, doorways, shortest.lengthM * (PLAINER - 1));
  if (!plain || plain.rooms.length >= shortest.rooms.length) return undefined;
  const legs = plain.points.slice(1).map((point, n) => mapped(map, plain.points[n]!, point));
  if (!legs.every((leg) => leg !== undefined)) return undefined;
  const points = legs.flatMap((leg) => leg.points);
  const lengthM = legs.reduce((sum, leg) => sum + leg.lengthM, 0);
  const passed = (await passedBy(points, memory)).map(({ room }) => room.id);
  const isSo = passed.join() === plain.rooms.map(({ id }) => id).join();
  return isSo && lengthM < PLAINER * shortest.lengthM ? { ...plain, points, lengthM, by: "map" } : undefined;
}

/** The doorways that may be used. */
function open(
  doorways: readonly Doorway[],
  ends: readonly RoomView[],
  without: ReadonlySet<string> | undefined,
): readonly Doorway[] {
  if (!without) return doorways;
  const isEnd = ({ id }: RoomView) => id === ends[0]?.id || id === ends.at(-1)?.id;
  const isBarred = (room: RoomView) => without.has(room.id) && !isEnd(room);
  return doorways.filter(
    ({ a, b, door }) => !isBarred(a) && !isBarred(b) && !(door && without.has(door.trackId)),
  );
}

function mapped(map: WalkedMap, from: Vec3, to: Vec3): ReturnType<SceneMap["path"]> {
  const near = map.nearestReachable(to, from) ?? to;
  return map.path(from, near);
}

interface Passed {
  readonly room: RoomView;
  /** The point of entry. */
  readonly at: Vec3;
  readonly lengthM: number;
}

/** The rooms along a line, in order, without those that are only grazed. */
async function passedBy(points: readonly Vec3[], memory: Belief): Promise<Passed[]> {
  const passed: { room: RoomView; at: Vec3; lengthM: number }[] = [];
  for (const [n, point] of points.entries()) {
    const next = points[n + 1] ?? point;
    const steps = Math.max(1, Math.ceil(distance(point, next) / SAMPLE_M));
    for (let step = 0; step < steps; step++) {
      const at = lerp(point, next, step / steps);
      const room = await memory.roomAt(at);
      if (!room) continue;
      const last = passed.at(-1);
      if (last?.room.id === room.id) last.lengthM += SAMPLE_M;
      else passed.push({ room, at, lengthM: SAMPLE_M });
    }
  }
  const kept = passed.filter(
    ({ lengthM }, n) => n === 0 || n === passed.length - 1 || lengthM >= LEAST_PASSED_M,
  );
  return kept.filter(({ room }, n) => kept[n - 1]?.room.id !== room.id);
}

/** Dijkstra over doorways: from one to the next through a common room, which adds `perRoomM`. */
function throughDoors(
  { from, start }: { readonly from: Vec3; readonly start: RoomView },
  { to, goal }: { readonly to: Vec3; readonly goal: RoomView },
  doorways: readonly Doorway[],
  perRoomM = 0,
): Way | undefined {
  interface Reached {
    readonly cost: number;
    readonly room: RoomView;
    readonly before: number | undefined;
  }
  const reached = new Map<number, Reached>();
  const other = ({ a, b }: Doorway, room: RoomView) => (a.id === room.id ? b : a);
  const opens = ({ a, b }: Doorway, room: RoomView) => a.id === room.id || b.id === room.id;
  doorways.forEach((doorway, n) => {
    if (opens(doorway, start))
      reached.set(n, { cost: distance(from, doorway.at), room: other(doorway, start), before: undefined });
  });
  const done = new Set<number>();
  let best: { readonly n: number; readonly cost: number } | undefined;
  for (;;) {
    let [at, least] = [-1, best?.cost ?? Infinity];
    for (const [n, { cost }] of reached) if (!done.has(n) && cost < least) [at, least] = [n, cost];
    if (at < 0) break;
    done.add(at);
    const { room, cost } = reached.get(at)!;
    if (room.id === goal.id) {
      const whole = cost + distance(doorways[at]!.at, to);
      if (!best || whole < best.cost) best = { n: at, cost: whole };
      continue;
    }
    doorways.forEach((doorway, n) => {
      if (done.has(n) || !opens(doorway, room)) return;
      const next = cost + perRoomM + distance(doorways[at]!.at, doorway.at);
      if (next < (reached.get(n)?.cost ?? Infinity))
        reached.set(n, { cost: next, room: other(doorway, room), before: at });
    });
  }
  if (!best) return undefined;
  const order: number[] = [];
  for (let n: number | undefined = best.n; n !== undefined; n = reached.get(n)!.before) order.unshift(n);
  return {
    rooms: [start, ...order.map((n) => reached.get(n)!.room)],
    doors: order.flatMap((n) => doorways[n]!.door ?? []),
    points: [from, ...order.map((n) => doorways[n]!.at), to],
    lengthM: best.cost - perRoomM * (order.length - 1),
    by: "doors",
  };
}
