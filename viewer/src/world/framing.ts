import { Box3, Vector3 } from "three";
import type { Loaded } from "../data/store.ts";
import type { View } from "./views.ts";
import type { Walker } from "./ways.ts";

/** Names over things and the tools above them take some of the screen. */
const USED = 0.8;

/** A viewpoint at an angle from above that shows all of a box. */
export function overview(
  box: Box3,
  { width, height }: Pick<View, "width" | "height">,
  fovDegrees: number,
): { eye: Vector3; middle: Vector3 } {
  const middle = box.getCenter(new Vector3());
  const tall = Math.tan((fovDegrees * Math.PI) / 360) * USED;
  const wide = (tall * 1.12 * width) / Math.max(height, 1);
  const away = new Vector3(-0.32, -0.7, 0.95).normalize();
  const right = new Vector3(0, 0, 1).cross(away).normalize();
  const up = away.clone().cross(right);
  let distance = 2;
  for (const x of [box.min.x, box.max.x]) {
    for (const y of [box.min.y, box.max.y]) {
      for (const z of [box.min.z, box.max.z + 1.2]) {
        const corner = new Vector3(x, y, z).sub(middle);
        const near = corner.dot(away);
        const needed = Math.max(Math.abs(corner.dot(right)) / wide, Math.abs(corner.dot(up)) / tall);
        distance = Math.max(distance, near + needed);
      }
    }
  }
  return { eye: away.multiplyScalar(distance).add(middle), middle };
}

/** The extent of the map: its rooms or, without rooms, its things and trajectories. */
export function boundsOf(found: Loaded | null, walkers: readonly Walker[]): Box3 {
  const box = new Box3();
  if (found === null) return box;
  for (const { outline, z } of found.scene.regions)
    for (const { x, y } of outline) box.expandByPoint(new Vector3(x, y, z));
  if (!box.isEmpty()) return box;
  for (const { x, y, z } of found.rows) box.expandByPoint(new Vector3(x, y, z));
  for (const { times, places } of walkers)
    if (times.length > 0) for (const place of places) box.expandByPoint(place);
  return box;
}
