import { randomUUID } from "node:crypto";
import { mkdir, open, readFile, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { LociError } from "../../schema/core.ts";
import type { BlobStore } from "./blob-store.ts";

/** Blobs as files of a folder; two letters of the name are a folder, so that none grows too large. */
export class DiskBlobs implements BlobStore {
  readonly what: string;
  readonly #folder: string;

  constructor(folder: string) {
    this.what = folder;
    this.#folder = folder;
  }

  async put(key: string, bytes: Uint8Array): Promise<void> {
    const path = this.#path(key);
    const draft = `${path}.${randomUUID()}`;
    try {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      const file = await open(draft, "wx", 0o600);
      try {
        await file.writeFile(bytes);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(draft, path);
      const folder = await open(dirname(path));
      await folder.sync().finally(() => folder.close());
    } catch (cause) {
      await rm(draft, { force: true }).catch(() => undefined);
      const full = (cause as NodeJS.ErrnoException).code === "ENOSPC";
      throw new LociError(
        full ? "memory-full" : "source-unavailable",
        `blobs in ${this.what}: ${(cause as Error).message}`,
        { cause },
      );
    }
  }

  async get(key: string): Promise<Uint8Array | undefined> {
    try {
      return await readFile(this.#path(key));
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code === "ENOENT") return undefined;
      throw new LociError("source-unavailable", `blobs in ${this.what}: ${(cause as Error).message}`, {
        cause,
      });
    }
  }

  async delete(key: string): Promise<void> {
    await rm(this.#path(key), { force: true });
  }

  #path(key: string): string {
    const [scene = "", name = ""] = key.split("/");
    return join(this.#folder, scene, name.slice(0, 2), name);
  }
}
