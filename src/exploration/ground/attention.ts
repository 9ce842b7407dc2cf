import { type Polygon, polygonContains } from "../../geometry/index.ts";
import type { BodyModel, Stand } from "../../sensors/index.ts";
import type { Field, Terrain } from "./terrain.ts";

/** Coarser than the map: what was looked at is known to a foot. */
const CELL_M = 0.25;
const RAY_STEP_RAD = Math.PI / 90;
const RAY_STEP_M = 0.2;
/** A thing is found with some certainty when it fills so many pixels. */
const CLEAR_PX = 60;
/** However large or small a thing is, a room is looked at from no farther and need not be from nearer. */
const NEAREST_M = 1.2;
const FARTHEST_M = 4;
/** Places to stand that are tried for a closer look, on a lattice of so many metres. */
const LATTICE_M = 0.6;
/** Less than this is not worth going anywhere for. */
const LEAST_M2 = 0.4;

/** What hangs from a ceiling is above the picture of whoever comes nearer than this. */
const BELOW_M = 2.2;
const FROM_BELOW_M = { fromM: BELOW_M, toM: FARTHEST_M } as const;

/** From how near at most, and at least, something has to be looked for. */
export interface Sight {
  readonly fromM: number;
  readonly toM: number;
}

/** From where a thing is seen for certain: not too far for its size, and not from below. */
export function sightOf(toM: number, isHigh: boolean): Sight {
  return isHigh ? FROM_BELOW_M : { fromM: 0, toM };
}

/** From how near a thing of a size has to be looked for, with a camera of a focal length. */
export function lookingRangeM(sizeM: number | undefined, { focalPx }: BodyModel): number {
  const range = sizeM === undefined ? FARTHEST_M : (focalPx * sizeM) / Math.sqrt(CLEAR_PX);
  return Math.min(FARTHEST_M, Math.max(NEAREST_M, range));
}

/**
 * From how near every piece of floor, and what stands on it, was looked at: proof of looking, for a size. Walls end a
 * view; furniture does not, since eyes are above it.
 */
export class Attention {
  readonly #nearest = new Map<number, number>();
  /** The same of looks from far enough to see the ceiling above. */
  readonly #nearestBelow = new Map<number, number>();

