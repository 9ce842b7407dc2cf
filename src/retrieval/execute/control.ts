import { wordsOf } from "../../memory/lexical.ts";
import { textOf } from "../evidence.ts";
import { broadenPlan } from "../plan/plan.ts";
import type { StepOf } from "../plan/steps.ts";
import { jaccard } from "../ranking/diversify.ts";
import type { Run, StepResult } from "./run.ts";

/** Runs what is below wider and wider until enough is found (docs/formulas.md#rounds); what more rounds add comes after. */
export async function broaden(step: StepOf<"broaden">, run: Run): Promise<StepResult> {
  let result = await run.input(step.from);
  for (let round = 1; round < step.rounds && result.items.length < step.atLeast; round++) {
    run.note(`round ${round + 1}: ${result.items.length} of ${step.atLeast} found`);
    const wider = await run.nested(broadenPlan(run.plan, round, run.context.nowUs), step.from);
    const known = new Set(result.items.map(({ id }) => id));
    const added = wider.items.filter(({ id }) => !known.has(id));
    result = { ...wider, items: [...result.items, ...added] };
  }
  return result;
}

/** The first that finds enough; otherwise the one that found most. */
export async function fallback(step: StepOf<"fallback">, run: Run): Promise<StepResult> {
  let most: StepResult = { items: [], weak: true };
  for (const name of step.of) {
    const result = await run.input(name);
    if (result.items.length >= step.atLeast) return result;
    run.note(`"${name}" found ${result.items.length} of ${step.atLeast}`);
    if (result.items.length > most.items.length) most = result;
  }
  return most;
}

/** Texts that share more of their words than this count as copies. */
const COPY = 0.6;

/** Only the branch that is chosen runs. */
export async function ifRedundant(step: StepOf<"ifRedundant">, run: Run): Promise<StepResult> {
  const { items } = await run.input(step.from);
  const sets = (await run.read(items.slice(0, step.sample))).map(
    ({ hit }) => new Set(wordsOf(textOf(hit.record))),
  );
  const copies = sets.filter((set, i) => sets.slice(0, i).some((other) => jaccard(set, other) >= COPY));
  const share = sets.length < 2 ? 0 : copies.length / sets.length;
  run.note(`${Math.round(100 * share)} % of the best ${sets.length} repeat a better one`);
  return run.input(share > step.over ? step.redundant : step.otherwise);
}
