import { guess } from "../../reasoning/systems/baselines/blind.ts";
import type { Answerer } from "./strategy.ts";

/** Guesses as who never looked would, whatever the evidence. */
export const BLIND_ANSWERER: Answerer = {
  id: "guess-1",
  answer: async (question, _evidence, context) => guess(question, context),
};
