import { z } from "zod";
import { idSchema, type Stored } from "../schema/index.ts";
import { operation } from "./operation.ts";
import { storedSchema } from "./record.ts";

export const history = operation({
  summary: "Every version of a record, oldest first; empty where there is none to see",
  scope: "read",
  input: z.strictObject({ id: idSchema }),
  output: z.array(storedSchema),
  lead: "id",
  http: { method: "get", path: "/v1/records/{id}/history", says: "The versions" },
  run: async ({ seen }, { id }): Promise<Stored[]> => (await seen.reader()).history(id),
});
