export { type AskOptions, ask } from "./ask.ts";
export { type Need, needSchema } from "./need.ts";
export { type ParseContext, parseQuestion } from "./parse/parse-question.ts";
