/** A look at a thing in a picture. */
export interface WorthLook {
  /** Left, top, right, bottom in pixels. */
  readonly bbox: readonly [number, number, number, number];
  /** Share that nothing nearer hides. */
  readonly fraction: number;
  /** Whether the picture's edge cuts it off; told by its box where this is absent. */
  readonly isTruncated?: boolean | undefined;
  /** How sharp the picture is beside others of its camera, 0–1. */
  readonly sharpness?: number | undefined;
}

/** A thing over this share of the picture is as large as it needs to be. */
const LARGE_SHARE = 0.1;
/** A look cut off by the edge shows a part: worth this share of a whole one. */
const TRUNCATED = 0.6;
/** What lies in a corner is worth so much less than what lies in the middle (share). */
const ASIDE = 0.3;
/** A blurred picture is worth at least this share of a sharp one. */
const BLURRED = 0.5;

/** How well a picture shows a thing, 0–1: large, in the middle, whole, unhidden, sharp. Its side counts, not its area. */
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
