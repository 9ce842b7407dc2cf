import { type Box3, Vector3 } from "three";

/** A part of the screen and the time it shows. */
export interface View {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  readonly time: number;
}

/** Two narrow strips beside each other show less than two flat ones. */
export function isStacked(width: number, height: number): boolean {
  return width / 2 < 0.6 * height;
}

/** One view, or two beside or above each other, whichever leaves more of the map. */
export function viewsOf(width: number, height: number, time: number, other: number | null): View[] {
  if (other === null) return [{ left: 0, top: 0, width, height, time }];
  const isFlat = isStacked(width, height);
  const half = isFlat ? { width, height: height / 2 } : { width: width / 2, height };
  const second = isFlat ? { left: 0, top: height / 2 } : { left: width / 2, top: 0 };
  return [
    { left: 0, top: 0, ...half, time: other },
    { ...second, ...half, time },
  ];
}

/** Names over things and the tools above them take some of the screen. */
const USED = 0.8;

/** From where all of a box is seen at an angle from above. */
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
