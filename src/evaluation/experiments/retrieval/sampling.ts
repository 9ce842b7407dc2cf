import { presetStrategy, systemStrategy } from "../../runner/system-strategy.ts";
import { above, claim } from "../claims.ts";
import { orGuess } from "../or-guess.ts";
import { questionExperiment } from "../question-experiment.ts";

const LENGTHS = ["navqa-short", "navqa-long"] as const;

export const sampling = questionExperiment({
  name: "sampling",
  shows:
    "R-EQA table 1: captions most like the question against captions evenly spaced, on short and long episodes",
  parts: [...LENGTHS, "openeqa" as const].map((suite) => ({
    suite,
    questions: [{ suite, count: 36, only: ({ answerable }) => answerable, kinds: "answerable" }],
    configurations: [
      orGuess(systemStrategy("r-eqa", { id: "top-3", settings: { k: 3 } })),
      orGuess(presetStrategy("uniform", { id: "uniform-10", k: 10 })),
      orGuess(presetStrategy("uniform", { id: "uniform-3", k: 3 })),
    ],
  })),
  metrics: ["match", "context tokens", "evidence recall"],
  claims: [
    above("top-3", "uniform-10"),
    above("top-3", "uniform-3"),
    above("uniform-10", "blind"),
    claim("longer, wider", "the gap between top-3 and uniform-10 is larger on long episodes", (figures) => {
      const [short, long] = LENGTHS.map((suite) => figures.difference("top-3", "uniform-10", { suite }));
      return short && long ? long.value > short.value : null;
    }),
  ],
  limits:
    "The shared reader takes the place of LLaMA-3.1-70B: the algebra over what the captions state. uniform-3 has as many captions as top-3 (equal tokens). Captions are the simulator's, with the errors of its noise.",
});
