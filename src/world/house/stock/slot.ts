import type { Box, Random, Vec3 } from "../../../geometry/index.ts";
import type { Shelf } from "../model.ts";
import { mm, overlap, type Rect, rectAround } from "../plan/rect.ts";
import type { Placement } from "../types.ts";
import { cosOfStep, sinOfStep, stepOfYaw, turnedHalf, yawOfStep } from "../yaw.ts";

/** A shelf of one piece of furniture with what is on it, in the furniture's own axes. */
export interface Slot {
  readonly host: string;
  readonly hostPlacement: Placement;
  readonly shelf: Shelf;
  readonly items: Rect[];
}

/** A place found for a thing: the middle of its box and its heading in the world, and its rectangle in the slot. */
export interface Spot {
  readonly centre: Vec3;
  readonly yawRad: number;
  readonly rect: Rect;
}

const TRIES = 14;
const BETWEEN_M = 0.006;
const UPRIGHT = new Set(["shelved book", "binder"]);

/** A free place in the slot, or undefined; `clashes` says whether something else is in the way there. */
export function findSpot(
  slot: Slot,
  category: string,
  size: Vec3,
  random: Random,
  clashes: (box: Box) => boolean,
): Spot | undefined {
  const { shelf } = slot;
  if (size.z > shelf.heightM) return undefined;
  if (UPRIGHT.has(category) && shelf.kind !== "top") return inRow(slot, size, clashes);
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const step = headings(category, random);
    const half = turnedHalf(size.x, size.y, step);
    const roomX = shelf.maxX - shelf.minX - 2 * half.x;
    const roomY = shelf.maxY - shelf.minY - 2 * half.y;
    if (roomX < 0 || roomY < 0) continue;
    const x = mm(shelf.minX + half.x + roomX * random.next());
    const y = mm(shelf.minY + half.y + roomY * random.next());
    const spot = inSlot(slot, x, y, step, size, half);
    if (spot !== undefined && !clashes(boxOfSpot(spot, size))) return spot;
  }
  return undefined;
}

/** The axis-aligned box of a thing at a spot. */
export function boxOfSpot({ centre, yawRad }: { centre: Vec3; yawRad: number }, size: Vec3): Box {
  const half = turnedHalf(size.x, size.y, stepOfYaw(yawRad));
  return {
    min: { x: centre.x - half.x, y: centre.y - half.y, z: centre.z - size.z / 2 },
    max: { x: centre.x + half.x, y: centre.y + half.y, z: centre.z + size.z / 2 },
  };
}

/** Screens face the user; most things lie nearly straight, round ones anyhow. */
function headings(category: string, random: Random): number {
  if (category === "television" || category === "monitor") return 0;
  if (category === "laptop" || category === "photo frame" || category === "keyboard")
    return random.pick([23, 0, 0, 1]);
  return random.pick([0, 0, 0, 1, 2, 4, 6, 6, 12, 18, 20, 22, 23]);
}

function inSlot(
  slot: Slot,
  x: number,
  y: number,
  step: number,
  size: Vec3,
  half: { x: number; y: number },
): Spot | undefined {
  const rect = rectAround(x, y, half.x + BETWEEN_M / 2, half.y + BETWEEN_M / 2);
  if (slot.items.some((item) => overlap(item, rect))) return undefined;
  return { ...toWorld(slot, x, y, size.z, step), rect };
}

/** Books stand side by side from the left end on, spines to the front. */
function inRow(slot: Slot, size: Vec3, clashes: (box: Box) => boolean): Spot | undefined {
  const { shelf, items } = slot;
  if (size.x > shelf.maxX - shelf.minX) return undefined;
  const x = mm(shelf.maxX - size.x / 2 - 0.012);
  const half = { x: size.x / 2, y: size.y / 2 };
  const ends = [shelf.maxY, ...items.map((item) => item.y0)].sort((a, b) => b - a);
  for (const end of ends) {
    const y = mm(end - size.y / 2 - BETWEEN_M);
    if (y - half.y < shelf.minY) return undefined;
    const spot = inSlot(slot, x, y, 0, size, half);
    if (spot !== undefined && !clashes(boxOfSpot(spot, size))) return spot;
  }
  return undefined;
}

function toWorld(
  { hostPlacement, shelf }: Slot,
  x: number,
  y: number,
  height: number,
  step: number,
): { centre: Vec3; yawRad: number } {
  const { centre, extent, yawRad } = hostPlacement;
  const turn = stepOfYaw(yawRad);
  const c = cosOfStep(turn);
  const s = sinOfStep(turn);
  const z = centre.z - extent.z / 2 + shelf.z + height / 2;
  return {
    centre: { x: centre.x + x * c - y * s, y: centre.y + x * s + y * c, z },
    yawRad: yawOfStep(turn + step),
  };
}
