import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { Principal } from "../memory/port.ts";
import { expressionSchema, LociError, parseOrThrow, watchEventSchema, watchSchema } from "../schema/index.ts";

/** Most events kept per watch, for clients that reconnect. */
export const MAX_EVENTS = 256;

/** A watch as stored: its query, what was reported, and what is still to be delivered. */
const keptSchema = z.object({
  format: z.literal(1),
  watch: watchSchema.omit({ dependsOn: true }),
  expression: expressionSchema,
  owner: z.object({
    id: z.string(),
    labels: z.union([z.literal("*"), z.array(z.string())]),
    /** The grant it was created under; the watch ends with it. Without one it belongs to this machine's owner. */
    grant: z.string().optional(),
  }),
  toldUs: z.int().optional(),
  events: z.array(watchEventSchema).max(MAX_EVENTS),
  secret: z.string().optional(),
});

/** The owner of a watch. */
export interface WatchOwner extends Principal {
  readonly grant?: string | undefined;
}

export type Kept = z.infer<typeof keptSchema>;

/**
 * The watches of a memory, one file each beside it; readable by the owner only, because they contain questions and
 * secrets.
 */
export class WatchStore {
  readonly #folder: string;

  constructor(memoryFolder: string) {
    this.#folder = join(memoryFolder, "watches");
  }

  get hasAny(): boolean {
    return this.#names().length > 0;
  }

  all(): Kept[] {
    return this.#names().map((name) => this.#read(join(this.#folder, name)));
  }

  /** Durable when it returns, so that a reported change is not reported again. */
  put(kept: Kept): void {
    try {
      this.#put(kept);
    } catch (cause) {
      const isFull = (cause as NodeJS.ErrnoException).code === "ENOSPC";
      throw new LociError(
        isFull ? "memory-full" : "memory-read-only",
        isFull
          ? `no space left for ${this.#folder}; free some space`
          : `${this.#folder} cannot be written; check its permissions`,
        { cause },
      );
    }
  }

  #put(kept: Kept): void {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    const path = this.#path(kept.watch.id);
    const draft = `${path}.new`;
    const file = openSync(draft, "w", 0o600);
    try {
      writeSync(file, `${JSON.stringify(kept)}\n`);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(draft, path);
  }

  remove(id: string): void {
    rmSync(this.#path(id), { force: true });
  }

  #names(): string[] {
    if (!existsSync(this.#folder)) return [];
    return readdirSync(this.#folder)
      .filter((name) => name.endsWith(".json"))
      .sort();
  }

  #path(id: string): string {
    return join(this.#folder, `${id}.json`);
  }

  #read(path: string): Kept {
    let json: unknown;
    try {
      json = JSON.parse(readFileSync(path, "utf8"));
    } catch (cause) {
      throw new LociError("memory-corrupt", `${path} is not JSON; remove it to go on without that watch`, {
        cause,
      });
    }
    return parseOrThrow(keptSchema, json, path);
  }
}
