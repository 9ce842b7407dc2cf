import { isFiniteVec3, type Transform } from "../geometry/index.ts";
import {
  type DepthImage,
  type Frame,
  type FramePlace,
  type FrameQuality,
  LIMITS,
  type RgbImage,
} from "../schema/core.ts";
import { settings } from "../schema/settings.ts";

/** Why a frame is refused; few and stable, because they are counted. */
export const REFUSALS = [
  "bad-time", // not an integer of microseconds
  "bad-pose", // not finite, not a rotation, or farther away than any place
  "bad-intrinsics", // a camera that cannot exist
  "size-mismatch", // images that do not belong together
  "depth-scale", // depths that are impossible in the camera's unit
  "no-image", // neither colour nor enough depth, and no text either
] as const;

export type RefusalReason = (typeof REFUSALS)[number];

/** A refused frame, and the reason. */
export interface Refused {
  readonly reason: RefusalReason;
  readonly detail: string;
}

/** Distinguishes the two results of `inspect`. */
export function isRefused(answer: object): answer is Refused {
  return "reason" in answer;
}

/** Value, unit, minimum, maximum, source. */
const GATE = settings("perception.gate", {
  /** A pixel with all three channels this dark is black: sensors never give exactly zero. */
  blackLevel: [10, "level", 5, 20, "experiment"],
  /** More than this share of black pixels makes a frame restricted (docs/formulas.md#black-frames). */
  blackShare: [0.5, "share", 0.25, 0.75, "paper"],
  /** Without colour, a frame needs this share of depths (docs/formulas.md#taking-in). */
  leastValidDepth: [0.2, "share", 0.1, 0.4, "paper"],
  farM: [50, "m", 25, 100, "datasheet"],
  nearM: [0.02, "m", 0.01, 0.04, "datasheet"],
  implausibleShare: [0.9, "share", 0.8, 0.95, "experiment"],
  qualityPixels: [8_192, "count", 4_096, 16_384, "limit"],
  quaternionTolerance: [0.001, "length", 1e-4, 1e-2, "experiment"],
});

/** Greatest width of a picture in focal lengths: a view of over 170° is impossible for a pinhole camera. */
const MOST_SPAN = 2 * Math.tan((85 / 180) * Math.PI);

/** A usable frame. */
export interface Inspected {
  readonly quality: FrameQuality;
  /** Mostly black: only proof of presence. */
  readonly restricted: boolean;
}

/** The quality of a usable frame, or why it is refused. Never throws because of a frame's content. */
export function inspect(
  frame: Frame,
  place: Pick<FramePlace, "submapFromCamera" | "worldFromSubmap">,
): Refused | Inspected {
  if (!Number.isSafeInteger(frame.timeUs)) return refuse("bad-time", `time ${frame.timeUs}`);
  const bad = badPose(place.submapFromCamera) ?? badPose(place.worldFromSubmap);
  if (bad !== undefined) return refuse("bad-pose", bad);
  const { fx, fy, cx, cy, width, height } = frame.intrinsics;
  const sized = Number.isInteger(width) && Number.isInteger(height) && width > 0 && height > 0;
  const isWide = Math.max(width / fx, height / fy) > MOST_SPAN;
  if (!(fx > 0 && fy > 0 && Number.isFinite(fx + fy + cx + cy) && sized) || isWide) {
    return refuse("bad-intrinsics", JSON.stringify(frame.intrinsics));
  }
  const mismatch = sizeMismatch(frame);
  if (mismatch !== undefined) return refuse("size-mismatch", mismatch);
  const depth = frame.depth ? depthShares(frame.depth) : { valid: 0, implausible: 0 };
  if (depth.implausible > GATE.implausibleShare) {
    const percent = Math.round(depth.implausible * 100);
    return refuse(
      "depth-scale",
      `${percent} % of the depths are under ${GATE.nearM} m or over ${GATE.farM} m`,
    );
  }
  const spoken = !frame.depth && Boolean(frame.detections?.length || frame.captions?.length);
  if (!frame.rgb && depth.valid < GATE.leastValidDepth && !spoken) {
    return refuse("no-image", `no colour and ${Math.round(depth.valid * 100)} % of the depths`);
  }
  const { black, blur } = frame.rgb ? colourQuality(frame.rgb) : { black: 0, blur: 0 };
  return { quality: { black, blur, validDepth: depth.valid }, restricted: black > GATE.blackShare };
}

