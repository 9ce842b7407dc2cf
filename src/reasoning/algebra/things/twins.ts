import { boxFromCentre, distance, extentOf, iou } from "../../../geometry/index.ts";
import type { MemoryView } from "../../memory-view/memory-view.ts";
import type { KnownThing } from "../../memory-view/thing.ts";

/** Two stays nearer than this are taken for one thing seen twice. */
export const SAME_PLACE_M = 0.6;
/** Solid things cannot share more of their boxes than this. */
const ONE_PLACE_IOU = 0.5;

/** The same thing may have been taken for two: what overlaps what came before it is left out. */
export async function apart(things: readonly KnownThing[], memory: MemoryView): Promise<KnownThing[]> {
  const kept: KnownThing[] = [];
  const cells = new Map<string, KnownThing[]>();
  for (const thing of things) {
    const twins = around(thing, cells).filter((other) => isClose(other, thing));
    let twin = false;
    for (const other of twins.slice(0, 4)) twin ||= !(await areTwo(other, thing, memory));
    if (twin) continue;
    kept.push(thing);
    const [own] = cellsOf(thing, [0]);
    if (own !== undefined) cells.set(own, [...(cells.get(own) ?? []), thing]);
  }
  return kept;
}

/** No twins are farther apart along an axis, so that only neighbouring cells of this side are compared. */
const CELL_M = SAME_PLACE_M;

function around(thing: KnownThing, cells: ReadonlyMap<string, readonly KnownThing[]>): KnownThing[] {
  return cellsOf(thing, [-1, 0, 1]).flatMap((cell) => cells.get(cell) ?? []);
}

/** The cells of a category at a place, so many steps to each side. */
function cellsOf({ category, position }: KnownThing, steps: readonly number[]): string[] {
  if (!position) return [];
  const at = [position.x, position.y, position.z].map((v) => Math.floor(v / CELL_M));
  return steps.flatMap((i) =>
    steps.flatMap((j) => steps.map((k) => `${category}/${at[0]! + i}/${at[1]! + j}/${at[2]! + k}`)),
  );
}

function isClose(a: KnownThing, b: KnownThing): boolean {
  const most = Math.max(SAME_PLACE_M * 0.3, Math.min(sideOf(a), sideOf(b)) * 0.5);
  return distance(a.position!, b.position!) < most;
}

/** Close together, but seen at one moment and not in each other's place: two pillows on a heap. */
async function areTwo(a: KnownThing, b: KnownThing, { options: { reader } }: MemoryView): Promise<boolean> {
  if (!a.box || !b.box || iou(a.box, b.box) > ONE_PLACE_IOU) return false;
  const looks = await reader.sightings({
    stateIds: [a.state.id, b.state.id],
    outcomes: ["seen"],
    order: "latest",
    limit: 200,
  });
  const seen = new Set(looks.flatMap(({ stateId, timeUs }) => (stateId === a.state.id ? [timeUs] : [])));
  return looks.some(({ stateId, timeUs }) => stateId === b.state.id && seen.has(timeUs));
}

function sideOf({ box }: KnownThing): number {
  const { x, y, z } = extentOf(box ?? boxFromCentre({ x: 0, y: 0, z: 0 }, { x: 0.2, y: 0.2, z: 0.2 }));
  return Math.min(Math.max(x, y), z, SAME_PLACE_M * 2);
}
