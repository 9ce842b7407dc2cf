import type { Strategy } from "./strategy.ts";
import { systemStrategy } from "./system-strategy.ts";

/** The three baselines for every strategy: no evidence, an even sample, everything. */
export function baselines(): Strategy[] {
  return [systemStrategy("blind"), systemStrategy("uniform"), systemStrategy("whole-history")];
}
