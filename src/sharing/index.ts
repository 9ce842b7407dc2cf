export { joinMaps, type MapJoin } from "./join.ts";
export { mapsIn } from "./maps.ts";
