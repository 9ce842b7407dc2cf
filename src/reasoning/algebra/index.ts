export { kindOf } from "./check.ts";
export { print, scan } from "./notation.ts";
