import { resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { LociError } from "../../schema/core.ts";
import type { LiveFrames } from "../live-frames.ts";
import type { Memory } from "../memory.ts";
import { parseSourceRequest, type SourceRequest, type SourceStatus } from "./request.ts";
import { Source } from "./source.ts";

/** Sources that are taken in at once, and that are listed with those that have ended. */
const MOST_RUNNING = 16;
const MOST_LISTED = 64;
const NAME_CHARS = 64;

/** The sources of one memory: started, watched and stopped while the memory is used. */
export class Sources {
  readonly #memory: Memory;
  readonly #frames: () => Promise<LiveFrames>;
  readonly #sources = new Map<string, Source>();
  readonly #starting = new Map<string, Promise<Source>>();
  #isClosed = false;

  constructor(memory: Memory, frames: () => Promise<LiveFrames>) {
    this.#memory = memory;
    this.#frames = frames;
  }

  /** Begins to take a source in. The same source again, while it is under way, changes nothing. */
  async start(input: SourceRequest): Promise<SourceStatus> {
    if (this.#isClosed)
      throw new LociError("memory-closed", "the memory is being closed; start the source anew");
    const { checkScheme, isLive } = await import("../../sensors/index.ts");
    const parsed = parseSourceRequest(input);
    checkScheme(parsed.source);
    const request = isLive(parsed.source) ? parsed : { ...parsed, source: resolve(parsed.source) };
    const id = request.name ?? idOf(request.source);
    const known = (await this.#starting.get(id)?.catch(() => undefined)) ?? this.#sources.get(id);
    if (known && !known.isOver) {
      if (isDeepStrictEqual(known.request, request)) return known.status();
      throw new LociError(
        "invalid-input",
        `the source "${id}" is taken in already, in another way: stop it first, or give this one a name`,
      );
    }
    const running = [...this.#sources.values()].filter(({ isOver }) => !isOver).length;
    if (running + this.#starting.size >= MOST_RUNNING)
      throw new LociError(
        "limit-exceeded",
        `at most ${MOST_RUNNING} sources at once; stop one of them first`,
      );
    const starting = this.#begin(id, request);
    this.#starting.set(id, starting);
    try {
      const source = await starting;
      this.#sources.delete(id);
      this.#sources.set(id, source);
      this.#trim();
      return source.status();
    } finally {
      this.#starting.delete(id);
    }
  }

  list(): SourceStatus[] {
    return Array.from(this.#sources.values(), (source) => source.status());
  }

  /** Stops a source; one that has ended stays as it is. */
  async stop(id: string): Promise<SourceStatus> {
    const source = (await this.#starting.get(id)?.catch(() => undefined)) ?? this.#sources.get(id);
    if (source === undefined) throw new LociError("unknown-id", `there is no source "${id}"`);
    if (!source.isOver) await source.stop();
    return source.status();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.allSettled(this.#starting.values());
    await Promise.all(
      Array.from(this.#sources.values(), (source) => (source.isOver ? undefined : source.stop())),
    );
  }

  async #begin(id: string, request: SourceRequest): Promise<Source> {
    const frames = await this.#frames();
    const nowUs = () => Date.now() * 1_000;
    return Source.begin({ memory: this.#memory, frames, environment: process.env, nowUs }, { id, request });
  }

  #trim(): void {
    for (const [id, { isOver }] of this.#sources) {
      if (this.#sources.size <= MOST_LISTED) return;
      if (isOver) this.#sources.delete(id);
    }
  }
}

/** "foxglove://robot:8765" → "foxglove-robot-8765": the same source has the same name. */
function idOf(source: string): string {
  const words = source.match(/[A-Za-z0-9._]+/g) ?? ["source"];
  return words
    .join("-")
    .slice(-NAME_CHARS)
    .replace(/^[-.]+/, "");
}
