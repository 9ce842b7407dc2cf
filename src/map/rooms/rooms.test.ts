import { describe, expect, it } from "vitest";
import { BANDS, FLOOR_BAND, HEAD_BAND, LOW_BAND, TILE } from "../bands.ts";
import { type FloorRaster, FREE, OCCUPIED, rasterOf, UNKNOWN } from "../raster.ts";
import { TileGrid } from "../tiles.ts";
import { RoomBook } from "./room-book.ts";
import { segmentRooms } from "./segment.ts";
import { roomTypeOf } from "./types.ts";

/** A plan in cells of 0.1 m: `walls` and `unknown` say what a cell is, everything else is free. */
function plan(
  width: number,
  height: number,
  isWall: (x: number, y: number) => boolean,
  isKnown: (x: number, y: number) => boolean = () => true,
): FloorRaster {
  const cells = Array.from({ length: width * height }, (_, i) => [i % width, Math.floor(i / width)] as const);
  return {
    storey: 0,
    floorZ: 0,
    originX: -1,
    originY: 2,
    cellM: 0.1,
    width,
    height,
    wall: Uint8Array.from(cells, ([x, y]) => (isKnown(x, y) && isWall(x, y) ? 1 : 0)),
    state: Uint8Array.from(cells, ([x, y]) => (isKnown(x, y) && !isWall(x, y) ? FREE : UNKNOWN)),
    known: Uint8Array.from(cells, ([x, y]) => (isKnown(x, y) ? 1 : 0)),
  };
}

/** Two rooms of 4 × 4 m with an opening of `gap` cells in the wall between them. */
function twoRooms(gap: number): FloorRaster {
  return plan(83, 42, (x, y) => {
    const outer = x === 0 || y === 0 || x === 82 || y === 41;
    return outer || (x === 41 && Math.abs(y - 20) >= gap / 2);
  });
}

describe("parting rooms", () => {
  it("cuts at a door and at an arch, not at a wide opening", () => {
    expect(segmentRooms(twoRooms(9)).rooms).toBe(2);
    expect(segmentRooms(twoRooms(13)).rooms).toBe(2);
    expect(segmentRooms(twoRooms(24)).rooms).toBe(1);
    expect(segmentRooms(twoRooms(0)).rooms).toBe(2);
  });

  it("leaves a long hallway whole", () => {
    const hallway = plan(122, 17, (x, y) => x === 0 || y === 0 || x === 121 || y === 16);
    expect(segmentRooms(hallway).rooms).toBe(1);
  });

  it("closes a door that hangs between walls, not one that stands open", () => {
    const raster = twoRooms(19);
    expect(segmentRooms(raster).rooms).toBe(1);
    const x = -1 + 4.15;
    const closed = { min: { x: x - 0.05, y: 2 + 1.1, z: 0 }, max: { x: x + 0.05, y: 2 + 2.95, z: 2 } };
    const half = { min: { x: x - 0.05, y: 2 + 1.1, z: 0 }, max: { x: x + 0.05, y: 2 + 2.0, z: 2 } };
    const thick = { ...closed, max: { ...closed.max, x: x + 1 } };
    expect(segmentRooms(raster, [thick]).rooms).toBe(1);
    expect(segmentRooms(raster, [half]).rooms).toBeGreaterThanOrEqual(1);
    const narrow = twoRooms(16);
    const door = { min: { x: x - 0.05, y: 2 + 1.25, z: 0 }, max: { x: x + 0.05, y: 2 + 2.85, z: 2 } };
    expect(segmentRooms(narrow, [door]).rooms).toBe(2);
  });

  it("makes no room of the open air, nor of a cupboard", () => {
    expect(segmentRooms(plan(80, 80, () => false)).rooms).toBe(0);
    expect(segmentRooms(plan(12, 12, (x, y) => x === 0 || y === 0 || x === 11 || y === 11)).rooms).toBe(0);
    expect(segmentRooms(plan(0, 0, () => false)).rooms).toBe(0);
  });
});

describe("what hangs above heads", () => {
  it("is wall where it goes on, and nothing where it is a lamp", () => {
    const grid = TileGrid.startingAt(0);
    const { odds } = grid.open(0, 0)!;
    const head = (x: number, y: number) => (y * TILE + x) * BANDS + HEAD_BAND;
    for (let x = 0; x < 40; x++) odds[head(x, 5)] = 20;
    for (let x = 20; x < 24; x++) for (let y = 20; y < 24; y++) odds[head(x, y)] = 20;
    const { wall, state, width } = rasterOf({ index: 0, floorZ: 0, grid, version: 0 });
    const at = (x: number, y: number) => (y - 5) * width + x;
    expect([wall[at(0, 5)], wall[at(39, 5)], wall[at(21, 21)], state[at(21, 21)]]).toEqual([
      1,
      1,
      0,
      UNKNOWN,
    ]);
  });
});

