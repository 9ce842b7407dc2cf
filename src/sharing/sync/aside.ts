import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { Origin } from "../../memory/index.ts";

const MAX_FILES = 16;
const MAX_BYTES = 256 * 1024 * 1024;
const [WHY, WHAT, ROWS] = [".txt", ".segment", ".jsonl"];

/** A record, or an edge of the frame graph, that was not taken with the rest of its batch. */
export interface Refused {
  readonly why: string;
  readonly row: unknown;
}

/**
 * A file of what cannot be taken on any retry, for a person to inspect: rows, each with its reason, while the rest of
 * their batch is taken; and unreadable segments, with the error, which are refused unread until that file is deleted.
 * Their number is limited; the oldest are deleted first.
 */
export class Aside {
  readonly folder: string;

  constructor(memoryFolder: string) {
    this.folder = join(memoryFolder, "sync", "aside");
  }

  /** Why a segment is set aside; undefined if it is not. */
  why(name: string): string | undefined {
    try {
      return readFileSync(join(this.folder, name + WHY), "utf8").trim();
    } catch {
      return undefined;
    }
  }

  put(name: string, bytes: Uint8Array, why: string): void {
    try {
      mkdirSync(this.folder, { recursive: true, mode: 0o700 });
      writeFileSync(join(this.folder, name + WHY), `${why}\n`, { mode: 0o600 });
      if (bytes.length <= MAX_BYTES) writeFileSync(join(this.folder, name + WHAT), bytes, { mode: 0o600 });
      this.#trim();
    } catch {
      // This file is a diagnosis only: a full disk must not hide the segment's own error.
    }
  }

  putRows(segment: string, from: Origin, refused: readonly Refused[]): void {
    if (refused.length === 0) return;
    try {
      mkdirSync(this.folder, { recursive: true, mode: 0o700 });
      const path = join(this.folder, `${segment}${ROWS}`);
      const lines = refused.map((one) => `${JSON.stringify({ from, ...one })}\n`).join("");
      const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
      if (size + lines.length <= MAX_BYTES) appendFileSync(path, lines, { mode: 0o600 });
      this.#trim();
    } catch {
      // As with segments.
    }
  }

  #trim(): void {
    const files = readdirSync(this.folder)
      .filter((file) => file.endsWith(WHAT) || file.endsWith(ROWS))
      .map((file) => {
        const { size, mtimeMs } = statSync(join(this.folder, file));
        return { file, size, mtimeMs };
      })
      .sort((a, b) => b.mtimeMs - a.mtimeMs);
    let bytes = 0;
    files.forEach(({ file, size }, i) => {
      bytes += size;
      if (i >= MAX_FILES || bytes > MAX_BYTES) rmSync(join(this.folder, file), { force: true });
    });
  }
}
