import { z } from "zod";
import type { Operator } from "../operator.ts";
import { REASONS, type Reason, unknownValue } from "../value.ts";

const options = z.strictObject({ reason: z.enum(REASONS), says: z.string().max(400).optional() });

/** Questions that no memory can answer; the caller words the refusal. */
export const refusing: readonly Operator[] = [
  {
    name: "refuse",
    says: "no answer, for a reason: an act that is asked for, a matter of taste, the future, not understood",
    takes: [],
    options,
    gives: "words",
    async run(call) {
      const { reason, says = SAYS[reason] ?? "" } = call.options as z.infer<typeof options>;
      return unknownValue(reason, says, { p: 0.9 });
    },
  },
];

const SAYS: Partial<Record<Reason, string>> = {
  "cannot-act": "I only remember; I cannot do things",
  taste: "that is a matter of taste",
  future: "nobody knows what is to come",
  "not-understood": "I do not understand the question",
};
