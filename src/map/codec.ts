import {
  brotliCompressSync,
  brotliDecompressSync,
  deflateRawSync,
  inflateRawSync,
  constants as ZLIB,
} from "node:zlib";
import { LIMITS, LociError } from "../schema/core.ts";
import { BANDS, LOOK, TILE } from "./bands.ts";
import { Layer } from "./layer.ts";
import type { SurfacePoints } from "./surface.ts";
import { type Tile, TileGrid } from "./tiles.ts";

/**
 * The two blobs of a piece of map, little-endian, each four letters and then a packed stream.
 *
 * "LGR2", the grid, packed by brotli: u32 layers; for each layer f64 floorZ (metres, submap), f64 epochUs, u32 frames, u32 tiles, u32
 * bins and u32[bins] points by height above 2 m, then for each tile i32 tx, i32 ty; i8 log-odds in tenths, a band of all
 * tiles' 64·64 cells after the other; u32 n and u32[n] the different last looks in tenths of a second since the epoch, plus
 * one, in order, and for each band, tile and 32·32 pairs of cells which of them it is, all lowest bytes first, then the
 * next. Neighbours were looked at in the same moment and are alike at one height: so sorted, a quarter is saved.
 *
 * "LGR1", as older memories have it, by raw deflate: the same head; for each tile i32 tx, i32 ty, i8[64·64·5] log-odds by cell
 * and band, u32[32·32·5] last looks by pair of cells and band.
 *
 * "LSP1", the surface, by raw deflate: u32 points, f64 unitM, i16[3n] positions in that unit (submap), u8[3n] colours.
 */
const GRID_MAGIC = "LGR2";
const OLD_GRID_MAGIC = "LGR1";
const SURFACE_MAGIC = "LSP1";
const LEVEL = 4;
const QUALITY = 5;
const ODDS = TILE * TILE * BANDS;
const LOOKS = LOOK * LOOK * BANDS;
const MAX_BINS = 1_024;
/** A blob that unpacks to more than this many times the largest map is not one of ours. */
const MAX_INFLATION = 16;

export function encodeGrid(layers: readonly Layer[]): Uint8Array {
  const size = layers.reduce(
    (sum, { grid, highs }) => sum + 32 + highs.byteLength + grid.size * (8 + ODDS + LOOKS * 8),
    Uint32Array.BYTES_PER_ELEMENT,
  );
  const out = new Writer(size);
  out.u32(layers.length);
  for (const { floorZ, grid, frames, highs } of layers) {
    out.f64(floorZ);
    out.f64(grid.epochUs);
    out.u32(frames);
    out.u32(grid.size);
    out.u32(highs.length);
    out.bytes(highs);
    // In a fixed order, whatever the robot's path: equal maps are equal blobs.
    const tiles = [...grid.tiles()].sort((a, b) => a.tx - b.tx || a.ty - b.ty);
    for (const { tx, ty } of tiles) {
      out.i32(tx);
      out.i32(ty);
    }
    const odds = new Int8Array(tiles.length * ODDS);
    spread(
      tiles.map((tile) => tile.odds),
      odds,
      true,
    );
    out.bytes(odds);
    const looked = new Uint32Array(tiles.length * LOOKS);
    spread(
      tiles.map((tile) => tile.looked),
      looked,
      true,
    );
    const { values, indices } = listed(looked);
    out.u32(values.length);
    out.bytes(values);
    out.bytes(indices);
  }
  const packed = brotliCompressSync(out.done(), {
    params: { [ZLIB.BROTLI_PARAM_QUALITY]: QUALITY, [ZLIB.BROTLI_PARAM_SIZE_HINT]: size },
  });
  return Buffer.concat([Buffer.from(GRID_MAGIC, "latin1"), packed]);
}

/** Throws `memory-corrupt` on anything but a grid. */
export function decodeGrid(blob: Uint8Array): Layer[] {
  const isOld = magicOf(blob) === OLD_GRID_MAGIC;
  return opened(isOld ? OLD_GRID_MAGIC : GRID_MAGIC, blob, (input) => {
    return Array.from({ length: input.count(1_024) }, () => {
      const floorZ = input.f64();
      const grid = new TileGrid(input.f64());
      const frames = input.count(0xffff_ffff);
      const tiles = input.count(65_536);
      const highs = new Uint32Array(input.copy(input.count(MAX_BINS) * 4));
      for (const tile of isOld ? readOldTiles(input, tiles) : readTiles(input, tiles)) grid.put(tile);
      return new Layer(floorZ, grid, frames, highs);
    });
  });
}

function readOldTiles(input: Reader, count: number): Tile[] {
  return Array.from({ length: count }, () => {
    const [tx, ty] = [input.i32(), input.i32()];
    const odds = new Int8Array(input.copy(ODDS));
    return { tx, ty, odds, looked: new Uint32Array(input.copy(LOOKS * 4)) };
  });
}

function readTiles(input: Reader, count: number): Tile[] {
  const tiles = Array.from({ length: count }, () => ({
    tx: input.i32(),
    ty: input.i32(),
    odds: new Int8Array(ODDS),
    looked: new Uint32Array(LOOKS),
  }));
  spread(
    tiles.map(({ odds }) => odds),
    new Int8Array(input.copy(count * ODDS)),
    false,
  );
  const values = new Uint32Array(input.copy(input.count(count * LOOKS) * 4));
  const planes = new Uint8Array(input.copy(count * LOOKS * 4));
  const looked = new Uint32Array(count * LOOKS);
  const n = looked.length;
  for (let i = 0; i < n; i++) {
    const index =
      planes[i]! + planes[n + i]! * 0x100 + planes[2 * n + i]! * 0x1_0000 + planes[3 * n + i]! * 0x100_0000;
    if (index >= values.length) throw new RangeError("a last look is none of the list");
    looked[i] = values[index]!;
  }
  spread(
    tiles.map((tile) => tile.looked),
    looked,
    false,
  );
  return tiles;
}

