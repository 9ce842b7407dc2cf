export { applyRetention, keepWithin, type RetentionReport } from "./apply.ts";
export { explainPlan, planRetention } from "./plan.ts";
export type { RetentionPolicy } from "./policy.ts";
