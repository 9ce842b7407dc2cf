import { type Box, centreOf, extentOf, unionBoxes } from "../geometry/index.ts";
import type { Labelled } from "./labelled.ts";
import { codeOf } from "./labels.ts";
import { RACKS } from "./settings/racks.ts";
import type { StateRecord } from "./thing.ts";

/** A bay: slots above each other. */
export interface RackBay {
  readonly path: readonly string[];
  readonly side: number;
  readonly alongM: number;
  readonly acrossM: number;
  /** The floor area that it stands on: its boards, as deep and wide as most of its side. */
  readonly box: Box;
  readonly state: StateRecord;
  /** The labels that were read of each of its levels, with duplicates; none for an inferred bay. */
  readonly read: ReadonlyMap<string, readonly Labelled[]>;
}

/** All bays whose codes begin alike, in the order in which they stand, side after side. */
export interface RackRow {
  readonly name: string;
  readonly bays: readonly RackBay[];
  /** The last parts of its codes from the ground up; one empty name where the bay number is the whole code. */
  readonly levels: readonly { readonly name: string; readonly floorM: number }[];
  /** The distance between the bays of each side, metres. */
  readonly stepsM: readonly number[];
}

interface Board {
  readonly one: Labelled;
  readonly bay: readonly string[];
  readonly level: string;
  readonly alongM: number;
  readonly acrossM: number;
}

/** The rows of racks that the labels describe. */
export function rowsOf(labelled: readonly Labelled[]): RackRow[] {
  const coded = labelled.filter(({ label }) => label.kind === undefined && label.path.length > 1);
  const series = Map.groupBy(coded, ({ label }) => `${label.path[0]} ${label.path.length}`);
  const rows = new Map<string, readonly Labelled[]>();
  for (const members of series.values()) {
    const [name] = members[0]!.label.path as [string];
    const isMore = members.length > (rows.get(name)?.length ?? 0);
    if (members.length >= RACKS.series && isMore) rows.set(name, members);
  }
  return [...rows].flatMap(([name, members]) => rowOf(name, members) ?? []);
}

function rowOf(name: string, members: readonly Labelled[]): RackRow | undefined {
  const axis = axisOf(members);
  const sides = sidesOf(members.map((one) => boardOf(one, axis)))
    .map(inLine)
    .filter((side) => side.length > 0);
  const boards = sides.flatMap((side, n) => side.map((board) => ({ ...board, side: n })));
  if (boards.length < RACKS.series) return undefined;
  const levels = levelsOf(boards);
  // A code that was read on both sides belongs to the one where it was read more often.
  const bays = [...Map.groupBy(boards, ({ bay }) => codeOf({ path: bay })).values()].map((found) => {
    const [most] = [...Map.groupBy(found, ({ side }) => side)].sort((a, b) => b[1].length - a[1].length);
    return { side: most![0], found: most![1] };
  });
  const places = sides.map((side) => placing(side, axis));
  const known = sides.map((_, n) =>
    withMissing(
      bays.flatMap((bay) => (bay.side === n ? [bayOf(bay.found, n, places[n]!)] : [])),
      places[n]!,
    ),
  );
  const ends = known.flat().map(({ alongM }) => alongM);
  const reach = { fromM: Math.min(...ends), toM: Math.max(...ends) };
  const inSides = known.map((side, n) => withEnds(side, reach, places[n]!));
  return { name, bays: inSides.flat(), levels, stepsM: inSides.map(stepOf) };
}

interface Axis {
  readonly x: number;
  readonly y: number;
}

function boardOf(one: Labelled, axis: Axis): Board {
  const { x, y } = centreOf(one.box);
  const { path } = one.label;
  const hasLevels = path.length > 2;
  return {
    one,
    bay: hasLevels ? path.slice(0, -1) : path,
    level: hasLevels ? path.at(-1)! : "",
    alongM: x * axis.x + y * axis.y,
    acrossM: y * axis.x - x * axis.y,
  };
}

