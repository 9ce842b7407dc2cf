import type { DepthImage, Frame, FrameLine, MaskImage, RgbImage } from "../schema/index.ts";

export {
  DETECTIONS_PER_FRAME,
  type DepthImage,
  type Detection,
  type Frame,
  type FrameLine,
  frameLineSchema,
  IMAGE_SIDE_PX,
  type MaskImage,
  type RangeScan,
  type RgbImage,
} from "../schema/index.ts";

/** The line that accompanies a frame's images. */
export function lineOf(frame: Frame): FrameLine {
  const { rgb: _rgb, depth, masks: _masks, scan, detections, captions, parts: _parts, ...rest } = frame;
  return {
    ...rest,
    ...(depth && { depthUnitM: depth.unitM }),
    ...(scan && { scan: { ...scan, rangesMm: [...scan.rangesMm] } }),
    ...(detections && { detections: detections.map((one) => ({ ...one, bbox: [...one.bbox] })) }),
    ...(captions && { captions: [...captions] }),
  };
}

/** The frame from a line and its images. */
export function frameOf(
  line: FrameLine,
  images: {
    rgb?: RgbImage | undefined;
    depth?: Omit<DepthImage, "unitM"> | undefined;
    masks?: MaskImage | undefined;
  },
): Frame {
  const { depthUnitM, scan, ...rest } = line;
  return {
    ...rest,
    ...(images.rgb && { rgb: images.rgb }),
    ...(images.depth && { depth: { ...images.depth, unitM: depthUnitM ?? 0.001 } }),
    ...(images.masks && { masks: images.masks }),
    ...(scan && { scan: { ...scan, rangesMm: Uint16Array.from(scan.rangesMm) } }),
  };
}
