import type { Explorers } from "../../active/episode.ts";
import { above, claim, notBelow } from "../claims.ts";
import { activeExperiment } from "./active-experiment.ts";

const team = (agents: number): Explorers => ({
  name: agents === 1 ? "alone" : `with ${agents - 1}`,
  policy: "memory",
  keepsMemory: false,
  agents,
});

export const collaboration = activeExperiment({
  name: "collaboration",
  shows: "R⁴ table 4: one robot alone, with one, two and five helpers that write to the same memory",
  count: 4,
  explorers: [team(1), team(2), team(3), team(6)],
  claims: [
    notBelow("with 5", "alone"),
    above("with 5", "alone", { metric: "SPL", by: 5 }),
    claim("team pays", "what the asked one saves the team pays: team SPL falls with helpers", (figures) => {
      const of = (config: string) => figures.value(config, { metric: "team SPL" });
      const [alone, helped] = [of("alone"), of("with 5")];
      return alone === null || helped === null ? null : helped < alone;
    }),
  ],
  limits:
    "Helpers explore for the same question at the same time, in one map; R⁴'s explored before. SPL counts the metres of the one that is asked, team SPL those of all.",
});
