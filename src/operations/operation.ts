import type { z } from "zod";
import type { WorkCall } from "../compose/ask.ts";
import type { OperationContext } from "./context.ts";

export const SCOPES = ["read", "write", "admin"] as const;
/** What a caller must be allowed to do. */
export type Scope = (typeof SCOPES)[number];

/** How an operation is reached over HTTP, and from there by the remote client and the Python client. */
export interface HttpAddress {
  readonly method: "get" | "post" | "delete";
  /** Fields of the input in braces are part of the path; the others are the query of a get, else the body. */
  readonly path: `/v1/${string}`;
  /** The answer, in words. */
  readonly says: string;
  /** The field that the answer is wrapped in. */
  readonly field?: string;
  /** Whether what the input names may not exist. */
  readonly mayMiss?: boolean;
  /** Whether the same call may be sent again; default: if it changes nothing. */
  readonly repeats?: boolean | ((input: never) => boolean);
  /** The field that the header Idempotency-Key fills in. */
  readonly keyField?: string;
  /** The schema of the body where the description of the interface cannot express that of the input. */
  readonly body?: z.ZodType;
  /** Longest duration of one try of a client, where it is longer than that of other operations. */
  readonly timeoutMs?: number;
  /** Fields of the answer without which a client refuses it as that of another program. */
  readonly relies?: readonly string[];
  /** Of a stream: the name of its events, and the number of each, from which a client resumes with `after`. */
  readonly event?: { readonly name: string; readonly number: (item: never) => number };
  /** Of a stream: throws if there is none, before it begins. */
  readonly begins?: (face: never, input: never) => Promise<void>;
}

/** How an answer reads: for an agent, and for a person at a terminal. */
export interface Told {
  /** The findings, in a sentence: enough for somebody who reads no further. */
  readonly summary: string;
  readonly rows?: readonly ToldRow[];
  /** Beside the rows, for programs. */
  readonly data?: Readonly<Record<string, unknown>>;
}

export interface ToldRow {
  readonly line: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** A tool for agents that is this operation. */
export interface ToolOffer {
  /** Default: the name of the operation in snake_case. */
  readonly name?: string;
  /** Default: the summary. */
  readonly description?: string;
  /** The arguments offered; default all. Every argument costs an agent attention. */
  readonly arguments?: readonly string[];
  /** Whether its rows may be more than fit in one answer. */
  readonly isPaged?: boolean;
  /** Whether its answers have places, which a host that can shows on the map. */
  readonly onMap?: boolean;
}

/** A command that is this operation. */
export interface CommandOffer {
  /** Default: the name of the operation in kebab-case. */
  readonly name?: string;
  /** Fields that are given without an option, in this order; a field in brackets may be left out. */
  readonly positional?: readonly string[];
  /** Options that are not called like their field. */
  readonly options?: Readonly<Record<string, string>>;
}

/**
 * One thing that can be done with a memory, described once. The library, HTTP with its reference, the remote client, the
 * Python client, tools for agents and commands are made from it.
 */
export interface Operation<In = never, Out = unknown, Lead extends string = string, Call = never> {
  /** One sentence, without a full stop. */
  readonly summary: string;
  readonly scope: Scope;
  /** Whether it changes what the memory holds; default: if it needs more than the scope to read. */
  readonly changes?: boolean;
  /** Whether only the process that holds the writer can tell: what runs there is in its own memory. */
  readonly isOfHolder?: boolean;
  /**
   * What it costs the server: "question" waits its turn among all callers' questions, "search" among short ones, nothing
   * else waits.
   */
  readonly cost?: "question" | ((input: In) => "question" | "search");
  readonly input: z.ZodType;
  readonly output: z.ZodType;
  /** The field that is the first argument in the library: `life(thing, { … })`. */
  readonly lead?: Lead;
  /**
   * What `run` returns: a value; a value or nothing; a value that a client keeps while it is unchanged; bytes; bytes with
   * a tag or nothing; or a stream.
   */
  readonly answers?: "value" | "maybe" | "tagged" | "bytes" | "block" | "stream";
  readonly http?: HttpAddress;
  readonly tool?: ToolOffer;
  readonly command?: CommandOffer;
  readonly tell?: (answer: never, input: never) => Told;
  run(context: OperationContext, input: In, call: Call): Out;
}

/** What a schema takes; of one without fields, any object. */
type InputOf<S> = z.input<S> extends Record<string, never> ? object : z.input<S>;

/** Whether an operation changes what the memory holds. */
export function changesMemory({ scope, changes = scope !== "read" }: Operation): boolean {
  return changes;
}

/** Ties the parts of an operation to each other's types. */
export function operation<
  S extends z.ZodType,
  Out,
  Lead extends string = never,
  In = InputOf<S>,
  Call extends WorkCall = WorkCall,
>(
  made: Omit<Operation<In, Out, Lead, Call>, "input" | "lead" | "tell" | "run"> & {
    readonly input: S;
    readonly lead?: Lead;
    readonly tell?: (answer: Awaited<Out>, input: In) => Told;
    run(context: OperationContext, input: In, call: Call): Out;
  },
): Operation<In, Out, Lead, Call> {
  return made as Operation<In, Out, Lead, Call>;
}
