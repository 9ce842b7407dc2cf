export { clocksIn, type RobotClock } from "./clocks.ts";
export { readerInMap } from "./in-map.ts";
export { alignMaps, joinMaps } from "./join.ts";
export { type KnownMap, type MapJoin, mapsIn } from "./maps.ts";
export { type MapParted, partMap } from "./part.ts";
export type { JoinOptions } from "./redraw.ts";
