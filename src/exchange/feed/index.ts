/** The data feed of a 4D viewer, built from a memory: docs/feed.md. Browsers import `decode.ts` alone. */
export * from "./decode.ts";
export { type GroundFloor, groundOf } from "./ground.ts";
export { MapChunks } from "./map-chunks.ts";
export { surfacesOf } from "./pieces.ts";
export { parseRevision } from "./revision.ts";
export { type FeedScene, sceneOf } from "./scene.ts";
export { statesBlock, statesSince } from "./states.ts";
export { waysBlock } from "./ways.ts";
