import type { Random, Vec3 } from "../../../geometry/index.ts";
import { metal, plain } from "../../house/palette.ts";
import { box } from "../../house/part.ts";
import type { House, Part, Placement, Rgb } from "../../house/types.ts";
import { QUARTER } from "../../house/yaw.ts";
import { Grounds, type Stand } from "../grounds.ts";
import { Lanes } from "../lanes.ts";
import { carton, dockDoor, forklift, PALLET, pallet, SHELF, STEEL_BLUE, shelf, sign } from "./shapes.ts";

const LANE_M = 2.8;
const AISLE_M = LANE_M + 2 * SHELF.depthM;
const PITCH_M = AISLE_M + 0.1;
const BAY_M = 1.34;
const LEVELS_Z = [0.08, 0.88, 1.68] as const;
const RACK_M = 3;
const ROOF_M = 5;
const STAGING_M = 7;
const CROSS_M = 3.4;
const NORTH_M = 3;
/** Share of the slots that hold a box when the day begins. */
const FILLED = 0.62;
/** Boxes that only come with deliveries, four to a pallet. */
const COMING_PALLETS = 6;
const BOXES_PER_PALLET = 4;
const MOST_WORKERS = 8;
const CONCRETE: Rgb = [168, 168, 164];

/** A place for one box: a slot of a rack. */
export interface Slot {
  readonly label: string;
  readonly stand: Stand;
}

/** A place for one pallet. */
export interface PalletPlace {
  readonly stand: Stand;
}

export interface WarehousePlan {
  readonly house: House;
  readonly lanes: Lanes;
  readonly slots: readonly Slot[];
  readonly palletPlaces: readonly PalletPlace[];
  /** Where lorries are unloaded, inside the doors. */
  readonly docks: readonly Stand[];
  /** Where robots stop and look round, by area. */
  readonly stops: readonly (readonly Vec3[])[];
  placement(extent: Vec3, stand: Stand): Placement;
}

/**
 * Racks of three levels along parallel aisles between two cross aisles, and staging bays with a dock each at the
 * south wall. Slots are numbered as in A-03-2: aisle, bay (odd on the left), level from below.
 */
export function layOutWarehouse(seed: number | string, aisles: number, random: Random): WarehousePlan {
  const grounds = new Grounds();
  const bays = 9 + random.fork("bays").int(0, 4);
  const lengthM = bays * BAY_M;
  const widthM = aisles * PITCH_M;
  const y0 = STAGING_M + CROSS_M;
  const y1 = y0 + lengthM;
  const yEnd = y1 + NORTH_M;
  const floor = { rgb: CONCRETE, texture: "tiles", periodM: 3, accent: [158, 158, 156] as Rgb } as const;
  const cross = { id: "cross-aisle-1", type: "cross aisle", name: "cross aisle" };
  const rear = { id: "rear-aisle-1", type: "rear aisle", name: "rear aisle" };
  grounds.area(cross, { x0: 0, y0: STAGING_M, x1: widthM, y1: y0 }, floor, ROOF_M);
  grounds.area(rear, { x0: 0, y0: y1, x1: widthM, y1: yEnd }, floor, ROOF_M);
  const slots: Slot[] = [];
  for (let n = 0; n < aisles; n++) slots.push(...addAisle(grounds, n, bays, y0, y1, floor));
  const staging = addStaging(grounds, widthM, floor, aisles);
  shell(grounds, widthM, yEnd);
  stock(grounds, slots, staging.palletPlaces, random.fork("stock"));
  grounds.crowd(MOST_WORKERS, random.fork("people"));
  const lamp: Rgb = [255, 246, 228];
  for (let x = PITCH_M / 2; x < widthM; x += PITCH_M)
    for (let y = 2.5; y < yEnd; y += 4.2) grounds.light({ x, y, z: ROOF_M - 0.6 }, cross.id, 9, lamp);
  const crossings: Vec3[] = [];
  const edges: [number, number][] = [];
  const at = (x: number, y: number) => crossings.push({ x, y, z: 0 }) - 1;
  const [south, north] = [STAGING_M + CROSS_M / 2, y1 + NORTH_M / 2];
  const spine = [
    ...aisleMiddles(aisles).map((x) => ({ x, aisle: true })),
    ...staging.middles.map((x) => ({ x, aisle: false })),
  ].sort((a, b) => a.x - b.x);
  let [lastSouth, lastNorth] = [-1, -1];
  for (const { x, aisle } of spine) {
    const here = at(x, south);
    if (lastSouth >= 0) edges.push([lastSouth, here]);
    lastSouth = here;
    const end = at(x, aisle ? north : 1.6);
    edges.push([here, end]);
    if (!aisle) continue;
    if (lastNorth >= 0) edges.push([lastNorth, end]);
    lastNorth = end;
  }
  const along = Array.from({ length: Math.floor(lengthM / 2.6) }, (_, i) => y0 + 1.3 + i * 2.6);
  const stops = [
    ...aisleMiddles(aisles).map((x) => middleFirst(along.map((y) => ({ x, y, z: 0 })))),
    ...staging.middles.map((x) => [{ x, y: STAGING_M / 2 + 0.8, z: 0 }]),
  ];
  return {
    house: grounds.finish(seed),
    lanes: new Lanes(crossings, edges),
    slots,
    palletPlaces: staging.palletPlaces,
    docks: staging.docks,
    stops,
    placement: (extent, stand) => grounds.placement(extent, stand),
  };
}

