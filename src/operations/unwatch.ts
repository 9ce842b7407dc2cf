import { z } from "zod";
import { idSchema, type Watch, watchSchema } from "../schema/index.ts";
import { operation } from "./operation.ts";

export const unwatch = operation({
  summary: "End a standing query",
  scope: "read",
  // The second call would find nothing to end, so it is not sent again.
  changes: true,
  input: z.strictObject({ id: idSchema }),
  output: watchSchema,
  lead: "id",
  http: {
    method: "delete",
    path: "/v1/watches/{id}",
    says: "What it was",
    mayMiss: true,
    relies: ["id"],
  },
  run: async ({ memory, actor }, { id }): Promise<Watch> => {
    const { watchesOf } = await import("../compose/watch.ts");
    return (await watchesOf(memory)).unwatch(id, actor);
  },
});
