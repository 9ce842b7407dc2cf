import { systemStrategy } from "../../runner/system-strategy.ts";
import { above, claim } from "../claims.ts";
import { orGuess } from "../or-guess.ts";
import { isSilent, questionExperiment } from "../question-experiment.ts";
import { named } from "../restricted-reader.ts";
import { abstentionQuestions, REASONS } from "./abstention-questions.ts";

const TO_ANSWER = "answerable";
const NOT_TO = "to abstain from";
/** People's score in AbstainEQA; the best model there had 43. */
const PEOPLE = 91;

export const abstention = questionExperiment({
  name: "abstention",
  shows: "AbstainEQA: five reasons to give no answer, beside as many questions that have one",
  parts: [
    {
      suite: "abstention",
      questions: [
        { kinds: "five reasons", make: abstentionQuestions },
        { suite: "openeqa", count: 30, only: ({ answerable }) => answerable, kinds: "answerable" },
      ],
      configurations: [
        named("rules", systemStrategy("rules")),
        orGuess(named("always answers", systemStrategy("rules"))),
      ],
    },
  ],
  slices: ({ suite, subtype, answerable }) => [
    answerable ? TO_ANSWER : NOT_TO,
    ...(suite === "abstention" ? [subtype] : []),
  ],
  metrics: ["abstained"],
  isRight: ({ answerable }, row) => (answerable ? row.scores.right : isSilent(row)),
  claims: [
    above("rules", "always answers"),
    claim(
      "knows what it does not know",
      `abstains from ${PEOPLE} % or more of what has no answer, as people do`,
      (figures) => {
        const recall = figures.value("rules", { slice: NOT_TO });
        return recall === null ? null : recall >= PEOPLE;
      },
    ),
    claim("not by silence", "abstains from 10 % at most of what has an answer", (figures) => {
      const silent = figures.value("rules", { slice: TO_ANSWER, metric: "abstained" });
      return silent === null ? null : silent <= 10;
    }),
    ...REASONS.map((reason) =>
      claim(reason, `abstains from most questions of ${reason}`, (figures) => {
        const recall = figures.value("rules", { slice: reason });
        return recall === null ? null : recall > 50;
      }),
    ),
  ],
  limits:
    "One wording a reason, made by rules about things of the house: AbstainEQA's were rewritten by people, so that this is easier than theirs. To say that several things fit counts as abstaining, as asking back does there.",
});
