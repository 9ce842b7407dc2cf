import { setTimeout as sleep } from "node:timers/promises";
import type { Sighting, Stored } from "../../schema/core.ts";
import type { Change } from "../port.ts";

/** The most rows of a table that are read at once. */
export const ROWS_PER_READ = 2_000;

interface MutableChange {
  commitUs: number;
  put: Stored[];
  sightings: Sighting[];
  frames: number;
  forgotten: string[];
}

/** Commits after a memory time, as they are read of several tables: only whole ones are handed out. */
export class ChangePage {
  readonly #afterUs: number;
  readonly #untilUs: number;
  readonly #commits = new Map<number, MutableChange>();
  #horizonUs: number;
  #reachedUs: number;
  #more = false;

  constructor(afterUs: number, untilUs: number) {
    this.#afterUs = afterUs;
    this.#untilUs = untilUs;
    this.#horizonUs = untilUs;
    this.#reachedUs = afterUs;
  }

  /** The commit of a time, to be added to. */
  at(commitUs: number): MutableChange {
    let change = this.#commits.get(commitUs);
    if (change === undefined) {
      change = { commitUs, put: [], sightings: [], frames: 0, forgotten: [] };
      this.#commits.set(commitUs, change);
    }
    return change;
  }

  /** A row of this time was read, whether or not it may be seen. */
  reach(timeUs: number): void {
    this.#reachedUs = Math.max(this.#reachedUs, Math.min(timeUs, this.#untilUs));
  }

  /** A table has more rows; all rows up to this time are here. */
  cut(wholeUs: number): void {
    this.#horizonUs = Math.min(this.#horizonUs, wholeUs);
    this.#more = true;
  }

  finish(): { readonly changes: Change[]; readonly more: boolean; readonly reachedUs: number } {
    const changes = [...this.#commits.values()]
      .filter(({ commitUs }) => commitUs > this.#afterUs && commitUs <= this.#horizonUs)
      .sort((a, b) => a.commitUs - b.commitUs);
    return { changes, more: this.#more, reachedUs: Math.min(this.#reachedUs, this.#horizonUs) };
  }
}

/** A tail of commits, and how to ask for it. */
export interface Tail {
  readonly pollMs: number;
  /** Another value whenever something may have been written; cheap. */
  version(): number | Promise<number>;
  read(afterUs: number): Promise<ReturnType<ChangePage["finish"]>>;
  closed(): boolean;
}

/** The commits after a memory time, one by one, and then, unless `live` is false, future ones. */
export async function* followTail(
  tail: Tail,
  { afterUs, signal, live }: { afterUs?: number; signal?: AbortSignal; live?: boolean },
  seenVersion?: number,
): AsyncGenerator<Change> {
  let after = afterUs ?? Number.MIN_SAFE_INTEGER;
  let seen = seenVersion;
  while (!tail.closed() && !signal?.aborted) {
    // Polling is one cheap query while nothing is written.
    const version = await tail.version();
    if (version !== seen) {
      const page = await tail.read(after);
      for (const change of page.changes) yield change;
      after = Math.max(after, page.reachedUs);
      if (page.more) continue;
      seen = version;
    }
    if (live === false) return;
    await sleep(tail.pollMs, undefined, signal ? { signal } : {}).catch(() => undefined);
  }
}
