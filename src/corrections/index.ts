export { sayingOf } from "./book.ts";
export { Corrections, type Speaker } from "./corrections.ts";
