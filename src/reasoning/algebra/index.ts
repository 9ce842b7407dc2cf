export { kindOf } from "./check.ts";
export { scan } from "./notation.ts";
