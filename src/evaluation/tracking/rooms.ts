import { assign, type Point2, polygonContains } from "../../geometry/index.ts";
import type { Matching } from "./identity.ts";
import type { Look } from "./looks.ts";
import { currentState, lastLooks } from "./places.ts";
import type { Ratio, Scores } from "./ratio.ts";
import type { Remembered } from "./remembered.ts";
import type { Truth } from "./truth.ts";

const CELL_M = 0.1;
/** Larger houses do not exist here; a wrong hull must not exhaust the memory. */
const MAX_CELLS = 4_000_000;
const MATCH_IOU = 0.5;
/** A room counts if an agent was in it for this long. */
const MIN_STAY_S = 5;
/** How far below the floor or under the ceiling a hull may be drawn. */
const HEIGHT_SLACK_M = 0.5;

export interface RoomScore extends Scores {
  /** Matched rooms whose type is in the remembered name. */
  readonly named: Ratio;
  /** Things whose remembered room is the true one. */
  readonly ofThings: Ratio;
  readonly ious: readonly number[];
  readonly examples: readonly string[];
}

/**
 * Rooms match one-to-one where their floor plans overlap by IoU ≥ 0.5. A true room counts when an agent was in it
 * for at least 5 s; a remembered one counts unless the true room it overlaps most does not. The room of a thing is
 * right when the region of its state overlaps the thing's room more than any other; measured for matched countable
 * things that stood in a counting room at the last look, doors, windows and people left out.
 */
export function scoreRooms(
  truth: Truth,
  remembered: Remembered,
  matching: Matching,
  looks: readonly Look[],
): RoomScore {
  const plan = planOf(truth, remembered);
  const rooms = truth.document.house.rooms;
  const stays = Map.groupBy(truth.frames, ({ room }) => room);
  const leastFrames = MIN_STAY_S * truth.document.settings.fps;
  const counts = rooms.map(({ id }) => (stays.get(id)?.length ?? 0) >= leastFrames);
  const best = remembered.rooms.map((_, r) => plan.best(r));
  const considered = remembered.rooms.map((_, r) => best[r]! < 0 || counts[best[r]!]!);
  const costs = new Float64Array(remembered.rooms.length * rooms.length).fill(Infinity);
  remembered.rooms.forEach((_, r) => {
    rooms.forEach((_, t) => {
      if (plan.iou(r, t) >= MATCH_IOU) costs[r * rooms.length + t] = -plan.iou(r, t);
    });
  });
  const partner = assign(costs, remembered.rooms.length, rooms.length);
  const pairs = [...partner.entries()].filter(([r, t]) => t >= 0 && counts[t] && considered[r]);
  const matchedRooms = new Set(pairs.map(([, t]) => t));
  const examples = [
    ...rooms.flatMap(({ id }, t) => {
      if (!counts[t] || matchedRooms.has(t)) return [];
      const most = Math.max(0, ...remembered.rooms.map((_, r) => plan.iou(r, t)));
      return [`missed: ${id} (best IoU ${most.toFixed(2)})`];
    }),
    ...remembered.rooms.flatMap(({ record }, r) =>
      considered[r] && partner[r]! < 0 ? [`wrong: ${record.name} (${record.id})`] : [],
    ),
  ];
  const ofThings = roomOfThings(truth, remembered, matching, looks, trueRooms(truth, remembered));
  return {
    precision: { hits: pairs.length, total: considered.filter(Boolean).length },
    recall: { hits: pairs.length, total: counts.filter(Boolean).length },
    named: {
      hits: pairs.filter(([r, t]) => isNamed(remembered.rooms[r]!.record.name, rooms[t]!.type)).length,
      total: pairs.length,
    },
    ofThings: ofThings.ratio,
    ious: pairs.map(([r, t]) => plan.iou(r, t)),
    examples: [...examples, ...ofThings.examples],
  };
}

/** The true room of a remembered region: the one that covers most of its room's floor plan. */
export function trueRooms(
  truth: Truth,
  remembered: Remembered,
): (regionId: string | undefined) => string | undefined {
  const plan = planOf(truth, remembered);
  const best = new Map(
    remembered.rooms.map(({ record }, r) => [record.id, truth.document.house.rooms[plan.best(r)]?.id]),
  );
  return (regionId) => best.get(remembered.roomOf(regionId) ?? "");
}

