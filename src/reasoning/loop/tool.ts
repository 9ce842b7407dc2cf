import { z } from "zod";
import type { Interval } from "../../geometry/index.ts";
import type { EncodedImage, JsonSchema, ToolSpec } from "../../models/index.ts";
import { jsonSchemaOf } from "../../models/prompts/index.ts";
import type { Evidence } from "../../retrieval/index.ts";
import { isLociError, LIMITS } from "../../schema/index.ts";
import type { LoopMemory } from "./loop-memory.ts";
import { linesOf } from "./record-lines.ts";

/** The result of a tool, in the form shown to the model. */
export interface ToolResult {
  /** One JSON document. */
  readonly text: string;
  readonly found: number;
  readonly added: number;
  readonly images: readonly EncodedImage[];
  /** A number that the memory counted, which the answer may then state. */
  readonly count?: number;
  /** It told how to ask and nothing of the memory: a round of such calls costs none. */
  readonly isHelp?: boolean;
}

/** A question to the memory that a model may ask: read-only, bounded, JSON in and out. */
export interface MemoryTool {
  readonly spec: ToolSpec;
  run(input: unknown, memory: LoopMemory): Promise<ToolResult>;
}

/** Tokens that one result may take up before the model. */
const RESULT_TOKENS = 1_500;
export const HITS = 8;
export const MOST_HITS = 64;

export interface ToolFinding {
  readonly items?: readonly Evidence[];
  /** Words after the line of a record: on which side it is. */
  readonly notes?: ReadonlyMap<string, string> | undefined;
  /** Beside the records: counts, lengths, differences. */
  readonly facts?: Readonly<Record<string, unknown>>;
  readonly images?: readonly EncodedImage[];
  readonly count?: number | undefined;
  readonly isHelp?: boolean | undefined;
}

/** Makes a tool of a zod schema and a function; bad input is told to the model, not thrown. */
export function defineTool<I extends z.ZodType>(
  name: string,
  description: string,
  schema: I,
  find: (input: z.output<I>, memory: LoopMemory) => Promise<ToolFinding>,
): MemoryTool {
  return {
    spec: { name, description, input: brief(jsonSchemaOf(schema)) },
    async run(input, memory) {
      const parsed = schema.safeParse(input);
      if (!parsed.success) {
        const issue = parsed.error.issues[0];
        return failed(`${issue?.message ?? "invalid"} at ${issue?.path.map(String).join(".") || "the top"}`);
      }
      try {
        return await resultOf(await find(parsed.data, memory), memory);
      } catch (error) {
        if (!isLociError(error) || error.code === "aborted") throw error;
        return failed(error.message);
      }
    },
  };
}

/**
 * A schema in its shortest form: every round pays for it in tokens. Bounds are given in the error for breaking them; of
 * several types the first is given.
 */
function brief(schema: JsonSchema): JsonSchema {
  const { properties = {}, required = [] } = schema as {
    readonly properties?: Readonly<Record<string, JsonSchema>>;
    readonly required?: readonly string[];
  };
  const told = Object.entries(properties).map(([name, whole]) => {
    const { anyOf, type } = whole as Record<string, unknown>;
    const [first] = (anyOf as readonly JsonSchema[] | undefined) ?? [];
    return [name, { type: type ?? first?.["type"] ?? "string" }] as const;
  });
  return {
    type: "object",
    properties: Object.fromEntries(told),
    ...(required.length > 0 && { required: [...required] }),
  };
}

/** The length of an error: enough to correct the call. */
const ERROR_CHARS = 900;

export function failed(problem: string): ToolResult {
  return { text: JSON.stringify({ error: problem.slice(0, ERROR_CHARS) }), found: 0, added: 0, images: [] };
}

async function resultOf(
  { items: found, notes, facts = {}, images = [], count, isHelp }: ToolFinding,
  memory: LoopMemory,
): Promise<ToolResult> {
  const items = found ?? [];
  const { lines, shown } = await linesOf(items, memory, { tokens: RESULT_TOKENS, notes });
  // Only records that the model really reads go into the book.
  const added = memory.show(shown);
  // The model should know if rewording the search finds nothing new.
  const isKnown = shown.length > 0 && added === 0 && images.length === 0 && Object.keys(facts).length === 0;
  const body = {
    ...facts,
    ...(isKnown && { new: NOTHING_NEW }),
    ...(found && { records: lines }),
    ...(shown.length < items.length ? { shown: `${shown.length} of ${items.length}` } : {}),
  };
  return {
    text: JSON.stringify(body),
    found: shown.length,
    added,
    images,
    ...(count !== undefined && { count }),
    ...(isHelp && { isHelp }),
  };
}

const NOTHING_NEW = "none: all of these were shown before; another search like it will find no others";

/** The search words. */
export const words = z.string().trim().min(1).max(500);
/** A moment as models give it: a clock time in UTC, or seconds before now. */
export const moment = z.union([z.string().max(64), z.number().min(0).max(1e10)]);
type ToolMoment = z.output<typeof moment>;

const FIRST_US = -LIMITS.timeUs;

interface When {
  readonly from?: ToolMoment | undefined;
  readonly to?: ToolMoment | undefined;
}

/** The same; now, where no time is said. */
export function intervalOrNow(memory: LoopMemory, when: When): Interval {
  const timed = when.from !== undefined || when.to !== undefined;
  return timed ? intervalOf(memory, when) : { fromUs: memory.nowUs, toUs: memory.nowUs + 1 };
}

/** From and to as an interval; an unreadable value is no limit. */
export function intervalOf(memory: LoopMemory, { from, to }: When): Interval {
  const fromUs = from === undefined ? FIRST_US : (momentUs(memory, from) ?? FIRST_US);
  const toUs = to === undefined ? memory.nowUs + 1 : (momentUs(memory, to) ?? memory.nowUs) + 1;
  return fromUs < toUs ? { fromUs, toUs } : { fromUs: toUs - 1, toUs: fromUs + 1 };
}

/** A moment in microseconds; undefined if invalid. */
export function momentUs(memory: LoopMemory, value: ToolMoment): number | undefined {
  if (typeof value === "number") return memory.nowUs - Math.round(value * 1e6);
  if (/^\d+(?:\.\d+)?$/.test(value.trim())) return momentUs(memory, Number(value));
  const text = value.trim().replace(" ", "T");
  // A bare time is of the day of asking.
  const day = new Date(Math.floor(memory.nowUs / 1_000)).toISOString().slice(0, 10);
  const whole = /^\d\d:\d\d/.test(text) ? `${day}T${text}` : text;
  const ms = Date.parse(/(?:Z|[+-]\d\d:?\d\d)$/.test(whole) || !whole.includes("T") ? whole : `${whole}Z`);
  return Number.isFinite(ms) ? ms * 1_000 : undefined;
}
