/** What a 4D viewer lives on, made from a memory: docs/feed.md. Browsers import `decode.ts` alone. */
export * from "./decode.ts";
export { type GroundFloor, groundOf } from "./ground.ts";
export { type MapChunk, MapChunks } from "./map-chunks.ts";
export { surfacesOf } from "./pieces.ts";
export { parseRevision } from "./revision.ts";
export { type FeedRegion, type FeedScene, sceneOf } from "./scene.ts";
export { type StatesQuery, statesBlock, statesSince } from "./states.ts";
export { type WaysQuery, waysBlock } from "./ways.ts";
