import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { LociError } from "../../schema/core.ts";
import { MAX_SEGMENT_BYTES } from "./segment.ts";

/** Unfinished segments, at most; the least recently continued ones are dropped first. */
const MAX_PARTS = 64;
const MAX_BYTES = 2 * MAX_SEGMENT_BYTES;
const SUFFIX = ".part";

/**
 * Segments that are being received part by part, in files beside the memory: after a restart of either end, only the
 * rest has to be sent.
 */
export class Parts {
  readonly #folder: string;

  constructor(memoryFolder: string) {
    this.#folder = join(memoryFolder, "sync", "parts");
  }

  /** How much of a segment is here. */
  size(name: string): number {
    return statSync(this.#path(name), { throwIfNoEntry: false })?.size ?? 0;
  }

  /** Appends a part if it continues the file; returns the resulting size. */
  add(name: string, at: number, piece: Uint8Array): number {
    const size = this.size(name);
    if (at !== size || piece.length === 0) return size;
    if (size + piece.length > MAX_SEGMENT_BYTES)
      throw new LociError("limit-exceeded", `a segment has at most ${MAX_SEGMENT_BYTES} bytes`);
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    this.#makeRoom(name, piece.length);
    const file = openSync(this.#path(name), "a", 0o600);
    try {
      for (let written = 0; written < piece.length; )
        written += writeSync(file, piece, written, piece.length - written);
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== "ENOSPC") throw cause;
      throw new LociError("memory-full", "no space left for the segment; nothing of it was taken", { cause });
    } finally {
      closeSync(file);
    }
    return size + piece.length;
  }

  read(name: string): Uint8Array {
    return readFileSync(this.#path(name));
  }

  drop(name: string): void {
    rmSync(this.#path(name), { force: true });
  }

  #makeRoom(name: string, bytes: number): void {
    const own = `${name}${SUFFIX}`;
    const others = readdirSync(this.#folder)
      .filter((file) => file.endsWith(SUFFIX) && file !== own)
      .flatMap((file) => {
        const path = join(this.#folder, file);
        const stats = statSync(path, { throwIfNoEntry: false });
        return stats ? [{ path, size: stats.size, atMs: stats.mtimeMs }] : [];
      })
      .sort((a, b) => a.atMs - b.atMs);
    let size = others.reduce((sum, one) => sum + one.size, this.size(name) + bytes);
    for (let left = others.length; left > 0 && (left >= MAX_PARTS || size > MAX_BYTES); left--) {
      const oldest = others.shift()!;
      rmSync(oldest.path, { force: true });
      size -= oldest.size;
    }
  }

  #path(name: string): string {
    return join(this.#folder, `${name}${SUFFIX}`);
  }
}
