import { z } from "zod";
import { LociError } from "../schema/core.ts";

/** The fields of a response that the client relies on; more may be present. */
export const shapes = {
  object: z.looseObject({}),
  list: z.array(z.looseObject({})),
  named: z.looseObject({ id: z.string() }),
  reading: z.looseObject({ reading: z.string() }),
  record: z.looseObject({ kind: z.string(), id: z.string() }),
  records: z.array(z.looseObject({ kind: z.string(), id: z.string() })),
  found: z.looseObject({
    hits: z.array(z.looseObject({ record: z.looseObject({ kind: z.string(), id: z.string() }) })),
  }),
  answer: z.looseObject({ status: z.string(), text: z.string(), evidence: z.array(z.looseObject({})) }),
  listed: z.looseObject({ rows: z.array(z.looseObject({})), text: z.string() }),
  commit: z.looseObject({ commitUs: z.number() }),
  life: z.looseObject({ id: z.string(), stays: z.array(z.looseObject({})) }),
  coverage: z.looseObject({ rooms: z.array(z.looseObject({})) }),
  route: z.looseObject({ points: z.array(z.looseObject({})), rooms: z.array(z.looseObject({})) }),
  correction: z.looseObject({ id: z.string(), target: z.string() }),
  event: z.looseObject({ number: z.number() }),
  outcome: z.looseObject({ observationId: z.string() }),
  said: z.looseObject({ said: z.array(z.looseObject({ lines: z.array(z.string()) })) }),
  forgotten: z.looseObject({ forgotten: z.array(z.looseObject({})), rewritten: z.array(z.looseObject({})) }),
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
