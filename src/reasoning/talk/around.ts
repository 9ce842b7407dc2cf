import type { Expression } from "../../schema/index.ts";

/** Operators that set the time, the robot and the viewpoint of a question. */
const AROUND: ReadonlySet<string> = new Set(["at", "from", "by"]);

export function isAround({ op }: Expression): boolean {
  return AROUND.has(op);
}

/** Splits a question into its core and the time, robot and viewpoint around it. */
export function inside(asked: Expression): {
  readonly core: Expression;
  readonly around: (other: Expression) => Expression;
} {
  const [first, ...rest] = asked.of;
  if (!first || !isAround(asked)) return { core: asked, around: (other) => other };
  const inner = inside(first);
  return { core: inner.core, around: (other) => ({ ...asked, of: [inner.around(other), ...rest] }) };
}
