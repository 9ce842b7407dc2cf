import { inflateSync } from "node:zlib";
import { IMAGE_SIDE_PX, LociError } from "../schema/core.ts";

const MAGIC = 20_000_630;
/** Version bits for tiles, deep pixels and multiple parts. */
const NOT_PLAIN = 0x200 | 0x800 | 0x1000;
const TYPE = { uint: 0, half: 1, float: 2 } as const;
/** Lines per chunk by compression: none, zlib per line, zlib per sixteen lines. */
const LINES: Readonly<Record<number, number>> = { 0: 1, 2: 1, 3: 16 };
const COMPRESSIONS = ["none", "RLE", "ZIPS", "ZIP", "PIZ", "PXR24", "B44", "B44A", "DWAA", "DWAB"];
/** Names of the depth channel, if there are several channels. */
const DEPTHS = ["Z", "R", "Y"];
const MAX_ATTRIBUTES = 256;

interface Channel {
  readonly name: string;
  readonly type: number;
}

interface Header {
  readonly channels: readonly Channel[];
  readonly compression: number;
  readonly width: number;
  readonly height: number;
  readonly top: number;
  /** Start of the chunk table. */
  readonly end: number;
}

export function isExr(bytes: Uint8Array): boolean {
  return bytes.length >= 8 && viewOf(bytes).getUint32(0, true) === MAGIC;
}

/**
 * One channel of a scanline OpenEXR picture, as numbers: depth in metres, as phones export it. Supports zlib or no
 * compression; other OpenEXR features (tiles, wavelets) are refused by name.
 */
export function decodeExr(bytes: Uint8Array): { width: number; height: number; data: Float32Array } {
  try {
    return linesOf(bytes, headerOf(bytes));
  } catch (cause) {
    if (cause instanceof LociError) throw cause;
    throw new LociError("invalid-input", "expected an OpenEXR picture that decodes, got a damaged one", {
      cause,
    });
  }
}

function headerOf(bytes: Uint8Array): Header {
  const view = viewOf(bytes);
  if (!isExr(bytes)) throw refused("another file");
  if (view.getUint32(4, true) & NOT_PLAIN) throw refused("tiles, deep pixels or several parts");
  const found = new Map<string, { readonly at: number; readonly size: number }>();
  let at = 8;
  const text = () => {
    const end = bytes.indexOf(0, at);
    if (end < 0) throw refused("a header without an end");
    const said = new TextDecoder().decode(bytes.subarray(at, end));
    at = end + 1;
    return said;
  };
  for (let name = text(); name !== ""; name = text()) {
    if (found.size >= MAX_ATTRIBUTES) throw refused("too many attributes");
    text();
    const size = view.getInt32(at, true);
    found.set(name, { at: at + 4, size });
    if (size < 0) throw refused("an attribute of no size");
    at += 4 + size;
  }
  const end = at;
  const [list, packed, box] = ["channels", "compression", "dataWindow"].map((name) => found.get(name));
  if (!list || !packed || !box) throw refused("no channels or no size");
  const [left, top, right, bottom] = [0, 4, 8, 12].map((by) => view.getInt32(box.at + by, true));
  const [width, height] = [right! - left! + 1, bottom! - top! + 1];
  if (!(width >= 1 && height >= 1 && width <= IMAGE_SIDE_PX && height <= IMAGE_SIDE_PX))
    throw refused(`${width} × ${height} pixels`);
  at = list.at;
  const channels: Channel[] = [];
  for (let name = text(); name !== "" && at < end; name = text()) {
    channels.push({ name, type: view.getInt32(at, true) });
    at += 16;
  }
  const compression = bytes[packed.at]!;
  if (LINES[compression] === undefined)
    throw refused(`the compression ${COMPRESSIONS[compression] ?? compression}`);
  return { channels, compression, width, height, top: top!, end };
}

function linesOf(bytes: Uint8Array, header: Header) {
  const { channels, compression, width, height, top, end } = header;
  const wanted =
    DEPTHS.map((name) => channels.findIndex((one) => one.name === name)).find((n) => n >= 0) ?? 0;
  const widths = channels.map(({ type }) => (type === TYPE.half ? 2 : 4) * width);
  const before = widths.slice(0, wanted).reduce((a, b) => a + b, 0);
  const stride = widths.reduce((a, b) => a + b, 0);
  const { type } = channels[wanted] ?? { type: -1 };
  const perChunk = LINES[compression]!;
  const view = viewOf(bytes);
  const data = new Float32Array(width * height);
  for (let chunk = 0; chunk * perChunk < height; chunk++) {
    const at = Number(view.getBigUint64(end + 8 * chunk, true));
    const first = view.getInt32(at, true) - top;
    const size = view.getInt32(at + 4, true);
    const lines = Math.min(perChunk, height - first);
    if (first < 0 || lines < 1 || at + 8 + size > bytes.length) throw refused("lines outside of the picture");
    const packed = bytes.subarray(at + 8, at + 8 + size);
    const raw = size < lines * stride ? unpacked(packed, lines * stride) : packed;
    const pixels = viewOf(raw);
    for (let j = 0; j < lines; j++)
      for (let i = 0, from = j * stride + before; i < width; i++)
        data[(first + j) * width + i] =
          type === TYPE.float
            ? pixels.getFloat32(from + 4 * i, true)
            : type === TYPE.half
              ? halfOf(pixels.getUint16(from + 2 * i, true))
              : pixels.getUint32(from + 4 * i, true);
  }
  return { width, height, data };
}

/** zlib, then a prefix sum of differences, then interleaving of the low and high halves. */
function unpacked(packed: Uint8Array, size: number): Uint8Array {
  const sums = new Uint8Array(inflateSync(packed, { maxOutputLength: size }));
  for (let n = 1; n < sums.length; n++) sums[n] = sums[n - 1]! + sums[n]! - 128;
  const half = (sums.length + 1) >> 1;
  return sums.map((_, n) => sums[(n & 1) * half + (n >> 1)]!);
}

function halfOf(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const [exponent, fraction] = [(bits >> 10) & 0x1f, bits & 0x3ff];
  if (exponent === 31) return fraction === 0 ? sign * Infinity : Number.NaN;
  return sign * (exponent === 0 ? fraction * 2 ** -24 : (1 + fraction / 1024) * 2 ** (exponent - 15));
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function refused(got: string): LociError {
  return new LociError(
    "invalid-input",
    `expected an OpenEXR picture in lines, packed by ZIP or not at all, got ${got}`,
  );
}