describe("large storeys", () => {
  it("are drawn coarser, and without rooms once no door would show", () => {
    const grid = TileGrid.startingAt(0);
    for (let tx = 0; tx < 10; tx++) {
      const tile = grid.open(tx, 0)!;
      for (let i = FLOOR_BAND; i < tile.odds.length; i += BANDS) tile.odds[i] = 20;
      tile.odds[LOW_BAND] = 60;
    }
    const storey = { index: 0, floorZ: 0, grid, version: 0 };
    const fine = rasterOf(storey);
    expect([fine.width, fine.height, fine.cellM]).toEqual([640, 64, 0.1]);
    const coarse = rasterOf(storey, 4_000);
    expect([coarse.width, coarse.height]).toEqual([160, 16]);
    expect(coarse.cellM).toBeCloseTo(0.4, 9);
    expect(coarse.state[0]).toBe(OCCUPIED);
    expect(coarse.state[1]).toBe(FREE);
    expect(segmentRooms({ ...coarse, wall: coarse.wall.fill(1) }).rooms).toBe(0);
  });
});

describe("rooms over time", () => {
  const bedIn = (id: string) => (room: string) => ({
    counts: new Map<string, number>(room === id ? [["bed", 1]] : []),
  });

  it("keep their ids while they grow, and end when they are gone", () => {
    const book = new RoomBook("scene", "world");
    const whole = twoRooms(9);
    const half = plan(
      83,
      42,
      (x, y) => whole.wall[y * 83 + x] === 1,
      (x) => x < 60,
    );
    book.redraw(half, segmentRooms(half), 1);
    const before = [...book.all()].map(({ id }) => id);
    expect(before).toHaveLength(2);
    book.redraw(whole, segmentRooms(whole), 2);
    expect([...book.all()].map(({ id }) => id)).toEqual(before);
    expect(book.takeEnded()).toEqual([]);
    const other = new RoomBook("scene", "world");
    for (const room of [...book.all()].slice(0, 1)) other.restore({ ...room });
    other.redraw(whole, segmentRooms(whole));
    expect([...other.all()].map(({ id }) => id)).toEqual(before.slice(0, 1));
    expect(other.takeEnded()).toEqual([]);
    const left = book.roomAt(0, { x: 0, y: 3, z: 0 })!;
    expect(book.roomAt(0, { x: 6, y: 3, z: 0 })!.id).not.toBe(left.id);
    expect(book.roomAt(0, { x: 60, y: 3, z: 0 })).toBeUndefined();
    const one = twoRooms(24);
    book.redraw(one, segmentRooms(one), 3);
    expect([...book.all()]).toHaveLength(1);
    expect(book.takeEnded()).toHaveLength(1);
    expect(book.takeEnded()).toHaveLength(0);
  });

  it("have names of their own that follow their types", () => {
    const book = new RoomBook("scene", "world");
    const raster = twoRooms(9);
    book.redraw(raster, segmentRooms(raster), 1);
    book.name(() => ({ counts: new Map() }));
    expect([...book.all()].map(({ name }) => name).sort()).toEqual(["room", "room 2"]);
    const [first] = [...book.all()];
    book.name(bedIn(first!.id));
    expect(first!.name).toBe("bedroom");
    book.name(() => ({ counts: new Map([["bed", 1]]) }));
    expect([...book.all()].map(({ name }) => name).sort()).toEqual(["bedroom", "bedroom 2"]);
    const second = [...book.all()].find(({ name }) => name === "bedroom 2")!;
    book.name(bedIn(second.id));
    expect(second.name).toBe("bedroom");
  });

  it("are typed by what stands in them", () => {
    const type = (things: Record<string, number>, lengthM = 4, widthM = 4): string =>
      roomTypeOf({ counts: new Map(Object.entries(things)), lengthM, widthM });
    expect(type({ stove: 1, fridge: 1, chair: 4 })).toBe("kitchen");
    expect(type({ toilet: 1, towel: 2 })).toBe("bathroom");
    expect(type({ bed: 1, wardrobe: 1, "teddy bear": 1 })).toBe("bedroom");
    expect(type({ "single bed": 1, "toy chest": 1, "teddy bear": 2 })).toBe("children's room");
    expect(type({ chair: 1 })).toBe("room");
    expect(type({}, 10, 1.6)).toBe("hallway");
  });
});
