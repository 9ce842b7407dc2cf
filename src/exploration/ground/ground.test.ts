import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { drawnTerrain } from "../testing/drawn-terrain.ts";
import { Attention, lookingRangeM, sightOf } from "./attention.ts";
import { FrontierBook, gainOf } from "./frontiers.ts";

/** A room with a door on its right side, and nothing known beyond it. */
const ROOM = [
  "##########",
  "#........#",
  "#........#",
  "#.........", // the door
  "#.........",
  "#........#",
  "##########",
];
const MODEL = {
  radiusM: 0.2,
  speedMps: 1,
  turnRadps: 1,
  eyeHeightM: 1.5,
  horizontalFovRad: (120 * Math.PI) / 180,
  focalPx: 46,
  sightM: 7,
};
const at = (x: number, y: number) => ({ x, y, z: 0 });
const near = (toM: number) => sightOf(toM, false);

describe("a terrain", () => {
  test("measures ways round what stands there, and knows where none leads", () => {
    const terrain = drawnTerrain([
      "##########",
      "#...#....#",
      "#...#....#",
      "#........#",
      "##########",
      "#........#",
      "##########",
    ]);
    const field = terrain.field(at(1, 2.7));
    const round = field.metresTo(terrain.cellAt(at(3.7, 2.7)));
    expect(round).toBeGreaterThan(3.2);
    expect(round).toBeLessThan(5);
    expect(field.metresTo(terrain.cellAt(at(2, 0.75)))).toBe(Infinity);
    const way = terrain.way(field, terrain.cellAt(at(3.7, 2.7)));
    const from = terrain.middleOf(way[0]!);
    expect(Math.hypot(from.x - 1, from.y - 2.7)).toBeLessThan(1.3);
    expect(way.every((cell) => terrain.open[cell] === 1)).toBe(true);
  });

  test("ways between places are as long there as back, and as its fields have them", () => {
    const terrain = drawnTerrain([
      "############",
      "#....#.....#",
      "#....#.....#",
      "#..........#",
      "#....#.....#",
      "############",
    ]);
    const open = [...terrain.open.keys()].filter((cell) => terrain.open[cell] === 1);
    const places = [0, 0.3, 0.6, 0.99].map((share) =>
      terrain.middleOf(open[Math.floor(share * open.length)]!),
    );
    const metres = terrain.between(places);
    for (const [n, from] of places.entries()) {
      const field = terrain.field(from);
      for (const [m, to] of places.entries())
        expect(metres[n]![m]).toBeCloseTo(field.metresTo(terrain.cellAt(to)), 9);
    }
    expect(Math.max(...metres.flat())).toBeGreaterThan(1);
    expect(Math.max(...metres.flat())).toBeLessThan(Infinity);
  });

  test("a way begins on the floor that leads on, not on an island of it at one's feet", () => {
    const terrain = drawnTerrain(
      [
        "############",
        "#..........#",
        "#..........#",
        "#..........#",
        "#          #",
        "#   ....   #",
        "#   ....   #",
        "#          #",
      ],
      2,
      0.1,
    );
    const field = terrain.field(at(1.15, 0.75));
    expect(terrain.nearestOpen(at(1.15, 0.75))).toBeGreaterThanOrEqual(0);
    expect(field.metresTo(terrain.cellAt(at(0.5, 1.2)))).toBeLessThan(2);
  });

  test("goes through what is only just wide enough, and rather round it", () => {
    const wide = ["##########", "#...##...#", "#........#", "#........#", "#...##...#", "##########"];
    const tight = ["##########", "#...##...#", "#........#", "#...##...#", "##########"];
    const [from, to] = [at(0.9, 1.25), at(4.1, 1.25)];
    const through = drawnTerrain(tight, 5, 0.25);
    const narrow = drawnTerrain(tight, 5, 0.29).field(from);
    const cell = through.cellAt(to);
    expect(drawnTerrain(wide, 5, 0.25).field(from).metresTo(cell)).toBeLessThan(4);
    expect(narrow.metresTo(cell)).toBeGreaterThan(4);
    expect(narrow.metresTo(cell)).toBeLessThan(Infinity);
    expect(drawnTerrain(tight, 5, 0.45).field(from).metresTo(cell)).toBe(Infinity);
  });

  test("its ways are those of Dijkstra by hand, whatever the floor", () => {
    const lines = fc.array(fc.stringMatching(/^[.#]{8}$/), { minLength: 6, maxLength: 6 });
    fc.assert(
      fc.property(lines, (drawn) => {
        const terrain = drawnTerrain(drawn, 2, 0);
        const start = terrain.open.indexOf(1);
        if (start < 0) return;
        const field = terrain.field(terrain.middleOf(start));
        const slow = relaxed(terrain.open, terrain.raster.width, start);
        for (let cell = 0; cell < slow.length; cell++)
          expect(field.metresTo(cell)).toBeCloseTo(
            slow[cell]! === Infinity ? Infinity : slow[cell]! * 0.1,
            6,
          );
      }),
      { numRuns: 40 },
    );
  });
});

/** Relaxes until nothing changes; diagonals cost 1.4 and cut no corners. */
function relaxed(open: Uint8Array, width: number, start: number): number[] {
  const cost = new Array<number>(open.length).fill(Infinity);
  cost[start] = 0;
  for (let changed = true; changed; ) {
    changed = false;
    for (let cell = 0; cell < open.length; cell++) {
      if (open[cell] !== 1 || cost[cell] === Infinity) continue;
      const [x, y] = [cell % width, Math.floor(cell / width)];
      for (const dy of [-1, 0, 1])
        for (const dx of [-1, 0, 1]) {
          const [u, v] = [x + dx, y + dy];
          if (u < 0 || v < 0 || u >= width || v * width + u >= open.length || open[v * width + u] !== 1)
            continue;
          if (dx !== 0 && dy !== 0 && (open[y * width + u] !== 1 || open[v * width + x] !== 1)) continue;
          const there = cost[cell]! + (dx !== 0 && dy !== 0 ? 1.4 : 1);
          if (there < cost[v * width + u]! - 1e-9) {
            cost[v * width + u] = there;
            changed = true;
          }
        }
    }
  }
  return cost;
}

describe("frontiers", () => {
  test("a door into the unknown is one, and is known for an opening", () => {
    const terrain = drawnTerrain(ROOM);
    const found = new FrontierBook().find(terrain, terrain.field(at(1.5, 1.5)));
    expect(found).toHaveLength(1);
    const [door] = found;
    expect(door).toMatchObject({ id: "f1", isOpening: true });
    expect(door!.middle.x).toBeGreaterThan(4.7);
    expect(door!.gainM2).toBeGreaterThan(3);
    // In front of the door, less of what lies behind it is visible than from within it.
    expect(door!.shownM2).toBeGreaterThan(0);
    expect(door!.shownM2).toBeLessThan(door!.gainM2);
    expect(door!.costM).toBeLessThan(4);
    // It faces out of the door.
    expect(Math.cos(door!.stand.yawRad)).toBeGreaterThan(0.8);
  });

  test("a room that is known all over has none, and a shadow that nobody fits into is none", () => {
    const closed = drawnTerrain(["######", "#....#", "#....#", "######"]);
    expect(new FrontierBook().find(closed, closed.field(at(1, 1)))).toEqual([]);
    const shadow = drawnTerrain(["#########", "#.....oo#", "#.....o #", "#.....oo#", "#########"]);
    expect(new FrontierBook().find(shadow, shadow.field(at(1, 1)))).toEqual([]);
  });

  test("one that moved a little keeps its name, and one behind a wall cannot be reached", () => {
    const book = new FrontierBook();
    const before = drawnTerrain(ROOM);
    const [first] = book.find(before, before.field(at(1.5, 1.5)));
    const after = drawnTerrain(ROOM.map((line) => (line.endsWith(".") ? `${line}.` : `${line}#`)));
    const [second] = book.find(after, after.field(at(1.5, 1.5)));
    expect(second!.id).toBe(first!.id);
    const walled = drawnTerrain(["##########    ", "#...#.........", "#...#.........", "##########    "]);
    const [beyond] = new FrontierBook().find(walled, walled.field(at(1, 1)));
    expect(beyond!.costM).toBe(Infinity);
  });

  test("gain is the unknown floor in sight, and ends at what is occupied", () => {
    const open = drawnTerrain(["....      ", "....      ", "....      ", "....      "]);
    const shut = drawnTerrain(["....#     ", "....#     ", "....#     ", "....#     "]);
    const sector = { yawRad: 0, fovRad: Math.PI / 2 };
    expect(gainOf(open, at(1.8, 1), sector).m2).toBeGreaterThan(1.5);
    expect(gainOf(shut, at(1.8, 1), sector).m2).toBe(0);
  });
});

describe("attention", () => {
  test("a small thing has to be looked for from nearer than a large one", () => {
    expect(lookingRangeM(0.3, MODEL)).toBeLessThan(lookingRangeM(0.6, MODEL));
    expect(lookingRangeM(3, MODEL)).toBe(lookingRangeM(undefined, MODEL));
  });

  test("counts what was in view from near enough, not what a wall hides, and asks for a closer look at the rest", () => {
    const terrain = drawnTerrain([
      "#############",
      "#.....#.....#",
      "#.....#.....#",
      "#...........#",
      "#############",
    ]);
    const polygon = { points: [at(0.5, 0.5), at(6, 0.5), at(6, 2), at(0.5, 2)] };
    const attention = new Attention();
    expect(attention.share(terrain, polygon, near(4))).toBe(0);
    attention.look(terrain, { positionInWorld: at(1, 1.7), yawRad: -Math.PI / 4 }, MODEL);
    attention.look(terrain, { positionInWorld: at(1, 1.7), yawRad: Math.PI / 4 }, MODEL);
    const seen = attention.share(terrain, polygon, near(4));
    expect(seen).toBeGreaterThan(0.35);
    expect(seen).toBeLessThan(0.75);
    expect(attention.share(terrain, polygon, near(1.2))).toBeLessThan(seen);
    const closer = attention.closer(terrain, terrain.field(at(1, 1.2)), [polygon], near(4));
    expect(closer!.stand.positionInWorld.x).toBeGreaterThan(2.5);
    for (let yaw = 0; yaw < 6.3; yaw += 1) attention.look(terrain, { ...closer!.stand, yawRad: yaw }, MODEL);
    expect(attention.share(terrain, polygon, near(4))).toBeGreaterThan(0.9);
  });

  test("what hangs from a ceiling is not seen by whoever stands below it", () => {
    const terrain = drawnTerrain([
      "##############",
      "#............#",
      "#............#",
      "#............#",
      "##############",
    ]);
    const polygon = { points: [at(0.5, 0.5), at(1.5, 0.5), at(1.5, 2), at(0.5, 2)] };
    const high = sightOf(1, true);
    const attention = new Attention();
    const lookFrom = (x: number) =>
      attention.look(terrain, { positionInWorld: at(x, 1.2), yawRad: Math.PI }, MODEL);
    lookFrom(1.6);
    expect(attention.share(terrain, polygon, near(2))).toBeGreaterThan(0.5);
    expect(attention.share(terrain, polygon, high)).toBe(0);
    const closer = attention.closer(terrain, terrain.field(at(1, 1.2)), [polygon], high);
    expect(closer!.stand.positionInWorld.x).toBeGreaterThan(2.5);
    lookFrom(closer!.stand.positionInWorld.x);
    expect(attention.share(terrain, polygon, high)).toBeGreaterThan(0.5);
    expect(attention.shareAround(terrain, at(1, 1.2), 0.5, high)).toBeGreaterThan(0.5);
  });
});
