export { kindOf } from "./algebra/index.ts";
export { type AskOptions, ask } from "./ask.ts";
export { askWithModel } from "./loop/ask-with-model.ts";
export { type Asked, read } from "./read/read.ts";
export type { Reading } from "./read/reading.ts";
