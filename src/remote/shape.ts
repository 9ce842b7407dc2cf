import { z } from "zod";
import { LociError } from "../schema/core.ts";

/** The fields of a response that the client relies on; more may be present. */
export const shapes = {
  named: z.looseObject({ id: z.string() }),
  reading: z.looseObject({ reading: z.string() }),
  answer: z.looseObject({ status: z.string(), text: z.string(), evidence: z.array(z.looseObject({})) }),
  outcome: z.looseObject({ observationId: z.string() }),
} as const;

/** Checks a response's shape; the server's own schemas guarantee the rest. */
export async function shaped<T>(answer: Promise<unknown>, shape: z.ZodType): Promise<T> {
  const value = await answer;
  const checked = shape.safeParse(value);
  if (!checked.success)
    throw new LociError(
      "source-unavailable",
      "the server answered with something else than was asked for; is it a Loci of another version?",
      { cause: checked.error },
    );
  return value as T;
}
