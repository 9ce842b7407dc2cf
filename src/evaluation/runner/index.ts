export { evaluateSuite } from "./evaluate-suite.ts";
export type { SuiteReport } from "./report.ts";
export { formatReport } from "./report-text.ts";
export { progressLine } from "./run-suite.ts";
export type { Strategy } from "./strategy.ts";
export type { SceneMemory, SuiteScene } from "./suite.ts";
