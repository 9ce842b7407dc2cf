import { systemStrategy } from "../../runner/system-strategy.ts";
import { above, alike, notBelow } from "../claims.ts";
import { orGuess } from "../or-guess.ts";
import { questionExperiment } from "../question-experiment.ts";

/** R⁴'s table 5: what a thing is (SEM), where it is (SPA), when it was so (TEM). */
const ROWS = {
  A2: { meaning: true, space: false, time: false },
  A3: { meaning: false, space: true, time: false },
  A4: { meaning: false, space: false, time: true },
  A5: { meaning: true, space: true, time: false },
  A6: { meaning: true, space: false, time: true },
  A7: { meaning: false, space: true, time: true },
  A8: { meaning: true, space: true, time: true },
} as const;

const NOTHING = systemStrategy("blind", { id: "A1" });

const TEMPORAL = new Set(["temporal", "change", "ego"]);
const SLICE = "temporal";

export const ablationKeys = questionExperiment({
  name: "ablation-keys",
  shows: "R⁴ table 5: A1 none, A2 SEM, A3 SPA, A4 TEM, A5 SEM+SPA, A6 SEM+TEM, A7 SPA+TEM, A8 all",
  parts: [
    {
      suite: "openeqa+temporal",
      questions: [
        { suite: "openeqa", count: 48, only: ({ answerable }) => answerable, kinds: "answerable" },
        {
          suite: "all",
          count: 115,
          only: ({ answerable, type }) => answerable && TEMPORAL.has(type),
          kinds: "temporal",
        },
      ],
      configurations: [
        NOTHING,
        ...Object.entries(ROWS).map(([id, keys]) =>
          orGuess(systemStrategy("r4", { id, settings: { keys } })),
        ),
      ],
    },
  ],
  slices: ({ type }) => [TEMPORAL.has(type) ? SLICE : "not temporal"],
  metrics: ["match"],
  claims: [
    above("A8", "A5"),
    above("A5", "A6"),
    notBelow("A6", "A2"),
    above("A2", "A1"),
    above("A5", "A2", { by: 10, id: "A5 − A2 ≥ 10" }),
    alike("A7", "A1", 6),
    above("A8", "A5", { slice: SLICE, by: 10, id: "A8 − A5 ≥ 10 (temporal)" }),
  ],
  limits:
    "A key that is off is not searched with, and what it opens is not told of the records that other keys found: positions, rooms and supports without SPA, times and earlier stays without TEM. What the records then do not answer is guessed, as A1 guesses everything. Only answerable questions: a guess is never a refusal. Guesses are those of a person who never looked (rules), not of a large model.",
});
