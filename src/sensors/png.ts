import { endianness } from "node:os";
import { promisify } from "node:util";
import { deflate, inflate } from "node:zlib";
import { IMAGE_SIDE_PX, LociError } from "../schema/core.ts";

const SIGNATURE = Uint8Array.of(137, 80, 78, 71, 13, 10, 26, 10);
const CHANNELS: Readonly<Record<number, number>> = { 0: 1, 2: 3, 4: 2, 6: 4 };
/** A header may claim any size: no more than this is reserved before pixel data arrives. */
const MAX_CHUNK_BYTES = 8_388_608;
const LEAST_CHUNK_BYTES = 1_024;
const deflateAsync = promisify(deflate);
const inflateAsync = promisify<Uint8Array, { maxOutputLength: number; chunkSize: number }, Buffer>(inflate);

/** Samples as in the file; 16-bit samples in this machine's byte order. */
export interface PngImage {
  readonly width: number;
  readonly height: number;
  /** 1 grey, 2 grey with alpha, 3 colour, 4 colour with alpha. */
  readonly channels: number;
  readonly data: Uint8Array | Uint16Array;
}

/**
 * Encodes grey or colour, 8 or 16 bits, lossless. Implemented here because depth must survive bit for bit, without an
 * image library's colour management. Each row uses the filter with the smallest sum of residuals among none, left and
 * up.
 */
