import { parentPort, type TransferListItem, Worker } from "node:worker_threads";
import { type ErrorCode, LociError, throwIfAborted } from "../schema/errors.ts";
import type { EmbedOptions } from "./embedder.ts";

const WAITING_CALLS = 1_024;

export interface WorkerThreadOptions {
  /** Names the model in errors. */
  readonly id: string;
  /** Time limit of a call; after it the thread is ended, since a busy one cannot be interrupted. */
  readonly timeoutMs: number;
  /** Data that the thread needs to load its model; read there as `workerData`. */
  readonly data?: unknown;
  /** Calls sent to the thread before the first of them is answered, so that it never waits for this one; default 1. */
  readonly ahead?: number;
}

export interface CallOptions extends EmbedOptions {
  /** For one call that takes longer than others, such as loading. */
  readonly timeoutMs?: number;
}

interface Call<Request, Reply> {
  readonly request: Request;
  readonly timeoutMs: number;
  readonly resolve: (reply: Reply) => void;
  readonly reject: (error: unknown) => void;
}

type Answer<Reply> = { readonly reply: Reply } | { readonly error: { code: ErrorCode; message: string } };

/**
 * The file of a worker beside the caller: `.ts` when Node runs the sources, `.js` in dist, since the build rewrites
 * import specifiers but not strings.
 */
export function workerBeside(importMetaUrl: string): URL {
  return new URL(importMetaUrl.endsWith(".ts") ? "./worker.ts" : "./worker.js", importMetaUrl);
}

/**
 * A model in a thread of its own: one call at a time, in order. The thread starts with the first call, does not keep
 * the process alive while idle, and is restarted after a crash or a timeout.
 */
export class WorkerThread<Request, Reply> {
  private readonly file: URL;
  private readonly options: WorkerThreadOptions;
  private readonly waiting: Call<Request, Reply>[] = [];
  /** Sent and not answered; the thread works on the first. */
  private readonly running: Call<Request, Reply>[] = [];
  private worker: Worker | null = null;
  private timer: NodeJS.Timeout | undefined;
  private closed = false;

  constructor(file: URL, options: WorkerThreadOptions) {
    this.file = file;
    this.options = options;
  }

  /** An aborted call is answered at once; the thread finishes its current call, and waiting ones are dropped. */
  async call(request: Request, options: CallOptions = {}): Promise<Reply> {
    const { signal, timeoutMs = this.options.timeoutMs } = options;
    throwIfAborted(signal);
    if (this.closed) throw this.failure("model-unavailable", "this embedder is closed");
    if (this.waiting.length >= WAITING_CALLS) {
      throw this.failure("limit-exceeded", `expected at most ${WAITING_CALLS} calls waiting for the model`);
    }
    const { promise, resolve, reject } = Promise.withResolvers<Reply>();
    const call = { request, timeoutMs, resolve, reject };
    const onAbort = () => {
      const place = this.waiting.indexOf(call);
      if (place >= 0) this.waiting.splice(place, 1);
      reject(new LociError("aborted", "the call was aborted", { cause: signal?.reason }));
    };
    signal?.addEventListener("abort", onAbort, { once: true });
    this.waiting.push(call);
    this.next();
    try {
      return await promise;
    } finally {
      signal?.removeEventListener("abort", onAbort);
    }
  }

  async close(): Promise<void> {
    this.closed = true;
    const left = [...this.running.splice(0), ...this.waiting.splice(0)];
    for (const call of left) call.reject(this.failure("model-unavailable", "closed before it answered"));
    await this.end();
  }

  private next(): void {
    while (!this.closed && this.waiting.length > 0 && this.running.length < (this.options.ahead ?? 1)) {
      const call = this.waiting.shift()!;
      this.running.push(call);
      this.worker ??= this.start();
      this.worker.ref();
      if (this.running.length === 1) this.watch(call);
      try {
        this.worker.postMessage(call.request);
      } catch (error) {
        this.running.splice(this.running.indexOf(call), 1);
        if (this.running.length === 0) this.rest();
        call.reject(this.failure("model-failed", "the request cannot be sent to its thread", error));
      }
    }
  }

  /** The thread has started on a call: its time limit runs from now. */
  private watch({ timeoutMs }: Call<Request, Reply>): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.fail(this.failure("model-failed", `no answer within ${timeoutMs} ms`));
    }, timeoutMs);
  }

  private rest(): void {
    clearTimeout(this.timer);
    this.worker?.unref();
  }

  private start(): Worker {
    const { id, data } = this.options;
    // Flags such as --input-type are meant for the main thread and would keep a worker from starting.
    const worker = new Worker(this.file, { name: id, workerData: data, execArgv: [] });
    worker.on("message", (answer: Answer<Reply>) => {
      if (this.worker === worker) this.settle(answer);
    });
    worker.on("error", (error) => {
      if (this.worker === worker) this.fail(this.failure("model-failed", "its thread crashed", error));
    });
    worker.on("exit", (code) => {
      if (this.worker === worker)
        this.fail(this.failure("model-failed", `its thread ended with code ${code}`));
    });
    return worker;
  }

  private settle(answer: Answer<Reply>): void {
    const call = this.running.shift();
    const [following] = this.running;
    if (following) this.watch(following);
    else this.rest();
    if ("reply" in answer) call?.resolve(answer.reply);
    else call?.reject(new LociError(answer.error.code, answer.error.message));
    this.next();
  }

  private fail(error: LociError): void {
    const [call, ...unanswered] = this.running.splice(0);
    this.waiting.unshift(...unanswered);
    // A failure to end the thread does not matter to the caller, who gets the original error.
    void this.end().catch(() => {});
    call?.reject(error);
    this.next();
  }

  private async end(): Promise<void> {
    clearTimeout(this.timer);
    const worker = this.worker;
    this.worker = null;
    if (worker) await worker.terminate();
  }

  private failure(code: ErrorCode, what: string, cause?: unknown): LociError {
    const why = cause instanceof Error ? `: ${cause.message}` : "";
    return new LociError(code, `${this.options.id}: ${what}${why}`, { cause });
  }
}

/** The worker's side: answers requests one by one. Errors other than LociError become `model-failed`. */
export function serveRequests<Request, Reply>(
  answer: (request: Request) => Promise<{ reply: Reply; transfer?: TransferListItem[] }>,
): void {
  const port = parentPort;
  if (!port) throw new Error("serveRequests runs in a worker thread");
  // A model's output goes to stderr, since stdout may carry a JSON document. The worker's own stdout option would
  // keep the process alive.
  process.stdout.write = process.stderr.write.bind(process.stderr);
  const perform = async (request: Request) => {
    try {
      const { reply, transfer } = await answer(request);
      port.postMessage({ reply }, transfer);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      const code = error instanceof LociError ? error.code : "model-failed";
      port.postMessage({ error: { code, message: message.slice(0, 500) } });
    }
  };
  let last = Promise.resolve();
  port.on("message", (request: Request) => {
    last = last.then(() => perform(request));
  });
}
