import type { RecordKind } from "../../../schema/core.ts";
import type { QuestionRecord } from "../../../schema/index.ts";
import { systemStrategy } from "../../runner/system-strategy.ts";
import { above } from "../claims.ts";
import { questionExperiment } from "../question-experiment.ts";
import { asking, named, onlyKinds } from "../restricted-reader.ts";

/** Paradigms of testing human memory, and the question types that correspond to them here. */
const PARADIGMS: Readonly<Record<string, RegExp>> = {
  "what was there": /^(recognition|attribute)\//,
  "where it was": /^(localisation|nearest)\//,
  "when it was": /^temporal\/(last-seen|first-seen)|^state\/last-seen/,
  "in which order": /^temporal\/(before|gap)|^ego\/next-room/,
  "what changed": /^(change|carried)\//,
  "own doings": /^ego\//,
  "in which place, together": /^(relationship|counting|comparison)\//,
  "false memories": /^$/,
};

function paradigmOf({ subtype, answerable }: QuestionRecord): string | undefined {
  if (!answerable) return "false memories";
  return Object.entries(PARADIGMS).find(([, pattern]) => pattern.test(subtype))?.[0];
}

const CAPTIONS: ReadonlySet<RecordKind> = new Set(["caption", "observation", "view"]);
const isAsked = (question: QuestionRecord) => paradigmOf(question) !== undefined;

export const episodic = questionExperiment({
  name: "episodic",
  shows: "eight paradigms of episodic memory: the whole memory against captions alone",
  parts: [
    {
      suite: "episodic",
      questions: [{ suite: "all", count: 138, only: isAsked, kinds: "paradigms" }],
      configurations: [
        named("rules", systemStrategy("rules")),
        named(
          "captions",
          asking(systemStrategy("rules"), "captions", (reader) => onlyKinds(reader, CAPTIONS)),
        ),
      ],
    },
  ],
  slices: (question) => [paradigmOf(question)!],
  metrics: ["match", "abstained"],
  claims: [
    above("rules", "captions"),
    ...Object.keys(PARADIGMS).map((slice) => above("rules", "blind", { slice })),
  ],
  limits:
    "The eight are ours, after paradigms that are used with people and animals; eMEM-Bench's own list and items were not at hand, and figures are not comparable with its.",
});
