import type { Frame } from "../../sensors/index.ts";

/**
 * A frame with pictures of at most `sidePx` pixels, by a whole divisor: colours are averaged, depths and masks taken
 * from the middle of each block, since the mean of two surfaces is no surface.
 */
export function smallerFrame(frame: Frame, sidePx: number): Frame {
  const { intrinsics, rgb, depth, masks, detections } = frame;
  const by = Math.ceil(Math.max(intrinsics.width, intrinsics.height) / sidePx);
  if (by <= 1) return frame;
  const [width, height] = [Math.floor(intrinsics.width / by), Math.floor(intrinsics.height / by)];
  const sample = <T extends Uint16Array | Uint8Array>(data: T, made: T): T => {
    const middle = by >> 1;
    for (let row = 0; row < height; row++)
      for (let column = 0; column < width; column++)
        made[row * width + column] = data[(row * by + middle) * intrinsics.width + column * by + middle]!;
    return made;
  };
  const { fx, fy, cx, cy } = intrinsics;
  return {
    ...frame,
    intrinsics: { ...intrinsics, fx: fx / by, fy: fy / by, cx: cx / by, cy: cy / by, width, height },
    ...(rgb && {
      rgb: { ...rgb, width, height, data: averaged(rgb.data, intrinsics.width, { by, width, height }) },
    }),
    ...(depth && {
      depth: { ...depth, width, height, data: sample(depth.data, new Uint16Array(width * height)) },
    }),
    ...(masks && {
      masks: { ...masks, width, height, data: sample(masks.data, new Uint16Array(width * height)) },
    }),
    ...(detections && {
      detections: detections.map((one) => {
        const [left, top, right, bottom] = one.bbox.map((side) =>
          Math.round(side / by),
        ) as unknown as typeof one.bbox;
        return {
          ...one,
          bbox: [
            Math.min(left, width - 1),
            Math.min(top, height - 1),
            Math.min(width, Math.max(right, left + 1)),
            Math.min(height, Math.max(bottom, top + 1)),
          ] as const,
        };
      }),
    }),
  };
}

function averaged(
  data: Uint8Array,
  rowPx: number,
  { by, width, height }: { readonly by: number; readonly width: number; readonly height: number },
): Uint8Array {
  const made = new Uint8Array(width * height * 3);
  for (let row = 0; row < height; row++)
    for (let column = 0; column < width; column++)
      for (let channel = 0; channel < 3; channel++) {
        let sum = 0;
        for (let dy = 0; dy < by; dy++)
          for (let dx = 0; dx < by; dx++)
            sum += data[((row * by + dy) * rowPx + column * by + dx) * 3 + channel]!;
        made[(row * width + column) * 3 + channel] = Math.round(sum / (by * by));
      }
  return made;
}
