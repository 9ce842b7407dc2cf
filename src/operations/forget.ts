import { z } from "zod";
import type { ForgetThingReport } from "../compose/forget.ts";
import { forgetSchema, idSchema, LociError } from "../schema/index.ts";
import { operation } from "./operation.ts";
import { saidOf } from "./said-by-name.ts";

export const forget = operation({
  summary: "Forget records with all that was derived from them, for good",
  scope: "admin",
  input: forgetSchema,
  output: z.looseObject({
    forgotten: z.array(z.object({ id: idSchema, kind: z.string(), versions: z.int() })),
    /** Whether no file can contain any of it any more. */
    wiped: z.boolean(),
    /** Deleted lines of what people said, because they refer to it by a name that people gave it. */
    said: z.int(),
  }),
  http: {
    method: "post",
    path: "/v1/forget",
    says: "What went",
    mayMiss: true,
    relies: ["forgotten", "rewritten"],
  },
  run: async ({ memory, seen, actor }, { ids, reason, pictures = "blacken" }): Promise<ForgetThingReport> => {
    const known = await (await seen.reader()).get(ids);
    const missing = ids.find((_, n) => known[n] === undefined);
    if (missing !== undefined) throw new LociError("unknown-id", `there is no "${missing}" to forget`);
    // The actor is not told how much was deleted that it may not see.
    const said = (await saidOf(seen, ids)).reduce((sum, { lines }) => sum + lines.length, 0);
    return { ...(await memory.forget(ids, reason, { pictures, who: actor.id })), said };
  },
});
