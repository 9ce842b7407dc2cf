import type { Worker } from "node:worker_threads";
import { type EmbedderInfo, LociError } from "../../schema/core.ts";
import type {
  Calibration,
  Commit,
  DumpRow,
  EmbedLines,
  ForgetOptions,
  ForgetReport,
  ForgetSelection,
  MemoryWriter,
  RedactPictures,
  ReembedOptions,
  ReembedReport,
  VectorSpace,
  Work,
  WorkBegin,
  WriteBatch,
} from "../port.ts";
import type { SharedIndex } from "./follower.ts";
import { packBatch } from "./packed-batch.ts";
import {
  errorFrom,
  type FromWriter,
  failureFrom,
  type Method,
  type Start,
  type ToWriter,
} from "./writer-protocol.ts";
import { giveThread, takeThread } from "./writer-threads.ts";

const ROWS_PER_ANSWER = 500;
/** How long a search waits for the index to follow a write that was answered. */
const MAX_WAIT_MS = 10_000;

export interface ProxyHooks {
  nowUs(): number;
  /** After each call; with the new index where the call made one. */
  onDone(method: Method, index: SharedIndex | undefined): void;
  onClose(): void;
}

interface Pending {
  readonly method: Method;
  resolve(value: unknown): void;
  reject(error: unknown): void;
  readonly asks?: Asks;
}

/** The callbacks that a call may use. */
interface Asks {
  embed?(lines: string[]): Promise<(Float32Array | null)[]>;
  rows?(): Promise<DumpRow[]>;
  redact?: RedactPictures;
  waiting?(readers: readonly string[]): void;
  progress?(done: number, total: number): void;
}

interface CallExtras {
  readonly asks?: Asks;
  readonly signal?: AbortSignal | undefined;
  readonly transfer?: readonly ArrayBuffer[];
}

/** The calling thread's end of the writer. Calls are carried out in order, one at a time. */
export class WriterProxy implements MemoryWriter {
  readonly #worker: Worker;
  readonly #hooks: ProxyHooks;
  readonly #pending = new Map<number, Pending>();
  readonly #applied: Int32Array;
  /** Callers waiting until the index has every acknowledged write. */
  readonly #waiting: (() => void)[] = [];
  #answered = 0;
  #nextCall = 0;
  #closing: Promise<void> | undefined;
  #failure: Error | undefined;

  private constructor(worker: Worker, applied: SharedArrayBuffer, hooks: ProxyHooks) {
    this.#worker = worker;
    this.#applied = new Int32Array(applied);
    this.#hooks = hooks;
  }

