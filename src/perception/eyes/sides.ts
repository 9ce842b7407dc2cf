import { settings } from "../../schema/settings.ts";
import { usualWideM } from "./known-kinds.ts";
import type { Region } from "./pieces.ts";
import type { Measured } from "./spans.ts";

/** Value, unit, minimum, maximum, source. */
const SIDES = settings("eyes.sides", {
  /** A thing thinner than this, and than this share of its category's usual width, is one face of something. */
  faceM: [0.12, "m", 0.06, 0.24, "experiment"],
  faceShare: [0.4, "share", 0.2, 0.8, "experiment"],
  /** A face is a side if it is no more level than this; what lies on a thing is separate. */
  upright: [0.5, "cosine", 0.25, 1, "experiment"],
  /** Greatest share of the whole's voxels, and the most by which it may enlarge it. */
  small: [0.25, "share", 0.125, 0.5, "experiment"],
  hardly: [1.1, "ratio", 0.55, 2.2, "experiment"],
  /**
   * A shaded side has at least this share of the whole's brightness, and its colour at equal brightness is within this
   * distance.
   */
  shaded: [0.5, "share", 0.25, 1, "experiment"],
  alike: [40, "level", 20, 80, "experiment"],
});

/** Whether only one face of a thing with this name was seen: a TV stand is not a board. */
export function isFaceOnly(label: string, { wideM }: Measured): boolean {
  return wideM < SIDES.faceM && wideM < SIDES.faceShare * usualWideM(label);
}

/**
 * Whether a face is a side of another thing, which it hardly enlarges: the side of a sofa, seen from so near that the
 * rest is out of view, is a cupboard to the network.
 */
export function isSideOf(face: Region, whole: Region, own: Measured, both: Measured): boolean {
  const count = face.members.length;
  if (count > SIDES.small * whole.members.length || face.normal[2]! > SIDES.upright * count) return false;
  if (
    both.longM > SIDES.hardly * own.longM ||
    both.wideM > SIDES.hardly * own.wideM ||
    both.highM > SIDES.hardly * own.highM
  )
    return false;
  return areOfOneColour(face, whole);
}

function areOfOneColour(a: Region, b: Region): boolean {
  const [one, other] = [meanColour(a), meanColour(b)];
  const [light, dark] = lightOf(one) > lightOf(other) ? [one, other] : [other, one];
  const share = lightOf(dark) / Math.max(1, lightOf(light));
  return (
    share >= SIDES.shaded && Math.hypot(...dark.map((value, k) => value / share - light[k]!)) < SIDES.alike
  );
}

function meanColour({ colour, members }: Region): number[] {
  return Array.from(colour, (sum) => sum / members.length);
}

function lightOf(colour: readonly number[]): number {
  return colour.reduce((sum, value) => sum + value, 0);
}
