import type { MemoryReader } from "../../../memory/index.ts";
import { LIMITS } from "../../../schema/core.ts";
import { systemStrategy } from "../../runner/system-strategy.ts";
import { windowedReader } from "../../runner/windowed-reader.ts";
import { above, notBelow } from "../claims.ts";
import { orGuess } from "../or-guess.ts";
import { questionExperiment } from "../question-experiment.ts";
import { asking, named } from "../restricted-reader.ts";

/** One half of a memory: before or after the middle of the recording. */
function half(which: "first" | "second") {
  return async (reader: MemoryReader): Promise<MemoryReader> => {
    const { firstUs, lastUs } = await reader.stats();
    const middleUs = Math.round(((firstUs ?? 0) + (lastUs ?? 0)) / 2);
    return windowedReader(
      reader,
      which === "first" ? { fromUs: -LIMITS.timeUs, toUs: middleUs } : { fromUs: middleUs, toUs: null },
    );
  };
}

const configurations = [
  named("whole", systemStrategy("rules")),
  named("first half", asking(systemStrategy("rules"), "first half", half("first"))),
  named("second half", asking(systemStrategy("rules"), "second half", half("second"))),
].map(orGuess);

const answerable = ({ answerable: is }: { answerable: boolean }) => is;

export const crossConditioned = questionExperiment({
  name: "cross-conditioned",
  shows: "VLM4D's protocol in R⁴: memory from one half of a recording only, asked at its end",
  parts: (["motion", "openeqa"] as const).map((suite) => ({
    suite,
    questions: [{ suite, count: 36, only: answerable, kinds: "answerable" }],
    configurations,
  })),
  metrics: ["match"],
  claims: [
    notBelow("whole", "first half"),
    above("first half", "blind"),
    above("second half", "blind", { suite: "motion" }),
  ],
  limits:
    "The halves are of time: what was seen before, or after, the middle of the tour. VLM4D splits its videos, so that what is asked of one is never in the other; here a house is one world, and a half knows the rooms that were toured in it. R⁴ reports this without a claim; the inequalities are ours.",
});
