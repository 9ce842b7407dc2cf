import { above, below, notBelow } from "../claims.ts";
import { activeExperiment, LATER } from "./active-experiment.ts";

export const search = activeExperiment({
  name: "search",
  shows:
    "searching in time (what was seen before), in space (going to look with an empty memory), and in both",
  count: 5,
  explorers: [
    { name: "in time", policy: "memory", keepsMemory: true, laterSteps: 1 },
    { name: "in space", policy: "memory", keepsMemory: false },
    { name: "in both", policy: "memory", keepsMemory: true },
  ],
  claims: [
    notBelow("in both", "in time", { slice: LATER }),
    notBelow("in both", "in space", { slice: LATER }),
    below("in both", "in space", { slice: LATER, metric: "metres" }),
    above("in time", "blind", { slice: LATER }),
  ],
  limits:
    "Later questions of a house count: the first one is walked for by all. In time: what earlier walks showed, and one look from where one stands.",
});
