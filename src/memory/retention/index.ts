export { applyRetention, keepWithin, type RetentionReport } from "./apply.ts";
export { explainPlan } from "./explain.ts";
export { GivenUpObservations } from "./given-up.ts";
export { planRetention } from "./plan.ts";
export type { RetentionPolicy } from "./policy.ts";
