import { type DepthImage, LociError, type RgbImage } from "../schema/core.ts";

const JPEG_QUALITY = 80;
/** Thin coloured lines need colour at every pixel, and a lower quality pays for it. */
const DRAWN = { quality: 70, chromaSubsampling: "4:4:4" } as const;
/** Slower to encode and a tenth smaller, for pictures encoded once to save space. */
const SHRUNK = { quality: 50, mozjpeg: true } as const;
/** Depths beyond this are black in a picture made of depth. */
const DEPTH_RANGE_M = 8;

/** Encodes a JPEG, scaled down so that no side is longer than `sidePx`; sharper if lines are drawn in. */
export async function encodeJpeg(
  { width, height, data }: RgbImage,
  sidePx: number,
  { drawn = false } = {},
): Promise<Uint8Array> {
  const sharp = await loadSharp();
  return new Uint8Array(
    await sharp(data, { raw: { width, height, channels: 3 } })
      .resize({ width: sidePx, height: sidePx, fit: "inside", withoutEnlargement: true })
      .jpeg(drawn ? DRAWN : { quality: JPEG_QUALITY })
      .toBuffer(),
  );
}

/**
 * A stored picture scaled down to `sidePx`, for a memory that has to become smaller: enough to see what is where, not
 * to read a label. Undefined if it is already that small or unreadable.
 */
export async function shrunkJpeg(picture: Uint8Array, sidePx: number): Promise<Uint8Array | undefined> {
  const sharp = await loadSharp();
  const image = sharp(picture);
  const size = await image.metadata().catch(() => undefined);
  if (size === undefined || Math.max(size.width, size.height) <= sidePx) return undefined;
  const small = await image
    .resize({ width: sidePx, height: sidePx, fit: "inside" })
    .jpeg(SHRUNK)
    .toBuffer()
    .catch(() => undefined);
  return small === undefined || small.length >= picture.length ? undefined : new Uint8Array(small);
}

/** Masks and boxes are a little too small as often as too large. */
const BLACK_MARGIN = 0.02;

/**
 * A stored picture with some regions blackened, given as shares of its sides (left, top, right, bottom); null if it
 * is unreadable or nothing would be left. Metadata and previews are not carried over.
 */
export async function blackenedJpeg(
  picture: Uint8Array,
  boxes: readonly (readonly [number, number, number, number])[],
): Promise<Uint8Array | null> {
  const sharp = await loadSharp();
  try {
    const { data, info } = await sharp(picture)
      .removeAlpha()
      .toColourspace("srgb")
      .raw()
      .toBuffer({ resolveWithObject: true });
    const { width, height, channels } = info;
    const at = (share: number, size: number) => Math.round(Math.min(1, Math.max(0, share)) * size);
    let black = 0;
    for (const [left, top, right, bottom] of boxes) {
      const [x0, x1] = [at(left - BLACK_MARGIN, width), at(right + BLACK_MARGIN, width)];
      for (let y = at(top - BLACK_MARGIN, height); y < at(bottom + BLACK_MARGIN, height); y++) {
        data.fill(0, (y * width + x0) * channels, (y * width + x1) * channels);
        black += x1 - x0;
      }
    }
    if (black >= width * height) return null;
    const raw = { width, height, channels };
    return new Uint8Array(await sharp(data, { raw }).jpeg({ quality: JPEG_QUALITY }).toBuffer());
  } catch {
    return null;
  }
}

/** The picture of a frame: its colours, else its depths as greys (near is light), else none. */
export function pictureOf(frame: {
  readonly rgb?: RgbImage | undefined;
  readonly depth?: DepthImage | undefined;
}): RgbImage | undefined {
  if (frame.rgb) return frame.rgb;
  if (!frame.depth) return undefined;
  const { width, height, data, unitM } = frame.depth;
  const grey = new Uint8Array(width * height * 3);
  for (let at = 0, to = 0; at < data.length; at++, to += 3) {
    const z = data[at]! * unitM;
    if (z === 0 || z >= DEPTH_RANGE_M) continue;
    const near = Math.round(255 * (1 - z / DEPTH_RANGE_M));
    grey[to] = near;
    grey[to + 1] = near;
    grey[to + 2] = near;
  }
  return { width, height, data: grey };
}

/** By the nearest pixel: exact for whole factors, good enough for drawing on. */
export function scaled(image: RgbImage, width: number, height: number): RgbImage {
  const data = new Uint8Array(width * height * 3);
  const columns = Int32Array.from({ length: width }, (_, i) => Math.floor(((i + 0.5) * image.width) / width));
  for (let j = 0, to = 0; j < height; j++) {
    const row = Math.floor(((j + 0.5) * image.height) / height) * image.width;
    for (let i = 0; i < width; i++, to += 3) {
      const from = 3 * (row + columns[i]!);
      data[to] = image.data[from]!;
      data[to + 1] = image.data[from + 1]!;
      data[to + 2] = image.data[from + 2]!;
    }
  }
  return { width, height, data };
}

/** Loaded on first use: without pictures no native library is needed. */
export async function loadSharp() {
  try {
    return (await import("sharp")).default;
  } catch (cause) {
    throw new LociError("not-supported", "pictures of views need the package sharp: npm install sharp", {
      cause,
    });
  }
}
