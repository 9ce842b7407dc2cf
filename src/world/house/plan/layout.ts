import type { Random } from "../../../geometry/index.ts";
import type { RoomType } from "../types.ts";
import { roomProgramme, STYLES } from "./programme.ts";
import { mm, type Rect } from "./rect.ts";

/** A room before it has walls: its rectangle to the middle of the walls around it. */
export interface Cell extends Rect {
  readonly floor: number;
  readonly type: RoomType;
}

/** Where a straight flight goes up: the treads, rising towards +/− along its length. */
export interface Flight extends Rect {
  readonly along: "x" | "y";
  readonly rises: -1 | 1;
}

export interface Layout {
  readonly floors: number;
  readonly outer: Rect;
  readonly cells: readonly Cell[];
  readonly flight?: Flight;
}

export const TREADS = 14;
const GOING_M = 0.28;
export const FLIGHT_M = TREADS * GOING_M;
const FLIGHT_WIDTH_M = 0.95;

interface Wish {
  readonly type: RoomType;
  readonly areaM2: number;
}

/** Two rows of rooms along a hallway, or, for small flats, rooms that open into each other. */
export function layOut(rooms: number, floors: number, random: Random): Layout {
  const nested = floors === 1 && (rooms === 4 || (rooms <= 7 && random.chance(0.35)));
  const layout =
    (nested ? nestedLayout(rooms, random) : undefined) ?? spineLayout(Math.max(rooms, 5), floors, random);
  return turned(layout, random);
}

/** Recursive halving of a rectangle by area; undefined if no order of the rooms gives them suitable sides. */
function nestedLayout(rooms: number, random: Random): Layout | undefined {
  for (let attempt = 0; attempt < 200; attempt++) {
    const wishes = random
      .shuffle(roomProgramme(rooms, random.fork(`programme/${attempt}`)))
      .map((type) => wish(type, random));
    const total = wishes.reduce((sum, { areaM2 }) => sum + areaM2, 0);
    const width = mm(Math.sqrt(total * random.range(1, 1.5)));
    const outer = { x0: 0, y0: 0, x1: width, y1: mm(total / width) };
    const cells = halved(outer, wishes);
    const decent = cells.every((c) => Math.min(c.x1 - c.x0, c.y1 - c.y0) >= STYLES[c.type].sideM + 0.1);
    if (decent) return { floors: 1, outer, cells };
  }
  return undefined;
}

function halved(rect: Rect, wishes: readonly Wish[]): Cell[] {
  if (wishes.length === 1) return [{ ...rect, floor: 0, type: wishes[0]!.type }];
  const total = wishes.reduce((sum, { areaM2 }) => sum + areaM2, 0);
  let cut = 1;
  let first = wishes[0]!.areaM2;
  while (cut < wishes.length - 1 && first + wishes[cut]!.areaM2 / 2 < total / 2)
    first += wishes[cut++]!.areaM2;
  const share = first / total;
  const { x0, y0, x1, y1 } = rect;
  if (x1 - x0 >= y1 - y0) {
    const x = mm(x0 + (x1 - x0) * share);
    return [
      ...halved({ x0, y0, x1: x, y1 }, wishes.slice(0, cut)),
      ...halved({ x0: x, y0, x1, y1 }, wishes.slice(cut)),
    ];
  }
  const y = mm(y0 + (y1 - y0) * share);
  return [
    ...halved({ x0, y0, x1, y1: y }, wishes.slice(0, cut)),
    ...halved({ x0, y0: y, x1, y1 }, wishes.slice(cut)),
  ];
}

/** The hallway lies along x with a row of rooms on either side, on every floor at the same place. */
function spineLayout(rooms: number, floors: number, random: Random): Layout {
  const programme = roomProgramme(rooms - floors, random);
  const perFloor = floors === 1 ? [programme] : splitFloors(programme);
  const south = mm(random.range(3.5, 4.6));
  const north = mm(random.range(3.5, 4.6));
  const hall = floors === 1 ? mm(random.range(1.5, 1.9)) : mm(random.range(2.15, 2.3));
  const rows = perFloor.map((types) =>
    inRows(
      types.map((type) => wish(type, random)),
      south,
      north,
      random,
    ),
  );
  let length = floors === 1 ? 5 : FLIGHT_M + 2.4;
  for (const floor of rows)
    for (const row of floor)
      length = Math.max(
        length,
        row.widths.reduce((a, b) => a + b, 0),
      );
  length = mm(length);
  const depth = mm(south + hall + north);
  const cells: Cell[] = [];
  rows.forEach(([low, high], floor) => {
    cells.push({ x0: 0, y0: south, x1: length, y1: mm(south + hall), floor, type: "hallway" });
    cells.push(
      ...stretched(low!, length, 0, south, floor),
      ...stretched(high!, length, mm(south + hall), depth, floor),
    );
  });
  const layout = { floors, outer: { x0: 0, y0: 0, x1: length, y1: depth }, cells };
  if (floors === 1) return layout;
  const x1 = mm(length - 1.1);
  const y0 = mm(south + 0.05);
  return {
    ...layout,
    flight: { x0: mm(x1 - FLIGHT_M), y0, x1, y1: mm(y0 + FLIGHT_WIDTH_M), along: "x", rises: 1 },
  };
}

