import type { SystemSettings } from "../../../reasoning/systems/index.ts";
import { systemStrategy } from "../../runner/system-strategy.ts";
import { above, alike } from "../claims.ts";
import { STANDARD_TOUR } from "../lab.ts";
import { orGuess } from "../or-guess.ts";
import { questionExperiment } from "../question-experiment.ts";

/** MemoryEQA's number of memories where k does not follow the question. */
const FIXED_K = 5;

/** MemoryEQA with its switches: U update the library, R retrieve from it, K choose how many by how ambiguous the question is. */
const arm = (id: string, settings: SystemSettings) => systemStrategy("memory-eqa", { id, settings });

const configurations = [
  arm("None", { update: false, retrieve: false }),
  arm("U", { retrieve: false }),
  arm("U+R", { adaptive: false, k: FIXED_K }),
  arm("U+R+K", {}),
].map(orGuess);

const answerable = ({ answerable: is }: { answerable: boolean }) => is;

export const ablationStrategies = questionExperiment({
  name: "ablation-strategies",
  shows:
    "MemoryEQA table 3: nothing, update, retrieval, adaptive k, in houses where nothing and where much happens",
  parts: [
    {
      suite: "static",
      tour: { ...STANDARD_TOUR, rate: 0, people: 0 },
      questions: [{ suite: "mt", count: 30, only: answerable, kinds: "answerable" }],
      configurations,
    },
    {
      suite: "dynamic",
      questions: [
        { suite: "mt", count: 20, only: answerable, kinds: "answerable" },
        { suite: "change", count: 20, only: answerable, kinds: "answerable" },
      ],
      configurations,
    },
  ],
  metrics: ["match", "context tokens"],
  claims: [
    alike("U", "None", 2, { suite: "static" }),
    above("U+R", "U", { suite: "static" }),
    above("U", "None", { suite: "dynamic", by: 5 }),
    above("U+R+K", "U+R"),
  ],
  limits:
    "Arms differ in the switches of the shipped system alone. Without R the reader gets the whole library. A reader by rules is not confused by many memories, as a language model is: what R gains there is not to be expected here. Episodic: steps are ablation-modules'.",
});
