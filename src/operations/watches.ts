import { z } from "zod";
import { type Watch, watchSchema } from "../schema/index.ts";
import { operation } from "./operation.ts";

export const watches = operation({
  summary: "One's standing queries",
  scope: "read",
  isOfHolder: true,
  input: z.strictObject({}),
  output: z.array(watchSchema),
  http: { method: "get", path: "/v1/watches", says: "The watches" },
  run: async ({ memory, actor }): Promise<Watch[]> => {
    const { watchesOf } = await import("../compose/watch.ts");
    return (await watchesOf(memory)).list(actor);
  },
});
