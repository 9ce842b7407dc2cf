import { settings } from "../../schema/settings.ts";
import type { Meeting } from "./joining.ts";
import type { Region } from "./pieces.ts";
import { logOdds } from "./small-net.ts";
import { ONENESS } from "./weights.ts";

/**
 * Log-odds that two adjacent pieces are one thing: by their surface kinds, predicted centres, colour and shape, and
 * what lies between them. Fitted (docs/eyes.md#weights).
 */
export function oneness(a: Region, b: Region, meeting: Meeting): number {
  if (haveOwnMiddles(a, b) || areTooLarge(a, b)) return OF_ONENESS.never;
  return logOdds(ONENESS, onenessFeatures(a, b, meeting));
}

/** Value, unit, minimum, maximum, source. */
const OF_ONENESS = settings("eyes.oneness", {
  /** Log-odds that rule out a join, whatever else speaks for it. */
  never: [-8, "log-odds", -16, -4, "experiment"],
  /** For what is a small thing by this share the network finds the centre; that of a table is too often out of view. */
  small: [0.6, "share", 0.3, 0.8, "experiment"],
  /** Greatest diagonal of a small thing: posters. */
  smallMostM: [1, "m", 0.5, 2, "experiment"],
  /** A predicted centre is a piece's own within this share of its size, and another's beyond. */
  ownMiddle: [0.35, "share", 0.175, 0.7, "experiment"],
  otherMiddle: [0.5, "share", 0.25, 1, "experiment"],
  /** A piece with less than this share of another's voxels may be a corner of it. */
  ofOneSize: [0.25, "share", 0.125, 0.5, "experiment"],
});

/** Two small things: the centre of each is predicted within itself, and not in the other. */
function haveOwnMiddles(a: Region, b: Region): boolean {
  return areApart(a, b, 3) && isSelfCentred(a) && isSelfCentred(b);
}

/** The same for two of similar size side by side, not one above the other like the foot of a lamp and its shade. */
export function areSideBySide(a: Region, b: Region): boolean {
  const [na, nb] = [a.members.length, b.members.length];
  if (Math.min(na, nb) < OF_ONENESS.ofOneSize * Math.max(na, nb)) return false;
  return areApart(a, b, 2) && isSelfCentred(a) && isSelfCentred(b);
}

/** Whether different centres are predicted for them, along this many axes. */
function areApart(a: Region, b: Region, axes: number): boolean {
  const apartM = apart(a.centre, a.members.length, b.centre, b.members.length, axes);
  return apartM > OF_ONENESS.otherMiddle * Math.min(diagonal(a), diagonal(b));
}

/**
 * Two pieces of small things that together exceed the size of such things: a wall of papers and what stands in front
 * of it.
 */
function areTooLarge(a: Region, b: Region): boolean {
  if (!isSmall(a) || !isSmall(b)) return false;
  let square = 0;
  for (let k = 0; k < 3; k++)
    square += (Math.max(a.high[k]!, b.high[k]!) - Math.min(a.low[k]!, b.low[k]!)) ** 2;
  return square > OF_ONENESS.smallMostM ** 2;
}

function isSmall({ surface, members }: Region): boolean {
  return surface[2]! > OF_ONENESS.small * members.length;
}

function isSelfCentred(region: Region): boolean {
  const { centre, point, surface, members } = region;
  const count = members.length;
  return (
    surface[2]! > OF_ONENESS.small * count &&
    apart(centre, count, point, count) < OF_ONENESS.ownMiddle * diagonal(region)
  );
}

