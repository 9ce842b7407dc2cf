import { runSuite } from "../runner/run-suite.ts";
import type { Strategy } from "../runner/strategy.ts";
import { knowing, questionsOf, sceneIn } from "./toy-suite.ts";

/**
 * The run that the resume test kills half-way: a separate process that gets its folder and its file. It never ends by
 * itself, so that the test cannot be too late.
 */
const [folder, out] = process.argv.slice(2) as [string, string];
const slow = knowing("slow", 15);
const endless: Strategy = {
  ...slow,
  answer: (question, context) =>
    context.sceneId === "b" && question.id === "q11" ? new Promise(() => {}) : slow.answer(question, context),
};
await runSuite({
  suite: "killed",
  commit: "test",
  scenes: [sceneIn(folder, "a", questionsOf(12)), sceneIn(folder, "b", questionsOf(12))],
  strategies: [endless],
  out,
  parallel: 3,
});
