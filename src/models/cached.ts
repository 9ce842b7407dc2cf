import { LociError, throwIfAborted } from "../schema/index.ts";
import type { EmbedOptions, TextEmbedder } from "./embedder.ts";
import { checkTexts, isBlank } from "./embedder-rules.ts";

export interface CacheOptions {
  /** Most memory for texts and vectors together; the least recently used text is dropped first. */
  readonly maxBytes?: number;
}

const MAX_BYTES = 32 * 1_048_576;
const ENTRY_OVERHEAD_BYTES = 128;

/** One pending batch, shared by every call that waits for one of its texts. */
interface Flight {
  readonly texts: readonly string[];
  readonly controller: AbortController;
  readonly landed: Promise<ReadonlyMap<string, Float32Array | null>>;
  waiters: number;
}

/**
 * Caches any embedder: bounded; duplicates within a call and pending texts are merged, and blank lines are answered
 * here. A pending batch is cancelled only when every call waiting for it has been aborted, so one caller's abort
 * never fails another. Failures are not cached.
 */
export function cached(inner: TextEmbedder, options: CacheOptions = {}): TextEmbedder {
  const kept = new VectorCache(options.maxBytes ?? MAX_BYTES);
  const flying = new Map<string, Flight>();
  let closed = false;

  function launch(texts: readonly string[], after: Promise<unknown>): Flight {
    const controller = new AbortController();
    const fly = async () => {
      try {
        throwIfAborted(controller.signal);
        const vectors = await inner.embed(texts, { signal: controller.signal });
        const byText = new Map(texts.map((text, index) => [text, vectors[index] ?? null]));
        for (const [text, vector] of byText) kept.put(text, vector);
        return byText;
      } finally {
        land(flight);
      }
    };
    // After a failure, waiting calls may leave first; a batch without any is not retried.
    const flyLater = () => new Promise((resolve) => setImmediate(resolve)).then(fly);
    const flight: Flight = { texts, controller, landed: after.then(fly, flyLater), waiters: 0 };
    // Callers that still wait see the failure through their own await; without any it is ignored.
    flight.landed.catch(() => {});
    for (const text of texts) flying.set(text, flight);
    return flight;
  }

  function land(flight: Flight): void {
    for (const text of flight.texts) if (flying.get(text) === flight) flying.delete(text);
  }

  function leave(flight: Flight): void {
    flight.waiters--;
    if (flight.waiters > 0) return;
    land(flight);
    flight.controller.abort();
  }

  /** The batches that will deliver these texts: pending ones, and new ones of the model's batch size. */
  function board(texts: readonly string[]): Set<Flight> {
    const flights = new Set<Flight>();
    const missing: string[] = [];
    for (const text of texts) {
      const flight = flying.get(text);
      if (flight) flights.add(flight);
      else missing.push(text);
    }
    let after: Promise<unknown> = Promise.resolve();
    for (let start = 0; start < missing.length; start += inner.batchSize) {
      const flight = launch(missing.slice(start, start + inner.batchSize), after);
      flights.add(flight);
      after = flight.landed;
    }
    for (const flight of flights) flight.waiters++;
    return flights;
  }

  return {
    info: inner.info,
    batchSize: inner.batchSize,
    ...(inner.background === undefined ? {} : { background: inner.background }),
    async embed(lines, { signal } = {}) {
      if (closed) throw new LociError("model-unavailable", `${inner.info.id}: this embedder is closed`);
      throwIfAborted(signal);
      checkTexts(lines);
      const found = new Map<string, Float32Array | null>();
      for (const text of new Set(lines)) {
        const vector = isBlank(text) ? null : kept.get(text);
        if (vector !== undefined) found.set(text, vector);
      }
      const flights = board([...new Set(lines)].filter((text) => !found.has(text)));
      try {
        for (const flight of flights) {
          const landed = await unlessAborted(flight.landed, signal);
          for (const [text, vector] of landed) found.set(text, vector);
        }
      } finally {
        for (const flight of flights) leave(flight);
      }
      // Copies, because a caller that writes into its vector must not change another caller's.
      return lines.map((line) => found.get(line)?.slice() ?? null);
    },
    async close() {
      closed = true;
      kept.clear();
      await inner.close();
    },
  };
}

/** Least recently used first, by the order in which a Map keeps its keys. */
class VectorCache {
  private readonly maxBytes: number;
  private readonly vectors = new Map<string, Float32Array | null>();
  private bytes = 0;

  constructor(maxBytes: number) {
    this.maxBytes = maxBytes;
  }

  get(text: string): Float32Array | null | undefined {
    const vector = this.vectors.get(text);
    if (vector === undefined) return undefined;
    this.vectors.delete(text);
    this.vectors.set(text, vector);
    return vector;
  }

  put(text: string, vector: Float32Array | null): void {
    const before = this.vectors.get(text);
    if (before !== undefined) this.remove(text, before);
    this.vectors.set(text, vector);
    this.bytes += sizeOf(text, vector);
    for (const [oldest, its] of this.vectors) {
      if (this.bytes <= this.maxBytes) break;
      this.remove(oldest, its);
    }
  }

  clear(): void {
    this.vectors.clear();
    this.bytes = 0;
  }

  private remove(text: string, vector: Float32Array | null): void {
    this.vectors.delete(text);
    this.bytes -= sizeOf(text, vector);
  }
}

function sizeOf(text: string, vector: Float32Array | null): number {
  return 2 * text.length + (vector?.byteLength ?? 0) + ENTRY_OVERHEAD_BYTES;
}

async function unlessAborted<T>(promise: Promise<T>, signal: EmbedOptions["signal"]): Promise<T> {
  if (!signal) return promise;
  throwIfAborted(signal);
  const { promise: gone, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(new LociError("aborted", "the call was aborted", { cause: signal.reason }));
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([promise, gone]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}
