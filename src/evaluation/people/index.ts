export { type HouseSpec, keyOf, readHouses, recordingOf } from "./houses.ts";