/** The distinct values in order, and the index of each value, with its lowest byte in the first of four planes. */
function listed(looked: Uint32Array): { values: Uint32Array; indices: Uint8Array } {
  const different = new Set<number>();
  let last = -1;
  for (let i = 0; i < looked.length; i++) {
    if (looked[i] === last) continue;
    last = looked[i]!;
    different.add(last);
  }
  const values = Uint32Array.from(different).sort();
  const indexOf = new Map<number, number>();
  for (let n = 0; n < values.length; n++) indexOf.set(values[n]!, n);
  const indices = new Uint8Array(looked.length * 4);
  let index = 0;
  last = -1;
  for (let i = 0; i < looked.length; i++) {
    if (looked[i] !== last) {
      last = looked[i]!;
      index = indexOf.get(last)!;
    }
    if (index === 0) continue;
    for (let at = i, rest = index; rest > 0; at += looked.length, rest >>>= 8) indices[at] = rest;
  }
  return { values, indices };
}

/** Transposes between cells with their bands and bands with their cells, over all tiles. */
function spread<A extends Int8Array | Uint32Array>(tiles: readonly A[], bands: A, isToBands: boolean): void {
  let at = 0;
  for (let band = 0; band < BANDS; band++) {
    for (const cells of tiles) {
      for (let i = band; i < cells.length; i += BANDS, at++) {
        if (isToBands) bands[at] = cells[i]!;
        else cells[i] = bands[at]!;
      }
    }
  }
}

export function encodeSurface({ count, positions, colours, unitM }: SurfacePoints): Uint8Array {
  const out = new Writer(12 + count * 9);
  out.u32(count);
  out.f64(unitM);
  out.bytes(positions.subarray(0, count * 3));
  out.bytes(colours.subarray(0, count * 3));
  return sealed(SURFACE_MAGIC, out.done());
}

/** Throws `memory-corrupt` on anything but a surface. */
export function decodeSurface(blob: Uint8Array): SurfacePoints {
  return opened(SURFACE_MAGIC, blob, (input) => {
    const count = input.count(10_000_000);
    const unitM = input.f64();
    const positions = new Int16Array(input.copy(count * 6));
    return { count, unitM, positions, colours: new Uint8Array(input.copy(count * 3)) };
  });
}

function sealed(magic: string, content: Uint8Array): Uint8Array {
  return Buffer.concat([Buffer.from(magic, "latin1"), deflateRawSync(content, { level: LEVEL })]);
}

function magicOf(blob: Uint8Array): string {
  return Buffer.from(blob.subarray(0, 4)).toString("latin1");
}

function opened<T>(magic: string, blob: Uint8Array, read: (input: Reader) => T): T {
  const found = magicOf(blob);
  if (found !== magic) throw new LociError("memory-corrupt", `expected a "${magic}" blob, got "${found}"`);
  try {
    const unpack = magic === GRID_MAGIC ? brotliDecompressSync : inflateRawSync;
    const content = unpack(blob.subarray(4), { maxOutputLength: MAX_INFLATION * LIMITS.blobBytes });
    // A Buffer's slice is a view; a plain array's is a copy.
    const input = new Reader(new Uint8Array(content.buffer, content.byteOffset, content.byteLength));
    const result = read(input);
    if (!input.atEnd) throw new RangeError("bytes are left over");
    return result;
  } catch (cause) {
    throw new LociError("memory-corrupt", `a "${magic}" blob is cut short or damaged`, { cause });
  }
}

class Writer {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #at = 0;

  constructor(size: number) {
    this.#bytes = new Uint8Array(size);
    this.#view = new DataView(this.#bytes.buffer);
  }

  u32(value: number): void {
    this.#view.setUint32(this.#at, value, true);
    this.#at += 4;
  }

  i32(value: number): void {
    this.#view.setInt32(this.#at, value, true);
    this.#at += 4;
  }

  f64(value: number): void {
    this.#view.setFloat64(this.#at, value, true);
    this.#at += 8;
  }

  bytes(array: ArrayBufferView): void {
    this.#bytes.set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), this.#at);
    this.#at += array.byteLength;
  }

  done(): Uint8Array {
    return this.#bytes.subarray(0, this.#at);
  }
}

class Reader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get atEnd(): boolean {
    return this.#at === this.#bytes.byteLength;
  }

  count(most: number): number {
    const value = this.#view.getUint32(this.#at, true);
    this.#at += 4;
    if (value > most) throw new RangeError(`expected at most ${most}, got ${value}`);
    return value;
  }

  i32(): number {
    this.#at += 4;
    return this.#view.getInt32(this.#at - 4, true);
  }

  f64(): number {
    this.#at += 8;
    const value = this.#view.getFloat64(this.#at - 8, true);
    if (!Number.isFinite(value)) throw new RangeError("expected a finite number");
    return value;
  }

  /** A copy with its own aligned buffer, so that any typed array fits on it. */
  copy(length: number): ArrayBuffer {
    if (this.#at + length > this.#bytes.byteLength) throw new RangeError("the end comes too soon");
    const part = this.#bytes.slice(this.#at, this.#at + length);
    this.#at += length;
    return part.buffer as ArrayBuffer;
  }
}
