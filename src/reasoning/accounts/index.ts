export { coverageOf } from "./coverage.ts";
export { diffOf } from "./diff.ts";
export { goalFor, routeBetween } from "./going.ts";
export { lifeOf } from "./life.ts";
export { thingMeant } from "./meant.ts";
export { timelineOf } from "./timeline.ts";