export async function encodePng(image: PngImage, level = 3): Promise<Uint8Array> {
  const { width, height, channels, data } = image;
  const depth = data instanceof Uint16Array ? 16 : 8;
  const stride = (width * channels * depth) / 8;
  const raw = depth === 16 ? bigEndian(data as Uint16Array) : (data as Uint8Array);
  const step = (channels * depth) / 8;
  const filtered = new Uint8Array((stride + 1) * height);
  for (let y = 0; y < height; y++)
    filterRow(raw, y * stride, stride, step, y > 0, filtered, y * (stride + 1));
  const header = new Uint8Array(13);
  const view = new DataView(header.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  header[8] = depth;
  header[9] = channels === 1 ? 0 : channels === 2 ? 4 : channels === 3 ? 2 : 6;
  const body = await deflateAsync(filtered, { level });
  return Buffer.concat([
    SIGNATURE,
    chunk("IHDR", header),
    chunk("IDAT", body),
    chunk("IEND", new Uint8Array(0)),
  ]);
}

/**
 * Decodes what `encodePng` writes and every other PNG that is neither interlaced nor palette-based; undefined for
 * those two, which an image library may decode. A damaged or oversized file is invalid-input.
 */
export async function decodePng(bytes: Uint8Array): Promise<PngImage | undefined> {
  if (!isPng(bytes)) throw damaged("no PNG signature");
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const parts: Uint8Array[] = [];
  let header: { width: number; height: number; bits: number; channels: number } | undefined;
  for (let at = 8; at + 12 <= bytes.length; ) {
    const length = view.getUint32(at);
    if (at + 12 + length > bytes.length) throw damaged("a chunk reaches past the end");
    const name = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
    const body = bytes.subarray(at + 8, at + 8 + length);
    if (name === "IHDR") {
      if (length !== 13) throw damaged("a header of the wrong length");
      const bits = body[8]!;
      const channels = CHANNELS[body[9]!];
      if (channels === undefined || (bits !== 8 && bits !== 16) || body[12] !== 0) return undefined;
      header = { width: view.getUint32(at + 8), height: view.getUint32(at + 12), bits, channels };
      if (!(header.width > 0 && header.height > 0) || Math.max(header.width, header.height) > IMAGE_SIDE_PX) {
        throw damaged(`${header.width}×${header.height} is outside 1…${IMAGE_SIDE_PX} pixels`);
      }
    }
    if (name === "IDAT") parts.push(body);
    if (name === "IEND") break;
    at += 12 + length;
  }
  if (!header) throw damaged("no header");
  return unpack(header, Buffer.concat(parts));
}

/** Whether the bytes begin as a PNG does. */
export function isPng(bytes: Uint8Array): boolean {
  return bytes.length > 8 && SIGNATURE.every((byte, i) => bytes[i] === byte);
}

async function unpack(
  { width, height, bits, channels }: { width: number; height: number; bits: number; channels: number },
  packed: Uint8Array,
): Promise<PngImage> {
  const stride = (width * channels * bits) / 8;
  const expected = (stride + 1) * height;
  // In one chunk: with the default of sixteen kilobytes, a picture would pass between threads sixty times.
  const chunkSize = Math.max(LEAST_CHUNK_BYTES, Math.min(expected + 1, MAX_CHUNK_BYTES));
  const filtered = await inflateAsync(packed, { maxOutputLength: expected + 1, chunkSize }).catch(
    (cause: unknown) => {
      throw damaged("the pixels do not inflate to their size", cause);
    },
  );
  if (filtered.length !== expected)
    throw damaged(`expected ${expected} bytes of pixels, got ${filtered.length}`);
  const raw = new Uint8Array(stride * height);
  const to = { raw, words: new Uint32Array(raw.buffer, 0, raw.length >> 2) };
  const step = (channels * bits) / 8;
  for (let y = 0; y < height; y++)
    unfilterRow(filtered, y * (stride + 1), to, y * stride, stride, step, y > 0);
  if (bits === 8) return { width, height, channels, data: raw };
  if (endianness() === "LE") Buffer.from(raw.buffer).swap16();
  return { width, height, channels, data: new Uint16Array(raw.buffer) };
}

function bigEndian(samples: Uint16Array): Uint8Array {
  const bytes = new Uint8Array(samples.length * 2);
  for (let i = 0; i < samples.length; i++) {
    bytes[2 * i] = samples[i]! >> 8;
    bytes[2 * i + 1] = samples[i]! & 255;
  }
  return bytes;
}

function filterRow(
  raw: Uint8Array,
  row: number,
  stride: number,
  step: number,
  hasUp: boolean,
  out: Uint8Array,
  to: number,
) {
  const sums = [0, 0, hasUp ? 0 : Infinity];
  for (let i = 0; i < stride; i++) {
    const value = raw[row + i]!;
    sums[0]! += value < 128 ? value : 256 - value;
    const left = (value - (i >= step ? raw[row + i - step]! : 0)) & 255;
    sums[1]! += left < 128 ? left : 256 - left;
    if (!hasUp) continue;
    const up = (value - raw[row + i - stride]!) & 255;
    sums[2]! += up < 128 ? up : 256 - up;
  }
  const filter = sums[1]! <= sums[2]! ? (sums[1]! < sums[0]! ? 1 : 0) : sums[2]! < sums[0]! ? 2 : 0;
  out[to] = filter;
  for (let i = 0; i < stride; i++) {
    const before =
      filter === 1 ? (i >= step ? raw[row + i - step]! : 0) : filter === 2 ? raw[row + i - stride]! : 0;
    out[to + 1 + i] = raw[row + i]! - before;
  }
}

function unfilterRow(
  from: Uint8Array,
  at: number,
  { raw, words }: { readonly raw: Uint8Array; readonly words: Uint32Array },
  row: number,
  stride: number,
  step: number,
  hasUp: boolean,
) {
  const filter = from[at]!;
  if (filter > 4) throw damaged(`unknown row filter ${filter}`);
  const source = at + 1;
  // Copies the row and then undoes its filter in place, so that each loop reads and writes one array.
  raw.set(from.subarray(source, source + stride), row);
  const end = row + stride;
  // Without a row above, the fourth filter equals the first.
  if (filter === 1 || (filter === 4 && !hasUp)) addLeft(raw, row, end, step);
  else if (filter === 2 && hasUp) addAbove(raw, words, row, stride);
  else if (filter === 3) addMean(raw, row, end, step, hasUp ? stride : 0);
  else if (filter === 4) addPaeth(raw, row, end, step, stride);
}

function addLeft(raw: Uint8Array, row: number, end: number, step: number): void {
  for (let first = row; first < row + step; first++) {
    let sum = 0;
    for (let to = first; to < end; to += step) {
      sum = (sum + raw[to]!) & 255;
      raw[to] = sum;
    }
  }
}

/** `stride` is 0 without a row above. */
function addMean(raw: Uint8Array, row: number, end: number, step: number, stride: number): void {
  for (let first = row; first < row + step; first++) {
    let left = 0;
    for (let to = first; to < end; to += step) {
      const above = stride === 0 ? 0 : raw[to - stride]!;
      left = (raw[to]! + ((left + above) >> 1)) & 255;
      raw[to] = left;
    }
  }
}

/** For each byte, adds the left, upper or upper left neighbour nearest to their plane; ties in this order. */
function addPaeth(raw: Uint8Array, row: number, end: number, step: number, stride: number): void {
  for (let first = row; first < row + step; first++) {
    let left = 0;
    let corner = 0;
    for (let to = first; to < end; to += step) {
      const up = raw[to - stride]!;
      const ofLeft = Math.abs(up - corner);
      const ofUp = Math.abs(left - corner);
      const ofCorner = Math.abs(left + up - 2 * corner);
      const nearest = ofLeft <= ofUp && ofLeft <= ofCorner ? left : ofUp <= ofCorner ? up : corner;
      left = (raw[to]! + nearest) & 255;
      raw[to] = left;
      corner = up;
    }
  }
}

/** Adds the row above byte by byte; four at once if rows are word-aligned, as for most widths. */
function addAbove(raw: Uint8Array, words: Uint32Array, row: number, stride: number): void {
  if (stride % 4 !== 0) {
    for (let to = row; to < row + stride; to++) raw[to] = raw[to]! + raw[to - stride]!;
    return;
  }
  const across = stride / 4;
  const end = row / 4 + across;
  for (let to = row / 4; to < end; to++) {
    const own = words[to]!;
    const above = words[to - across]!;
    // The low seven bits of each byte never carry past the eighth, which is added without carry.
    words[to] = ((own & 0x7f7f7f7f) + (above & 0x7f7f7f7f)) ^ ((own ^ above) & 0x80808080);
  }
}

function chunk(name: string, body: Uint8Array): Uint8Array {
  const out = new Uint8Array(12 + body.length);
  const view = new DataView(out.buffer);
  view.setUint32(0, body.length);
  for (let i = 0; i < 4; i++) out[4 + i] = name.charCodeAt(i);
  out.set(body, 8);
  view.setUint32(8 + body.length, crc32(out.subarray(4, 8 + body.length)));
  return out;
}

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, n) => {
  let c = n;
  for (let k = 0; k < 8; k++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
  return c;
});

function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (let i = 0; i < bytes.length; i++) crc = CRC_TABLE[(crc ^ bytes[i]!) & 255]! ^ (crc >>> 8);
  return ~crc >>> 0;
}

function damaged(why: string, cause?: unknown): LociError {
  return new LociError("invalid-input", `expected a whole PNG image: ${why}`, { cause });
}
