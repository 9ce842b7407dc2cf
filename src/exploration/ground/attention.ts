import { type Polygon, polygonContains } from "../../geometry/index.ts";
import type { BodyModel, Stand } from "../../sensors/index.ts";
import type { Field, Terrain } from "./terrain.ts";

/** Coarser than the map: about 0.25 m is precise enough for what was observed. */
const CELL_M = 0.25;
const RAY_STEP_RAD = Math.PI / 90;
const RAY_STEP_M = 0.2;
/** A thing counts as detectable when it covers this many pixels. */
const CLEAR_PX = 60;
/**
 * Limits of the viewing distance, whatever a thing's size: nearer than the first is never required, and farther than
 * the second never counts.
 */
const NEAREST_M = 1.2;
const FARTHEST_M = 4;
/** Spacing of the candidate positions for a nearer look. */
const LATTICE_M = 0.6;
/** Areas smaller than this are not worth going to. */
const LEAST_M2 = 0.4;

/** Things hanging from a ceiling leave the picture when the camera is nearer than this. */
const BELOW_M = 2.2;
const FROM_BELOW_M = { fromM: BELOW_M, toM: FARTHEST_M } as const;

/** The range of distances from which something has to be looked for. */
export interface Sight {
  readonly fromM: number;
  readonly toM: number;
}

/** The distances from which a thing is reliably seen: not too far for its size, and not from below. */
export function sightOf(toM: number, isHigh: boolean): Sight {
  return isHigh ? FROM_BELOW_M : { fromM: 0, toM };
}

/** The distance within which a thing of a given size is detectable, for a camera's focal length. */
export function lookingRangeM(sizeM: number | undefined, { focalPx }: BodyModel): number {
  const range = sizeM === undefined ? FARTHEST_M : (focalPx * sizeM) / Math.sqrt(CLEAR_PX);
  return Math.min(FARTHEST_M, Math.max(NEAREST_M, range));
}

/**
 * The smallest distance from which each piece of floor, and what stands on it, was observed: proof of the search, for
 * a given size. Walls block a view; furniture does not, since the camera is above it.
 */
export class Attention {
  readonly #nearest = new Map<number, number>();
  /** The same for looks from far enough to see the ceiling above. */
  readonly #nearestBelow = new Map<number, number>();

  /** A look from a stand: everything in the field of view counts as observed from its distance. */
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

  /** The smallest distance from which a place was observed; Infinity for never. */
  nearestM({ x, y }: { readonly x: number; readonly y: number }): number {
    return this.#nearest.get(keyOf(x, y)) ?? Infinity;
  }

  #isSeen({ x, y }: { readonly x: number; readonly y: number }, { fromM, toM }: Sight): boolean {
    const looks = fromM > 0 ? this.#nearestBelow : this.#nearest;
    return (looks.get(keyOf(x, y)) ?? Infinity) <= toM;
  }

  /** Share of a room's known floor that was observed from near enough. */
  share(terrain: Terrain, polygon: Polygon, sight: Sight): number {
    const cells = [...this.#cellsIn(terrain, polygon)];
    return cells.length === 0 ? 1 : cells.filter((cell) => this.#isSeen(cell, sight)).length / cells.length;
  }

  /** Share of the floor around a place, including unknown floor, that was observed from near enough. */
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
   * The stand from which the most floor would newly be observed from near enough, relative to the path length;
   * undefined if little is left. Visibility is tested only where its upper bound beats the best so far.
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
      // Candidates are sorted by path length: no later one can show enough to be better.
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

  /** Stands around what is left to observe, by path length. */
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
