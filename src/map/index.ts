export { buildForest } from "./forest/build.ts";
export { deleteLeaf, insertLeaf } from "./forest/change.ts";
export { extractiveSummariser } from "./forest/extractive.ts";
export { loadForest } from "./forest/records.ts";
export { summarise } from "./forest/summarise.ts";
export type { FloorRaster } from "./raster.ts";
export { Registration } from "./registration/registration.ts";
export { SceneMap } from "./scene-map.ts";
export type { MapThing } from "./thing-rooms.ts";
