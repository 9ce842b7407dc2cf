export { floorAt } from "../world/world.ts";
export { drawPicture } from "./picture.ts";
export { type PictureOptions, pictureMemory } from "./picture-memory.ts";
export { rasterise } from "./png.ts";
export { legsOf, readScene } from "./read-scene.ts";
export type * from "./scene.ts";
