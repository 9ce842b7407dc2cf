import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { throwIfAborted } from "../../schema/core.ts";
import type { CursorValues } from "../embedded/cursor.ts";
import type { VectorSpace } from "../port.ts";
import type { ColumnIndex } from "../resident/column-index.ts";
import type { NumericQuery } from "../resident/query.ts";
import type { ApproximateRank } from "../resident/vector-rank.ts";
import type { GraphFacts } from "./graph-file.ts";
import { type BuildStart, type FromBuilder, tailWorthAdding } from "./protocol.ts";
import { rankNear } from "./rank-near.ts";
import { type Graph, newGraph } from "./usearch.ts";

/** A lag of more rows than this, or than this share of the graph, is not worth walking with every search. */
const MIN_TAIL = 4_096;
const MAX_TAIL_SHARE = 1 / 8;
const PROGRESS_MS = 200;

/** The index that a graph is built for, as current as the truth. */
export interface Followed {
  readonly index: ColumnIndex;
  readonly position: CursorValues;
}

/** Whether searches go by the graph and, if not, why. */
export type GraphState = { readonly ready: true } | { readonly ready: false; readonly reason: string };

export interface ReadyOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (done: number, total: number) => void;
}

interface Job {
  readonly stop: Int32Array;
  readonly ended: Promise<void>;
  progress?: { readonly done: number; readonly total: number };
}

/**
 * The graph of one vector space, as the searching thread has it: mapped from its file, never written. A thread of its
 * own checks, builds and extends the file. While there is none, or it belongs to an earlier state of the memory,
 * searches are exact.
 */
export class GraphKeeper {
  readonly #folder: string;
  readonly #space: VectorSpace;
  readonly #from: number;
  #mapped: { readonly graph: Graph; readonly facts: GraphFacts } | undefined;
  #job: Job | undefined;
  /** The truth when the last job began: there is no use in another one before something has changed. */
  #triedAt: CursorValues | undefined;
  /** Why there will be none in this process. */
  #failure: string | undefined;

  /** `from`: how many vectors the space must have. */
  constructor(folder: string, space: VectorSpace, from: number) {
    this.#folder = folder;
    this.#space = space;
    this.#from = from;
  }

  /** How a purely semantic search ranks by the graph; undefined if it must be exact. Starts a missing build. */
  hook(query: NumericQuery, followed: Followed): ApproximateRank | undefined {
    if (!isPure(query, this.#space) || !this.#isLarge(followed.index)) return undefined;
    const mapped = this.#current(followed.position);
    if (mapped === undefined) return undefined;
    const { vector } = query[this.#space]!;
    return (input) => rankNear(input, mapped.graph, vector, mapped.facts.record);
  }

  /** Waits until the graph is mapped, or it is known that there will be none for now. */
  async ready(followed: () => Followed, { signal, onProgress }: ReadyOptions = {}): Promise<GraphState> {
    for (;;) {
      throwIfAborted(signal);
      const { index, position } = followed();
      if (!this.#isLarge(index))
        return { ready: false, reason: `it begins at ${this.#from.toLocaleString("en")} vectors` };
      if (this.#current(position) !== undefined) return { ready: true };
      if (this.#failure !== undefined) return { ready: false, reason: this.#failure };
      const job = this.#job;
      if (job === undefined) return { ready: false, reason: "the memory changed while it was built" };
      await Promise.race([job.ended, pause(PROGRESS_MS)]);
      if (job.progress) onProgress?.(job.progress.done, job.progress.total);
    }
  }

  async close(): Promise<void> {
    this.#failure ??= "the memory is closed";
    this.#mapped = undefined;
    if (this.#job === undefined) return;
    Atomics.store(this.#job.stop, 0, 1);
    await this.#job.ended;
  }

  #isLarge(index: ColumnIndex): boolean {
    const { texts, images } = index.stats();
    return (this.#space === "text" ? texts : images) >= this.#from;
  }

  /** The graph if it is of this memory and not far behind; if there is something to catch up, that is begun. */
  #current(position: CursorValues) {
    // The file holds forgotten content, and the truth may have other vectors by now.
    if (this.#mapped && !isOf(this.#mapped.facts, position)) this.#mapped = undefined;
    const facts = this.#mapped?.facts;
    const lag = position.record - (facts?.record ?? 0);
    const worth = facts === undefined ? 0 : tailWorthAdding(facts.vectors);
    if (lag > worth && this.#isNews(position, worth)) this.#begin(position);
    const most = Math.max(MIN_TAIL, (facts?.vectors ?? 0) * MAX_TAIL_SHARE);
    return lag <= most ? this.#mapped : undefined;
  }

  #isNews(position: CursorValues, worth: number): boolean {
    if (this.#job !== undefined || this.#failure !== undefined) return false;
    const tried = this.#triedAt;
    return tried === undefined || !isOf(tried, position) || position.record - tried.record > worth;
  }

  #begin(position: CursorValues): void {
    this.#triedAt = position;
    const stop = new SharedArrayBuffer(4);
    const start: BuildStart = { folder: this.#folder, space: this.#space, stop };
    const extension = import.meta.url.endsWith(".ts") ? "ts" : "js";
    const worker = new Worker(new URL(`./build-worker.${extension}`, import.meta.url), { workerData: start });
    // An unfinished graph does not keep the process alive: it is built again another time.
    worker.unref();
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    const job: Job = { stop: new Int32Array(stop), ended };
    this.#job = job;
    worker.on("message", (message: FromBuilder) => {
      if (message.type === "progress") job.progress = message;
      else if (message.type === "failed") this.#failure ??= message.reason;
      else this.#map(message.facts);
    });
    worker.on("error", (error) => {
      this.#failure ??= error.message;
    });
    worker.on("exit", () => {
      this.#job = undefined;
      resolve();
    });
  }

  #map(facts: GraphFacts): void {
    if (this.#failure !== undefined) return;
    try {
      const graph = newGraph(facts.dim);
      graph.view(join(this.#folder, facts.file));
      this.#mapped = { graph, facts };
    } catch {
      // Deleted by a concurrent forget since it was checked: the next search sees that too.
      this.#mapped = undefined;
    }
  }
}

function isOf(facts: Pick<CursorValues, "epoch" | "forgotten">, now: CursorValues): boolean {
  return facts.epoch === now.epoch && facts.forgotten === now.forgotten;
}

/**
 * One vector key and no filter but kinds. Not for restricted readers: hidden records near a question would decide
 * whether the graph is enough, and the response time would reveal them.
 */
function isPure(query: NumericQuery, space: VectorSpace): boolean {
  const { kinds, text, image, rank, limit, pool, ...others } = query;
  if (Object.values(others).some((condition) => condition !== undefined)) return false;
  return space === "text"
    ? rank === "meaning" && image === undefined && text !== undefined
    : rank === "image" && text === undefined && image !== undefined;
}
