import { presetStrategy, systemStrategy } from "../../runner/system-strategy.ts";
import { above, claim } from "../claims.ts";
import type { Figures } from "../figures.ts";
import { orGuess } from "../or-guess.ts";
import { questionExperiment } from "../question-experiment.ts";
import { distracted } from "./chosen-evidence.ts";

const SIZES = [1, 2, 4, 8, 12, 16, 64] as const;
const LAMBDA = 0.05;

const nothing = systemStrategy("blind", { id: "k=0" });
const sized = SIZES.map((k) => orGuess(presetStrategy("flat-rag", { id: `k=${k}`, k })));
const led = SIZES.map((k) =>
  orGuess(presetStrategy("flat-rag", { id: `k=${k}, distractor`, k, shown: distracted(LAMBDA) })),
);

function fall(figures: Figures, suffix: string): number | null {
  const values = SIZES.map((k) => figures.value(`k=${k}${suffix}`));
  const last = values.at(-1);
  return values.some((value) => value === null) || last == null
    ? null
    : Math.max(...values.map((value) => value ?? 0)) - last;
}

export const sweepK = questionExperiment({
  name: "sweep-k",
  shows:
    "MemoryEQA figure 5: how many memories the reader sees, with a reader that can and that cannot be led astray",
  parts: [
    {
      suite: "openeqa",
      questions: [{ suite: "openeqa", count: 48, only: ({ answerable }) => answerable, kinds: "answerable" }],
      configurations: [nothing, ...sized, ...led],
    },
  ],
  metrics: ["match", "context tokens"],
  claims: [
    above("k=4", "k=0"),
    above("k=4", "k=1"),
    claim("plateau", "without a distractor more memories do not cost more than three points", (figures) => {
      const lost = fall(figures, "");
      return lost === null ? null : lost <= 3;
    }),
    claim("fall", "with a distractor many memories cost three points or more", (figures) => {
      const lost = fall(figures, ", distractor");
      return lost === null ? null : lost >= 3;
    }),
  ],
  limits: `Captions by meaning (flat RAG) and the shared reader; k=64 stands for all. The configurations named "distractor" use distractor(λ = ${LAMBDA}): with probability 1 − e^(−λ·n) the reader answers from one of the n records that share no word with the question. It imitates a language model and is no finding; all other configurations are without it.`,
});
