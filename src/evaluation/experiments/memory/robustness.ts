import { systemStrategy } from "../../runner/system-strategy.ts";
import { claim } from "../claims.ts";
import type { Tour } from "../lab.ts";
import { type Part, questionExperiment } from "../question-experiment.ts";
import { named } from "../restricted-reader.ts";

const KINDS = ["depth", "masks", "labels", "captions", "pose", "time"] as const;
const LEVELS = [0, 0.5, 1] as const;
const TOUR: Tour = { minutes: 2, fps: 1, noise: 0, rate: 60, rooms: 4, floors: 1 };
/** A larger loss at the usual noise is not graceful. */
const GRACEFUL = 10;

const part = (kind: (typeof KINDS)[number], level: number): Part => ({
  suite: kind,
  tour: level === 0 ? TOUR : { ...TOUR, noise: { [kind]: level } },
  questions: [{ suite: "openeqa", count: 40 }],
  configurations: [named(String(level), systemStrategy("rules"))],
});

export const robustness = questionExperiment({
  name: "robustness",
  shows: "each noise by itself, at 0, .5 (the usual) and 1: what answers lose",
  parts: KINDS.flatMap((kind) => LEVELS.map((level) => part(kind, level))),
  metrics: ["match"],
  claims: KINDS.map((kind) =>
    claim(
      `${kind} is borne`,
      `${kind} noise of the usual strength costs ${GRACEFUL} points at most`,
      (figures) => {
        const lost = figures.difference("0", "0.5", { suite: kind });
        return lost && lost.value <= GRACEFUL;
      },
    ),
  ),
  limits:
    "Two-minute tours of four rooms, everything else without noise. Pose drift with and without re-anchoring is measured by `eval tracking --experiments`, not here.",
});
