import type { Strategy } from "./strategy.ts";
import { systemStrategy } from "./system-strategy.ts";

/** The three that stand beside every strategy: nothing seen, a little of everything, everything. */
export function baselines(): Strategy[] {
  return [systemStrategy("blind"), systemStrategy("uniform"), systemStrategy("whole-history")];
}
