import type { FoundText, TextReader } from "../../models/index.ts";
import { type Detection, type Frame, LIMITS, throwIfAborted } from "../../schema/core.ts";

type Box = Detection["bbox"];

/**
 * A frame with its text: the smallest thing around a line of writing gets it as attribute `text`; a line on no
 * detected thing becomes a sign. Existing text of a thing is kept.
 */
export async function readSignsIn(
  frame: Frame,
  reader: TextReader,
  { signal }: { readonly signal?: AbortSignal | undefined } = {},
): Promise<Frame> {
  throwIfAborted(signal);
  const { rgb, intrinsics } = frame;
  if (!rgb) return frame;
  const [sx, sy] = [intrinsics.width / rgb.width, intrinsics.height / rgb.height];
  const lines = (await reader.read(rgb, { signal })).map(({ bbox: [l, t, r, b], ...line }): FoundText => {
    return { ...line, bbox: [l * sx, t * sy, r * sx, b * sy] };
  });
  if (lines.length === 0) return frame;
  const detections = [...(frame.detections ?? [])];
  const said = new Map<number, string[]>();
  for (const { text, bbox, score } of lines) {
    const at = smallestAround(detections, bbox);
    if (at >= 0) said.set(at, [...(said.get(at) ?? []), text]);
    else detections.push({ bbox, score, label: "sign", attributes: { text: cut(text) } });
  }
  for (const [at, texts] of said) {
    const thing = detections[at]!;
    detections[at] = { ...thing, attributes: { text: cut(texts.join(" ")), ...thing.attributes } };
  }
  return { ...frame, detections };
}

/** Tables and rooms surround everything; writing belongs to something not much larger than itself. */
const MOST_TIMES_LARGER = 60;

function smallestAround(detections: readonly Detection[], [l, t, r, b]: Box): number {
  const [x, y] = [(l + r) / 2, (t + b) / 2];
  let best = -1;
  let least = MOST_TIMES_LARGER * Math.max(1, (r - l) * (b - t));
  detections.forEach(({ bbox }, at) => {
    const area = (bbox[2] - bbox[0]) * (bbox[3] - bbox[1]);
    const isAround = x >= bbox[0] && x < bbox[2] && y >= bbox[1] && y < bbox[3];
    if (isAround && area < least) [best, least] = [at, area];
  });
  return best;
}

function cut(text: string): string {
  return text.slice(0, LIMITS.nameChars);
}
