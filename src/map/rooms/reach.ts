import type { FloorRaster } from "../raster.ts";
import { ROOMS } from "../settings.ts";

type Plan = Pick<FloorRaster, "width" | "height" | "cellM">;

/**
 * Extends rooms into their unobserved corners and to the middle of their walls, and no further. Wall cells are hits
 * scattered about its face, so their middle is the best estimate of the face where only one side was seen, and of the
 * wall's centre where both were. The outside extends into walls as rooms do; they meet half-way.
 */
export function reachWalls(labels: Uint16Array, wall: Uint8Array, plan: Plan): void {
  fillPockets(labels, wall, plan);
  meetInWalls(labels, wall, plan);
  dropThinParts(labels, plan);
}

/** Unobserved cells that are unreachable from outside become part of the adjacent room. */
function fillPockets(labels: Uint16Array, wall: Uint8Array, { width, height, cellM }: Plan): void {
  const outside = outsideOf(labels, wall, { width, height, cellM });
  const isPocket = (at: number): boolean => !labels[at] && !wall[at] && !outside[at];
  const seen = new Uint8Array(labels.length);
  const most = (2 * ROOMS.smallestM2) / cellM ** 2;
  for (let start = 0; start < labels.length; start++) {
    if (seen[start] || !isPocket(start)) continue;
    const pocket = [start];
    seen[start] = 1;
    const border = new Map<number, number>();
    for (let i = 0; i < pocket.length; i++) {
      eachNeighbour(pocket[i]!, width, height, (to) => {
        if (labels[to]) border.set(labels[to]!, (border.get(labels[to]!) ?? 0) + 1);
        if (seen[to] || !isPocket(to)) return;
        seen[to] = 1;
        pocket.push(to);
      });
    }
    let [best, longest] = [0, 0];
    for (const [label, length] of border) if (length > longest) [best, longest] = [label, length];
    if (pocket.length <= most) for (const at of pocket) labels[at] = best;
  }
}

/** What is connected with the edge of the plan by openings of a given width, through neither rooms nor walls. */
function outsideOf(labels: Uint16Array, wall: Uint8Array, { width, height, cellM }: Plan): Uint8Array {
  const reach = Math.ceil(ROOMS.wallM / 2 / cellM);
  const rim = reach + 1;
  const [wide, high] = [width + 2 * rim, height + 2 * rim];
  const filled = new Uint8Array(wide * high);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      if (labels[y * width + x] || wall[y * width + x]) filled[(y + rim) * wide + x + rim] = 1;
  const near = widened(filled, wide, high, reach);
  const core = new Uint8Array(filled.length);
  const front = [0];
  core[0] = 1;
  for (let at = front.pop(); at !== undefined; at = front.pop()) {
    eachNeighbour(at, wide, high, (to) => {
      if (core[to] || near[to]) return;
      core[to] = 1;
      front.push(to);
    });
  }
  const around = widened(core, wide, high, reach);
  const outside = new Uint8Array(labels.length);
  for (let y = 0; y < height; y++) {
    const from = (y + rim) * wide + rim;
    outside.set(around.subarray(from, from + width), y * width);
  }
  return outside;
}

/** Breadth first through walls from all rooms and from everything else, one cell at a time. */
function meetInWalls(labels: Uint16Array, wall: Uint8Array, { width, height, cellM }: Plan): void {
  const owner = new Int32Array(labels.length).fill(-1);
  let front: number[] = [];
  for (let at = 0; at < labels.length; at++) {
    if (wall[at]) continue;
    owner[at] = labels[at]!;
    const x = at % width;
    // Only cells beside a wall can spread.
    if (
      (x > 0 && wall[at - 1]) ||
      (x < width - 1 && wall[at + 1]) ||
      (at >= width && wall[at - width]) ||
      (at < width * (height - 1) && wall[at + width])
    )
      front.push(at);
  }
  for (let step = 0; step * cellM < ROOMS.wallM && front.length > 0; step++) {
    const next: number[] = [];
    // Beyond the edge of the plan is outside too.
    if (step === 0) {
      for (let at = 0; at < labels.length; at++) {
        const x = at % width;
        const isEdge = x === 0 || x === width - 1 || at < width || at >= width * (height - 1);
        if (!isEdge || !wall[at] || owner[at]! >= 0) continue;
        owner[at] = 0;
        next.push(at);
      }
    }
    for (const at of front) {
      eachNeighbour(at, width, height, (to) => {
        if (owner[to]! >= 0) return;
        owner[to] = owner[at]!;
        next.push(to);
      });
    }
    front = next;
  }
  for (let at = 0; at < labels.length; at++) labels[at] = Math.max(0, owner[at]!);
}

/** Keeps of each room only what an inscribed square can cover. */
function dropThinParts(labels: Uint16Array, { width, height, cellM }: Plan): void {
  const reach = Math.round(ROOMS.wallM / 2 / cellM);
  const border = new Uint8Array(labels.length);
  for (let at = 0; at < labels.length; at++) {
    const x = at % width;
    const label = labels[at];
    if (
      label === 0 ||
      (x > 0 && labels[at - 1] !== label) ||
      (x < width - 1 && labels[at + 1] !== label) ||
      (at >= width && labels[at - width] !== label) ||
      (at < width * (height - 1) && labels[at + width] !== label)
    )
      border[at] = 1;
  }
  // A border cell is itself a cell of the room: what is left of a room here is a cell further inside.
  const core = widened(border, width, height, reach - 1).map((near) => 1 - near);
  const covered = widened(core, width, height, reach);
  for (let at = 0; at < labels.length; at++) if (!covered[at]) labels[at] = 0;
}

/** 1 for cells within a square of this many cells to each side of a marked cell. */
function widened(marked: Uint8Array, width: number, height: number, reach: number): Uint8Array {
  const across = new Uint8Array(marked.length);
  for (let y = 0; y < height; y++) widenLine(marked, across, y * width, 1, width, reach);
  const out = new Uint8Array(marked.length);
  for (let x = 0; x < width; x++) widenLine(across, out, x, width, height, reach);
  return out;
}

function widenLine(
  from: Uint8Array,
  to: Uint8Array,
  start: number,
  step: number,
  length: number,
  reach: number,
): void {
  // Marked cells in the window that ends `reach` beyond the current cell.
  let count = 0;
  for (let i = 0; i < Math.min(reach, length); i++) count += from[start + i * step]!;
  for (let i = 0; i < length; i++) {
    if (i + reach < length) count += from[start + (i + reach) * step]!;
    if (i > reach) count -= from[start + (i - reach - 1) * step]!;
    if (count > 0) to[start + i * step] = 1;
  }
}

function eachNeighbour(at: number, width: number, height: number, visit: (to: number) => void): void {
  const x = at % width;
  if (x > 0) visit(at - 1);
  if (x < width - 1) visit(at + 1);
  if (at >= width) visit(at - width);
  if (at < width * (height - 1)) visit(at + width);
}
