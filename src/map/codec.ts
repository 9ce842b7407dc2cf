import { deflateRawSync, inflateRawSync } from "node:zlib";
import { LIMITS, LociError } from "../schema/core.ts";
import { BANDS, LOOK, TILE } from "./bands.ts";
import { Layer } from "./layer.ts";
import type { SurfacePoints } from "./surface.ts";
import { TileGrid } from "./tiles.ts";

/**
 * The two blobs of a piece of map, little-endian, each four letters and then a raw deflate stream.
 *
 * "LGR1", the grid: u32 layers; for each layer f64 floorZ (metres, submap), f64 epochUs, u32 frames, u32 tiles, u32 bins and
 * u32[bins] points by height above 2 m; for each tile i32 tx, i32 ty, i8[64·64·5] log-odds in tenths by cell and
 * band, u32[32·32·5] last looks in tenths of a second since the epoch, plus one, by pair of cells and band.
 *
 * "LSP1", the surface: u32 points, f64 unitM, i16[3n] positions in that unit (submap), u8[3n] colours.
 */
const GRID_MAGIC = "LGR1";
const SURFACE_MAGIC = "LSP1";
const LEVEL = 4;
const ODDS = TILE * TILE * BANDS;
const LOOKS = LOOK * LOOK * BANDS;
const MAX_BINS = 1_024;

export function encodeGrid(layers: readonly Layer[]): Uint8Array {
  const size = layers.reduce(
    (sum, { grid, highs }) => sum + 28 + highs.byteLength + grid.size * (8 + ODDS + LOOKS * 4),
    4,
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
    // In one order, whatever the way by which the robot came there: equal maps are equal blobs.
    for (const tile of [...grid.tiles()].sort((a, b) => a.tx - b.tx || a.ty - b.ty)) {
      out.i32(tile.tx);
      out.i32(tile.ty);
      out.bytes(tile.odds);
      out.bytes(tile.looked);
    }
  }
  return sealed(GRID_MAGIC, out.done());
}

/** Throws `memory-corrupt` on anything but a grid. */
export function decodeGrid(blob: Uint8Array): Layer[] {
  return opened(GRID_MAGIC, blob, (input) => {
    return Array.from({ length: input.count(1_024) }, () => {
      const floorZ = input.f64();
      const grid = new TileGrid(input.f64());
      const frames = input.count(0xffff_ffff);
      const tiles = input.count(65_536);
      const highs = new Uint32Array(input.copy(input.count(MAX_BINS) * 4));
      for (let i = 0; i < tiles; i++) {
        const tx = input.i32();
        const ty = input.i32();
        const odds = new Int8Array(input.copy(ODDS));
        grid.put({ tx, ty, odds, looked: new Uint32Array(input.copy(LOOKS * 4)) });
      }
      return new Layer(floorZ, grid, frames, highs);
    });
  });
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

function opened<T>(magic: string, blob: Uint8Array, read: (input: Reader) => T): T {
  const found = Buffer.from(blob.subarray(0, 4)).toString("latin1");
  if (found !== magic) throw new LociError("memory-corrupt", `expected a "${magic}" blob, got "${found}"`);
  try {
    const content = inflateRawSync(blob.subarray(4), { maxOutputLength: LIMITS.blobBytes * 16 });
    // A Buffer's slice is no copy; a plain array's is.
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

  /** A copy that starts its own buffer, so that any typed array fits on it. */
  copy(length: number): ArrayBuffer {
    if (this.#at + length > this.#bytes.byteLength) throw new RangeError("the end comes too soon");
    const part = this.#bytes.slice(this.#at, this.#at + length);
    this.#at += length;
    return part.buffer as ArrayBuffer;
  }
}
