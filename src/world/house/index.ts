export { generateHouse } from "./generate.ts";
export * from "./types.ts";
