import { z } from "zod";
import { idSchema, timeUsSchema } from "./primitives.ts";

const MAX_MEMORIES = 100_000;

/** How far somebody has what each memory wrote: the time there of its last batch that is here. */
export const heardSchema = z
  .record(idSchema, timeUsSchema)
  .refine((heard) => Object.keys(heard).length <= MAX_MEMORIES, `at most ${MAX_MEMORIES} memories`);

/** SHA-256 over the ids that a memory has forgotten for good. */
export const toldSchema = z.string().regex(/^[0-9a-f]{64}$/);

export type Heard = Readonly<z.infer<typeof heardSchema>>;
