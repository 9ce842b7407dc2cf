import { inflate } from "../../geometry/index.ts";
import { isKindOf } from "../../ontology/index.ts";
import { COMMON } from "../settings/common.ts";
import type { Candidate } from "../state/frame.ts";
import type { Scene } from "../state/scene.ts";
import type { Thing } from "../state/thing.ts";

const SEATS = ["seat", "bed"] as const;

/**
 * Whether an observation shows a person sitting or standing: sitting is above a seat and lower than people stand.
 * Undefined where the image cuts the person off, and for things.
 */
export function postureIn(
  scene: Scene,
  { type, words }: Thing,
  { detection, solid }: Candidate,
): string | undefined {
  if (type !== "person" || !isKindOf(words.category, "person") || detection.truncated) return undefined;
  const { x, y } = solid.centroid;
  for (const seat of scene.things.near(inflate(solid.box, COMMON.edgeM))) {
    if (!seat.isConfirmed || !SEATS.some((kind) => isKindOf(seat.words.category, kind))) continue;
    const { min, max } = inflate(seat.worldBox, COMMON.edgeM);
    const isOver = x > min.x && x < max.x && y > min.y && y < max.y && solid.box.max.z > max.z;
    if (isOver && solid.box.max.z - min.z < COMMON.tallM) return "sitting";
  }
  return "standing";
}
