export * from "./evidence-path.ts";
export { Navigation } from "./navigation.ts";
export * from "./viewpoints.ts";