function roomOfThings(
  truth: Truth,
  remembered: Remembered,
  matching: Matching,
  looks: readonly Look[],
  trueRoomOf: (regionId: string | undefined) => string | undefined,
): { ratio: Ratio; examples: string[] } {
  const lastUs = lastLooks(looks);
  const stays = Map.groupBy(truth.frames, ({ room }) => room);
  const examples: string[] = [];
  let [hits, total] = [0, 0];
  for (const [trackId, thing] of matching.thingOf) {
    const { type } = truth.thing(thing)!;
    if ((type !== "furniture" && type !== "small") || !truth.isCountable(thing)) continue;
    const state = currentState(remembered.tracks.get(trackId)!);
    const atUs = state && lastUs.get(state.id);
    const where = atUs === undefined ? undefined : truth.placementAt(thing, atUs);
    const room = where?.isResting ? where.placement.room : null;
    if (state === undefined || room === null) continue;
    if ((stays.get(room)?.length ?? 0) < MIN_STAY_S * truth.document.settings.fps) continue;
    total++;
    const said = trueRoomOf(state.record.regionId);
    if (said === room) hits++;
    else examples.push(`room: ${thing} is in ${room}, remembered in ${said ?? "none"}`);
  }
  return { ratio: { hits, total }, examples };
}

/** "kitchen 2" is a kitchen; most names do not separate a child's room from a bedroom. */
function isNamed(name: string, type: string): boolean {
  return name.toLowerCase().includes(type.toLowerCase());
}

/** Floor plans as cells, with the rooms of both sides that cover each; floors are separate. */
function planOf(truth: Truth, remembered: Remembered) {
  const rings: { points: readonly Point2[]; z: number }[] = [
    ...remembered.rooms.map(({ ring }) => ({ points: ring, z: Math.min(...ring.map(({ z }) => z)) })),
    ...truth.document.house.rooms.map(({ polygon }) => ({ points: polygon.points, z: polygon.minZ })),
  ];
  const points = rings.flatMap((ring) => ring.points);
  const minX = Math.min(...points.map(({ x }) => x));
  const minY = Math.min(...points.map(({ y }) => y));
  const columns = Math.ceil((Math.max(...points.map(({ x }) => x)) - minX) / CELL_M) + 1;
  const rows = Math.ceil((Math.max(...points.map(({ y }) => y)) - minY) / CELL_M) + 1;
  const cells = rings.map((ring) =>
    columns * rows > MAX_CELLS ? new Set<number>() : cellsOf(ring.points, minX, minY, columns, rows),
  );
  const first = remembered.rooms.length;
  const shared = (r: number, t: number): number => {
    const { polygon } = truth.document.house.rooms[t]!;
    const { z } = rings[r]!;
    if (z < polygon.minZ - HEIGHT_SLACK_M || z > polygon.maxZ - HEIGHT_SLACK_M) return 0;
    let both = 0;
    for (const cell of cells[r]!) if (cells[first + t]!.has(cell)) both++;
    return both;
  };
  return {
    iou: (r: number, t: number): number => {
      const both = shared(r, t);
      return both === 0 ? 0 : both / (cells[r]!.size + cells[first + t]!.size - both);
    },
    /** The true room that covers most of a remembered one, −1 if none does. */
    best: (r: number): number => {
      let [best, most] = [-1, 0];
      truth.document.house.rooms.forEach((_, t) => {
        const both = shared(r, t);
        if (both > most) [best, most] = [t, both];
      });
      return best;
    },
  };
}

function cellsOf(
  points: readonly Point2[],
  minX: number,
  minY: number,
  columns: number,
  rows: number,
): Set<number> {
  const inside = new Set<number>();
  if (points.length < 3) return inside;
  const xs = points.map(({ x }) => x);
  const ys = points.map(({ y }) => y);
  const [left, right] = [Math.min(...xs), Math.max(...xs)].map((x) => Math.floor((x - minX) / CELL_M));
  const [bottom, top] = [Math.min(...ys), Math.max(...ys)].map((y) => Math.floor((y - minY) / CELL_M));
  for (let row = bottom!; row <= Math.min(top!, rows - 1); row++) {
    for (let column = left!; column <= Math.min(right!, columns - 1); column++) {
      const centre = { x: minX + (column + 0.5) * CELL_M, y: minY + (row + 0.5) * CELL_M, z: 0 };
      if (polygonContains({ points }, centre)) inside.add(row * columns + column);
    }
  }
  return inside;
}
