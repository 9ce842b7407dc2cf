import type { EyesInput } from "../../models/eyes/index.ts";
import { settings } from "../../schema/settings.ts";

/** Value, unit, minimum, maximum, source. */
const TURNED = settings("eyes.turned", {
  /** Above this steepness, up or down, no side of the picture is its top. */
  steep: [0.85, "cosine", 0.7, 0.925, "experiment"],
});

/** A picture rotated by quarter turns until its top is up, since phones and robots hold cameras in any orientation. */
export interface Turned {
  readonly input: EyesInput;
  /** Quarter turns clockwise, 0 to 3. */
  readonly quarters: number;
  /** The cell in the rotated picture for one in the original. */
  placeOf(column: number, row: number): { readonly column: number; readonly row: number };
  /** Rotates an offset (across, down) in the rotated picture back to the original. */
  back(across: number, down: number): readonly [number, number];
}

/** Rotates a picture upright; returns it unchanged if it is. */
export function turned(input: EyesInput): Turned {
  const { width, height, rgb, depth, camera, up } = input;
  const quarters = quartersOf(up);
  const placeOf = PLACES[quarters]!(width, height);
  const back = BACKS[quarters]!;
  if (quarters === 0) return { input, quarters, placeOf, back };
  const [across, down] = quarters % 2 === 1 ? [height, width] : [width, height];
  const colours = new Uint8Array(rgb.length);
  const depths = depth && new Float32Array(depth.length);
  for (let row = 0, at = 0; row < height; row++) {
    for (let column = 0; column < width; column++, at++) {
      const place = placeOf(column, row);
      const to = place.row * across + place.column;
      colours[3 * to] = rgb[3 * at]!;
      colours[3 * to + 1] = rgb[3 * at + 1]!;
      colours[3 * to + 2] = rgb[3 * at + 2]!;
      if (depth && depths) depths[to] = depth[at]!;
    }
  }
  const { fx, fy } = camera;
  const middle = placeOf(camera.cx - 0.5, camera.cy - 0.5);
  const [cx, cy] = [middle.column + 0.5, middle.row + 0.5];
  const focal = quarters % 2 === 1 ? { fx: fy, fy: fx } : { fx, fy };
  // Directions rotate opposite to what `back` undoes.
  const [ux, uy] = BACKS[(4 - quarters) % 4]!(up[0], up[1]);
  return {
    input: {
      width: across,
      height: down,
      rgb: colours,
      depth: depths,
      camera: { ...focal, cx, cy },
      up: [ux, uy, up[2]],
      height0: input.height0,
    },
    quarters,
    placeOf,
    back,
  };
}

function quartersOf([x, y, z]: EyesInput["up"]): number {
  if (Math.abs(z) > TURNED.steep) return 0;
  return (4 - Math.round(Math.atan2(x, -y) / (Math.PI / 2))) % 4;
}

type Place = Turned["placeOf"];
const PLACES: readonly ((width: number, height: number) => Place)[] = [
  () => (column, row) => ({ column, row }),
  (_, height) => (column, row) => ({ column: height - 1 - row, row: column }),
  (width, height) => (column, row) => ({ column: width - 1 - column, row: height - 1 - row }),
  (width) => (column, row) => ({ column: row, row: width - 1 - column }),
];
const BACKS: readonly Turned["back"][] = [
  (across, down) => [across, down],
  (across, down) => [down, -across],
  (across, down) => [-across, -down],
  (across, down) => [-down, across],
];
