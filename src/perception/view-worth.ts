/** A thing as it appears in a picture. */
export interface WorthLook {
  /** Left, top, right, bottom in pixels. */
  readonly bbox: readonly [number, number, number, number];
  /** Unoccluded share. */
  readonly fraction: number;
  /** Whether the picture's edge cuts it off; derived from its box if absent. */
  readonly isTruncated?: boolean | undefined;
  /** Sharpness of the picture relative to others of its camera, 0–1. */
  readonly sharpness?: number | undefined;
}

/** Beyond this share of the picture a thing gains nothing by being larger. */
const LARGE_SHARE = 0.1;
/** Worth of a thing cut off by the edge, as a share of a whole one. */
const TRUNCATED = 0.6;
/** Loss of worth in a corner relative to the centre (share). */
const ASIDE = 0.3;
/** Least worth of a blurred picture, as a share of a sharp one. */
const BLURRED = 0.5;

/**
 * How well a picture shows a thing, 0–1: large, central, whole, unoccluded, sharp. Uses its side length, not its
 * area.
 */
export function worthOf(
  { bbox: [left, top, right, bottom], fraction, isTruncated, sharpness = 1 }: WorthLook,
  { width, height }: { readonly width: number; readonly height: number },
): number {
  const [w, h] = [Math.min(right, width) - Math.max(left, 0), Math.min(bottom, height) - Math.max(top, 0)];
  if (!(w > 0 && h > 0)) return 0;
  const large = Math.min(1, Math.sqrt((w * h) / (width * height) / LARGE_SHARE));
  const aside = Math.hypot((left + right - width) / width, (top + bottom - height) / height) / Math.SQRT2;
  const isCut = isTruncated ?? (left < 1 || top < 1 || right > width - 1 || bottom > height - 1);
  const sharp = Math.max(BLURRED, Math.min(1, sharpness));
  return large * Math.max(0, fraction) * (1 - ASIDE * Math.min(1, aside)) * (isCut ? TRUNCATED : 1) * sharp;
}
