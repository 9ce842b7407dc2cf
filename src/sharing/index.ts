export { readerInMap } from "./in-map.ts";
export { alignMaps, joinMaps, type MapJoin } from "./join.ts";
export { type KnownMap, mapsIn } from "./maps.ts";
export { type MapParted, partMap } from "./part.ts";
export type { JoinOptions } from "./redraw.ts";