/** The direction of a row: the nearest other bay stands beside, not across the aisle. */
function axisOf(members: readonly Labelled[]): Axis {
  const known = members.slice(0, RACKS.mostAsked).map(({ label, box }) => ({
    bay: codeOf({ path: label.path.length > 2 ? label.path.slice(0, -1) : label.path }),
    at: centreOf(box),
  }));
  let [cos, sin] = [0, 0];
  for (const one of known) {
    let [least, dx, dy] = [Infinity, 0, 0];
    for (const other of known) {
      const [x, y] = [other.at.x - one.at.x, other.at.y - one.at.y];
      const m = Math.hypot(x, y);
      if (other.bay !== one.bay && m > RACKS.samePlaceM && m < least) [least, dx, dy] = [m, x, y];
    }
    if (least === Infinity) continue;
    // Opposite directions count as one.
    const angle = 2 * Math.atan2(dy, dx);
    cos += Math.cos(angle);
    sin += Math.sin(angle);
  }
  const angle = Math.atan2(sin, cos) / 2;
  return { x: Math.cos(angle), y: Math.sin(angle) };
}

function sidesOf(boards: readonly Board[]): Board[][] {
  const sides: Board[][] = [];
  let last = -Infinity;
  for (const board of boards.toSorted((a, b) => a.acrossM - b.acrossM)) {
    if (board.acrossM - last > RACKS.sideM) sides.push([]);
    sides.at(-1)!.push(board);
    last = board.acrossM;
  }
  return sides;
}

/** A line robust to outliers: the median of all slopes (Theil and Sen). */
function lineThrough(points: readonly { readonly x: number; readonly y: number }[]) {
  const some = points.slice(0, RACKS.mostAsked);
  const slopes = some.flatMap((a) => some.flatMap((b) => (b.x > a.x ? [(b.y - a.y) / (b.x - a.x)] : [])));
  const slope = median(slopes) ?? 0;
  const start = median(points.map(({ x, y }) => y - slope * x)) ?? 0;
  return { slope, at: (x: number) => start + slope * x };
}

/** Boards of one side whose numbers rise, or fall, in order of position; others were misread or belong elsewhere. */
function inLine(side: readonly Board[]): Board[] {
  const numberOf = ({ bay }: Board) => Number(bay.at(-1));
  if (side.length < RACKS.series || side.some((board) => Number.isNaN(numberOf(board)))) return [...side];
  const line = lineThrough(side.map((board) => ({ x: numberOf(board), y: board.alongM })));
  const apart = [...new Set(side.map(numberOf))].sort((a, b) => a - b);
  const stepM = Math.abs(line.slope) * (median(apart.slice(1).map((one, n) => one - apart[n]!)) ?? 1);
  const mostM = RACKS.outOfLine * Math.max(stepM, RACKS.samePlaceM);
  return side.flatMap((board) => {
    const [readM, reckonedM] = [board.alongM, line.at(numberOf(board))];
    const offM = Math.abs(readM - reckonedM);
    if (offM >= mostM) return [];
    return [offM > RACKS.doubtful * stepM ? { ...board, alongM: reckonedM } : board];
  });
}

/** The levels that enough bays have, from the ground up. */
function levelsOf(boards: readonly Board[]): RackRow["levels"] {
  const bays = new Set(boards.map(({ bay }) => codeOf({ path: bay }))).size;
  const levels = [...Map.groupBy(boards, ({ level }) => level)].filter(
    ([, found]) => found.length >= RACKS.leastBays * bays,
  );
  return levels
    .map(([name, found]) => ({ name, floorM: median(found.map(({ one }) => one.box.min.z))! }))
    .sort((a, b) => a.floorM - b.floorM);
}

interface Place {
  readonly acrossM: number;
  readonly box: Box;
}

/** The places of the boards of one side: aligned across the row, whatever a single observation of one said. */
function placing(side: readonly Board[], axis: Axis): (alongM: number) => Place {
  const line = lineThrough(side.map(({ alongM, acrossM }) => ({ x: alongM, y: acrossM })));
  const sizes = side.map(({ one }) => extentOf(one.box));
  const [width, depth] = [quantile(sizes.map(({ x }) => x)), quantile(sizes.map(({ y }) => y))];
  const z = Math.min(...side.map(({ one }) => one.box.min.z));
  const top = Math.max(...side.map(({ one }) => one.box.max.z));
  return (alongM) => {
    const acrossM = line.at(alongM);
    const [x, y] = [alongM * axis.x - acrossM * axis.y, alongM * axis.y + acrossM * axis.x];
    return {
      acrossM,
      box: {
        min: { x: x - width / 2, y: y - depth / 2, z },
        max: { x: x + width / 2, y: y + depth / 2, z: top },
      },
    };
  };
}