/** Cooking, living and the car downstairs, sleeping upstairs; then evened out. */
function splitFloors(types: readonly RoomType[]): RoomType[][] {
  const below: RoomType[] = [];
  const above: RoomType[] = [];
  const low = new Set<RoomType>(["kitchen", "living room", "dining room", "garage", "laundry"]);
  for (const type of types) (low.has(type) ? below : above).push(type);
  const must = new Set<RoomType>(["kitchen", "living room", "dining room", "garage"]);
  while (above.length > below.length + 1) below.push(above.pop()!);
  while (below.length > above.length + 1) {
    const i = below.findLastIndex((type) => !must.has(type));
    above.push(...below.splice(i < 0 ? below.length - 1 : i, 1));
  }
  return [below, above];
}

interface Row {
  readonly types: RoomType[];
  readonly widths: number[];
}

/** Kitchen, dining and living room next to each other in one row; the others fill up the shorter row. */
function inRows(wishes: readonly Wish[], south: number, north: number, random: Random): [Row, Row] {
  const rows: [Row, Row] = [
    { types: [], widths: [] },
    { types: [], widths: [] },
  ];
  const depths = [south, north];
  const lengths = [0, 0];
  const put = (row: 0 | 1, { type, areaM2 }: Wish): void => {
    const width = Math.max(STYLES[type].sideM + 0.1, areaM2 / depths[row]!);
    rows[row].types.push(type);
    rows[row].widths.push(width);
    lengths[row] = lengths[row]! + width;
  };
  const together: RoomType[] = ["kitchen", "dining room", "living room"];
  const block = together.flatMap((type) => wishes.filter((w) => w.type === type).slice(0, 1));
  const rest = random.shuffle(wishes.filter((w) => !block.includes(w))).sort((a, b) => b.areaM2 - a.areaM2);
  const first = random.chance(0.5) ? 0 : 1;
  if (rest.length >= 2) for (const w of block) put(first, w);
  else rest.push(...block);
  for (const w of rest)
    put(lengths[0]! < lengths[1]! || (lengths[0] === lengths[1] && first === 0) ? 0 : 1, w);
  for (const row of [0, 1] as const) {
    if (random.chance(0.5)) {
      rows[row].types.reverse();
      rows[row].widths.reverse();
    }
  }
  return rows;
}

function stretched({ types, widths }: Row, length: number, y0: number, y1: number, floor: number): Cell[] {
  const total = widths.reduce((a, b) => a + b, 0);
  let x = 0;
  return types.map((type, i) => {
    const x0 = mm(x);
    x += (widths[i]! * length) / total;
    return { x0, y0, x1: i === types.length - 1 ? length : mm(x), y1, floor, type };
  });
}

function wish(type: RoomType, random: Random): Wish {
  const [low, high] = STYLES[type].areaM2;
  return { type, areaM2: random.range(low, high) };
}

/** Mirrored and turned at random, so that hallways do not all lead east. */
function turned(layout: Layout, random: Random): Layout {
  const mirrorX = random.chance(0.5);
  const mirrorY = random.chance(0.5);
  const swap = random.chance(0.5);
  const { x1: w, y1: d } = layout.outer;
  const turn = <T extends Rect>(r: T): T => {
    const x0 = mirrorX ? mm(w - r.x1) : r.x0;
    const x1 = mirrorX ? mm(w - r.x0) : r.x1;
    const y0 = mirrorY ? mm(d - r.y1) : r.y0;
    const y1 = mirrorY ? mm(d - r.y0) : r.y1;
    return swap ? { ...r, x0: y0, y0: x0, x1: y1, y1: x1 } : { ...r, x0, y0, x1, y1 };
  };
  const cells = layout.cells.map(turn);
  const outer = turn(layout.outer);
  if (layout.flight === undefined) return { floors: layout.floors, outer, cells };
  const flight: Flight = { ...turn(layout.flight), along: swap ? "y" : "x", rises: mirrorX ? -1 : 1 };
  return { floors: layout.floors, outer, cells, flight };
}
