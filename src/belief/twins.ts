import { boxFromCentre, distance, extentOf, iou } from "../geometry/index.ts";
import type { Belief } from "./belief.ts";
import { printedOn } from "./matching.ts";
import { MATCHING } from "./settings/matching.ts";
import type { KnownThing } from "./thing.ts";

/** Removes duplicates: a thing that overlaps an earlier one may be the same thing, and is kept as its twin. */
export async function apart(things: readonly KnownThing[], memory: Belief): Promise<KnownThing[]> {
  const kept: KnownThing[] = [];
  const twinsOf = new Map<KnownThing, KnownThing[]>();
  const columns = new Map<string, KnownThing[]>();
  for (const thing of things) {
    const twins = thing.spot ? [] : around(thing, columns).filter((other) => isClose(other, thing));
    let twin: KnownThing | undefined;
    for (const other of twins.slice(0, 4)) if (!twin && !(await areTwo(other, thing, memory))) twin = other;
    if (twin) {
      twinsOf.set(twin, [...(twinsOf.get(twin) ?? []), thing]);
      continue;
    }
    kept.push(thing);
    if (!thing.position) continue;
    const own = columnOf(thing.category, cellOf(thing.position.x), cellOf(thing.position.y));
    const there = columns.get(own);
    if (there) there.push(thing);
    else columns.set(own, [thing]);
  }
  return kept.map((thing) => {
    const twins = twinsOf.get(thing);
    return twins ? { ...thing, twins } : thing;
  });
}

/** Duplicates are at most this far apart along an axis, so only neighbouring cells of this side are compared. */
const CELL_M = MATCHING.samePlaceM;
const STEPS = [-1, 0, 1];

/** The members of its category in the cells around it. */
function around({ category, position }: KnownThing, columns: ReadonlyMap<string, readonly KnownThing[]>) {
  if (!position) return [];
  const [x, y, z] = [cellOf(position.x), cellOf(position.y), cellOf(position.z)];
  return STEPS.flatMap((i) =>
    STEPS.flatMap((j) => {
      const there = columns.get(columnOf(category, x + i, y + j)) ?? [];
      return there.length === 0
        ? []
        : STEPS.flatMap((k) => there.filter((other) => cellOf(other.position!.z) === z + k));
    }),
  );
}

function cellOf(m: number): number {
  return Math.floor(m / CELL_M);
}

function columnOf(category: string, x: number, y: number): string {
  return `${category}/${x}/${y}`;
}

function isClose(a: KnownThing, b: KnownThing): boolean {
  // Pictures on both sides of a wall hang a hand's breadth apart.
  if (a.roomId !== undefined && b.roomId !== undefined && a.roomId !== b.roomId) return false;
  // The same code in the same slot is one box whose position was off.
  const isOneCode = a.slot !== undefined && a.slot.code === b.slot?.code && codeOn(a) === codeOn(b);
  const most = isOneCode
    ? MATCHING.samePlaceM
    : Math.max(MATCHING.samePlaceM * 0.3, Math.min(sideOf(a), sideOf(b)) * 0.5);
  return distance(a.position!, b.position!) < most;
}

function codeOn({ state }: KnownThing): string | undefined {
  return printedOn(state)[0];
}

/** Close together, but seen at one moment at separate positions: two pillows on a heap. */
async function areTwo(a: KnownThing, b: KnownThing, { options: { reader } }: Belief): Promise<boolean> {
  if (!a.box || !b.box || iou(a.box, b.box) > MATCHING.onePlaceIou) return false;
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
  return Math.min(Math.max(x, y), z, MATCHING.samePlaceM * 2);
}