function quantile(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(RACKS.whole * (numbers.length - 1))] ?? RACKS.bayM;
}

function bayOf(found: readonly Board[], side: number, place: (alongM: number) => Place): RackBay {
  const alongM = median(found.map((board) => board.alongM))!;
  const read = Map.groupBy(found, ({ level }) => level);
  return {
    path: found[0]!.bay,
    side,
    alongM,
    ...place(alongM),
    state: found[0]!.one.state,
    read: new Map([...read].map(([level, boards]) => [level, boards.map(({ one }) => one)])),
  };
}

/** The distance between neighbouring bays of a side. */
function stepOf(bays: readonly RackBay[]): number {
  const along = bays.map(({ alongM }) => alongM).sort((a, b) => a - b);
  return median(along.slice(1).map((m, n) => m - along[n]!)) ?? RACKS.bayM;
}

/**
 * The bays of a side in order, including unread bays between two that were read: their numbers and places follow from
 * the others.
 */
function withMissing(side: readonly RackBay[], place: (alongM: number) => Place): RackBay[] {
  const sorted = side.toSorted((a, b) => a.alongM - b.alongM);
  const number = (bay: RackBay) => Number(bay.path.at(-1));
  const steps = sorted.slice(1).map((bay, n) => Math.abs(number(bay) - number(sorted[n]!)));
  const step = Math.min(...steps.filter((one) => one > 0));
  if (!Number.isFinite(step)) return sorted;
  return sorted.flatMap((bay, n) => {
    const before = sorted[n - 1];
    if (!before) return [bay];
    const missing = Math.abs(number(bay) - number(before)) / step - 1;
    if (!Number.isInteger(missing) || missing < 1 || missing > RACKS.mostBetween) return [bay];
    const between = Array.from({ length: missing }, (_, k): RackBay => {
      const share = (k + 1) / (missing + 1);
      const own = Math.round(number(before) + share * (number(bay) - number(before)));
      const alongM = before.alongM + share * (bay.alongM - before.alongM);
      const name = String(own).padStart(before.path.at(-1)!.length, "0");
      const path = [...before.path.slice(0, -1), name];
      return { path, side: bay.side, alongM, ...place(alongM), state: before.state, read: new Map() };
    });
    return [...between, bay];
  });
}

/**
 * The sides of a row face each other: where one goes on past the last label that was read on the other, so does the
 * other.
 */
function withEnds(
  side: readonly RackBay[],
  { fromM, toM }: { readonly fromM: number; readonly toM: number },
  place: (alongM: number) => Place,
): RackBay[] {
  const stepM = stepOf(side);
  const number = (bay: RackBay) => Number(bay.path.at(-1));
  const [first, second] = side;
  const [last, before] = [side.at(-1), side.at(-2)];
  if (!first || !second || !last || !before) return [...side];
  const past = (end: RackBay, inner: RackBay, apartM: number): RackBay[] => {
    const step = number(end) - number(inner);
    const count = Math.min(RACKS.mostBetween, Math.floor(apartM / stepM + 1 - RACKS.inStep));
    const alongStepM = end.alongM > inner.alongM ? stepM : -stepM;
    return Array.from({ length: Math.max(0, count) }, (_, k): RackBay[] => {
      const own = number(end) + (k + 1) * step;
      if (!Number.isInteger(own) || own < 1) return [];
      const alongM = end.alongM + (k + 1) * alongStepM;
      const name = String(own).padStart(end.path.at(-1)!.length, "0");
      const path = [...end.path.slice(0, -1), name];
      return [{ path, side: end.side, alongM, ...place(alongM), state: end.state, read: new Map() }];
    }).flat();
  };
  return [
    ...past(first, second, first.alongM - fromM).reverse(),
    ...side,
    ...past(last, before, toM - last.alongM),
  ];
}

export function unionOf([first, ...rest]: readonly Box[]): Box | undefined {
  return first && unionBoxes(first, ...rest);
}

/** The median; undefined for an empty list. */
export function median(numbers: readonly number[]): number | undefined {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1];
}
