import { z } from "zod";
import { LociError, parseOrThrow } from "../../schema/index.ts";
import { type Step, type StepInput, stepSchema } from "./steps.ts";

const MAX_STEPS = 64;

/**
 * A retrieval as a value: named steps, each reading only earlier steps, and the name of the step whose items are the
 * result. It is plain JSON, so it can be printed, kept, edited and run again.
 */
export const planSchema = z
  .object({
    version: z.literal(1),
    /** Where it came from, such as "star" or "star/paper". */
    title: z.string().max(64).default("plan"),
    steps: z.array(stepSchema).min(1).max(MAX_STEPS),
    out: z.string(),
  })
  .superRefine((plan, refine) => {
    const known = new Set<string>();
    plan.steps.forEach((step, i) => {
      const complain = (message: string) => refine.addIssue({ code: "custom", message, path: ["steps", i] });
      if (known.has(step.as)) complain(`the name "${step.as}" is taken`);
      for (const input of inputsOf(step))
        if (!known.has(input)) complain(`"${step.as}" reads "${input}", which is no step before it`);
      known.add(step.as);
    });
    if (!known.has(plan.out))
      refine.addIssue({ code: "custom", message: `there is no step "${plan.out}"`, path: ["out"] });
  });

export type Plan = z.infer<typeof planSchema>;

/** A plan from outside, checked. */
export function parsePlan(value: unknown): Plan {
  return parseOrThrow(planSchema, value, "plan");
}

/** The steps that a step reads, in any of its fields. */
export function inputsOf(step: Step): string[] {
  const found: string[] = [];
  const take = (value: unknown) => {
    if (typeof value === "object" && value !== null && "of" in value && typeof value.of === "string")
      found.push(value.of);
  };
  if ("from" in step) found.push(step.from);
  if ("of" in step && Array.isArray(step.of)) found.push(...step.of);
  if (step.op === "minus") found.push(step.without);
  if (step.op === "cover") found.push(step.clusters);
  if (step.op === "ifRedundant") found.push(step.redundant, step.otherwise);
  if (step.op === "viewsAt") for (const time of step.times) take(time);
  for (const field of ["at", "of", "a", "b", "near", "time", "start", "end", "region"] as const)
    take((step as Record<string, unknown>)[field]);
  return found;
}

/** Without `as`: the builder names the steps. */
type Unnamed<S> = S extends { as: string } ? Omit<S, "as"> : never;

/** Builds a plan step by step; `add` returns the step's name for later ones to read. */
export class PlanBuilder {
  readonly #steps: StepInput[] = [];
  readonly #title: string;

  constructor(title: string) {
    this.#title = title;
  }

  add(step: Unnamed<StepInput>): string {
    const as = `${step.op}${this.#steps.length + 1}`;
    this.#steps.push({ ...step, as } as StepInput);
    return as;
  }

  /** Adds the step only if something is given for it to constrain with. */
  when<T>(value: T | undefined, from: string, step: (value: T, from: string) => Unnamed<StepInput>): string {
    return value === undefined ? from : this.add(step(value, from));
  }

  build(out: string): Plan {
    return parsePlan({ version: 1, title: this.#title, steps: this.#steps, out });
  }
}

/**
 * The plan one round wider (docs/formulas.md#rounds): meaning's threshold falls by one z, every k doubles, a radius
 * doubles and a span of time grows threefold about its middle; from the third round on a region includes its siblings.
 * Rounds are cumulative.
 */
export function broadenPlan(plan: Plan, round: number, nowUs: number): Plan {
  if (round === 0) return plan;
  return {
    ...plan,
    title: `${plan.title}+${round}`.slice(0, 64),
    steps: plan.steps.map((s) => broadenStep(s, round, nowUs)),
  };
}

const SIBLINGS_FROM_ROUND = 2;
const MAX_K = 10_000;
const MAX_M = 1e6;

function broadenStep(step: Step, round: number, nowUs: number): Step {
  const factor = 2 ** round;
  const wider = (k: number) => Math.min(MAX_K, k * factor);
  const reach = (m: number) => Math.min(MAX_M, m * factor);
  switch (step.op) {
    case "sem":
      return {
        ...step,
        k: wider(step.k),
        ...(step.minZ === undefined ? {} : { minZ: Math.max(Math.min(0, step.minZ), step.minZ - round) }),
      };
    case "lex":
    case "concepts":
    case "recent":
      return { ...step, k: wider(step.k) };
    case "inRegion":
      return { ...step, siblings: step.siblings || round >= SIBLINGS_FROM_ROUND };
    case "near":
    case "alongPath":
      return { ...step, radiusM: reach(step.radiusM) };
    case "nearest":
      return { ...step, k: wider(step.k), ...(step.maxM === undefined ? {} : { maxM: reach(step.maxM) }) };
    case "dir":
    case "visibleFrom":
      return { ...step, rangeM: reach(step.rangeM) };
    case "during": {
      const [from, to] = [absolute(step.start, nowUs), absolute(step.end, nowUs)];
      if (from === undefined || to === undefined) return step;
      const grown = Math.round(((to - from) * (3 ** round - 1)) / 2);
      return { ...step, start: from - grown, end: to + grown };
    }
    default:
      return step;
  }
}

/** A time that needs no other step to be known. */
function absolute(time: unknown, nowUs: number): number | undefined {
  if (time === "now") return nowUs;
  if (typeof time === "number") return time;
  if (typeof time === "object" && time !== null && "agoS" in time && typeof time.agoS === "number")
    return nowUs - Math.round(time.agoS * 1e6);
  return undefined;
}

/** Refuses a step that the world has not provided for, in one line. */
export function notProvided(step: Step, what: string): never {
  throw new LociError("not-supported", `step "${step.as}" (${step.op}) needs ${what}, which was not given`);
}
