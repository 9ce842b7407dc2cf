import { z } from "zod";
import {
  ALL_OPERATIONS,
  isOf,
  OPERATIONS,
  type Operation,
  type OperationName,
} from "../../operations/index.ts";
import { idSchema, momentSchema, thingRefSchema, vec3Schema } from "../../schema/index.ts";
import { offsetOf, pageResult, plainResult } from "./answer.ts";
import { cursor, id, moment, point, type Tool, tool, words } from "./tool.ts";

/** Longest words for a thing, in characters. */
const THING_CHARS = 256;

/** The same arguments in fewer tokens: bounds that only protect the server are checked without being described. */
const LIGHTER = new Map<z.ZodType, z.ZodType>([
  [idSchema, id],
  [momentSchema, moment],
  [vec3Schema, point],
  [thingRefSchema, words(THING_CHARS)],
]);

/** The tools of all operations that offer one and are not among these. */
export function otherTools(known: readonly Tool[]): readonly Tool[] {
  const names = new Set(known.map(({ name }) => name));
  return ALL_OPERATIONS.filter(([name, { tool }]) => tool !== undefined && !names.has(toolName(name))).map(
    ([name]) => operationTool(name),
  );
}

/** An operation as a tool: its answer is told in sentences and rows, page by page. */
export function operationTool(name: OperationName): Tool {
  const made: Operation = OPERATIONS[name];
  const { tool: offer, tell, lead, scope, summary } = made;
  if (offer === undefined || tell === undefined) throw new Error(`${name} does not say how it reads`);
  return tool({
    name: offer.name ?? toolName(name),
    description: offer.description ?? `${summary}.`,
    does: scope === "read" ? "read" : "write",
    needs: [scope],
    ...(offer.onMap && { onMap: true }),
    input: z.strictObject({ ...argumentsOf(made), ...(offer.isPaged && { cursor }) }),
    async run({ cursor: at, ...input }: Record<string, unknown>, { face, signal }) {
      const call = scope === "read" ? { signal } : {};
      const method = face[name] as (...args: unknown[]) => Promise<unknown>;
      const { [lead ?? ""]: led, ...rest } = input;
      const answer = await (lead === undefined ? method(input, call) : method(led, rest, call));
      const { summary: found, rows = [], data = {} } = tell(answer as never, input as never);
      if (!offer.isPaged && rows.length === 0) return plainResult(found, data);
      const offset = offsetOf(at as string | undefined);
      return pageResult({ summary: found, rows: rows.slice(offset), offset, data });
    },
  });
}

function argumentsOf({ input, tool: offer }: Operation): Record<string, z.ZodType> {
  if (!(input instanceof z.ZodObject)) throw new Error("a tool's arguments are the fields of an object");
  const shape = input.shape as Record<string, z.ZodType>;
  const names = offer?.arguments ?? Object.keys(shape);
  return Object.fromEntries(names.map((field) => [field, lighter(shape[field]!)]));
}

function lighter(schema: z.ZodType): z.ZodType {
  const described = (made: z.ZodType) =>
    schema.description === undefined ? made : made.describe(schema.description);
  if (schema instanceof z.ZodOptional) return described(lighter(schema.unwrap() as z.ZodType).optional());
  const known = [...LIGHTER].find(([heavy]) => isOf(schema, heavy))?.[1];
  return known === undefined ? schema : described(known);
}

function toolName(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
