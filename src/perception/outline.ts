import { settings } from "../schema/settings.ts";
import type { Rectangle } from "./clusters.ts";

/** Value, unit, minimum, maximum, source. */
const OUTLINE = settings("perception.outline", {
  nearerM: [0.05, "m", 0.025, 0.1, "experiment"],
  /** Masks are a pixel or two too small as often as too large, so a thing cut off by the border may just miss it. */
  borderPx: [1, "px", 0, 2, "experiment"],
});

/** Whether a segment reaches the border of the image, so that the thing may continue outside. */
export function isTruncated(
  { left, top, right, bottom }: Rectangle,
  { width, height }: { readonly width: number; readonly height: number },
): boolean {
  return (
    left <= OUTLINE.borderPx ||
    top <= OUTLINE.borderPx ||
    right >= width - OUTLINE.borderPx ||
    bottom >= height - OUTLINE.borderPx
  );
}

/**
 * Share of a segment's outline with something nearer beside it, by more than 5 cm. The floor in front of a thing is
 * nearer too, by a lot at a grazing angle. So if the outside surface, continued over one pixel (1/depth is affine
 * over a plane), meets the thing, it supports it and hides nothing. `marks` is a zeroed buffer of the image's size,
 * and is left zeroed.
 */
export function occludedFraction(
  pixels: Int32Array,
  depthM: Float32Array,
  width: number,
  marks: Uint8Array,
): number {
  for (let n = 0; n < pixels.length; n++) marks[pixels[n]!] = 1;
  const height = depthM.length / width;
  const lastRow = depthM.length - width;
  let outline = 0;
  let hidden = 0;
  for (let n = 0; n < pixels.length; n++) {
    const at = pixels[n]!;
    // Most pixels lie inside; at the end of a row the next mark in memory can only misjudge a pixel that is no
    // outline anyway.
    const isInside =
      at >= width &&
      at < lastRow &&
      marks[at - 1] === 1 &&
      marks[at + 1] === 1 &&
      marks[at - width] === 1 &&
      marks[at + width] === 1;
    if (isInside) continue;
    const column = at % width;
    const row = (at - column) / width;
    let edge = false;
    let behind = false;
    for (let way = 0; way < 4; way++) {
      const step = way === 0 ? -1 : way === 1 ? 1 : way === 2 ? -width : width;
      // Number of pixels in that direction: the continuation must stay in the row or column.
      const room = way === 0 ? column : way === 1 ? width - 1 - column : way === 2 ? row : height - 1 - row;
      if (room < 1 || marks[at + step] === 1) continue;
      edge = true;
      behind ||= isNearer(depthM[at]!, depthM[at + step]!, room < 2 ? 0 : depthM[at + 2 * step]!);
    }
    if (edge) outline++;
    if (behind) hidden++;
  }
  for (let n = 0; n < pixels.length; n++) marks[pixels[n]!] = 0;
  return outline === 0 ? 0 : hidden / outline;
}

/** One step outwards (`first`) or, without a measurement there, two. */
function isNearer(own: number, first: number, second: number): boolean {
  const outside = first > 0 ? first : second;
  if (!(outside > 0) || outside >= own - OUTLINE.nearerM) return false;
  if (!(first > 0 && second > 0)) return true;
  const inverse = 2 / first - 1 / second;
  return inverse > 0 && 1 / inverse < own - OUTLINE.nearerM;
}
