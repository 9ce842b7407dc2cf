export { kindOf } from "./algebra/index.ts";
export { type AskOptions, ask } from "./ask.ts";
export { askWithModel } from "./loop/ask-with-model.ts";
export { type Asked, type Reading, read } from "./read/read.ts";
