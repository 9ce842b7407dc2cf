import type { Explorers } from "../../active/episode.ts";
import { above, claim, notBelow } from "../claims.ts";
import { activeExperiment } from "./active-experiment.ts";

const MODULES: readonly (readonly [name: string, planner: boolean, stopping: boolean, answering: boolean])[] =
  [
    ["None", false, false, false],
    ["S", false, true, false],
    ["S+A", false, true, true],
    ["S+A+P", true, true, true],
  ];
/** Our explorer: the checklist of the question in planner and stopping, the whole memory in answering. */
const ours = MODULES.map(
  ([name, planner, stopping, answering]): Explorers => ({
    name,
    policy: "memory",
    keepsMemory: false,
    switches: { planner, stopping, answering },
  }),
);
/** MemoryEQA's: each module retrieves by its own query, or gets what is in view. */
const papers = ours.map(
  (way): Explorers => ({
    ...way,
    name: `MemoryEQA, ${way.name}`,
    policy: "memory-eqa",
    mode: "paper",
    system: "memory-eqa",
  }),
);
const STEPS = "steps, normalised";

export const ablationModules = activeExperiment({
  name: "ablation-modules",
  shows: "MemoryEQA table 4: memory in no module, in stopping, in answering too, in planning too",
  count: 4,
  explorers: [...ours, ...papers],
  claims: [
    notBelow("S", "None"),
    notBelow("S+A", "S"),
    notBelow("S+A+P", "S+A"),
    above("S+A+P", "None"),
    notBelow("MemoryEQA, S", "MemoryEQA, None"),
    notBelow("MemoryEQA, S+A", "MemoryEQA, S"),
    notBelow("MemoryEQA, S+A+P", "MemoryEQA, S+A"),
    claim("P saves steps", "memory in the planner saves a fifth of the steps or more", (figures) => {
      const [before, after] = ["S+A", "S+A+P"].map((config) => figures.value(config, { metric: STEPS }));
      return before == null || after == null ? null : after <= 0.8 * before;
    }),
    claim("A adds most", "of the three, memory in answering adds most to what is correct", (figures) => {
      const values = ["None", "S", "S+A", "S+A+P"].map((config) => figures.value(config));
      if (values.some((value) => value === null)) return null;
      const gains = values.slice(1).map((value, n) => value! - values[n]!);
      return gains[1] === Math.max(...gains);
    }),
  ],
  limits:
    "Each question begins with an empty memory. A module without memory has what the robot sees at the moment. MemoryEQA's arms retrieve for each module by its own plan; without a model rules write the queries, one reader says from what was found how sure an answer is and gives it, and the value of directions is the likelihood of rooms.",
});
