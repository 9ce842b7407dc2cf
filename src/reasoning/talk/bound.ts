import type { Expression } from "../../schema/index.ts";

/** Operators that give `it()` its meaning. */
const BINDS: ReadonlySet<string> = new Set([
  "filter",
  "most",
  "least",
  "nth",
  "each",
  "all",
  "total",
  "mean",
]);

/** Whether an expression depends on an element of a set outside it: it has no kind and no value by itself. */
export function holdsIt({ op, of }: Expression): boolean {
  return op === "it" || (!BINDS.has(op) && of.some(holdsIt));
}