const aisleMiddles = (aisles: number): number[] =>
  Array.from({ length: aisles }, (_, n) => n * PITCH_M + 0.05 + AISLE_M / 2);

function middleFirst<T>(items: readonly T[]): T[] {
  const middle = Math.floor(items.length / 2);
  return [items[middle]!, ...items.slice(0, middle), ...items.slice(middle + 1)];
}

/** Both racks of an aisle, the panels behind them, a beam at either end and signs that name it. */
function addAisle(
  grounds: Grounds,
  n: number,
  bays: number,
  y0: number,
  y1: number,
  floor: Parameters<Grounds["area"]>[2],
): Slot[] {
  const letter = String.fromCharCode(65 + n);
  const x0 = n * PITCH_M + 0.05;
  const x1 = x0 + AISLE_M;
  const id = `aisle-${letter.toLowerCase()}`;
  grounds.area(
    { id, type: "aisle", name: `aisle ${letter}`, isSigned: true },
    { x0, y0, x1, y1 },
    floor,
    ROOF_M,
  );
  const panel = metal([150, 154, 160]);
  const post = plain(STEEL_BLUE);
  const beam = plain([236, 196, 40]);
  const [middleX, middleY] = [(x0 + x1) / 2, (y0 + y1) / 2];
  const solids: Part[] = [
    box(x0 - 0.03, middleY, 0, 0.04, y1 - y0, RACK_M, panel),
    box(x1 + 0.03, middleY, 0, 0.04, y1 - y0, RACK_M, panel),
    box(middleX, y0, 2.2, AISLE_M, 0.12, 0.3, beam),
    box(middleX, y1, 2.2, AISLE_M, 0.12, 0.3, beam),
  ];
  const slots: Slot[] = [];
  for (let bay = 0; bay <= bays; bay++) {
    const y = y0 + bay * BAY_M;
    for (const x of [x0 + 0.05, x0 + SHELF.depthM - 0.05, x1 - 0.05, x1 - SHELF.depthM + 0.05])
      solids.push(box(x, Math.min(y1 - 0.03, Math.max(y0 + 0.03, y)), 0, 0.06, 0.06, RACK_M, post));
  }
  grounds.structure("rack", "metal", id, solids);
  for (const side of [0, 1] as const) {
    const x = side === 0 ? x0 + SHELF.depthM / 2 : x1 - SHELF.depthM / 2;
    for (let bay = 0; bay < bays; bay++) {
      LEVELS_Z.forEach((z, level) => {
        const number = String(2 * bay + 1 + side).padStart(2, "0");
        const label = `${letter}-${number}-${level + 1}`;
        const stand = { x, y: y0 + (bay + 0.5) * BAY_M, z, step: side === 0 ? 0 : 2 * QUARTER, room: id };
        const host = grounds.put(shelf(label), stand);
        slots.push({ label, stand: { ...stand, z: z + SHELF.heightM, on: host.id } });
      });
    }
  }
  for (const [y, step] of [
    [y0 + 0.2, 3 * QUARTER],
    [y1 - 0.2, QUARTER],
  ] as const)
    grounds.put(sign(`AISLE ${letter}`, 1.7, 0.42, STEEL_BLUE), { x: middleX, y, z: 2.56, step, room: id });
  return slots;
}

