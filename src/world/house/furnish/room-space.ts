import { passageRect, swingRect } from "../plan/openings.ts";
import { grow, overlap, type Rect, within } from "../plan/rect.ts";
import type { Opening, RoomType } from "../types.ts";
import { RoomGrid } from "./room-grid.ts";

export type Side = "north" | "east" | "south" | "west";
export const SIDES: readonly Side[] = ["south", "east", "north", "west"];
/** Yaw steps of a thing with its back to that wall. */
export const FACING: Readonly<Record<Side, number>> = { west: 0, south: 6, east: 12, north: 18 };

/** Space that is taken; heights count from the floor. */
export interface Taken {
  readonly rect: Rect;
  readonly z0: number;
  readonly z1: number;
  /** The solid part that a robot could collide with; the whole rectangle if absent. */
  readonly solid?: readonly Rect[];
}

/** Between two pieces, and between a piece and the wall behind it. */
const GAP_M = 0.02;
/** Anything higher is no obstacle to a robot. */
export const ROBOT_HEIGHT_M = 1.6;
/** A door leaf sweeps everything below this height. */
const DOOR_TOP_M = 2.1;

/** One room while it is being furnished: placed pieces, zones to keep clear, and reachability. */
export class RoomSpace {
  readonly id: string;
  readonly type: RoomType;
  readonly inner: Rect;
  readonly doors: readonly Opening[];
  readonly windows: readonly Opening[];
  readonly #taken: Taken[] = [];
  readonly #clear: { readonly rect: Rect; readonly owner?: Rect }[] = [];
  readonly #mats: Rect[] = [];
  readonly #reach: Rect[] = [];
  readonly #points: { x: number; y: number }[] = [];
  readonly #grid: RoomGrid;

  constructor(
    id: string,
    type: RoomType,
    inner: Rect,
    openings: readonly Opening[],
    blocked: readonly Taken[],
    points: readonly { x: number; y: number }[],
  ) {
    this.id = id;
    this.type = type;
    this.inner = inner;
    this.doors = openings.filter((o) => o.kind !== "window");
    this.windows = openings.filter((o) => o.kind === "window");
    this.#grid = new RoomGrid(inner);
    this.#points.push(...points);
    for (const door of this.doors) {
      this.#clear.push({ rect: passageRect(door) });
      const sweep = swingRect(door);
      if (sweep !== undefined && overlap(sweep, inner)) {
        this.#clear.push({ rect: sweep });
        this.#grid.add(openLeafRect(door));
      }
      this.#points.push(inFrontOf(door, inner, 0.3));
      // Nothing hangs over a doorway.
      this.#taken.push({ rect: grow(passageRect(door, 0.2), 0.06), z0: 0, z1: 2.2 });
    }
    for (const b of blocked) {
      this.#take(b);
      this.#mats.push(b.rect);
    }
  }

  /** Reserves the wall before a window from sill to top, for its curtain and for the light. */
  reserveWindow(window: Opening, floorZ: number): void {
    const rect = passageRect({ ...window, widthM: window.widthM + 0.1 }, 0.17);
    this.#taken.push({
      rect,
      z0: window.centre.z - floorZ - 0.12,
      z1: window.centre.z - floorZ + window.heightM + 0.2,
    });
  }

  /** `near` is the rectangle of a piece it may stand close to or under. Whether a piece fits: inside, apart from others, off the ways, its front clear, and the floor still whole. */
  fits(piece: Taken, front: Rect | undefined, near?: Rect): boolean {
    const { rect, z0, z1 } = piece;
    if (!within(rect, grow(this.inner, 1e-6))) return false;
    if (front !== undefined && !within(front, grow(this.inner, 1e-6))) return false;
    const apart = grow(rect, GAP_M - 1e-6);
    for (const t of this.#taken) {
      if (t.rect === near) continue;
      if (z0 < t.z1 && t.z0 < z1 && overlap(apart, t.rect)) return false;
      if (front !== undefined && t.z0 < ROBOT_HEIGHT_M && t.z1 > 0.05 && overlap(front, t.rect)) return false;
    }
    if (z0 >= ROBOT_HEIGHT_M) return true;
    if (this.#clear.some((zone) => (near === undefined || zone.owner !== near) && overlap(rect, zone.rect)))
      return false;
    const reach = front === undefined ? this.#reach : [...this.#reach, grow(front, 0.2)];
    return this.#grid.stays([rect], this.#points, reach, piece.solid);
  }

  /** Like `fits`, for something on a wall or under the ceiling; `own` is the rectangle of the piece it belongs to. */
  fitsOnWall({ rect, z0, z1 }: Taken, own?: Rect): boolean {
    if (!within(rect, grow(this.inner, 1e-6))) return false;
    const roomy = grow(rect, GAP_M);
    if (this.#taken.some((t) => t.rect !== own && z0 < t.z1 && t.z0 < z1 && overlap(roomy, t.rect)))
      return false;
    if (z0 < DOOR_TOP_M && this.#clear.some((zone) => zone.owner === undefined && overlap(rect, zone.rect)))
      return false;
    return z0 >= ROBOT_HEIGHT_M || this.#grid.stays([rect], this.#points, this.#reach);
  }

  /** Whether doors of furniture may stand open there: their own front zone is no obstacle to them. */
  opens(parts: readonly Taken[], own: Rect): boolean {
    const apart = parts.every((part) => this.fitsOnWall(part, own));
    const low = parts.filter((part) => part.z0 < ROBOT_HEIGHT_M).map((part) => part.rect);
    return apart && this.#grid.stays(low, this.#points, this.#reach);
  }

  place(piece: Taken, front?: Rect): void {
    this.#take(piece);
    if (front !== undefined) {
      this.#clear.push({ rect: front, owner: piece.rect });
      this.#reach.push(grow(front, 0.2));
    }
  }

  /** Lies flat: it only conflicts with other mats. */
  placeMat(rect: Rect): boolean {
    if (!within(rect, grow(this.inner, -0.02)) || this.#mats.some((mat) => overlap(mat, rect))) return false;
    this.#mats.push(rect);
    return true;
  }

  #take(piece: Taken): void {
    this.#taken.push(piece);
    if (piece.z0 < ROBOT_HEIGHT_M && piece.z1 > 0.05) this.#grid.add(piece.rect, piece.solid);
  }
}

/** A point on the floor before the middle of a doorway, inside the room. */
export function inFrontOf(door: Opening, inner: Rect, byM: number): { x: number; y: number } {
  const { x, y } = door.centre;
  if (door.along === "x") return { x, y: y < (inner.y0 + inner.y1) / 2 ? inner.y0 + byM : inner.y1 - byM };
  return { x: x < (inner.x0 + inner.x1) / 2 ? inner.x0 + byM : inner.x1 - byM, y };
}

function openLeafRect(door: Opening): Rect {
  const sweep = swingRect(door)!;
  const wide = 0.1;
  if (door.along === "x")
    return door.hinge === 1 ? { ...sweep, x0: sweep.x1 - wide } : { ...sweep, x1: sweep.x0 + wide };
  return door.hinge === 1 ? { ...sweep, y0: sweep.y1 - wide } : { ...sweep, y1: sweep.y0 + wide };
}
