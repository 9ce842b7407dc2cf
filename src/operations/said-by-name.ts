import { z } from "zod";
import type { Memory } from "../compose/memory.ts";
import { forgetSchema, idSchema } from "../schema/index.ts";
import { operation } from "./operation.ts";

/** Lines of a note that mention a thing by its name. */
export interface SaidLines {
  readonly id: string;
  readonly lines: readonly string[];
}

export const saidByName = operation({
  summary:
    "What people said of records by name, which goes with them when they are forgotten; changes nothing",
  scope: "admin",
  changes: false,
  input: forgetSchema.pick({ ids: true }),
  output: z.array(z.object({ id: idSchema, lines: z.array(z.string()) })),
  lead: "ids",
  http: {
    method: "post",
    path: "/v1/forget/said",
    says: "Notes, and the lines that would go",
    field: "said",
  },
  run: ({ seen }, { ids }): Promise<SaidLines[]> => saidOf(seen, ids),
});

export async function saidOf(seen: Memory, ids: readonly string[]): Promise<SaidLines[]> {
  const { saidByName } = await import("../compose/forget-said.ts");
  return (await saidByName(await seen.reader(), ids)).map(({ note, lines }) => ({ id: note.id, lines }));
}
