import { z } from "zod";
import { idSchema, timeUsSchema } from "./primitives.ts";

const MAX_MEMORIES = 100_000;

/** How far a peer has received each memory's writes: that memory's time of the last received batch. */
export const heardSchema = z
  .record(idSchema, timeUsSchema)
  .refine((heard) => Object.keys(heard).length <= MAX_MEMORIES, `at most ${MAX_MEMORIES} memories`);

/** SHA-256 over the ids that a memory has permanently forgotten. */
export const toldSchema = z.string().regex(/^[0-9a-f]{64}$/);

export type Heard = Readonly<z.infer<typeof heardSchema>>;
