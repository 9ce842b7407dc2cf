import { ask } from "../../ask.ts";
import type { System } from "../system.ts";

/** Our own: the question as an expression over the whole memory. A model is not asked. */
export const rules: System = {
  name: "rules",
  prompts: [],
  answer: (question, options) => ask(question, options),
};
