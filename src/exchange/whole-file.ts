import { createWriteStream } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { isLociError, LociError, throwIfAborted } from "../schema/index.ts";

/** The content of a file, piece by piece. */
export type Pieces = AsyncIterable<Uint8Array | string> | Iterable<Uint8Array | string>;

/** Writes a file that appears under its name only when complete and on disk; after an error or abort there is none. */
export async function writeWhole(path: string, pieces: Pieces, signal?: AbortSignal): Promise<number> {
  return writeWholeBy(
    path,
    async (partial) => {
      let bytes = 0;
      async function* counted() {
        for await (const piece of pieces) {
          throwIfAborted(signal);
          bytes += typeof piece === "string" ? Buffer.byteLength(piece) : piece.byteLength;
          yield piece;
        }
      }
      await pipeline(
        Readable.from(counted(), { objectMode: true }),
        createWriteStream(partial, { flush: true }),
      );
      return bytes;
    },
    signal,
  );
}

/** The same for a callback that writes the file itself, under a temporary name. */
export async function writeWholeBy<T>(
  path: string,
  write: (partial: string) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const partial = `${path}.partial`;
  try {
    const result = await write(partial);
    throwIfAborted(signal);
    await rename(partial, path);
    return result;
  } catch (error) {
    await rm(partial, { force: true });
    throw fileFailure(error, path);
  }
}

/** Converts a file system failure into one of our errors; other errors pass unchanged. */
export function fileFailure(error: unknown, path: string): unknown {
  if (isLociError(error)) return error;
  const code = (error as NodeJS.ErrnoException).code;
  if (code === "ENOENT" || code === "ENOTDIR")
    return new LociError("invalid-input", `${path}: no such file or folder`, { cause: error });
  if (code === "EACCES" || code === "EISDIR" || code === "EROFS" || code === "EPERM")
    return new LociError("invalid-input", `${path} cannot be opened (${code})`, { cause: error });
  if (code === "ENOSPC")
    return new LociError("memory-full", `no space left to write ${path}; nothing was kept`, { cause: error });
  return error;
}
