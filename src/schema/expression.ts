import { z } from "zod";
import { LociError } from "./errors.ts";
import { LIMITS } from "./limits.ts";
import { nameSchema } from "./primitives.ts";

/** The value of an operator's option. Values that can be computed are arguments instead. */
export type Literal = string | number | boolean | readonly string[];

/**
 * A question as a small program: an operator, its arguments and its options. Every question to a memory is a
 * composition of these; the operators and their types are in the algebra's table.
 */
export interface Expression {
  readonly op: string;
  readonly of: readonly Expression[];
  readonly with: Readonly<Record<string, Literal>>;
}

/** More than any real question needs; larger expressions from a model or a client are refused. */
const MAX_NODES = 96;
const MAX_DEPTH = 24;

const literalSchema = z.union([
  z.string().max(LIMITS.queryChars),
  z.number(),
  z.boolean(),
  z.array(z.string().max(LIMITS.nameChars)).max(32),
]);

const nodeSchema: z.ZodType<Expression> = z.lazy(() =>
  z.strictObject({
    op: nameSchema,
    of: z.array(nodeSchema).max(16).default([]),
    with: z.record(nameSchema, literalSchema).default({}),
  }),
);

/**
 * Checks the form alone; the operators and their types are checked against the table. The size is checked before any
 * recursion.
 */
export const expressionSchema: z.ZodType<Expression> = z
  .unknown()
  .refine((json) => !isTooLarge(json), {
    abort: true,
    message: `an expression has at most ${MAX_NODES} operators, ${MAX_DEPTH} deep; ask in several questions`,
  })
  .pipe(nodeSchema);

/** Parses an expression from untrusted JSON; too deep a nesting is refused before any recursion. */
export function parseExpression(json: unknown): Expression {
  if (isTooLarge(json))
    throw new LociError(
      "invalid-input",
      `an expression has at most ${MAX_NODES} operators, ${MAX_DEPTH} deep; ask in several questions`,
    );
  const parsed = expressionSchema.safeParse(json);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new LociError(
    "invalid-input",
    `an expression is {"op": NAME, "of": [EXPRESSION …], "with": {OPTION: VALUE …}}; got something else at ${issue?.path.join(".") || "its top"}: ${issue?.message ?? ""}`,
  );
}

function isTooLarge(json: unknown): boolean {
  const open: { readonly node: unknown; readonly depth: number }[] = [{ node: json, depth: 1 }];
  for (let n = 0; open.length > 0; n++) {
    const { node, depth } = open.pop()!;
    if (n >= MAX_NODES || depth > MAX_DEPTH) return true;
    const of = (node as { readonly of?: unknown } | null | undefined)?.of;
    if (Array.isArray(of)) for (const one of of) open.push({ node: one, depth: depth + 1 });
  }
  return false;
}
