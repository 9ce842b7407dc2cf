import { z } from "zod";
import { type Correction, correctionSchema, correctionsQuerySchema } from "../schema/index.ts";
import { operation } from "./operation.ts";
import { sayingOf } from "./saying.ts";
import { count, quoted, timeText } from "./telling.ts";

export const corrections = operation({
  summary: "What was said, the latest first; what was undone too",
  scope: "read",
  input: correctionsQuerySchema,
  output: z.array(correctionSchema),
  http: { method: "get", path: "/v1/corrections", says: "Corrections and names" },
  command: {},
  run: async (context, query): Promise<Correction[]> => {
    const { corrections } = await import("../compose/people.ts");
    return corrections(sayingOf(context), query);
  },
  tell: (all) => ({
    summary: all.length === 0 ? "Nothing was corrected or named." : `${count(all.length, "statement")}.`,
    rows: all.map(({ id, what, was, says, author, saidAtUs, undone, target }) => ({
      line: `${timeText(saidAtUs)} ${author}: ${quoted(target)} is ${what === "kind" ? "a" : "called"} ${quoted(says)}${was === undefined ? "" : `, not ${quoted(was)}`}${undone ? `; taken back by ${undone.by}` : ""} [${id}]`,
      data: { id, target, what, says, was: was ?? null, by: author, isUndone: undone !== undefined },
    })),
  }),
});
