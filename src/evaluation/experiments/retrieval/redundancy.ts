import { presetStrategy, systemStrategy } from "../../runner/system-strategy.ts";
import { above, below, claim } from "../claims.ts";
import { LONG_CAMPUS } from "../lab.ts";
import { orGuess } from "../or-guess.ts";
import { questionExperiment } from "../question-experiment.ts";
import { readsDiverse } from "./chosen-evidence.ts";

const LENGTHS = ["campus-short", "campus-medium", "campus-long"] as const;
const K = 6;
/** Ratio of the memory lengths behind long and short questions: 7 to 36 minutes against 0.7 to 2. */
const LENGTHENED = 15;

export const redundancy = questionExperiment({
  name: "redundancy",
  shows: "STaR: plain top-6, MMR, bottleneck at the paper's raw δ̄, scale-free bottleneck, as memories grow",
  parts: LENGTHS.map((suite) => ({
    suite,
    tour: LONG_CAMPUS,
    questions: [{ suite, count: 30, only: ({ answerable }) => answerable, kinds: "answerable" }],
    configurations: [
      orGuess(presetStrategy("flat-rag", { id: "plain", k: K })),
      orGuess(readsDiverse("mmr", K)),
      orGuess(systemStrategy("star", { id: "bottleneck, raw", settings: { k: K, mode: "paper" } })),
      orGuess(systemStrategy("star", { id: "bottleneck, scale-free", settings: { k: K } })),
    ],
  })),
  metrics: ["redundancy", "evidence recall", "context tokens", "ms"],
  claims: [
    below("bottleneck, scale-free", "plain", { metric: "redundancy" }),
    above("bottleneck, scale-free", "plain", { metric: "evidence recall", suite: LENGTHS[2] }),
    claim(
      "flat recall",
      "the scale-free bottleneck's recall falls less from short to long than plain's",
      (figures) => {
        const fall = (config: string) => {
          const of = (suite: string) => figures.value(config, { suite, metric: "evidence recall" });
          const [short, long] = [of(LENGTHS[0]), of(LENGTHS[2])];
          return short === null || long === null ? null : short - long;
        };
        const [ours, plain] = [fall("bottleneck, scale-free"), fall("plain")];
        return ours === null || plain === null ? null : ours <= plain;
      },
    ),
    claim(
      "sub-linear time",
      "retrieving from a long memory takes less than its length times as long",
      (figures) => {
        const of = (suite: string) => figures.value("bottleneck, scale-free", { suite, metric: "ms" });
        const [short, long] = [of(LENGTHS[0]), of(LENGTHS[2])];
        return short === null || long === null ? null : long / short < LENGTHENED;
      },
    ),
  ],
  limits:
    "Redundancy is 1 − distinct things / mentions among the six captions. Evidence recall: any of them within five seconds of a time that shows the answer. Memories of campuses that are driven for 36 minutes, between the shortest and the longest about a factor of fifteen; the papers' 120 minutes are bench/retrieval-long.ts. Milliseconds are this machine's.",
});
