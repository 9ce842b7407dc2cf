import { boxContains, inflate } from "../geometry/index.ts";
import { movesItself } from "../ontology/index.ts";
import type { Percept, TrackedFrame } from "../schema/core.ts";
import type { IsMoving } from "./depth-rays.ts";

/** Masks and boxes leave out a rim: hands, feet, the noise of depth. */
const RIM_M = 0.25;
const RIM_PX = 3;

/**
 * The test for pixels of things that move, or undefined when there are none: those of moving kinds, and those
 * whose state tracking calls a mover.
 */
export function movingIn(
  percept: Percept,
  tracked: TrackedFrame | undefined,
  isMover: ((stateId: string) => boolean) | undefined,
): IsMoving | undefined {
  const moving = percept.detections.flatMap(({ category, bbox, solid }, i) => {
    const state = tracked?.stateOf[i];
    const moves =
      (category !== undefined && movesItself(category)) || (state !== undefined && isMover?.(state) === true);
    return moves ? [{ bbox, box: solid === undefined ? undefined : inflate(solid.box, RIM_M) }] : [];
  });
  if (moving.length === 0) return undefined;
  return (u, v, x, y, z) =>
    moving.some(({ bbox: [left, top, right, bottom], box }) => {
      if (u < left - RIM_PX || u >= right + RIM_PX || v < top - RIM_PX || v >= bottom + RIM_PX) return false;
      return box === undefined || boxContains(box, { x, y, z });
    });
}
