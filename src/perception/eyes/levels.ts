import type { Sight } from "./sight.ts";

const STEP_M = 0.04;
/** The floor is a level this far below a camera, with at least this much area facing up. */
const BELOW_M = { least: 0.25, most: 2.4 };
const FLOOR_SHARE = 0.12;

/** Area of upward-facing surfaces by height: floors, tables, shelves. */
export class Levels {
  readonly #areas: Map<number, number>;

  constructor(like?: Levels) {
    this.#areas = new Map(like ? like.#areas : []);
  }

  /** Adds upward-facing surfaces, by the area that a pixel covers. */
  note({ depthM, points, normals, sound }: Sight): void {
    for (let at = 0; at < depthM.length; at += 3) {
      if (sound[at] === 0 || normals[3 * at + 2]! < 0.92) continue;
      const step = Math.round(points[3 * at + 2]! / STEP_M);
      this.#areas.set(step, (this.#areas.get(step) ?? 0) + depthM[at]! * depthM[at]!);
    }
  }

  /** The lowest sufficiently large level under a camera; NaN if there is none. */
  floorBelow(cameraZ: number): number {
    const from = Math.ceil((cameraZ - BELOW_M.most) / STEP_M);
    const to = Math.ceil((cameraZ - BELOW_M.least) / STEP_M);
    let most = 0;
    for (let step = from; step <= to; step++) most = Math.max(most, this.#around(step));
    for (let step = from; step <= to; step++) {
      const area = this.#around(step);
      if (most > 0 && area > FLOOR_SHARE * most && area >= this.#around(step + 1)) return step * STEP_M;
    }
    return Number.NaN;
  }

  #around(step: number): number {
    return [step - 1, step, step + 1].reduce((sum, at) => sum + (this.#areas.get(at) ?? 0), 0);
  }
}
