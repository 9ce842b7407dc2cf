import { IMAGE_SIDE_PX, LociError, type MaskImage, type RgbImage } from "../schema/core.ts";
import { decodeExr, isExr } from "./exr.ts";
import { decodePng, encodePng, isPng } from "./png.ts";

/** How a writer stores colour: PNG is lossless, JPEG is about a fifth of the size. */
export type ColourCodec = "png" | "jpeg";

/** Encodes colour to file bytes. */
export async function encodeColour(image: RgbImage, codec: ColourCodec): Promise<Uint8Array> {
  if (codec === "png") return encodePng({ ...image, channels: 3 });
  const sharp = await loadSharp();
  const { width, height, data } = image;
  return sharp(data, { raw: { width, height, channels: 3 } })
    .jpeg({ quality: 90 })
    .toBuffer();
}

/** A PNG or JPEG (or another format of the image library) as three bytes per pixel; alpha is dropped. */
export async function decodeColour(bytes: Uint8Array): Promise<RgbImage> {
  const png = isPng(bytes) ? await decodePng(bytes) : undefined;
  if (png) return { width: png.width, height: png.height, data: toRgb(png.data, png.channels) };
  const sharp = await loadSharp();
  try {
    const { data, info } = await sharp(bytes, { limitInputPixels: IMAGE_SIDE_PX * IMAGE_SIDE_PX })
      .toColourspace("srgb")
      .removeAlpha()
      .raw({ depth: "uchar" })
      .toBuffer({ resolveWithObject: true });
    if (Math.max(info.width, info.height) > IMAGE_SIDE_PX)
      throw new RangeError(`a side over ${IMAGE_SIDE_PX} pixels`);
    return { width: info.width, height: info.height, data: new Uint8Array(data) };
  } catch (cause) {
    throw new LociError(
      "invalid-input",
      `expected an image that decodes, got ${bytes.length} bytes that do not`,
      { cause },
    );
  }
}

/** The size of a JPEG or PNG from its header alone; undefined for other formats. */
export function imageSize(
  bytes: Uint8Array,
): { readonly width: number; readonly height: number } | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (isPng(bytes))
    return bytes.length < 24 ? undefined : { width: view.getUint32(16), height: view.getUint32(20) };
  if (bytes[0] !== 0xff || bytes[1] !== 0xd8) return undefined;
  // Segments are chained by their lengths; the first "start of frame" has the size.
  for (let at = 2; at + 9 <= bytes.length && bytes[at] === 0xff; ) {
    const marker = bytes[at + 1]!;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    at += marker === 0xff ? 1 : 2 + view.getUint16(at + 2);
  }
  return undefined;
}

/** Encodes sixteen bits per pixel: depth or masks. */
export async function encodeGrey16({ width, height, data }: MaskImage): Promise<Uint8Array> {
  return encodePng({ width, height, channels: 1, data });
}

/** Decodes a grey PNG; one with 8 bits is widened without scaling, as in other tools' masks. */
export async function decodeGrey16(bytes: Uint8Array): Promise<MaskImage> {
  const png = await decodePng(bytes);
  if (png?.channels !== 1) {
    throw new LociError("invalid-input", "expected a grey PNG of 8 or 16 bits for depth or masks");
  }
  const data = png.data instanceof Uint16Array ? png.data : Uint16Array.from(png.data);
  return { width: png.width, height: png.height, data };
}

const MOST_STEPS = 65_535;

/** Depth in units: a grey PNG as it is, OpenEXR from metres; NaN and values out of range become 0. */
export async function decodeDepth(bytes: Uint8Array, unitM: number): Promise<MaskImage> {
  if (!isExr(bytes)) return decodeGrey16(bytes);
  const { width, height, data } = decodeExr(bytes);
  const steps = Uint16Array.from(data, (m) => {
    const step = Math.round(m / unitM);
    return step > 0 && step <= MOST_STEPS ? step : 0;
  });
  return { width, height, data: steps };
}

function toRgb(data: Uint8Array | Uint16Array, channels: number): Uint8Array {
  if (channels === 3 && data instanceof Uint8Array) return data;
  const pixels = data.length / channels;
  const shift = data instanceof Uint16Array ? 8 : 0;
  const rgb = new Uint8Array(pixels * 3);
  for (let i = 0; i < pixels; i++) {
    for (let k = 0; k < 3; k++) rgb[i * 3 + k] = data[i * channels + (channels < 3 ? 0 : k)]! >> shift;
  }
  return rgb;
}

/** Loaded on first use: recordings in PNG work without the native library. */
async function loadSharp() {
  try {
    return (await import("sharp")).default;
  } catch (cause) {
    throw new LociError("not-supported", "JPEG needs the package sharp: npm install sharp", { cause });
  }
}
