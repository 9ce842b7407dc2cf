import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const MAX_FILES = 16;
const MAX_BYTES = 256 * 1024 * 1024;
const [WHY, WHAT] = [".txt", ".segment"];

/**
 * Segments that cannot be taken, however often they are sent: each with the line that says why, for somebody to look at.
 * Until that file is deleted the same segment is refused unread. There are only so many; the oldest go.
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
      // For people to look at; a full disk is no reason to fail otherwise than by what is wrong with the segment.
    }
  }

  #trim(): void {
    const files = readdirSync(this.folder)
      .filter((file) => file.endsWith(WHAT))
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
