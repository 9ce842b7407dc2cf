import { settings } from "../../schema/settings.ts";
import type { Sight } from "./sight.ts";

/** Value, unit, minimum, maximum, source. */
const LEVELS = settings("eyes.levels", {
  /** Least cosine of a level surface to the vertical, and the step of heights. */
  level: [0.92, "cosine", 0.8, 0.97, "experiment"],
  stepM: [0.04, "m", 0.02, 0.08, "experiment"],
  /** The floor is a level this far below a camera, with at least this much area facing up. */
  belowLeastM: [0.25, "m", 0.125, 0.5, "experiment"],
  belowMostM: [2.4, "m", 1.2, 4.8, "experiment"],
  floorShare: [0.12, "share", 0.06, 0.24, "experiment"],
});

/** Area of upward-facing surfaces by height: floors, tables, shelves. */
export class Levels {
  readonly #areas: Map<number, number>;

  constructor(like?: Levels) {
    this.#areas = new Map(like ? like.#areas : []);
  }

  /** Adds upward-facing surfaces, by the area that a pixel covers. */
  note({ depthM, points, normals, sound }: Sight): void {
    for (let at = 0; at < depthM.length; at += 3) {
      if (sound[at] === 0 || normals[3 * at + 2]! < LEVELS.level) continue;
      const step = Math.round(points[3 * at + 2]! / LEVELS.stepM);
      this.#areas.set(step, (this.#areas.get(step) ?? 0) + depthM[at]! * depthM[at]!);
    }
  }

  /** The lowest sufficiently large level under a camera; NaN if there is none. */
  floorBelow(cameraZ: number): number {
    const from = Math.ceil((cameraZ - LEVELS.belowMostM) / LEVELS.stepM);
    const to = Math.ceil((cameraZ - LEVELS.belowLeastM) / LEVELS.stepM);
    let most = 0;
    for (let step = from; step <= to; step++) most = Math.max(most, this.#around(step));
    for (let step = from; step <= to; step++) {
      const area = this.#around(step);
      if (most > 0 && area > LEVELS.floorShare * most && area >= this.#around(step + 1))
        return step * LEVELS.stepM;
    }
    return Number.NaN;
  }

  #around(step: number): number {
    return [step - 1, step, step + 1].reduce((sum, at) => sum + (this.#areas.get(at) ?? 0), 0);
  }
}
