export { floorAt } from "../world/world.ts";
export type * from "./drawing.ts";
export { drawPicture } from "./picture.ts";
export { type PictureOptions, pictureMemory } from "./picture-memory.ts";
export { rasterise } from "./png.ts";
export { legsOf, readDrawing } from "./read-drawing.ts";