  /** A look from a stand: everything in the field of view is as near as it is. */
  look(terrain: Terrain, { positionInWorld: from, yawRad }: Stand, model: BodyModel): void {
    const half = model.horizontalFovRad / 2;
    for (let angle = yawRad - half; angle <= yawRad + half; angle += RAY_STEP_RAD) {
      const [dx, dy] = [Math.cos(angle), Math.sin(angle)];
      for (let r = 0; r <= FARTHEST_M; r += RAY_STEP_M) {
        const at = { x: from.x + dx * r, y: from.y + dy * r };
        const cell = terrain.cellAt(at);
        const key = keyOf(at.x, at.y);
        if (r < (this.#nearest.get(key) ?? Infinity)) this.#nearest.set(key, r);
        if (r >= BELOW_M && r < (this.#nearestBelow.get(key) ?? Infinity)) this.#nearestBelow.set(key, r);
        if (cell >= 0 && terrain.raster.wall[cell] === 1) break;
      }
    }
  }

  /** From how near a place was looked at; Infinity for never. */
  nearestM({ x, y }: { readonly x: number; readonly y: number }): number {
    return this.#nearest.get(keyOf(x, y)) ?? Infinity;
  }

  #isSeen({ x, y }: { readonly x: number; readonly y: number }, { fromM, toM }: Sight): boolean {
    const looks = fromM > 0 ? this.#nearestBelow : this.#nearest;
    return (looks.get(keyOf(x, y)) ?? Infinity) <= toM;
  }

  /** Share of a room's known floor that was looked at from near enough. */
  share(terrain: Terrain, polygon: Polygon, sight: Sight): number {
    const cells = [...this.#cellsIn(terrain, polygon)];
    return cells.length === 0 ? 1 : cells.filter((cell) => this.#isSeen(cell, sight)).length / cells.length;
  }

  /** Share of the floor around a place, what is not known yet included, that was looked at from near enough. */
  shareAround(
    terrain: Terrain,
    place: { readonly x: number; readonly y: number },
    radiusM: number,
    sight: Sight,
  ): number {
    let [seen, all] = [0, 0];
    for (let y = snap(place.y - radiusM); y <= place.y + radiusM; y += CELL_M)
      for (let x = snap(place.x - radiusM); x <= place.x + radiusM; x += CELL_M) {
        const cell = terrain.cellAt({ x, y });
        const isWall = cell >= 0 && terrain.raster.wall[cell] === 1;
        if (isWall || Math.hypot(x - place.x, y - place.y) > radiusM) continue;
        all++;
        if (this.#isSeen({ x, y }, sight)) seen++;
      }
    return all === 0 ? 1 : seen / all;
  }

  /**
   * The stand from which most of what was not yet looked at from near enough would be, for its way; undefined where
   * little is left. Sight is tried only where all within range, were it in sight, would be worth more than the best.
   */
  closer(
    terrain: Terrain,
    field: Field,
    polygons: readonly Polygon[],
    sight: Sight,
  ): { readonly stand: Stand; readonly costM: number; readonly gainM2: number } | undefined {
    const left = polygons
      .flatMap((polygon) => [...this.#cellsIn(terrain, polygon)])
      .filter((cell) => !this.#isSeen(cell, sight));
    if (left.length * CELL_M ** 2 < LEAST_M2) return undefined;
    const places = this.#stands(terrain, field, left, sight.toM);
    const [from2, to2] = [sight.fromM ** 2, sight.toM ** 2];
    let best: { stand: Stand; costM: number; gainM2: number; worth: number } | undefined;
    for (const { cell, costM } of places) {
      // They come by their way: no later one can show enough to be worth more.
      if ((Math.PI * to2) / (1 + costM) <= (best?.worth ?? 0)) break;
      const at = terrain.middleOf(cell);
      const near = left.filter(({ x, y }) => {
        const squared = (x - at.x) ** 2 + (y - at.y) ** 2;
        return squared <= to2 && squared >= from2;
      });
      if ((near.length * CELL_M ** 2) / (1 + costM) <= (best?.worth ?? 0)) continue;
      const seen = near.filter((one) => terrain.isInSight(cell, terrain.cellAt(one)));
      const gainM2 = seen.length * CELL_M ** 2;
      const worth = gainM2 / (1 + costM);
      if (gainM2 < LEAST_M2 || worth <= (best?.worth ?? 0)) continue;
      const [mx, my] = [mean(seen.map(({ x }) => x)), mean(seen.map(({ y }) => y))];
      const stand = { positionInWorld: at, yawRad: Math.atan2(my - at.y, mx - at.x) };
      best = { stand, costM, gainM2, worth };
    }
    return best;
  }

  *#cellsIn(terrain: Terrain, { points }: Polygon): Generator<{ x: number; y: number }> {
    const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)];
    for (let y = snap(Math.min(...ys)); y < Math.max(...ys); y += CELL_M)
      for (let x = snap(Math.min(...xs)); x < Math.max(...xs); x += CELL_M) {
        if (!polygonContains({ points }, { x, y, z: 0 })) continue;
        const cell = terrain.cellAt({ x, y });
        if (cell < 0 || terrain.isUnknown(cell) || terrain.raster.wall[cell] === 1) continue;
        yield { x, y };
      }
  }

  /** Places to stand around what is left to look at, the nearest by their way first. */
  #stands(
    terrain: Terrain,
    field: Field,
    left: readonly { x: number; y: number }[],
    rangeM: number,
  ): { readonly cell: number; readonly costM: number }[] {
    const [xs, ys] = [left.map(({ x }) => x), left.map(({ y }) => y)];
    const [toX, toY] = [Math.max(...xs) + rangeM, Math.max(...ys) + rangeM];
    const found: { cell: number; costM: number }[] = [];
    for (let y = Math.min(...ys) - rangeM; y <= toY; y += LATTICE_M)
      for (let x = Math.min(...xs) - rangeM; x <= toX; x += LATTICE_M) {
        const cell = terrain.nearestOpen({ x, y }, LATTICE_M / 2);
        const costM = field.metresTo(cell);
        if (costM < Infinity) found.push({ cell, costM });
      }
    return found.sort((a, b) => a.costM - b.costM || a.cell - b.cell);
  }
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}

function snap(value: number): number {
  return (Math.floor(value / CELL_M) + 0.5) * CELL_M;
}

function keyOf(x: number, y: number): number {
  return (Math.floor(y / CELL_M) + 32_768) * 65_536 + Math.floor(x / CELL_M) + 32_768;
}
