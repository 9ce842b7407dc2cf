export type { Eyes, EyesInput, EyesRuntime, Look } from "./eyes.ts";
export { TOP } from "./likeliest.ts";
export { type EyesOptions, openEyes } from "./open-eyes.ts";
