export { type AskOptions, ask } from "./ask-program.ts";
export { askWithModel } from "./loop/ask-with-model.ts";
export { type Need, needSchema } from "./need.ts";
export { type ParseContext, parseQuestion } from "./parse/parse-question.ts";
