import type { Random, Vec3 } from "../../../geometry/index.ts";
import { BRIGHT, type ColourName, patterned, plain } from "../../house/palette.ts";
import { box } from "../../house/part.ts";
import type { House, Part, Placement } from "../../house/types.ts";
import { QUARTER } from "../../house/yaw.ts";
import { type Area, Grounds, type Stand } from "../grounds.ts";
import { Lanes } from "../lanes.ts";
import { bench, bin, board, building, car, entrance, LANDMARKS, streetLamp, tree } from "./shapes.ts";

const BLOCK = { x: 150, y: 130 } as const;
const PATH_M = 5;
/** Ground beyond the outermost paths. */
const MARGIN_M = 18;
const SKY_M = 60;
/** From the middle of a path to what stands beside it. */
const BESIDE_M = PATH_M / 2 + 1.3;
const GRASS = patterned("carpet", 0.5, [104, 142, 78], [92, 130, 70]);
const ASPHALT = patterned("carpet", 0.3, [92, 94, 98], [86, 88, 92]);
const PAVING = patterned("tiles", 1.2, [186, 182, 172], [174, 170, 160]);
/** Towards the sun, in metres; far enough for shadows to be parallel. */
const SUN: Vec3 = { x: 30_000, y: -42_000, z: 60_000 };

const BUILDINGS = [
  "library",
  "cafeteria",
  "science building",
  "sports hall",
  "theatre",
  "museum",
  "dormitory",
  "engineering building",
  "art building",
  "clinic",
  "chapel",
  "bookshop",
] as const;
const STREETS = [
  "OAK WALK",
  "ELM LANE",
  "KING STREET",
  "RIVER ROAD",
  "MILL LANE",
  "ROSE WALK",
  "HIGH STREET",
  "PARK ROAD",
  "CEDAR WALK",
  "NORTH ROAD",
  "ABBEY LANE",
  "STATION ROAD",
  "COLLEGE WAY",
  "GARDEN WALK",
  "BRIDGE STREET",
  "ORCHARD LANE",
  "MARKET STREET",
  "CHURCH ROAD",
  "FOREST WALK",
  "LAKE ROAD",
  "TOWER LANE",
  "WINDMILL WAY",
  "HARBOUR ROAD",
  "QUEEN STREET",
  "BIRCH WALK",
  "CASTLE ROAD",
  "FIELD LANE",
  "GREEN WAY",
  "HILL ROAD",
  "IVY LANE",
  "JUBILEE WALK",
  "LIME STREET",
  "MAPLE WALK",
  "NEWTON ROAD",
  "OLIVE LANE",
  "PINE WALK",
  "QUARRY ROAD",
  "SCHOOL LANE",
  "TRINITY STREET",
  "UNION ROAD",
] as const;
const CAR_COLOURS: readonly ColourName[] = ["black", "white", "grey", "blue", "red", "green", "beige"];

/** A marked place for a car. */
export interface ParkingPlace {
  readonly stand: Stand;
}

export interface CampusPlan {
  readonly house: House;
  readonly lanes: Lanes;
  readonly parking: readonly ParkingPlace[];
  /** Where cars come from and go to. */
  readonly gate: Vec3;
  placement(extent: Vec3, stand: Stand): Placement;
}

/**
 * Blocks between straight paths: a building with its name facing the path, a car park, or a green. Along the paths
 * are trees, lamps, benches with bins, street names at their ends, and landmarks, each kind once or twice.
 */
