import type { Point2 } from "../../geometry/index.ts";
import { type DrawnGround, type DrawnOpening, type DrawnRoom, GROUND } from "./drawing.ts";

/** Sampling step along a wall. */
const STEP_M = 0.05;
/** The ground must be free this far on both sides of a wall to be passable. */
const ACROSS_M = 0.35;
/** A passage is at least as wide as a narrow door; brief obstacles in it are bridged. */
const MIN_M = 0.5;
const GAP_M = 0.15;

/**
 * Doorways and arches: passable parts of room outlines, by the known ground. A door between two rooms is found in the
 * outline of both.
 */
export function openingsOf(ground: DrawnGround, rooms: readonly DrawnRoom[]): DrawnOpening[] {
  return rooms
    .filter(({ floor }) => floor === ground.floor)
    .flatMap(({ ring, floor }) =>
      ring.flatMap((a, i) => openingsIn(ground, a, ring[(i + 1) % ring.length]!, floor)),
    );
}

/** The passages of one straight wall. */
function openingsIn(ground: DrawnGround, a: Point2, b: Point2, floor: number): DrawnOpening[] {
  const lengthM = Math.hypot(b.x - a.x, b.y - a.y);
  const along = { x: (b.x - a.x) / lengthM, y: (b.y - a.y) / lengthM };
  const at = (m: number): Point2 => ({ x: a.x + along.x * m, y: a.y + along.y * m });
  const found: DrawnOpening[] = [];
  let [start, end] = [-1, -1];
  const close = (): void => {
    if (start >= 0 && end - start >= MIN_M) found.push({ from: at(start), to: at(end), floor });
    start = -1;
  };
  for (let m = STEP_M / 2; m < lengthM; m += STEP_M) {
    if (!isPassable(ground, at(m), { x: -along.y, y: along.x })) continue;
    if (start >= 0 && m - end > GAP_M) close();
    if (start < 0) start = m;
    end = m;
  }
  close();
  return found;
}

function isPassable(ground: DrawnGround, at: Point2, across: Point2): boolean {
  for (let m = -ACROSS_M; m <= ACROSS_M + 1e-9; m += ground.cellM / 2) {
    const column = Math.floor((at.x + across.x * m - ground.originM.x) / ground.cellM);
    const row = Math.floor((at.y + across.y * m - ground.originM.y) / ground.cellM);
    if (column < 0 || row < 0 || column >= ground.columns || row >= ground.rows) return false;
    const cell = ground.cells[row * ground.columns + column];
    if (cell !== GROUND.free && cell !== GROUND.lintel) return false;
  }
  return true;
}
