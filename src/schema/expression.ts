import { z } from "zod";
import { LociError } from "./errors.ts";
import { LIMITS } from "./limits.ts";
import { nameSchema } from "./primitives.ts";

/** What an option of an operator may be. Whatever can be computed is an argument, never an option. */
export type Literal = string | number | boolean | readonly string[];

/**
 * A question as a small program: an operator, what it is applied to, and its options. Everything that is asked of a
 * memory is a composition of these; which operators there are, what they take and give, is the table of the algebra.
 */
export interface Expression {
  readonly op: string;
  readonly of: readonly Expression[];
  readonly with: Readonly<Record<string, Literal>>;
}

/** No question needs more; what is written by a model or a person may ask for anything. */
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
 * The form alone; that an operator exists and takes what it is given is checked against the table. Its size is looked at
 * before anything descends it.
 */
export const expressionSchema: z.ZodType<Expression> = z
  .unknown()
  .refine((json) => !isTooLarge(json), {
    abort: true,
    message: `an expression has at most ${MAX_NODES} operators, ${MAX_DEPTH} deep; ask in several questions`,
  })
  .pipe(nodeSchema);

/** An expression out of JSON that somebody else wrote; too deep a nesting is refused before anything descends it. */
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