  /** Takes a thread and waits until it has the writer's place, or is refused it. */
  static open(place: Omit<Start, "applied">, hooks: ProxyHooks): Promise<WriterProxy> {
    const start: Start = { ...place, applied: new SharedArrayBuffer(4) };
    const worker = takeThread();
    const proxy = new WriterProxy(worker, start.applied, hooks);
    let ready = false;
    return new Promise((resolve, reject) => {
      worker.on("message", (message: FromWriter) => {
        if (message.type === "ready") {
          ready = true;
          // From now on only calls in progress keep the process alive.
          worker.unref();
          resolve(proxy);
        } else if (message.type === "refused") {
          giveThread(worker);
          reject(errorFrom(message.failure));
        } else {
          proxy.#receive(message);
        }
      });
      worker.on("error", (error) => proxy.#broken(error));
      worker.on("exit", () => {
        proxy.#broken(new LociError("memory-closed", "the writer's thread has ended"));
        reject(new LociError("memory-closed", "the writer's thread ended before it could begin"));
        if (ready) hooks.onClose();
      });
      worker.postMessage({ type: "start", start } satisfies ToWriter);
    });
  }

  /** Waits until the index has every acknowledged write, so that a search finds each of them. False on timeout. */
  awaitIndex(): boolean {
    const applied = this.#applied;
    for (let now = Atomics.load(applied, 0); now < this.#answered; now = Atomics.load(applied, 0)) {
      if (Atomics.wait(applied, 0, now, MAX_WAIT_MS) === "timed-out") return false;
    }
    return true;
  }

  /** The same without holding the thread; undefined where the index has everything already. */
  behind(): Promise<void> | undefined {
    if (this.#failure || Atomics.load(this.#applied, 0) >= this.#answered) return undefined;
    // As long as there is something to wait for the process is kept alive.
    this.#worker.ref();
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  write(batch: WriteBatch): Promise<Commit> {
    const packed = packBatch(batch);
    const { vectors } = packed;
    return this.#call("write", [packed], { transfer: vectors === undefined ? [] : [vectors.buffer] });
  }

  setEmbedder(space: VectorSpace, embedder: EmbedderInfo): Promise<void> {
    return this.#call("setEmbedder", [space, { id: embedder.id, dim: embedder.dim }]);
  }

  begin(work: WorkBegin): Promise<Work> {
    return this.#call("begin", [work]);
  }

  finish(workId: string): Promise<void> {
    return this.#call("finish", [workId]);
  }

  knownTexts(texts: readonly string[]): Promise<boolean[]> {
    return this.#call("knownTexts", [texts]);
  }

  disown(memory: string, fromUs?: number): Promise<number> {
    return this.#call("disown", [memory, fromUs]);
  }

  forget(selection: ForgetSelection, options: ForgetOptions = {}): Promise<ForgetReport> {
    const { redact, onWaiting, waitMs } = options;
    const asks: Asks = { ...(redact && { redact }), ...(onWaiting && { waiting: onWaiting }) };
    return this.#call("forget", [selection, waitMs, redact !== undefined], { asks });
  }

  calibrate(space: VectorSpace): Promise<Calibration> {
    return this.#call("calibrate", [space]);
  }

  reembed(embedder: EmbedderInfo, embed: EmbedLines, options: ReembedOptions = {}): Promise<ReembedReport> {
    const { signal, onProgress } = options;
    const asks: Asks = {
      embed: (lines) => embed(lines, signal),
      ...(onProgress && { progress: onProgress }),
    };
    return this.#call("reembed", [{ id: embedder.id, dim: embedder.dim }], { asks, signal });
  }

  restore(rows: AsyncIterable<DumpRow>): Promise<{ rows: number }> {
    const source = rows[Symbol.asyncIterator]();
    const next = async () => {
      const taken: DumpRow[] = [];
      while (taken.length < ROWS_PER_ANSWER) {
        const { value, done } = await source.next();
        if (done) break;
        taken.push(value);
      }
      return taken;
    };
    return this.#call("restore", [], { asks: { rows: next } });
  }

  close(): Promise<void> {
    this.#closing ??= this.#call<void>("close", []).then(
      () => {
        giveThread(this.#worker);
        this.#hooks.onClose();
      },
      (error) => {
        this.#hooks.onClose();
        if (this.#failure) return;
        this.#send({ type: "end" });
        throw error;
      },
    );
    return this.#closing;
  }

  #call<T>(
    method: Method,
    args: readonly unknown[],
    { asks, signal, transfer = [] }: CallExtras = {},
  ): Promise<T> {
    if (this.#closing)
      return Promise.reject(new LociError("memory-closed", "this writer is closed; open another one"));
    if (this.#failure) return Promise.reject(this.#failure);
    const call = this.#nextCall++;
    return new Promise<unknown>((resolve, reject) => {
      this.#pending.set(call, { method, resolve, reject, ...(asks && { asks }) });
      this.#worker.ref();
      try {
        this.#send({ type: "call", call, method, args, nowUs: this.#hooks.nowUs() }, transfer);
      } catch (error) {
        this.#settle(call);
        // Functions, symbols and the like do not travel, and no record has them.
        reject(new LociError("invalid-input", `${method}: ${(error as Error).message}`, { cause: error }));
        return;
      }
      // Later, the thread may be at another memory's calls.
      const abort = () => this.#pending.has(call) && this.#send({ type: "abort", call });
      if (signal?.aborted) abort();
      else signal?.addEventListener("abort", abort, { once: true });
    }) as Promise<T>;
  }

  #receive(message: Exclude<FromWriter, { type: "ready" | "refused" }>): void {
    if (message.type === "applied") {
      this.#letGo();
      return;
    }
    const pending = this.#pending.get(message.call);
    if (message.type === "done") {
      if (message.write !== undefined) this.#answered = message.write;
      if (pending) this.#hooks.onDone(pending.method, message.index);
      this.#settle(message.call);
      if (message.failure) pending?.reject(errorFrom(message.failure));
      else pending?.resolve(message.value);
    } else if (message.type === "progress") {
      pending?.asks?.progress?.(message.done, message.total);
    } else if (message.type === "waiting") {
      pending?.asks?.waiting?.(message.readers);
    } else {
      Promise.resolve(answerOf(message, pending?.asks)).then(
        (value) => this.#send({ type: "answer", ask: message.ask, value }),
        (error) => this.#send({ type: "answer", ask: message.ask, failure: failureFrom(error) }),
      );
    }
  }

  #settle(call: number): void {
    this.#pending.delete(call);
    this.#rest();
  }

  #letGo(): void {
    for (const go of this.#waiting.splice(0)) go();
    this.#rest();
  }

  #rest(): void {
    if (this.#pending.size === 0 && this.#waiting.length === 0) this.#worker.unref();
  }

  #send(message: ToWriter, transfer: readonly ArrayBuffer[] = []): void {
    this.#worker.postMessage(message, transfer);
  }

  #broken(error: Error): void {
    this.#failure ??= error;
    for (const { reject } of this.#pending.values()) reject(this.#failure);
    this.#pending.clear();
    this.#letGo();
  }
}

function answerOf(
  { what, lines = [], pictures = [] }: Extract<FromWriter, { type: "ask" }>,
  asks: Asks | undefined,
): Promise<unknown> | undefined {
  if (what === "embed") return asks?.embed?.(lines);
  return what === "rows" ? asks?.rows?.() : asks?.redact?.(pictures);
}