function refuse(reason: RefusalReason, detail: string): Refused {
  return { reason, detail };
}

function badPose({ p, q }: Transform): string | undefined {
  const length = Math.sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
  if (!(Math.abs(length - 1) <= GATE.quaternionTolerance)) return `a rotation of length ${length}`;
  const far = Math.max(Math.abs(p.x), Math.abs(p.y), Math.abs(p.z)) > LIMITS.coordinateM;
  return isFiniteVec3(p) && !far ? undefined : `a position of (${p.x}, ${p.y}, ${p.z})`;
}

/** Depth and masks have the intrinsics' size; colour may be finer or coarser. */
function sizeMismatch({ intrinsics: { width, height }, depth, masks, rgb }: Frame): string | undefined {
  for (const [name, image] of Object.entries({ depth, masks })) {
    if (image && (image.width !== width || image.height !== height)) {
      return `${name} of ${image.width}×${image.height}, camera of ${width}×${height}`;
    }
  }
  for (const [name, image, values] of [
    ["depth", depth, 1] as const,
    ["masks", masks, 1] as const,
    ["rgb", rgb, 3] as const,
  ]) {
    if (image && !(image.width * image.height * values === image.data.length && image.width > 0)) {
      return `${name} of ${image.width}×${image.height} with ${image.data.length} numbers`;
    }
  }
  return undefined;
}

/** Shares at some thousand pixels on a grid: measured of all, implausible of the measured. */
function depthShares({ width, height, data, unitM }: DepthImage): { valid: number; implausible: number } {
  if (!(unitM > 0 && unitM < Infinity)) return { valid: 0, implausible: 1 };
  const near = GATE.nearM / unitM;
  const far = GATE.farM / unitM;
  const stride = strideOf(width, height);
  let [pixels, valid, wrong] = [0, 0, 0];
  for (let j = stride >> 1; j < height; j += stride) {
    for (let i = stride >> 1; i < width; i += stride) {
      const value = data[j * width + i]!;
      pixels++;
      if (value === 0) continue;
      valid++;
      if (value < near || value > far) wrong++;
    }
  }
  return { valid: pixels === 0 ? 0 : valid / pixels, implausible: valid === 0 ? 0 : wrong / valid };
}

function strideOf(width: number, height: number): number {
  return Math.max(1, Math.ceil(Math.sqrt((width * height) / GATE.qualityPixels)));
}

/**
 * Share of black pixels, and the variance of the Laplacian of luma (low is blurred), both at up to some thousand
 * pixels on a regular grid; more pixels would hardly change either.
 */
function colourQuality({ width, height, data }: RgbImage): { black: number; blur: number } {
  const stride = strideOf(width, height);
  const lumaAt = (at: number): number => (data[at]! * 77 + data[at + 1]! * 150 + data[at + 2]! * 29) >> 8;
  const row = 3 * width;
  let [black, pixels, sum, squares, count] = [0, 0, 0, 0, 0];
  for (let j = stride >> 1; j < height; j += stride) {
    for (let i = stride >> 1; i < width; i += stride) {
      const at = j * row + 3 * i;
      pixels++;
      if (
        data[at]! <= GATE.blackLevel &&
        data[at + 1]! <= GATE.blackLevel &&
        data[at + 2]! <= GATE.blackLevel
      )
        black++;
      if (i === 0 || j === 0 || i + 1 === width || j + 1 === height) continue;
      const around = lumaAt(at - 3) + lumaAt(at + 3) + lumaAt(at - row) + lumaAt(at + row);
      const value = around - 4 * lumaAt(at);
      sum += value;
      squares += value * value;
      count++;
    }
  }
  const blur = count === 0 ? 0 : Math.max(0, squares / count - (sum / count) ** 2);
  return { black: pixels === 0 ? 0 : black / pixels, blur };
}