/** Bays before the docks, parted by mesh; each with two places for pallets, a door and a sign. */
function addStaging(grounds: Grounds, widthM: number, floor: Parameters<Grounds["area"]>[2], aisles: number) {
  const count = Math.max(2, Math.round(aisles * 0.7));
  const each = widthM / count;
  const palletPlaces: PalletPlace[] = [];
  const docks: Stand[] = [];
  const middles: number[] = [];
  for (let n = 0; n < count; n++) {
    const [x0, x1] = [n * each, (n + 1) * each];
    const id = `staging-${n + 1}`;
    const middle = (x0 + x1) / 2;
    grounds.area(
      { id, type: "staging bay", name: `staging ${n + 1}`, isSigned: true },
      { x0, y0: 0, x1, y1: STAGING_M },
      floor,
      ROOF_M,
    );
    const mesh = metal([120, 124, 130]);
    const fence = n === 0 ? [] : [box(x0, STAGING_M / 2, 0, 0.05, STAGING_M, 2.6, mesh)];
    grounds.structure("fence", "metal", id, [
      ...fence,
      box(middle, STAGING_M, 2.2, each, 0.12, 0.3, plain([236, 196, 40])),
      box(middle, 3.2, 0.001, each - 1, 0.08, 0.004, plain([236, 196, 40])),
    ]);
    grounds.put(sign(`STAGING ${n + 1}`, 1.9, 0.42, [36, 96, 60]), {
      x: middle,
      y: STAGING_M - 0.2,
      z: 2.56,
      step: QUARTER,
      room: id,
    });
    grounds.put(dockDoor(`DOCK ${n + 1}`), { x: middle, y: 0.06, step: QUARTER, room: id });
    for (const x of [x0 + 1.1, x1 - 1.1])
      palletPlaces.push({ stand: { x, y: 4.6, step: QUARTER, room: id } });
    docks.push({ x: middle, y: 1.2, step: QUARTER, room: id });
    middles.push(middle);
  }
  return { palletPlaces, docks, middles };
}

function shell(grounds: Grounds, widthM: number, yEnd: number): void {
  const paint = { rgb: [206, 208, 206], texture: "stripes", periodM: 0.5, accent: [196, 198, 198] } as const;
  const [x, y] = [widthM / 2, yEnd / 2];
  grounds.structure("wall", "metal", "cross-aisle-1", [
    box(x, -0.05, 0, widthM + 0.4, 0.1, ROOF_M, paint),
    box(x, yEnd + 0.05, 0, widthM + 0.4, 0.1, ROOF_M, paint),
    box(-0.1, y, 0, 0.1, yEnd, ROOF_M, paint),
    box(widthM + 0.1, y, 0, 0.1, yEnd, ROOF_M, paint),
  ]);
  grounds.structure("ceiling", "metal", "cross-aisle-1", [
    box(x, y, ROOF_M, widthM + 0.4, yEnd + 0.4, 0.1, plain([222, 224, 226])),
  ]);
}

/** Boxes in slots and on two pallets, what deliveries will bring, and two forklifts. */
function stock(
  grounds: Grounds,
  slots: readonly Slot[],
  places: readonly PalletPlace[],
  random: Random,
): void {
  const sku = skuDeck(random.fork("sku"));
  for (const { stand } of slots) if (random.chance(FILLED)) grounds.put(carton(sku(), random), stand);
  const waiting = random.shuffle(places).slice(0, Math.max(1, Math.floor(places.length / 3)));
  const loads: (Stand | undefined)[] = [
    ...waiting.map(({ stand }) => stand),
    ...Array.from({ length: COMING_PALLETS }, () => undefined),
  ];
  for (const stand of loads) {
    const away = { x: 0, y: 0, z: -100, room: null };
    const base = grounds.put(pallet(), stand ?? away);
    for (let n = 0; n < BOXES_PER_PALLET; n++)
      grounds.put(carton(sku(), random), stand ? onPallet(stand, base.id, n) : away);
  }
  const colours = random.shuffle(["yellow", "red", "green", "orange"] as const);
  [places[0]!, places.at(-1)!].forEach(({ stand }, n) => {
    grounds.put(forklift(colours[n]!, `F${n + 1}`), {
      x: stand.x,
      y: 8 + n * 0.6,
      step: n * 12,
      room: "cross-aisle-1",
    });
  });
}

/** The n-th of four places on a pallet that stands somewhere. */
export function onPallet(stand: Stand, pallet: string, n: number): Stand {
  const [dx, dy] = [n % 2 === 0 ? -0.27 : 0.27, n < 2 ? -0.27 : 0.27];
  return { ...stand, x: stand.x + dx, y: stand.y + dy, z: (stand.z ?? 0) + PALLET.heightM, on: pallet };
}

/** Stock numbers, each on one to four boxes: half of the boxes are the only ones of their kind. */
function skuDeck(random: Random): () => string {
  const used = new Set<string>();
  let [current, left] = ["", 0];
  return () => {
    if (left === 0) {
      do {
        const letters = String.fromCharCode(65 + random.int(0, 26), 65 + random.int(0, 26));
        current = `${letters}-${random.int(100, 1000)}`;
      } while (used.has(current));
      used.add(current);
      left = random.chance(0.7) ? 1 : random.int(2, 5);
    }
    left--;
    return current;
  };
}
