import { below, claim, notBelow } from "../claims.ts";
import { activeExperiment, LATER } from "./active-experiment.ts";

export const secondQuestion = activeExperiment({
  name: "second-question",
  shows: "MemoryEQA: a second question in the same house, with the memory of the first and with an empty one",
  count: 5,
  explorers: [
    { name: "persisted", policy: "memory", keepsMemory: true },
    { name: "cold", policy: "memory", keepsMemory: false },
  ],
  claims: [
    below("persisted", "cold", { slice: LATER, metric: "steps" }),
    claim("half the steps", "later questions take half the steps or less", (figures) => {
      const of = (config: string) => figures.value(config, { slice: LATER, metric: "steps" });
      const [persisted, cold] = [of("persisted"), of("cold")];
      return persisted === null || cold === null ? null : persisted <= 0.5 * cold;
    }),
    notBelow("persisted", "cold", { slice: LATER }),
  ],
  limits:
    "Questions are about several things of several rooms, so that one walk seldom shows what the next question needs; the paper's second question is about what the first walk passed.",
});
