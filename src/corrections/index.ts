export { Corrections, type Speaker } from "./corrections.ts";
