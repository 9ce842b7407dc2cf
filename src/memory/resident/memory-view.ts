import { LociError } from "../../schema/core.ts";
import type { Kernel, KernelVariant } from "./kernel.ts";
import { loadKernel } from "./kernel.ts";
import {
  C_EXTERNAL,
  C_ID,
  C_IMAGE,
  C_LINES,
  H_ROWS,
  IMAGE_DIR,
  M_KEY,
  MEANING_COLUMN_BYTES,
  R_SCRATCH,
  READER_BYTES,
  READERS,
  ROW_DIR,
  S_IMAGE,
  S_STRIDE,
  S_TEXT,
  SEGMENT,
  SEGMENT_LOG,
  TEXT_DIR,
} from "./layout.ts";

export type Space = "text" | "image";

/** A thread's working areas in the shared memory; SCORES and BITMAP hold zeros between searches. */
export const AREA = { io: 0, list: 1, pairs: 2, heap: 3, bounds: 4, scores: 5, bitmap: 6, words: 7 } as const;

/**
 * One thread's access to the shared memory: its kernel instance, typed views that follow the memory as it grows, its
 * scratch areas and the columns that TypeScript reads. It never takes the lock.
 */
export class MemoryView {
  readonly memory: WebAssembly.Memory;
  readonly kernel: Kernel;
  readonly variant: KernelVariant;
  readonly slot: number;
  u8!: Uint8Array;
  u32!: Uint32Array;
  f32!: Float32Array;
  f64!: Float64Array;
  #buffer: SharedArrayBuffer | undefined;

  constructor(memory: WebAssembly.Memory, slot: number, variant?: KernelVariant) {
    const loaded = loadKernel(memory, variant);
    this.memory = memory;
    this.kernel = loaded.kernel;
    this.variant = loaded.variant;
    this.slot = slot;
    this.refresh();
  }

  /** Call after anything that may have grown the memory and at the start of every locked section. */
  refresh(): void {
    const buffer = this.memory.buffer as ArrayBufferLike as SharedArrayBuffer;
    if (buffer === this.#buffer) return;
    this.#buffer = buffer;
    this.u8 = new Uint8Array(buffer);
    this.u32 = new Uint32Array(buffer);
    this.f32 = new Float32Array(buffer);
    this.f64 = new Float64Array(buffer);
  }

  /** The address of a scratch area of at least this many bytes; its old content is lost when it must grow. */
  area(which: number, bytes: number): number {
    const at = (READERS + this.slot * READER_BYTES + R_SCRATCH + which * 8) >>> 2;
    const have = this.u32[at + 1]!;
    if (have >= bytes) return this.u32[at]!;
    const log = Math.max(12, Math.ceil(Math.log2(bytes)));
    const fresh = this.kernel.scratch(log) >>> 0;
    if (fresh === 0) {
      throw new LociError(
        "memory-full",
        "the threads' scratch is used up: raise scratchBytes or use fewer threads",
      );
    }
    if (have > 0) this.kernel.unscratch(this.u32[at]!, Math.log2(have));
    this.u32[at] = fresh;
    this.u32[at + 1] = 2 ** log;
    if (which === AREA.scores || which === AREA.bitmap) this.u8.fill(0, fresh, fresh + 2 ** log);
    return fresh;
  }

  /** A former holder of this place may have died in the middle of a search: restores the areas that hold zeros. */
  cleanAreas(): void {
    for (const which of [AREA.scores, AREA.bitmap]) {
      const at = (READERS + this.slot * READER_BYTES + R_SCRATCH + which * 8) >>> 2;
      const from = this.u32[at]!;
      this.u8.fill(0, from, from + this.u32[at + 1]!);
    }
  }

  /** Throws before anything is half written. */
  needRoom(bytes: number): void {
    if (this.kernel.roomFor(bytes) === 0) {
      throw new LociError(
        "memory-full",
        "the resident index has reached its limit; raise maxBytes or keep less",
      );
    }
  }

  get rows(): number {
    return this.u32[H_ROWS >>> 2]!;
  }

  #segment(slot: number): number {
    return this.u32[(ROW_DIR >>> 2) + (slot >>> SEGMENT_LOG)]!;
  }

  columnF(slot: number, column: number): number {
    return this.f64[((this.#segment(slot) + column) >>> 3) + (slot & (SEGMENT - 1))]!;
  }

  columnU(slot: number, column: number): number {
    return this.u32[((this.#segment(slot) + column) >>> 2) + (slot & (SEGMENT - 1))]!;
  }

  columnB(slot: number, column: number): number {
    return this.u8[this.#segment(slot) + column + (slot & (SEGMENT - 1))]!;
  }

  externalOf(slot: number): number {
    return this.columnF(slot, C_EXTERNAL);
  }

  idOf(slot: number): string {
    const at = this.columnU(slot, C_ID);
    return this.ascii(at + 1, this.u8[at]!);
  }

  ascii(at: number, length: number): string {
    const { u8 } = this;
    let text = "";
    let i = at;
    const end = at + length;
    // Eight letters a call: one at a time makes as many strings as there are letters.
    for (; i + 8 <= end; i += 8)
      text += String.fromCharCode(
        u8[i]!,
        u8[i + 1]!,
        u8[i + 2]!,
        u8[i + 3]!,
        u8[i + 4]!,
        u8[i + 5]!,
        u8[i + 6]!,
        u8[i + 7]!,
      );
    for (; i < end; i++) text += String.fromCharCode(u8[i]!);
    return text;
  }

  /** The ordinal of a row's only vector in a space, where it has just one, as nearly every row does. */
  singleOrdinalOf(slot: number, space: Space): number | undefined {
    if (space === "image") return undefined;
    const lines = this.columnU(slot, C_LINES);
    return lines & 1 ? lines >>> 1 : undefined;
  }

  /** The ordinals of a row's vectors in a space. */
  ordinalsOf(slot: number, space: Space): readonly number[] {
    if (space === "image") {
      const image = this.columnU(slot, C_IMAGE);
      return image === 0 ? [] : [image - 1];
    }
    const lines = this.columnU(slot, C_LINES);
    if (lines === 0) return [];
    if (lines & 1) return [lines >>> 1];
    const out: number[] = [];
    const count = this.u32[lines >>> 2]!;
    for (let i = 1; i <= count; i++) out.push(this.u32[(lines >>> 2) + i]!);
    return out;
  }

  /** The caller's key of a meaning. */
  keyOf(space: Space, ordinal: number): number {
    const dir = space === "text" ? TEXT_DIR : IMAGE_DIR;
    const segment = this.u32[(dir >>> 2) + (ordinal >>> SEGMENT_LOG)]!;
    const stride = this.u32[(spaceAt(space) + S_STRIDE) >>> 2]!;
    return this.f64[((segment + stride * SEGMENT + M_KEY) >>> 3) + (ordinal & (SEGMENT - 1))]!;
  }
}

export function spaceAt(space: Space): number {
  return space === "text" ? S_TEXT : S_IMAGE;
}

/** Bytes of one segment of meanings. */
export function meaningSegmentBytes(stride: number): number {
  return stride * SEGMENT + MEANING_COLUMN_BYTES;
}
