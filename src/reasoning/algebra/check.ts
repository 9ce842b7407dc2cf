import { type Expression, LociError } from "../../schema/index.ts";
import { NO_OPTIONS, type Operator, type Parameter } from "./operator.ts";
import { operatorNamed } from "./table.ts";
import type { Kind } from "./value.ts";

/**
 * The kind of value that an expression gives. Throws a one-line message if it is no valid expression: an unknown
 * operator, an argument of the wrong kind, an unknown option, or `it` without an operator that binds it.
 */
export function kindOf(expression: Expression): Kind {
  return kindsOf(expression)[0]!;
}

/** The possible kinds: the result of some operators depends on the memory. */
function kindsOf(expression: Expression, bound?: readonly Kind[] | undefined): readonly Kind[] {
  const operator = operatorNamed(expression.op);
  if (expression.op === "it") {
    if (bound === undefined)
      throw wrong(expression, "stands for nothing here: filter, most, least, nth and all bind it");
    return bound;
  }
  checkOptions(expression, operator);
  const { of } = expression;
  const needed = operator.takes.filter(({ optional, repeated }) => !optional && !repeated).length;
  const most = operator.takes.some(({ repeated }) => repeated) ? 16 : operator.takes.length;
  if (of.length < needed || of.length > most)
    throw wrong(expression, `takes ${signatureOf(operator)}; got ${of.length} arguments`);
  const kinds: (readonly Kind[])[] = [];
  for (const [n, argument] of of.entries()) {
    const parameter = operator.takes[n] ?? operator.takes.at(-1)!;
    const possible = kindsOf(argument, parameter.bound ? kinds[0] : bound);
    const fitting = possible.filter((kind) => parameter.kinds.includes(kind));
    if (fitting.length === 0)
      throw wrong(
        expression,
        `takes ${signatureOf(operator)}; its ${parameter.name} is ${possible.join(" or ")}`,
      );
    kinds.push(fitting);
  }
  const { gives } = operator;
  if (gives === "first") return kinds[0]!;
  return typeof gives === "string" ? [gives] : gives;
}

/** "count(of: things | rooms)". */
export function signatureOf({ name, takes }: Operator): string {
  return `${name}(${takes.map(parameterText).join(", ")})`;
}

function parameterText({ name, kinds, optional, repeated }: Parameter): string {
  return `${name}${optional ? "?" : ""}: ${kinds.join(" | ")}${repeated ? " …" : ""}`;
}

function checkOptions(expression: Expression, operator: Operator): void {
  const parsed = (operator.options ?? NO_OPTIONS).safeParse(expression.with);
  if (parsed.success) return;
  const [issue] = parsed.error.issues;
  throw wrong(
    expression,
    `does not have these options: ${issue?.path.join(".") ?? ""} ${issue?.message ?? ""}`,
  );
}

function wrong({ op }: Expression, message: string): LociError {
  return new LociError("invalid-input", `${op} ${message}`);
}
