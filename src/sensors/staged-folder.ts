import { constants } from "node:fs";
import { access, mkdir, mkdtemp, readdir, rename, rm, rmdir, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { LociError } from "../schema/index.ts";

/**
 * A folder that appears whole or not at all: files are written beside it under a hidden name, and `commit` renames.
 * After an error or an abort, `discard` leaves nothing.
 */
export class StagedFolder {
  /** Where to write. */
  readonly path: string;
  readonly #target: string;
  readonly #madeParents: string | undefined;

  private constructor(target: string, path: string, madeParents: string | undefined) {
    this.#target = target;
    this.path = path;
    this.#madeParents = madeParents;
  }

  /** Throws invalid-input, before anything is written, unless `target` is absent or an empty folder. */
  static async create(target: string): Promise<StagedFolder> {
    const absolute = resolve(target);
    await checkTarget(absolute);
    try {
      const madeParents = await makeParents(dirname(absolute));
      const path = await mkdtemp(join(dirname(absolute), `.${basename(absolute)}.partial-`));
      return new StagedFolder(absolute, path, madeParents);
    } catch (cause) {
      throw unwritable(target, cause);
    }
  }

  async commit(): Promise<void> {
    await rename(this.path, this.#target);
  }

  async discard(): Promise<void> {
    await rm(this.path, { recursive: true, force: true });
    // Parents that we made are removed too, innermost first, as far as they are empty.
    const { dir, top } = { dir: dirname(this.#target), top: this.#madeParents };
    for (let at = dir; top !== undefined && at.startsWith(top); at = dirname(at)) {
      if (
        !(await rmdir(at).then(
          () => true,
          () => false,
        ))
      )
        break;
    }
  }
}

/**
 * Makes missing folders one by one and returns the outermost. mkdir's own `recursive` never returns on a file system
 * that answers "no such file" to everything, such as /proc.
 */
async function makeParents(folder: string): Promise<string | undefined> {
  const missing: string[] = [];
  for (let at = folder; !(await stat(at).catch(() => undefined)); at = dirname(at)) missing.unshift(at);
  for (const [n, path] of missing.entries()) {
    await mkdir(path).catch(async (error: unknown) => {
      for (const made of missing.slice(0, n).reverse()) await rmdir(made);
      throw error;
    });
  }
  return missing[0];
}

async function checkTarget(target: string): Promise<void> {
  const found = await stat(target).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw unwritable(target, error);
  });
  if (found) {
    if (!found.isDirectory())
      throw new LociError("invalid-input", `expected a folder to write to, got the file ${target}`);
    if ((await readdir(target)).length > 0) {
      throw new LociError(
        "invalid-input",
        `expected a new or empty folder, got ${target}, which has files in it`,
      );
    }
  }
  let above = dirname(target);
  for (;;) {
    const exists = await stat(above).catch(() => undefined);
    if (exists && !exists.isDirectory()) throw unwritable(target, new Error(`${above} is not a folder`));
    if (exists) break;
    above = dirname(above);
  }
  await access(above, constants.W_OK).catch((cause: unknown) => {
    throw unwritable(target, cause);
  });
}

function unwritable(target: string, cause: unknown): LociError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new LociError("invalid-input", `expected a folder that can be written, got ${target}: ${why}`, {
    cause,
  });
}
