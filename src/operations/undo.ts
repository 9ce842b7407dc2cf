import { z } from "zod";
import { type Correction, correctionSchema, idSchema } from "../schema/index.ts";
import { operation } from "./operation.ts";
import { noted, sayingOf, tellCorrection } from "./saying.ts";

export const undo = operation({
  summary: "Takes back a correction or a name",
  scope: "write",
  input: z.strictObject({ id: idSchema.optional().describe("which; default: the last one") }),
  output: correctionSchema,
  lead: "id",
  http: {
    method: "post",
    path: "/v1/corrections/{id}/undo",
    says: "What was said",
    mayMiss: true,
    relies: ["id", "target"],
  },
  command: { positional: ["[id]"] },
  run: async (context, { id }): Promise<Correction> => {
    const { undo } = await import("../compose/people.ts");
    return noted(context, "undo", await undo(sayingOf(context), id));
  },
  tell: tellCorrection,
});
