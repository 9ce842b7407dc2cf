export { type JoinOptions, joinMaps, type MapJoin } from "./join.ts";
export { type KnownMap, mapsIn } from "./maps.ts";
