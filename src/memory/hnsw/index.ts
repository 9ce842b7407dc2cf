export { dropGraphs } from "./drop.ts";
export { GraphKeeper, type GraphState, type ReadyOptions } from "./keeper.ts";
