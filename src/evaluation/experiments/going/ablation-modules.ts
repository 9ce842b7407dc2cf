import type { Explorers } from "../../active/episode.ts";
import { above, claim, notBelow } from "../claims.ts";
import { activeExperiment } from "./active-experiment.ts";

const way = (name: string, planner: boolean, stopping: boolean, answering: boolean): Explorers => ({
  name,
  policy: "memory-eqa",
  mode: "paper",
  system: "memory-eqa",
  keepsMemory: false,
  switches: { planner, stopping, answering },
});
const STEPS = "steps, normalised";

export const ablationModules = activeExperiment({
  name: "ablation-modules",
  shows: "MemoryEQA table 4: memory in no module, in stopping, in answering too, in planning too",
  count: 4,
  explorers: [
    way("None", false, false, false),
    way("S", false, true, false),
    way("S+A", false, true, true),
    way("S+A+P", true, true, true),
  ],
  claims: [
    notBelow("S", "None"),
    notBelow("S+A", "S"),
    notBelow("S+A+P", "S+A"),
    above("S+A+P", "None"),
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
    "MemoryEQA's own explorer: its planner, stopping at C, and its system for answering, each of which retrieves by a query of its own or has what the robot sees at the moment. Each question begins with an empty memory. Without a model rules write the queries, one reader says from what was found how sure an answer is, and the value of directions is the likelihood of rooms.",
});
