import { boxContains, inflate } from "../geometry/index.ts";
import { movesItself } from "../ontology/index.ts";
import type { Percept, TrackedFrame } from "../schema/core.ts";
import type { IsMoving } from "./depth-rays.ts";
import { GRID } from "./settings.ts";

/**
 * The test for pixels of moving things, or undefined if there are none: those of moving categories, and those whose
 * state tracking calls a mover.
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
    return moves ? [{ bbox, box: solid === undefined ? undefined : inflate(solid.box, GRID.rimM) }] : [];
  });
  if (moving.length === 0) return undefined;
  return (u, v, x, y, z) =>
    moving.some(({ bbox: [left, top, right, bottom], box }) => {
      if (
        u < left - GRID.rimPx ||
        u >= right + GRID.rimPx ||
        v < top - GRID.rimPx ||
        v >= bottom + GRID.rimPx
      )
        return false;
      return box === undefined || boxContains(box, { x, y, z });
    });
}
