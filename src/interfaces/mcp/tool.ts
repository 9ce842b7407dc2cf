import type { ServerContext } from "@modelcontextprotocol/server";
import { z } from "zod";
import type { MemoryFace } from "../../compose.ts";
import type { Scope } from "../../operations/index.ts";
import { LIMITS } from "../../schema/core.ts";
import type { ToolAnswer } from "./answer.ts";
import type { Confirmation } from "./confirm.ts";
import type { Report } from "./tasks.ts";

/** The context of a tool: the memory as its caller may see it. */
export interface ToolCall {
  readonly face: MemoryFace;
  readonly signal: AbortSignal;
  readonly context: ServerContext;
  readonly confirmation: Confirmation;
  /** Reports progress to a client that requested it. */
  readonly report: Report;
}

/** One tool as it is offered. `does` decides which hints hosts get and, unless `needs` says otherwise, the scope. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly does: "read" | "write" | "destroy";
  /** The scopes that a caller needs, all of them. A tool that writes and tells what the memory holds needs "read" too. */
  readonly needs?: readonly Scope[];
  readonly input: z.ZodObject;
  /** Whether its answers have places, which a host that can shows on the map. */
  readonly onMap?: boolean;
  /** Whether it takes minutes: a client that supports tasks gets one. */
  readonly isLong?: boolean;
  run(args: never, call: ToolCall): Promise<ToolAnswer>;
}

const SCOPE: Readonly<Record<Tool["does"], Scope>> = { read: "read", write: "write", destroy: "admin" };

/** The scopes that a caller of this tool needs, all of them. */
export function scopesFor({ does, needs = [SCOPE[does]] }: Tool): readonly Scope[] {
  return needs;
}

/** Ties the arguments of a tool to its schema. */
export function tool<S extends z.ZodObject>(
  made: Omit<Tool, "input" | "run"> & {
    readonly input: S;
    run(args: z.output<S>, call: ToolCall): Promise<ToolAnswer>;
  },
): Tool {
  return made;
}

/**
 * Arguments that several tools take. Bounds that only protect the server are refinements: they are checked, and cost no
 * tokens in every model's context.
 */
const coordinate = z
  .number()
  .refine((value) => Math.abs(value) <= LIMITS.coordinateM, `expected metres within ±${LIMITS.coordinateM}`);

export const point = z.strictObject({ x: coordinate, y: coordinate, z: coordinate });

export const moment = z
  .string()
  .meta({ format: "date-time" })
  .refine(
    (text) => ISO.test(text) && Number.isFinite(Date.parse(text)),
    "expected a time in ISO 8601 with its zone, such as 2026-03-02T09:00:00Z",
  );

export const words = (most: number) =>
  z
    .string()
    .refine(
      (text) => text.trim() !== "" && text.length <= most && text.isWellFormed(),
      `expected 1 to ${most} characters`,
    );

export const id = z
  .string()
  .refine(
    (text) => text !== "" && text.length <= 128 && text.isWellFormed(),
    "expected an id as search and ask give them, in [brackets]",
  );

export const cursor = id.optional();

/** Which place, where a memory has several. */
export const scene = id.optional();

export const upTo = (most: number) => wholeFrom(1, most);

export const wholeFrom = (least: number, most: number) => {
  const expected = `expected a whole number from ${least} to ${most}`;
  return z.int(expected).min(least, expected).max(most, expected);
};

const ISO = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?(?:Z|[+-]\d{2}:\d{2})$/;
