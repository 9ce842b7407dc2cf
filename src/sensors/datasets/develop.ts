import { IDENTITY, IDENTITY_QUAT } from "../../geometry/index.ts";
import { type DepthImage, LociError, type RgbImage } from "../../schema/core.ts";
import { registerDepth } from "../depth-projection.ts";
import { optionalBytes } from "../files.ts";
import type { Frame } from "../frame.ts";
import { decodeColour, decodeDepth } from "../images.ts";
import { remapDepth, remapRgb, straightening } from "../lens.ts";
import type { Developed } from "./developed.ts";

/** Focal lengths and centre as in calibration files: pixel centres at integers. */
export interface Pinhole {
  readonly fx: number;
  readonly fy: number;
  readonly cx: number;
  readonly cy: number;
  /** The picture size that the numbers refer to; they are scaled for other sizes. */
  readonly width?: number | undefined;
  readonly height?: number | undefined;
  /** Lens distortion in OpenCV's order: k1, k2, p1, p2, k3. */
  readonly distortion?: readonly number[] | undefined;
}

/** The colour camera's actual position: its focal length relative to the depth camera's, and its lateral offset. */
export interface Registration {
  readonly focalShare: number;
  /** Metres from the depth camera's points to the colour camera's, along +X. */
  readonly shiftM: number;
}

/** One picture of a dataset, and what its files say about the cameras: everything its pixels depend on. */
export interface Negative {
  readonly colour?: string | undefined;
  readonly depth?: string | undefined;
  readonly camera?: Pinhole | undefined;
  readonly depthCamera?: Pinhole | undefined;
  readonly registration?: Registration | undefined;
  readonly depthUnitM: number;
  readonly noDepth?: number | undefined;
  readonly size?: ImageSize | undefined;
}

/** Reads and decodes a picture and its depth. */
export async function develop(negative: Negative): Promise<Developed> {
  const { camera, depthCamera, registration, depthUnitM: unitM, noDepth } = negative;
  const colourBytes = negative.colour === undefined ? undefined : await optionalBytes(negative.colour);
  const rgb = colourBytes && (await decodeColour(colourBytes));
  const depthBytes = negative.depth === undefined ? undefined : await optionalBytes(negative.depth);
  const raw = depthBytes && (await decodeDepth(depthBytes, unitM));
  if (raw && noDepth !== undefined) clear(raw.data, noDepth);
  const depth: DepthImage | undefined = raw && { ...raw, unitM };
  const size = rgb ?? depth ?? negative.size;
  if (!size) throw new LociError("invalid-input", "neither a picture nor a depth is there");
  // Phones measure depth far more coarsely than they take pictures: then the depth's pixels are used, and colour is
  // finer.
  const isCoarse = rgb && depth && !depthCamera && isShrunk(rgb, depth);
  const intrinsics = intrinsicsFor(
    camera && isCoarse ? sizedAs(camera, rgb) : camera,
    isCoarse ? depth : size,
  );
  if (camera?.distortion) {
    const isOne =
      depth === undefined || isCoarse || (depth.width === size.width && depth.height === size.height);
    if (isOne) return straightened(rgb, depth, intrinsics, camera.distortion);
  }
  if (rgb && depth && registration) return registered(rgb, depth, intrinsics, registration);
  const isApart = depth && (depth.width !== intrinsics.width || depth.height !== intrinsics.height);
  const from = isApart && intrinsicsFor(depthCamera ?? camera, depth);
  const seen = from
    ? registerDepth(depth, { intrinsics: from, colourFromDepth: IDENTITY }, intrinsics)
    : depth;
  return { intrinsics, ...(rgb && { rgb }), ...(seen && { depth: seen }) };
}

/** Without lens distortion (Brown); of a picture finer than its depth, each at its own size. */
function straightened(
  rgb: RgbImage | undefined,
  depth: DepthImage | undefined,
  intrinsics: Frame["intrinsics"],
  distortion: readonly number[],
): Developed {
  const lens = { model: "plumb_bob", coefficients: distortion } as const;
  const remapTo = (size: ImageSize) => straightening(lens, resized(intrinsics, size));
  return {
    intrinsics,
    ...(rgb && { rgb: remapRgb(rgb, remapTo(rgb)) }),
    ...(depth && { depth: remapDepth(depth, remapTo(depth)) }),
  };
}

function resized(
  { fx, fy, cx, cy, ...from }: Frame["intrinsics"],
  { width, height }: ImageSize,
): Frame["intrinsics"] {
  const [sx, sy] = [width / from.width, height / from.height];
  return { fx: fx * sx, fy: fy * sy, cx: cx * sx, cy: cy * sy, width, height };
}

/** Replaces the camera's marker for missing depth by 0. */
function clear(depths: Uint16Array, noDepth: number): void {
  for (let at = depths.indexOf(noDepth); at >= 0 && at < depths.length; at++)
    if (depths[at] === noDepth) depths[at] = 0;
}

/** Whether one picture is the other at less than half the size. */
function isShrunk(of: ImageSize, small: ImageSize): boolean {
  return (
    of.width > 2 * small.width &&
    Math.abs(of.width * small.height - of.height * small.width) < 0.02 * of.width * small.height
  );
}

interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/** A camera whose intrinsics refer to this size, unless it says otherwise. */
function sizedAs(camera: Pinhole, { width, height }: ImageSize): Pinhole {
  return { ...camera, width: camera.width ?? width, height: camera.height ?? height };
}

/** Depth as the colour camera sees it, whose intrinsics differ from the files. */
function registered(
  rgb: RgbImage,
  depth: DepthImage,
  intrinsics: Frame["intrinsics"],
  { focalShare, shiftM }: Registration,
): Developed {
  const colour = { ...intrinsics, fx: focalShare * intrinsics.fx, fy: focalShare * intrinsics.fy };
  const colourFromDepth = { p: { x: shiftM, y: 0, z: 0 }, q: IDENTITY_QUAT };
  return { rgb, intrinsics: colour, depth: registerDepth(depth, { intrinsics, colourFromDepth }, colour) };
}

/** Our pixel convention and the picture's size; an unknown camera gets a field of view of 53°. */
export function intrinsicsFor(
  camera: Pinhole | undefined,
  { width, height }: { width: number; height: number },
) {
  if (!camera) return { fx: width, fy: width, cx: width / 2, cy: height / 2, width, height };
  const sx = camera.width ? width / camera.width : 1;
  const sy = camera.height ? height / camera.height : 1;
  return {
    fx: camera.fx * sx,
    fy: camera.fy * sy,
    cx: (camera.cx + 0.5) * sx,
    cy: (camera.cy + 0.5) * sy,
    width,
    height,
  };
}
