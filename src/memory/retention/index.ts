export { applyRetention, keepWithin, type RetentionReport } from "./apply.ts";
export { type Eviction, explainPlan, planRetention, type RetentionPlan } from "./plan.ts";
export type { EvictableKind, RetentionPolicy } from "./policy.ts";
