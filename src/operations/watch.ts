import { z } from "zod";
import { type Watch, type WatchRequest, watchRequestSchema, watchSchema } from "../schema/index.ts";
import { operation } from "./operation.ts";

/** A standing query; `secret` signs its webhook and is returned only here. */
export const watch = operation({
  summary: "Be told when something comes to be so: a question or an expression, and when to tell",
  scope: "read",
  changes: true,
  cost: "question",
  input: watchRequestSchema,
  output: watchSchema.extend({ secret: z.string().optional() }),
  http: {
    method: "post",
    path: "/v1/watches",
    says: "The watch; the secret that signs its webhook is told only now",
    relies: ["id"],
    // An expression contains expressions, which a schema of JSON cannot describe without a name; the memory checks all.
    body: z.strictObject({
      ...watchRequestSchema.shape,
      expression: z.union([z.string(), z.looseObject({ op: z.string() })]).optional(),
    }),
  },
  run: async (
    { memory, actor },
    request: WatchRequest,
    { signal },
  ): Promise<Watch & { readonly secret?: string }> => {
    const { watchesOf } = await import("../compose/watch.ts");
    return (await watchesOf(memory)).watch(request, actor, signal);
  },
});
