import { Worker } from "node:worker_threads";
import { type ErrorCode, LociError } from "../../schema/errors.ts";
import type { PictureJob, perform } from "./job.ts";

type Done = Awaited<ReturnType<typeof perform>>;

export type PictureAnswer =
  | { readonly id: number; readonly done: Done }
  | {
      readonly id: number;
      readonly failed: {
        readonly code: string | undefined;
        readonly message: string;
        readonly isOurs: boolean;
      };
    };

/** The thread itself died: this says nothing about the pictures. */
export class ThreadEnded extends Error {}

/** Decodes pictures in another thread. It keeps the process alive only while a caller waits for one. */
export class PictureThread {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, PromiseWithResolvers<Done>>();
  #next = 0;
  #ended: ThreadEnded | undefined;

  constructor() {
    // The build rewrites import specifiers but not strings. Flags such as --input-type would keep a worker from starting.
    const file = import.meta.url.endsWith(".ts") ? "./worker.ts" : "./worker.js";
    this.#worker = new Worker(new URL(file, import.meta.url), { name: "pictures", execArgv: [] });
    this.#worker.on("message", (answer: PictureAnswer) => this.#settle(answer));
    this.#worker.on("error", (cause) => this.#end(cause));
    this.#worker.on("exit", () => this.#end());
    this.#worker.unref();
  }

  perform(job: PictureJob): Promise<Done> {
    if (this.#ended) return Promise.reject(this.#ended);
    const id = this.#next++;
    const waiting = Promise.withResolvers<Done>();
    this.#waiting.set(id, waiting);
    this.#worker.ref();
    this.#worker.postMessage({ id, job });
    return waiting.promise;
  }

  async close(): Promise<void> {
    this.#end();
    await this.#worker.terminate();
  }

  #settle(answer: PictureAnswer): void {
    const waiting = this.#waiting.get(answer.id);
    this.#waiting.delete(answer.id);
    if (this.#waiting.size === 0) this.#worker.unref();
    if ("done" in answer) waiting?.resolve(answer.done);
    else waiting?.reject(errorOf(answer.failed));
  }

  #end(cause?: unknown): void {
    this.#ended ??= new ThreadEnded("the thread that decodes pictures has ended", { cause });
    for (const { reject } of this.#waiting.values()) reject(this.#ended);
    this.#waiting.clear();
  }
}

function errorOf({ code, message, isOurs }: Extract<PictureAnswer, { failed: unknown }>["failed"]): Error {
  if (isOurs) return new LociError(code as ErrorCode, message);
  return Object.assign(new Error(message), code !== undefined && { code });
}
