import type { Listed } from "../reasoning/listings.ts";
import { listedSchema, listQuerySchema } from "../schema/index.ts";
import { requestOf } from "./ask.ts";
import { withView } from "./context.ts";
import { operation } from "./operation.ts";

export const list = operation({
  summary: "Things, rooms, people, changes or a way as plain rows",
  scope: "read",
  cost: "question",
  input: listQuerySchema,
  output: listedSchema,
  http: {
    method: "post",
    path: "/v1/list",
    says: "The rows, and one line about them",
    relies: ["rows", "text"],
  },
  run: (context, query, call): Promise<Listed> =>
    withView(context, query, async (view) => {
      const { listMemory } = await import("../compose/ask.ts");
      const { now, scene, frame } = query;
      return listMemory(view, query, requestOf({ now, scene, frame }), call);
    }),
});
