import { logEndOf } from "./log-end.ts";
import type { Change, MemoryReader } from "./port.ts";

/** How many of the latest commits are kept for followers; one farther behind reads the memory itself. */
const MAX_KEPT = 64;
/** The most records and sightings in all of them: one commit may be large. */
const MAX_ROWS = 20_000;

/**
 * The commits of a memory for many followers at once: one poll serves all. There are no queues: each follower takes the
 * next commit when it is done with the last, and one that falls behind the kept commits reads on from the memory, which
 * holds all of them. Each gets every commit after its own starting point once, in order.
 */
export class ChangeTail {
  readonly #reader: () => Promise<MemoryReader>;
  #kept: Change[] = [];
  /** The number of the first that is kept. */
  #first = 0;
  #rows = 0;
  #lastUs = Number.MIN_SAFE_INTEGER;
  #followers = 0;
  #watching: { readonly stop: AbortController; readonly started: Promise<void> } | undefined;
  #failure: unknown;
  /** Followers that wait for the next commit. */
  readonly #waiting = new Set<() => void>();

  constructor(reader: () => Promise<MemoryReader>) {
    this.#reader = reader;
  }

  /** Commits after a memory time; without one, future commits. Ends when the signal does. */
  async *after(afterUs: number | undefined, signal: AbortSignal): AsyncGenerator<Change> {
    this.#followers++;
    let wake = (): void => undefined;
    const stop = () => wake();
    signal.addEventListener("abort", stop, { once: true });
    try {
      this.#watching ??= this.#watch();
      await this.#watching.started;
      let at = afterUs ?? this.#lastUs;
      while (!signal.aborted) {
        // Later commits are kept under a later number, or were read before it.
        let next = this.#first + this.#kept.length;
        if (at < this.#lastUs) {
          for await (const change of (await this.#reader()).changes({ afterUs: at, live: false, signal })) {
            at = change.commitUs;
            yield change;
          }
        }
        while (!signal.aborted && next >= this.#first) {
          const change = this.#kept[next - this.#first];
          if (change === undefined) {
            if (this.#failure !== undefined) throw this.#failure;
            await new Promise<void>((resolve) => {
              wake = resolve;
              this.#waiting.add(resolve);
            });
            this.#waiting.delete(wake);
            continue;
          }
          next++;
          if (change.commitUs <= at) continue;
          at = change.commitUs;
          yield change;
        }
      }
    } finally {
      signal.removeEventListener("abort", stop);
      if (--this.#followers === 0) this.#rest();
    }
  }

  #watch() {
    const stop = new AbortController();
    const { promise: started, resolve, reject } = Promise.withResolvers<void>();
    started.catch(() => undefined);
    void this.#run(stop.signal, resolve).catch((error: unknown) => {
      this.#failure = error;
      reject(error);
      this.#tell();
    });
    return { stop, started };
  }

  async #run(signal: AbortSignal, started: () => void): Promise<void> {
    const reader = await this.#reader();
    this.#lastUs = (await logEndOf(reader)) ?? Number.MIN_SAFE_INTEGER;
    started();
    for await (const change of reader.changes({ afterUs: this.#lastUs, signal })) {
      if (signal.aborted) return;
      this.#lastUs = change.commitUs;
      this.#kept.push(change);
      this.#rows += rowsOf(change);
      while (this.#kept.length > 1 && (this.#kept.length > MAX_KEPT || this.#rows > MAX_ROWS)) {
        this.#rows -= rowsOf(this.#kept.shift()!);
        this.#first++;
      }
      this.#tell();
    }
  }

  #tell(): void {
    for (const wake of this.#waiting) wake();
  }

  /** Without followers nothing is polled or kept. */
  #rest(): void {
    this.#watching?.stop.abort();
    this.#watching = undefined;
    this.#failure = undefined;
    this.#first += this.#kept.length;
    this.#kept = [];
    this.#rows = 0;
  }
}

function rowsOf({ put, sightings }: Change): number {
  return put.length + sightings.length;
}
