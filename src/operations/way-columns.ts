import { z } from "zod";
import { momentUs } from "../memory/query.ts";
import { waysQuerySchema } from "../schema/index.ts";
import { operation } from "./operation.ts";

export const wayColumns = operation({
  summary: "Where agents and people went, with the agents' cameras, as columns",
  scope: "read",
  input: waysQuerySchema,
  output: z.any(),
  answers: "bytes",
  http: { method: "get", path: "/v1/feed/ways", says: "A block of columns (docs/feed.md)" },
  run: async ({ seen }, { scene, from, to, stepM }, call): Promise<Uint8Array<ArrayBuffer>> => {
    const { waysBlock } = await import("../exchange/feed/index.ts");
    const during = {
      fromUs: from === undefined ? Number.MIN_SAFE_INTEGER : momentUs(from),
      toUs: to === undefined ? null : momentUs(to),
    };
    return waysBlock(await seen.reader(), { ...call, sceneId: scene, during, stepM });
  },
});
