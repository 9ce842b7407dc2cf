import { type Polygon, polygonContains, type Vec3 } from "../../geometry/index.ts";
import type { BodyModel, Stand } from "../body.ts";
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
        if (cell >= 0 && terrain.raster.wall[cell] === 1) break;
      }
    }
  }

  /** From how near a place was looked at; Infinity for never. */
  nearestM({ x, y }: { readonly x: number; readonly y: number }): number {
    return this.#nearest.get(keyOf(x, y)) ?? Infinity;
  }

  /** Share of a room's known floor that was looked at from within a range. */
  share(terrain: Terrain, polygon: Polygon, rangeM: number): number {
    let [seen, all] = [0, 0];
    for (const { x, y } of this.#cellsIn(terrain, polygon)) {
      all++;
      if ((this.#nearest.get(keyOf(x, y)) ?? Infinity) <= rangeM) seen++;
    }
    return all === 0 ? 1 : seen / all;
  }

  /** The stand from which most of what was not yet looked at from near enough would be, for its way; undefined where little is left. */
  closer(
    terrain: Terrain,
    field: Field,
    polygons: readonly Polygon[],
    rangeM: number,
  ): { readonly stand: Stand; readonly costM: number; readonly gainM2: number } | undefined {
    const left = polygons
      .flatMap((polygon) => [...this.#cellsIn(terrain, polygon)])
      .filter(({ x, y }) => (this.#nearest.get(keyOf(x, y)) ?? Infinity) > rangeM);
    if (left.length * CELL_M ** 2 < LEAST_M2) return undefined;
    let best: { stand: Stand; costM: number; gainM2: number; worth: number } | undefined;
    for (const place of this.#lattice(terrain, left, rangeM)) {
      const cell = terrain.nearestOpen(place, LATTICE_M / 2);
      const costM = field.metresTo(cell);
      if (costM === Infinity) continue;
      const at = terrain.middleOf(cell);
      const seen = left.filter(
        ({ x, y }) => Math.hypot(x - at.x, y - at.y) <= rangeM && isInSight(terrain, at, { x, y }),
      );
      const gainM2 = seen.length * CELL_M ** 2;
      const worth = gainM2 / (1 + costM);
      if (gainM2 < LEAST_M2 || worth <= (best?.worth ?? 0)) continue;
      const [mx, my] = [mean(seen.map(({ x }) => x)), mean(seen.map(({ y }) => y))];
      best = {
        stand: { positionInWorld: at, yawRad: Math.atan2(my - at.y, mx - at.x) },
        costM,
        gainM2,
        worth,
      };
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

  *#lattice(terrain: Terrain, left: readonly { x: number; y: number }[], rangeM: number): Generator<Vec3> {
    const [xs, ys] = [left.map(({ x }) => x), left.map(({ y }) => y)];
    for (let y = Math.min(...ys) - rangeM; y <= Math.max(...ys) + rangeM; y += LATTICE_M)
      for (let x = Math.min(...xs) - rangeM; x <= Math.max(...xs) + rangeM; x += LATTICE_M)
        yield { x, y, z: terrain.raster.floorZ };
  }
}

function isInSight(terrain: Terrain, from: { x: number; y: number }, to: { x: number; y: number }): boolean {
  const [a, b] = [terrain.cellAt(from), terrain.cellAt(to)];
  if (a < 0 || b < 0) return false;
  for (const cell of terrain.line(a, b)) if (cell !== b && terrain.raster.wall[cell] === 1) return false;
  return true;
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