export function layOutCampus(seed: number | string, blocks: number, random: Random): CampusPlan {
  const grounds = new Grounds();
  const columns = Math.ceil(Math.sqrt(blocks * 1.2));
  const rows = Math.ceil(blocks / columns);
  const names = random.fork("names").shuffle(BUILDINGS);
  const kinds = random
    .fork("kinds")
    .shuffle(
      Array.from({ length: blocks }, (_, n) =>
        n % 2 === 0 ? "building" : n % 4 === 1 ? "car park" : "green",
      ),
    );
  const parking: ParkingPlace[] = [];
  for (let n = 0; n < rows * columns; n++) {
    const [column, row] = [n % columns, Math.floor(n / columns)];
    const cell = cellOf(column, row, columns, rows);
    const id = `block-${n + 1}`;
    const kind = kinds[n] ?? "green";
    grounds.area({ id, type: "block", name: `block ${n + 1}` }, cell.whole, GRASS, SKY_M);
    const own = random.fork(id);
    if (kind === "building") addBuilding(grounds, id, cell.inner, names.pop()!, own);
    else if (kind === "car park") parking.push(...addCarPark(grounds, id, cell.inner, parking.length));
  }
  const crossings: Vec3[] = [];
  for (let row = 0; row <= rows; row++)
    for (let column = 0; column <= columns; column++)
      crossings.push({ x: column * BLOCK.x, y: row * BLOCK.y, z: 0 });
  const edges = crossings.flatMap((_, n): [number, number][] => {
    const east: [number, number][] = n % (columns + 1) < columns ? [[n, n + 1]] : [];
    const north: [number, number][] = n + columns + 1 < crossings.length ? [[n, n + columns + 1]] : [];
    return [...east, ...north];
  });
  const lanes = new Lanes(crossings, edges);
  addPaths(grounds, lanes);
  furnish(grounds, lanes, columns, rows, random.fork("furniture"));
  addCars(grounds, parking, random.fork("cars"));
  grounds.crowd(8, random.fork("people"));
  grounds.light(SUN, "block-1", Infinity, [255, 244, 222]);
  return {
    house: grounds.finish(seed),
    lanes,
    parking,
    gate: { x: 0, y: 0, z: 0 },
    placement: (extent, stand) => grounds.placement(extent, stand),
  };
}

/** The block with half of the paths around it, and the remaining area inside. */
function cellOf(column: number, row: number, columns: number, rows: number): { whole: Area; inner: Area } {
  const [x0, y0] = [column * BLOCK.x, row * BLOCK.y];
  const [x1, y1] = [x0 + BLOCK.x, y0 + BLOCK.y];
  const gap = PATH_M / 2 + 4;
  return {
    whole: {
      x0: column === 0 ? x0 - MARGIN_M : x0,
      y0: row === 0 ? y0 - MARGIN_M : y0,
      x1: column === columns - 1 ? x1 + MARGIN_M : x1,
      y1: row === rows - 1 ? y1 + MARGIN_M : y1,
    },
    inner: { x0: x0 + gap, y0: y0 + gap, x1: x1 - gap, y1: y1 - gap },
  };
}

/** It faces the path in the south; a paved way leads to its door. */
function addBuilding(
  grounds: Grounds,
  id: string,
  { x0, y0, x1, y1 }: Area,
  name: string,
  random: Random,
): void {
  const [depth, width, height] = [random.range(18, 30), random.range(30, 56), 3.6 * random.int(2, 5) + 2];
  const x = (x0 + x1) / 2 + random.range(-15, 15);
  const y = y0 + 6 + depth / 2;
  const colour = random.pick(["red", "beige", "grey", "white", "brown"] as const);
  const south = 3 * QUARTER;
  grounds.put(building(name, colour, [depth, width, height], random), { x, y, step: south, room: id });
  const front = y - depth / 2;
  grounds.put(entrance(random.pick(["blue", "green", "red", "black"] as const)), {
    x,
    y: front - 0.2,
    step: south,
    room: id,
  });
  const street = y0 - 4 - PATH_M / 2;
  const way = box(x, (front + street) / 2, 0, 4, front - street, 0.012, PAVING);
  grounds.structure("path", "stone", id, [way]);
  const text = name.toUpperCase();
  grounds.put(board(text, Math.max(2, text.length * 0.2), "white"), {
    x: x + 4,
    y: street + BESIDE_M,
    step: south,
    room: id,
  });
  for (let n = 0; n < 6; n++)
    grounds.put(tree(random), { x: random.range(x0, x1), y: random.range(y + depth / 2 + 6, y1), room: id });
}

/** Two rows of ten along the path in the south. */
function addCarPark(grounds: Grounds, id: string, { x0, x1, y0 }: Area, before: number): ParkingPlace[] {
  const middle = (x0 + x1) / 2;
  const street = y0 - 4;
  const solids: Part[] = [box(middle, street + 9, 0, 36, 18, 0.014, ASPHALT)];
  const places: ParkingPlace[] = [];
  for (const [y, step] of [
    [street + 3.2, 3 * QUARTER],
    [street + 13, QUARTER],
  ] as const) {
    for (let n = 0; n <= 10; n++)
      solids.push(box(middle - 15 + n * 3, y, 0, 0.12, 5, 0.018, plain([236, 236, 232])));
    for (let n = 0; n < 10; n++)
      places.push({ stand: { x: middle - 13.5 + n * 3, y, z: 0.018, step, room: id } });
  }
  grounds.structure("car park", "asphalt", id, solids);
  const text = `CAR PARK P${before / 20 + 1}`;
  grounds.put(board(text, 2.6, "blue"), {
    x: middle - 20,
    y: street - PATH_M / 2 + BESIDE_M,
    step: 3 * QUARTER,
    room: id,
  });
  return places;
}

