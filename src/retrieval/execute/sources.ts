import { LIMITS } from "../../schema/core.ts";
import type { Item, ReadItem } from "../evidence.ts";
import type { Step, StepOf } from "../plan/steps.ts";
import { compile } from "./compile.ts";
import { type Compiled, searchCompiled } from "./compiled.ts";
import { resolveTime } from "./references.ts";
import type { Run, StepResult } from "./run.ts";

/** Sources and constraints are one search; only what the engine's orders cannot do is done here. */
export async function searchStep(step: Step, run: Run): Promise<StepResult> {
  const items = await searchCompiled(await compile(step.as, run), step, run);
  return weakness(items, step, run);
}

/**
 * Nothing by meaning reaches one z above the background: reports that, so that noise does not pass for an answer
 * (docs/formulas.md#standing-out).
 */
async function weakness(items: StepResult["items"], step: Step, run: Run): Promise<StepResult> {
  if (step.op !== "sem") return { items };
  const z = await run.zOf(items[0]?.scores.meaning);
  return { items, weak: items.length === 0 || (z !== undefined && z < 1) };
}

/** Views whose features are most like a text; views that score zero or less are left out. */
export async function looks(step: StepOf<"looks">, run: Run): Promise<StepResult> {
  const scored = (await run.context.looks?.(step.text)) ?? [];
  if (run.context.looks === undefined) run.note("views have no features here");
  const alike = scored.filter(({ score }) => score > 0).slice(0, step.k);
  return { items: alike.map(({ id, score }) => ({ id, score, scores: { image: score }, why: [step.as] })) };
}

/** For each time the view nearest to it, if one is near enough; each view once. */
export async function viewsAt(step: StepOf<"viewsAt">, run: Run): Promise<StepResult> {
  const within = step.withinS * 1e6;
  const chosen: string[] = [];
  for (const time of step.times) {
    const t = await resolveTime(time, run);
    if (t === undefined) continue;
    const around = { overlaps: { fromUs: Math.floor(t - within), toUs: Math.ceil(t + within) + 1 } };
    const hits = await run.search({
      kinds: ["view"],
      time: around,
      rank: "earliest",
      limit: LIMITS.hitsPerSearch,
    });
    const nearest = hits
      .map(({ record }) => ({ id: record.id, gap: Math.abs(record.validFromUs - t) }))
      .sort((a, b) => a.gap - b.gap || (a.id < b.id ? -1 : 1))[0];
    if (nearest) chosen.push(nearest.id);
    else run.note(`no view within ${step.withinS} s of ${t}`);
  }
  return { items: [...new Set(chosen)].map((id) => ({ id, score: 1, scores: {}, why: [step.as] })) };
}

/** The first or last of what a chain finds, by when it began; things by when they were last seen. */
export async function inOrder(step: StepOf<"first"> | StepOf<"last">, run: Run): Promise<StepResult> {
  const compiled = await compile(step.from, run);
  const rank = step.op === "first" ? "earliest" : "latest";
  if (compiled.items) return { items: await ordered(compiled, step, run) };
  const states = compiled.request.kinds?.length === 1 && compiled.request.kinds[0] === "state";
  const limit = states ? LIMITS.hitsPerSearch / 10 : step.k;
  const request = { ...compiled.request, rank, limit } as const;
  const items = await searchCompiled({ ...compiled, request }, step, run);
  return { items: states ? await bySeen(items, step, run) : items.slice(0, step.k) };
}

/** The n-th in time: the last of the first n. */
export async function nth(step: StepOf<"nth">, run: Run): Promise<StepResult> {
  const { as, from, n } = step;
  const { items } = await inOrder({ as, op: step.fromEnd ? "last" : "first", from, k: n }, run);
  if (items.length < n) run.note(`there are only ${items.length}`);
  return { items: items.slice(n - 1) };
}

async function ordered(compiled: Compiled, step: StepOf<"first"> | StepOf<"last">, run: Run) {
  const items = await run.read(await searchCompiled(compiled, step, run));
  if (items.some(({ hit }) => hit.record.kind === "state")) return bySeen(items, step, run);
  const sign = step.op === "first" ? 1 : -1;
  return items
    .sort((a, b) => sign * (a.hit.record.validFromUs - b.hit.record.validFromUs) || (a.id < b.id ? -1 : 1))
    .slice(0, step.k);
}

async function bySeen(found: readonly Item[], step: StepOf<"first"> | StepOf<"last">, run: Run) {
  const items = await run.read(found);
  const presence = new Map(
    (await run.context.reader.presence(items.map(({ id }) => id))).map((p) => [p.stateId, p]),
  );
  const timeOf = ({ id, hit }: ReadItem) => {
    const seen = presence.get(id);
    return (step.op === "first" ? seen?.firstSeenUs : seen?.lastSeenUs) ?? hit.record.validFromUs;
  };
  const sign = step.op === "first" ? 1 : -1;
  return items.sort((a, b) => sign * (timeOf(a) - timeOf(b)) || (a.id < b.id ? -1 : 1)).slice(0, step.k);
}
