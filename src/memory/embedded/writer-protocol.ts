import { type ErrorCode, LociError } from "../../schema/core.ts";
import type { PictureToRedact } from "../port.ts";
import type { SharedIndex } from "./follower.ts";

/** The messages between the two ends of the writer's thread. */

export interface Start {
  readonly folder: string;
  readonly shared: SharedIndex;
  /** One word: how many of the writes that were answered are in the index. */
  readonly applied: SharedArrayBuffer;
}

export type Method =
  | "write"
  | "setEmbedder"
  | "begin"
  | "finish"
  | "disown"
  | "knownTexts"
  | "forget"
  | "reembed"
  | "restore"
  | "calibrate"
  | "close";

export type ToWriter =
  /** Take the writer's place of this memory: `ready` or `refused`. */
  | { readonly type: "start"; readonly start: Start }
  /** No further memory will be opened. */
  | { readonly type: "end" }
  | {
      readonly type: "call";
      readonly call: number;
      readonly method: Method;
      readonly args: readonly unknown[];
      readonly nowUs: number;
    }
  | { readonly type: "answer"; readonly ask: number; readonly value?: unknown; readonly failure?: Failure }
  | { readonly type: "abort"; readonly call: number };

export type FromWriter =
  | { readonly type: "ready" }
  | { readonly type: "refused"; readonly failure: Failure }
  /**
   * `index` is set when the call rebuilt the index; `write` when it was answered before the index has it: the value of
   * `applied` once it does.
   */
  | {
      readonly type: "done";
      readonly call: number;
      readonly value?: unknown;
      readonly failure?: Failure;
      readonly index?: SharedIndex;
      readonly write?: number;
    }
  /** The index has what was answered before it had it. */
  | { readonly type: "applied" }
  | {
      readonly type: "ask";
      readonly call: number;
      readonly ask: number;
      readonly what: "embed" | "rows" | "redact";
      readonly lines?: string[];
      readonly pictures?: readonly PictureToRedact[];
    }
  | { readonly type: "waiting"; readonly call: number; readonly readers: readonly string[] }
  | { readonly type: "progress"; readonly call: number; readonly done: number; readonly total: number };

export interface Failure {
  readonly code?: ErrorCode;
  readonly message: string;
  readonly stack?: string;
}

/** Errors do not keep their class on the way between threads. */
export function failureFrom(error: unknown): Failure {
  const { message, stack } = error as Error;
  if (error instanceof LociError) return { code: error.code, message };
  return { message: message ?? String(error), ...(stack === undefined ? {} : { stack }) };
}

export function errorFrom(failure: Failure): Error {
  if (failure.code !== undefined) return new LociError(failure.code, failure.message);
  const error = new Error(failure.message);
  if (failure.stack !== undefined) error.stack = failure.stack;
  return error;
}
