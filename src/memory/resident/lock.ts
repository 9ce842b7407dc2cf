import { assert, LociError } from "../../schema/core.ts";
import { H_WRITER, R_OWNER, R_STATE, READER_BYTES, READER_SLOTS, READERS } from "./layout.ts";

const OUT = 0;
const IN = 1;
const WAITING = 2;

/** How long a writer lets readers in that have waited through its last commit. */
const GRACE_MS = 2;
/** The longest sleep before the state is checked again, even if a notification was lost. */
const NAP_MS = 50;

export interface LockOptions {
  /** How long to wait before giving up with `memory-busy`; default 10 s. */
  readonly timeoutMs?: number;
}

/**
 * One writer, many readers, over words of the shared memory. Each thread owns a state word: a reader raises its own and
 * then looks at the writer's word; the writer raises its word and then looks at everyone's (Dekker's handshake; Atomics
 * are sequentially consistent). A waiting writer keeps new readers out but admits readers that waited through its last
 * commit, so neither starves. A thread that died inside keeps its word raised: the writer gives up after `timeoutMs`,
 * naming the thread, and `evict` (called where its death was noticed) lowers it.
 */
export class SharedLock {
  readonly #words: Int32Array;
  readonly #slot: number;
  readonly #timeoutMs: number;
  #readDepth = 0;
  #writing = false;

  constructor(memory: WebAssembly.Memory, slot: number, options: LockOptions = {}) {
    this.#words = new Int32Array(memory.buffer, 0, (READERS + READER_SLOTS * READER_BYTES) / 4);
    this.#slot = slot;
    this.#timeoutMs = options.timeoutMs ?? 10_000;
  }

  /** Takes a free place among the readers. */
  static claim(memory: WebAssembly.Memory): number {
    const words = new Int32Array(memory.buffer, 0, (READERS + READER_SLOTS * READER_BYTES) / 4);
    for (let slot = 0; slot < READER_SLOTS; slot++) {
      if (Atomics.compareExchange(words, wordOf(slot, R_OWNER), 0, 1) === 0) return slot;
    }
    throw new LociError(
      "limit-exceeded",
      `at most ${READER_SLOTS} threads can share one index; detach one first`,
    );
  }

  get slot(): number {
    return this.#slot;
  }

  /** Gives the place back; the lock must not be held. */
  release(): void {
    assert(this.#readDepth === 0 && !this.#writing, "a thread that holds the lock cannot detach");
    this.evict(this.#slot);
  }

  /** Lowers the word of a thread that has ended and frees its place. */
  evict(slot: number): void {
    Atomics.store(this.#words, wordOf(slot, R_STATE), OUT);
    Atomics.notify(this.#words, wordOf(slot, R_STATE));
    Atomics.store(this.#words, wordOf(slot, R_OWNER), 0);
  }

  /** Runs a search; may be nested, and inside a write it costs nothing. `fn` must not be asynchronous. */
  read<T>(fn: () => T): T {
    if (this.#readDepth > 0 || this.#writing) return fn();
    this.#enter();
    this.#readDepth++;
    try {
      return fn();
    } finally {
      this.#readDepth--;
      this.#leave();
    }
  }

  /** Runs a commit alone. */
  write<T>(fn: () => T): T {
    if (this.#writing) return fn();
    assert(this.#readDepth === 0, "a search cannot write");
    this.#close();
    this.#writing = true;
    try {
      return fn();
    } finally {
      this.#writing = false;
      Atomics.store(this.#words, H_WRITER / 4, 0);
      Atomics.notify(this.#words, H_WRITER / 4);
    }
  }

  #enter(): void {
    const own = wordOf(this.#slot, R_STATE);
    const words = this.#words;
    Atomics.store(words, own, IN);
    if (Atomics.load(words, H_WRITER / 4) === 0) return;
    // Reading the clock costs as much as all of the above, so only waiting threads do it.
    const started = performance.now();
    for (;;) {
      Atomics.store(words, own, IN);
      if (Atomics.load(words, H_WRITER / 4) === 0) return;
      Atomics.store(words, own, WAITING);
      Atomics.notify(words, own);
      Atomics.wait(words, H_WRITER / 4, 1, NAP_MS);
      if (performance.now() - started > this.#timeoutMs) {
        Atomics.store(words, own, OUT);
        throw new LociError(
          "memory-busy",
          `a commit has held the index for ${this.#timeoutMs} ms; is its thread gone?`,
        );
      }
    }
  }

  #leave(): void {
    const own = wordOf(this.#slot, R_STATE);
    Atomics.store(this.#words, own, OUT);
    // Only a writer waits on this word, and it has raised its own by then.
    if (Atomics.load(this.#words, H_WRITER / 4) !== 0) Atomics.notify(this.#words, own);
  }

  #close(): void {
    const words = this.#words;
    const started = performance.now();
    this.#letWaitersIn(started);
    while (Atomics.compareExchange(words, H_WRITER / 4, 0, 1) !== 0) {
      Atomics.wait(words, H_WRITER / 4, 1, NAP_MS);
      if (performance.now() - started > this.#timeoutMs) {
        throw new LociError("memory-busy", "another thread has been writing the index for too long");
      }
    }
    for (let slot = 0; slot < READER_SLOTS; slot++) {
      const word = wordOf(slot, R_STATE);
      while (Atomics.load(words, word) === IN) {
        Atomics.wait(words, word, IN, NAP_MS);
        if (performance.now() - started > this.#timeoutMs) {
          Atomics.store(words, H_WRITER / 4, 0);
          Atomics.notify(words, H_WRITER / 4);
          throw new LociError(
            "memory-busy",
            `thread ${slot} has read for too long; evict(${slot}) if it is gone`,
          );
        }
      }
    }
  }

  #letWaitersIn(started: number): void {
    for (let slot = 0; slot < READER_SLOTS; slot++) {
      const word = wordOf(slot, R_STATE);
      while (Atomics.load(this.#words, word) === WAITING) {
        const left = GRACE_MS - (performance.now() - started);
        if (left <= 0 || Atomics.load(this.#words, H_WRITER / 4) !== 0) return;
        Atomics.wait(this.#words, word, WAITING, left);
      }
    }
  }
}

function wordOf(slot: number, field: number): number {
  return (READERS + slot * READER_BYTES + field) / 4;
}
