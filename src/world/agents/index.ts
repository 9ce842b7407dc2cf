export * from "./eyes.ts";
export * from "./navigator.ts";
export * from "./scene-source.ts";
export * from "./simulated-body.ts";
export * from "./tour.ts";
export * from "./trajectory.ts";