function addPaths(grounds: Grounds, { crossings, edges }: Lanes): void {
  const solids = edges.map(([a, b]) => {
    const [p, q] = [crossings[a]!, crossings[b]!];
    const [x, y] = [(p.x + q.x) / 2, (p.y + q.y) / 2];
    return p.y === q.y
      ? box(x, y, 0, q.x - p.x + PATH_M, PATH_M, 0.01, PAVING)
      : box(x, y, 0, PATH_M, q.y - p.y - PATH_M, 0.01, PAVING);
  });
  grounds.structure("path", "stone", "block-1", solids);
}

/** Everything beside the paths, in alternation, so that no two stretches are alike and most things have a companion. */
function furnish(
  grounds: Grounds,
  { crossings, edges }: Lanes,
  columns: number,
  rows: number,
  random: Random,
): void {
  const streets = random.shuffle(STREETS);
  const landmarks = random.shuffle(
    LANDMARKS.flatMap((make) =>
      random
        .shuffle(BRIGHT)
        .slice(0, 2 + random.int(0, 3))
        .map((colour) => make(colour)),
    ),
  );
  edges.forEach(([a, b], n) => {
    const [p, q] = [crossings[a]!, crossings[b]!];
    const alongX = p.y === q.y;
    const length = alongX ? q.x - p.x : q.y - p.y;
    const put = (piece: Parameters<Grounds["put"]>[0], at: number, side: -1 | 1, off = BESIDE_M): void => {
      const x = alongX ? p.x + at : p.x + side * off;
      const y = alongX ? p.y + side * off : p.y + at;
      // Its front to the path.
      const step = alongX ? (side > 0 ? 3 * QUARTER : QUARTER) : side > 0 ? 2 * QUARTER : 0;
      grounds.put(piece, { x, y, step, room: blockAt(x, y, columns, rows) });
    };
    put(board(streets[n % streets.length]!, 1.9, "green"), 9, 1);
    const own = random.fork(`edge/${n}`);
    for (let at = 22; at < length - 14; at += 16) {
      const side = own.chance(0.5) ? 1 : -1;
      put(tree(own), at + own.range(-2, 2), side, BESIDE_M + 2.4);
      const what = own.int(0, 8);
      const across = side > 0 ? -1 : 1;
      if (what < 2) put(streetLamp(), at + 5, across);
      else if (what < 4) {
        put(bench(own.pick(["brown", "green", "grey", "red", "blue"] as const)), at + 6, across);
        if (own.chance(0.7))
          put(bin(own.pick(["green", "black", "blue", "orange"] as const)), at + 7.5, across);
      } else if (what < 7) {
        const next = landmarks.pop();
        if (next !== undefined) put(next, at + 6, across, BESIDE_M + Math.max(0, next.size.x / 2 - 0.6));
      }
    }
  });
}

function blockAt(x: number, y: number, columns: number, rows: number): string {
  const column = Math.min(columns - 1, Math.max(0, Math.floor(x / BLOCK.x)));
  const row = Math.min(rows - 1, Math.max(0, Math.floor(y / BLOCK.y)));
  return `block-${row * columns + column + 1}`;
}

/** Three of five places are taken in the morning; as many cars again may come. */
function addCars(grounds: Grounds, parking: readonly ParkingPlace[], random: Random): void {
  const plates = new Set<string>();
  const plate = (): string => {
    for (;;) {
      const text = `${String.fromCharCode(65 + random.int(0, 26), 65 + random.int(0, 26))} ${random.int(100, 1000)}`;
      if (!plates.has(text)) {
        plates.add(text);
        return text;
      }
    }
  };
  const make = () => car(random.pick(CAR_COLOURS), plate(), random.chance(0.15));
  for (const { stand } of parking) if (random.chance(0.6)) grounds.put(make(), stand);
  for (let n = 0; n < parking.length / 2; n++) grounds.put(make(), { x: 0, y: 0, z: -100, room: null });
}
