import { createRoute, z } from "@hono/zod-openapi";
import { hitSchema, inSlices, LociError, searchQuerySchema } from "../../../schema/index.ts";
import { callerIdOf } from "../access.ts";
import type { App, ServerContext } from "../context.ts";
import { jsonBody, jsonReply, PROBLEMS, sendText } from "../spec.ts";

const HITS_AT_ONCE = 50;

/** Search by meaning, place and time at once. */
export function searchRoutes(app: App, context: ServerContext): void {
  const search = createRoute({
    method: "post",
    path: "/v1/search",
    summary: "Search by meaning, place and time at once",
    middleware: context.require("read"),
    request: { body: jsonBody(searchQuerySchema) },
    responses: {
      200: jsonReply(
        z.object({ hits: z.array(hitSchema), plan: z.looseObject({ driver: z.string() }) }),
        "What was found, best first",
      ),
      ...PROBLEMS,
    },
  });
  app.openapi(search, async (c) => {
    const { hits, plan } = await context.face(c).search(c.req.valid("json"));
    const othersFirst = inSlices(callerIdOf(c.get("caller")));
    let bytes = 0;
    const parts: string[] = [];
    // Hit by hit, since a thousand records may be a gigabyte, which exceeds the length of a string and takes a while.
    for (const [n, hit] of hits.entries()) {
      if (n > 0 && n % HITS_AT_ONCE === 0) await othersFirst();
      const part = JSON.stringify(hit);
      bytes += part.length;
      if (bytes > context.limits.answerBytes)
        throw new LociError("limit-exceeded", "what was found is too large for one answer; ask for fewer");
      parts.push(part);
    }
    return sendText(`{"hits":[${parts.join()}],"plan":${JSON.stringify(plan)}}`);
  });
}