/** Features of two pieces and of what lies between them, each from 0 to about 1; symmetric. */
export function onenessFeatures(one: Region, other: Region, { links, cut, crease }: Meeting): number[] {
  const [a, b] = one.members.length <= other.members.length ? [one, other] : [other, one];
  const [na, nb] = [a.members.length, b.members.length];
  const names = likeness(a.names, b.names);
  const furniture = Math.min(a.surface[1]! / na, b.surface[1]! / nb);
  const middlesM = apart(a.centre, na, b.centre, nb);
  const sizeM = Math.max(diagonal(a), diagonal(b), 0.05);
  const aToB = apart(a.centre, na, b.point, nb) / sizeM;
  const bToA = apart(b.centre, nb, a.point, na) / sizeM;
  return [
    names,
    likeness(a.surface, b.surface),
    names * furniture,
    furniture,
    Math.min(a.surface[2]! / na, b.surface[2]! / nb),
    Math.max(a.surface[0]! / na, b.surface[0]! / nb),
    Math.min(1, middlesM / 0.6),
    Math.min(1, middlesM / sizeM),
    Math.min(1, aToB, bToA),
    Math.min(1, Math.max(aToB, bToA)),
    Math.min(1, links / (6 * Math.sqrt(na))),
    cut / links,
    crease / links,
    Math.min(1, apart(a.colour, na, b.colour, nb) / 120),
    Math.log10(na) / 4,
    Math.log10(nb) / 5,
    Math.abs(facing(a, b)),
    offPlane(b, a),
    overlap(a, b, 2),
    Math.min(overlap(a, b, 0), overlap(a, b, 1)),
    filling(a, b),
    largest(a.names) / na,
    largest(b.names) / nb,
  ];
}

function largest(values: Float32Array): number {
  let most = 0;
  for (const value of values) if (value > most) most = value;
  return most;
}

/** Bhattacharyya's coefficient of two distributions, given as sums. */
function likeness(a: Float32Array, b: Float32Array): number {
  let [sum, all, others] = [0, 0, 0];
  for (let n = 0; n < a.length; n++) {
    sum += Math.sqrt(a[n]! * b[n]!);
    all += a[n]!;
    others += b[n]!;
  }
  return all > 0 && others > 0 ? sum / Math.sqrt(all * others) : 0;
}

/** The distance between two means, given as sums. */
function apart(a: Float32Array, na: number, b: Float32Array, nb: number, axes = 3): number {
  let square = 0;
  for (let k = 0; k < axes; k++) square += (a[k]! / na - b[k]! / nb) ** 2;
  return Math.sqrt(square);
}

export function diagonal({ low, high }: Region): number {
  return Math.hypot(high[0]! - low[0]!, high[1]! - low[1]!, high[2]! - low[2]!);
}

/** The cosine between the mean slopes. */
function facing({ normal: a }: Region, { normal: b }: Region): number {
  const length = Math.hypot(a[0]!, a[1]!, a[2]!) * Math.hypot(b[0]!, b[1]!, b[2]!);
  return length > 0 ? (a[0]! * b[0]! + a[1]! * b[1]! + a[2]! * b[2]!) / length : 0;
}

/** Distance of one's centre from the other's plane; 1 for a decimetre and more. */
function offPlane(from: Region, to: Region): number {
  const length = Math.hypot(from.normal[0]!, from.normal[1]!, from.normal[2]!) || 1;
  let off = 0;
  for (let k = 0; k < 3; k++)
    off +=
      (from.normal[k]! / length) * (to.point[k]! / to.members.length - from.point[k]! / from.members.length);
  return Math.min(1, Math.abs(off) / 0.1);
}

/** Share of the shorter one's span along an axis that the other covers. */
function overlap(a: Region, b: Region, k: number): number {
  const both = Math.min(a.high[k]!, b.high[k]!) - Math.max(a.low[k]!, b.low[k]!);
  const shorter = Math.min(a.high[k]! - a.low[k]!, b.high[k]! - b.low[k]!);
  return Math.max(-1, Math.min(1, both / Math.max(0.02, shorter)));
}

/** Share of the joint bounding box that the two boxes fill: a thing has few hollows. */
function filling(a: Region, b: Region): number {
  let [whole, first, second] = [1, 1, 1];
  for (let k = 0; k < 3; k++) {
    whole *= 0.03 + Math.max(a.high[k]!, b.high[k]!) - Math.min(a.low[k]!, b.low[k]!);
    first *= 0.03 + a.high[k]! - a.low[k]!;
    second *= 0.03 + b.high[k]! - b.low[k]!;
  }
  return Math.min(1, (first + second) / whole);
}
