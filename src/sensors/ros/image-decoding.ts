import { LociError } from "../../schema/index.ts";
import { type DepthImage, IMAGE_SIDE_PX, type RgbImage } from "../frame.ts";
import { decodeColour, decodeGrey16 } from "../images.ts";
import type { RosCompressedImage, RosImage } from "./messages.ts";

/** Bytes per pixel, and the positions of red, green and blue. */
const PACKED: Readonly<Record<string, readonly [bytes: number, r: number, g: number, b: number]>> = {
  rgb8: [3, 0, 1, 2],
  bgr8: [3, 2, 1, 0],
  "8UC3": [3, 2, 1, 0],
  rgba8: [4, 0, 1, 2],
  bgra8: [4, 2, 1, 0],
  "8UC4": [4, 2, 1, 0],
  mono8: [1, 0, 0, 0],
  "8UC1": [1, 0, 0, 0],
};
/** The colours of a 2×2 cell, row by row. */
const BAYER = /^bayer_([rgb]{4})8$/;
/** Float depth is stored in millimetres; beyond 65.535 m it becomes 0. */
const DEPTH_UNIT_M = 0.001;
/** Header before the PNG in a compressedDepth message: an enum and two floats. */
const COMPRESSED_DEPTH_HEADER = 12;

/** Whether an image holds distances rather than colours. */
export function isDepthEncoding(encoding: string): boolean {
  return ["16UC1", "32FC1", "mono16"].includes(encoding);
}

/** A raw colour image of any common encoding; invalid-input for others and for too few bytes. */
export function colourOf(image: RosImage): RgbImage {
  const { width, height, encoding, step, data } = image;
  checkSize(image);
  const rgb = new Uint8Array(width * height * 3);
  const packed = PACKED[encoding];
  const bayer = BAYER.exec(encoding)?.[1];
  const yuv =
    encoding === "yuv422" || encoding === "uyvy" ? 0 : /^(yuv422_)?yuy[2v]$|^yuyv$/.test(encoding) ? 1 : -1;
  const rowBytes = packed ? packed[0] * width : bayer ? width : yuv >= 0 ? 2 * width : 0;
  if (rowBytes === 0) throw new LociError("not-supported", `an image encoded as ${encoding.slice(0, 32)}`);
  const stride = Math.max(step, rowBytes);
  if (data.length < stride * (height - 1) + rowBytes)
    throw new LociError(
      "invalid-input",
      `${data.length} bytes are too few for ${width}×${height} ${encoding}`,
    );
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const to = (y * width + x) * 3;
      if (packed) {
        const from = y * stride + x * packed[0];
        for (let k = 0; k < 3; k++) rgb[to + k] = data[from + packed[(k + 1) as 1 | 2 | 3]]!;
      } else if (bayer) {
        fromBayer(data, stride, width, height, x, y, bayer, rgb, to);
      } else fromYuv(data, y * stride + (x >> 1) * 4, x & 1, yuv, rgb, to);
    }
  }
  return { width, height, data: rgb };
}

/** A raw depth image: 16 bits in `unitM`, or floats in metres. */
export function depthOf(image: RosImage, unitM = 0.001): DepthImage {
  const { width, height, encoding, step, data, is_bigendian } = image;
  checkSize(image);
  const bytes = encoding === "32FC1" ? 4 : 2;
  const stride = Math.max(step, width * bytes);
  if (!isDepthEncoding(encoding))
    throw new LociError("not-supported", `depth encoded as ${encoding.slice(0, 32)}`);
  if (data.length < stride * (height - 1) + width * bytes)
    throw new LociError(
      "invalid-input",
      `${data.length} bytes are too few for ${width}×${height} ${encoding}`,
    );
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const isLittle = is_bigendian === 0;
  const out = new Uint16Array(width * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = y * stride + x * bytes;
      const value = bytes === 4 ? view.getFloat32(at, isLittle) / DEPTH_UNIT_M : view.getUint16(at, isLittle);
      out[y * width + x] = value > 0 && value < 65_535 ? Math.round(value) : 0;
    }
  }
  return { width, height, data: out, unitM: bytes === 4 ? DEPTH_UNIT_M : unitM };
}

/** JPEG, PNG or another format of the image library. */
export function compressedColourOf({ data }: RosCompressedImage): Promise<RgbImage> {
  return decodeColour(data);
}

/** A 16-bit PNG, bare or behind the header of the compressedDepth transport. */
export async function compressedDepthOf(
  { format, data }: RosCompressedImage,
  unitM = 0.001,
): Promise<DepthImage> {
  if (format.startsWith("32FC1"))
    throw new LociError("not-supported", "compressed depth of floats: record 16UC1 or uncompressed depth");
  const png = data.subarray(format.includes("compressedDepth") ? COMPRESSED_DEPTH_HEADER : 0);
  return { ...(await decodeGrey16(png)), unitM };
}

function checkSize({ width, height }: RosImage): void {
  if (!(width > 0 && height > 0) || Math.max(width, height) > IMAGE_SIDE_PX)
    throw new LociError("invalid-input", `${width}×${height} is outside 1…${IMAGE_SIDE_PX} pixels`);
}

/** The nearest sample of each colour in the cell around a pixel: half the resolution in colour, full in luma. */
function fromBayer(
  data: Uint8Array,
  stride: number,
  width: number,
  height: number,
  x: number,
  y: number,
  pattern: string,
  rgb: Uint8Array,
  to: number,
): void {
  const left = Math.min(x & ~1, Math.max(0, width - 2));
  const top = Math.min(y & ~1, Math.max(0, height - 2));
  const sums = [0, 0, 0];
  const counts = [0, 0, 0];
  for (let k = 0; k < 4; k++) {
    const at = Math.min(top + (k >> 1), height - 1) * stride + Math.min(left + (k & 1), width - 1);
    const channel = "rgb".indexOf(pattern[k]!);
    sums[channel]! += data[at]!;
    counts[channel]!++;
  }
  for (let k = 0; k < 3; k++) rgb[to + k] = counts[k] ? sums[k]! / counts[k]! : 0;
}

/** ITU-R BT.601, full range. `order` 0 is U Y V Y, 1 is Y U Y V. */
function fromYuv(
  data: Uint8Array,
  at: number,
  odd: number,
  order: number,
  rgb: Uint8Array,
  to: number,
): void {
  const luma = data[at + 2 * odd + (order === 0 ? 1 : 0)]!;
  const u = data[at + (order === 0 ? 0 : 1)]! - 128;
  const v = data[at + (order === 0 ? 2 : 3)]! - 128;
  const clamp = (value: number) => Math.max(0, Math.min(255, Math.round(value)));
  rgb[to] = clamp(luma + 1.402 * v);
  rgb[to + 1] = clamp(luma - 0.344136 * u - 0.714136 * v);
  rgb[to + 2] = clamp(luma + 1.772 * u);
}
