import type { QuestionRecord } from "../../../schema/index.ts";
import { TABLES } from "../../../schema/settings.ts";
import { systemStrategy } from "../../runner/system-strategy.ts";
import { ingestOnce } from "../../suites/kept-memory.ts";
import { above } from "../claims.ts";
import { STANDARD_TOUR, type Variant } from "../lab.ts";
import { questionExperiment } from "../question-experiment.ts";
import { named } from "../restricted-reader.ts";

/** Observations of an empty place are then not stored. */
const NEVER = { maxVotes: 0 };

/** The same recordings ingested by a tracker that ignores empty places. */
const WITHOUT_ABSENCE: Variant = {
  name: "without-absence",
  async make({ recording, folder, signal }) {
    const { values } = TABLES.get("presence")!;
    const before = { ...values };
    Object.assign(values, NEVER);
    try {
      return await ingestOnce(recording, folder, signal);
    } finally {
      Object.assign(values, before);
    }
  },
};

const tour = { ...STANDARD_TOUR, rate: 360 };
/**
 * Nine in ten questions of the suite about changes concern what is open or on, for which an empty place is
 * irrelevant.
 */
const questions = [{ suite: "change" as const, count: 300, only: isAboutPlaces, kinds: "places" }];

function isAboutPlaces(question: QuestionRecord): boolean {
  return /^change\/(where-now|where-before|moved|what-gone)$/.test(question.subtype) || isAbsent(question);
}

function isAbsent({ unanswerableReason, answer }: QuestionRecord): boolean {
  return (
    unanswerableReason === "looked-absent" || (answer.type === "binary" && answer.status === "looked-absent")
  );
}

function slicesOf(question: QuestionRecord): string[] {
  return [
    ...(question.subtype === "change/where-now" ? ["where now"] : []),
    ...(isAbsent(question) ? ["absent"] : []),
  ];
}

export const moved = questionExperiment({
  name: "moved",
  shows:
    "negative evidence: where is it now, and is it still there, with and without believing an empty place",
  parts: [
    { suite: "change", tour, questions, configurations: [named("with", systemStrategy("rules"))] },
    {
      suite: "change",
      tour,
      questions,
      memory: WITHOUT_ABSENCE,
      configurations: [named("without", systemStrategy("rules"))],
    },
  ],
  slices: slicesOf,
  metrics: ["match", "abstained"],
  claims: [
    above("with", "without"),
    above("with", "without", { slice: "where now", by: 15 }),
    above("with", "without", { slice: "absent", by: 15 }),
  ],
  limits:
    "Only what an empty place can tell of is asked: where moved things are and were, whether they were moved, what is gone. Without: the same recordings, tracked with settings under which no looks are enough to say that a thing is gone; it is still known to be elsewhere once it is seen there. 360 events an hour. Nobody guesses: unanswerable questions are part of it.",
});
