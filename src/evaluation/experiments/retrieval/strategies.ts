import type { SystemSettings } from "../../../reasoning/systems/index.ts";
import { systemStrategy } from "../../runner/system-strategy.ts";
import { above, alike } from "../claims.ts";
import { LONG_CAMPUS, LONG_WAREHOUSE } from "../lab.ts";
import { orGuess } from "../or-guess.ts";
import { questionExperiment } from "../question-experiment.ts";

/** MemoryEQA's number of memories if k does not depend on the question. */
const FIXED_K = 5;

/**
 * MemoryEQA with its switches: U update the library, R retrieve from it, K choose the number of memories by the
 * question's ambiguity.
 */
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
    "MemoryEQA table 3: nothing, update, retrieval, adaptive k, in warehouses where nothing and where much happens, and on campuses",
  parts: [
    {
      suite: "static",
      tour: { ...LONG_WAREHOUSE, rate: 0 },
      questions: [{ suite: "warehouse", count: 30, only: answerable, kinds: "answerable" }],
      configurations,
    },
    {
      suite: "dynamic",
      tour: LONG_WAREHOUSE,
      questions: [{ suite: "warehouse", count: 30, only: answerable, kinds: "answerable" }],
      configurations,
    },
    {
      suite: "campus",
      tour: LONG_CAMPUS,
      questions: [{ suite: "campus-long", count: 30, only: answerable, kinds: "answerable" }],
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
