import { Random } from "../../geometry/index.ts";
import type { FloorRaster } from "../../map/index.ts";
import { applyLevel, invertLevel, type LevelPose } from "../align/level.ts";
import type { MapSketch, SketchThing } from "../align/sketch.ts";

type Wall = readonly [x0: number, y0: number, x1: number, y1: number];

/** A storey of rooms as walls and things, to be drawn into the coordinates of any robot's map. */
export interface DrawnHouse {
  readonly wideM: number;
  readonly deepM: number;
  readonly walls: readonly Wall[];
  readonly things: readonly SketchThing[];
}

const CELL_M = 0.1;
const KINDS = ["chair", "table", "bed", "sofa", "lamp", "fridge", "oven", "shelf", "desk", "plant", "mirror"];

/** Four rooms about a crossing that is not in the middle, with things of eleven kinds. */
export function drawHouse(seed: number, things = 30): DrawnHouse {
  const random = new Random(seed);
  const [wideM, deepM] = [8 + random.next() * 4, 7 + random.next() * 4];
  const [x, y] = [wideM * (0.3 + random.next() * 0.2), deepM * (0.35 + random.next() * 0.2)];
  const doorM = 0.9;
  const walls: Wall[] = [
    [0, 0, wideM, 0],
    [wideM, 0, wideM, deepM],
    [wideM, deepM, 0, deepM],
    [0, deepM, 0, 0],
    [x, 0, x, y - doorM],
    [x, y + doorM, x, deepM],
    [0, y, x - doorM, y],
    [x + doorM, y, wideM, y],
  ];
  const placed = Array.from({ length: things }, (_, i): SketchThing => {
    const size = 0.3 + random.next() * 0.8;
    return {
      id: `thing-${i}`,
      category: KINDS[Math.floor(random.next() * KINDS.length)]!,
      centre: {
        x: 0.4 + random.next() * (wideM - 0.8),
        y: 0.4 + random.next() * (deepM - 0.8),
        z: size / 2,
      },
      sizeM: { x: size, y: size, z: size },
      steady: true,
    };
  });
  return { wideM, deepM, walls, things: placed };
}

export interface SketchOptions {
  /** The pose of the house in the robot's map. */
  readonly mapFromHouse: LevelPose;
  /** The part of the house that the robot knows: from and to along its width, as shares. */
  readonly knows?: readonly [number, number];
  /** How far things are off, and how many of them were never seen. */
  readonly offM?: number;
  readonly missed?: number;
  readonly seed?: number;
}

/** The house as a robot that came through a part of it has it. */
export function sketchHouse(house: DrawnHouse, options: SketchOptions): MapSketch {
  const { mapFromHouse, knows = [0, 1], offM = 0.05, missed = 0.15, seed = 1 } = options;
  const random = new Random(seed);
  const [from, to] = [knows[0] * house.wideM, knows[1] * house.wideM];
  const things = house.things.flatMap((thing): SketchThing[] => {
    const lost = random.next() < missed;
    const off = () => (random.next() * 2 - 1) * offM;
    const { x, y, z } = thing.centre;
    const moved = { x: x + off(), y: y + off(), z };
    if (lost || x < from || x > to) return [];
    return [{ ...thing, id: `${seed}:${thing.id}`, centre: applyLevel(mapFromHouse, moved) }];
  });
  return { things, floors: [rasterOf(house, mapFromHouse, from, to)] };
}

function rasterOf(
  { wideM, deepM, walls }: DrawnHouse,
  pose: LevelPose,
  from: number,
  to: number,
): FloorRaster {
  const corners = [from, to].flatMap((x) => [0, deepM].map((y) => applyLevel(pose, { x, y, z: 0 })));
  const [xs, ys] = [corners.map(({ x }) => x), corners.map(({ y }) => y)];
  const [originX, originY] = [xs, ys].map((v) => Math.floor(Math.min(...v) / CELL_M - 2) * CELL_M) as [
    number,
    number,
  ];
  const width = Math.ceil((Math.max(...xs) - originX) / CELL_M) + 3;
  const height = Math.ceil((Math.max(...ys) - originY) / CELL_M) + 3;
  const [state, wall, known] = Array.from({ length: 3 }, () => new Uint8Array(width * height)) as [
    Uint8Array,
    Uint8Array,
    Uint8Array,
  ];
  const back = invertLevel(pose);
  for (let at = 0; at < state.length; at++) {
    const middle = {
      x: originX + ((at % width) + 0.5) * CELL_M,
      y: originY + (Math.floor(at / width) + 0.5) * CELL_M,
      z: 0,
    };
    const { x, y } = applyLevel(back, middle);
    if (x < from - 0.1 || x > to + 0.1 || y < -0.1 || y > deepM + 0.1 || x > wideM + 0.1) continue;
    known[at] = 1;
    const isWall = walls.some((each) => awayFrom(each, x, y) <= 0.08);
    wall[at] = isWall ? 1 : 0;
    state[at] = isWall ? 2 : 1;
  }
  return { storey: 0, floorZ: pose.z, originX, originY, cellM: CELL_M, width, height, state, wall, known };
}

function awayFrom([x0, y0, x1, y1]: Wall, x: number, y: number): number {
  const [dx, dy] = [x1 - x0, y1 - y0];
  const along = Math.max(0, Math.min(1, ((x - x0) * dx + (y - y0) * dy) / (dx * dx + dy * dy)));
  return Math.hypot(x0 + along * dx - x, y0 + along * dy - y);
}
