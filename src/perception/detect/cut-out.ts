import type { Segmenter } from "../../models/index.ts";
import { type Frame, type MaskImage, throwIfAborted } from "../../schema/core.ts";

/** Mask numbers have 16 bits. */
const MOST_NUMBER = 65_535;

/**
 * A frame whose boxes have masks from a segmenter. Existing masks are kept, and so are boxes without a result: those
 * are cut by depth later.
 */
export async function cutOutIn(
  frame: Frame,
  segmenter: Segmenter,
  { signal }: { readonly signal?: AbortSignal | undefined } = {},
): Promise<Frame> {
  throwIfAborted(signal);
  const { rgb, intrinsics, detections = [], masks } = frame;
  const bare = detections.flatMap(({ mask }, n) => (mask === undefined ? [n] : []));
  const first = 1 + detections.reduce((most, { mask = 0 }) => Math.max(most, mask), 0);
  if (!rgb || bare.length === 0 || first + bare.length > MOST_NUMBER) return frame;
  const [sx, sy] = [rgb.width / intrinsics.width, rgb.height / intrinsics.height];
  const boxes = bare.map((n) => {
    const [left, top, right, bottom] = detections[n]!.bbox;
    return [left * sx, top * sy, right * sx, bottom * sy] as const;
  });
  const cut = await segmenter.segment(rgb, boxes, { signal });
  const { image, used } = joined(cut, masks, intrinsics, first);
  if (used.size === 0) return frame;
  return {
    ...frame,
    masks: image,
    detections: detections.map((one, n) => {
      const number = first + bare.indexOf(n);
      return one.mask === undefined && used.has(number) ? { ...one, mask: number } : one;
    }),
  };
}

/** The new masks in pixels of the camera, numbered from `first` on; existing ones take precedence. */
function joined(
  cut: MaskImage,
  known: MaskImage | undefined,
  { width, height }: { readonly width: number; readonly height: number },
  first: number,
): { image: MaskImage; used: Set<number> } {
  const data = new Uint16Array(width * height);
  const used = new Set<number>();
  for (let row = 0, at = 0; row < height; row++) {
    const from = Math.floor(((row + 0.5) * cut.height) / height) * cut.width;
    for (let column = 0; column < width; column++, at++) {
      const before = known?.data[at] ?? 0;
      const number = cut.data[from + Math.floor(((column + 0.5) * cut.width) / width)] ?? 0;
      data[at] = before !== 0 || number === 0 ? before : first + number - 1;
      if (before === 0 && number !== 0) used.add(data[at]!);
    }
  }
  return { image: { width, height, data }, used };
}
