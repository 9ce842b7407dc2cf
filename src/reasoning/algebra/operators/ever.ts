import type { Call, Operator } from "../operator.ts";
import { overTime } from "../time/so.ts";
import { spanOf } from "../time/spans.ts";
import type { TruthValue, Value } from "../value.ts";

/** The confidence in "never" is lower than in "once". */
const NEVER_P = 0.65;

/** A moment at which it was true, or false; the last such moment. */
async function witness(
  call: Call,
  wanted: boolean,
): Promise<{ readonly found?: TruthValue; readonly any?: Value }> {
  const span = spanOf(call.scope);
  const whole = await call.arg(0, { during: span });
  // A thing that was there at any time of the span was there once.
  if (wanted && whole.kind === "truth" && whole.truth) return { found: whole, any: whole };
  const moments = await overTime(call, span);
  const one = moments.findLast(({ value }) => value.truth === wanted);
  return { ...(one && { found: one.value }), any: moments.at(-1)?.value ?? whole };
}

function operator(name: "ever" | "always" | "never", says: string): Operator {
  return {
    name,
    says,
    takes: [{ name: "truth", kinds: ["truth"] }],
    gives: "truth",
    reads: ["state", "event"],
    copes: true,
    async run(call) {
      const { found, any } = await witness(call, name !== "always");
      if (found) return { ...found, truth: name === "ever" };
      if (any?.kind !== "truth") return any!;
      return { ...any, truth: name !== "ever", p: Math.min(any.p, NEVER_P), instead: undefined };
    },
  };
}

/** Truths over the span of the enclosing `at`, or all time. */
export const ever: readonly Operator[] = [
  operator("ever", "whether it was so at some time"),
  operator("always", "whether it was so all the time"),
  operator("never", "whether it was so at no time"),
];
