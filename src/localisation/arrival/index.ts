export { recogniseBeside } from "./beside.ts";
export { type ArrivalView, type Cloud, CloudMaker } from "./cloud.ts";
export { recogniseArrival } from "./recognise.ts";
export { ARRIVAL } from "./settings.ts";
