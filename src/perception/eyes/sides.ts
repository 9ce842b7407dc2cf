import { usualWideM } from "./known-kinds.ts";
import type { Region } from "./pieces.ts";
import type { Measured } from "./spans.ts";

/** A thing thinner than this, and than this share of its category's usual width, is one face of something. */
const FACE_M = 0.12;
const FACE_SHARE = 0.4;
/** A face is a side if it is no more level than this; what lies on a thing is separate. */
const UPRIGHT = 0.5;
/** Greatest share of the whole's voxels, and the most by which it may enlarge it. */
const SMALL = 0.25;
const HARDLY = 1.1;
/**
 * A shaded side has at least this share of the whole's brightness, and its colour at equal brightness is within this
 * distance.
 */
const SHADED = 0.5;
const ALIKE = 40;

/** Whether only one face of a thing with this name was seen: a TV stand is not a board. */
export function isFaceOnly(label: string, { wideM }: Measured): boolean {
  return wideM < FACE_M && wideM < FACE_SHARE * usualWideM(label);
}

/**
 * Whether a face is a side of another thing, which it hardly enlarges: the side of a sofa, seen from so near that the
 * rest is out of view, is a cupboard to the network.
 */
export function isSideOf(face: Region, whole: Region, own: Measured, both: Measured): boolean {
  const count = face.members.length;
  if (count > SMALL * whole.members.length || face.normal[2]! > UPRIGHT * count) return false;
  if (both.longM > HARDLY * own.longM || both.wideM > HARDLY * own.wideM || both.highM > HARDLY * own.highM)
    return false;
  return areOfOneColour(face, whole);
}

function areOfOneColour(a: Region, b: Region): boolean {
  const [one, other] = [meanColour(a), meanColour(b)];
  const [light, dark] = lightOf(one) > lightOf(other) ? [one, other] : [other, one];
  const share = lightOf(dark) / Math.max(1, lightOf(light));
  return share >= SHADED && Math.hypot(...dark.map((value, k) => value / share - light[k]!)) < ALIKE;
}

function meanColour({ colour, members }: Region): number[] {
  return Array.from(colour, (sum) => sum / members.length);
}

function lightOf(colour: readonly number[]): number {
  return colour.reduce((sum, value) => sum + value, 0);
}
