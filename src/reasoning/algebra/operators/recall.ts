import { fromCaptions } from "../captions/answer.ts";
import { type CaptionQuestion, captionQuestionSchema } from "../captions/caption-question.ts";
import type { Operator } from "../operator.ts";
import { unknownValue } from "../value.ts";

/** Semantic search in captions. */
export const recalling: readonly Operator[] = [
  {
    name: "recall",
    says: "what captions say of a question in words; `answer` is the kind of value that is wanted (truth, times, duration, count, place, words), so it stands outermost or right below `at`",
    takes: [],
    options: captionQuestionSchema,
    gives: "words",
    reads: ["caption", "observation"],
    async run({ options, scope }) {
      const question = { answer: "words", ...(options as Partial<CaptionQuestion>) } as CaptionQuestion;
      const found = await scope.retrieve?.(question.text);
      if (!found) return unknownValue("not-understood", "I do not understand the question.", { p: 0.2 });
      return fromCaptions(question, found.items, found.weak, scope);
    },
  },
];
