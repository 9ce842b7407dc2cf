export * from "./camera.ts";
export { type CompiledScene, compileScene } from "./compiled-scene.ts";
export * from "./exact-trig.ts";
export * from "./lidar.ts";
export * from "./render-pool.ts";
export { type Picture, Renderer } from "./renderer.ts";
export { Visibility, type VisibleInstance } from "./visibility.ts";
