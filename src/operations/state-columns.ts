import { z } from "zod";
import { statesQuerySchema } from "../schema/index.ts";
import { operation } from "./operation.ts";

export const stateColumns = operation({
  summary: "The states of things as columns: a page of all, or what changed since a revision",
  scope: "read",
  input: statesQuerySchema,
  output: z.any(),
  answers: "bytes",
  http: { method: "get", path: "/v1/feed/states", says: "A block of columns (docs/feed.md)" },
  run: async ({ seen }, { scene, since, ...query }, call): Promise<Uint8Array<ArrayBuffer>> => {
    const { parseRevision, statesBlock, statesSince } = await import("../exchange/feed/index.ts");
    const options = { ...query, ...call, sceneId: scene };
    const reader = await seen.reader();
    return since === undefined
      ? statesBlock(reader, options)
      : statesSince(reader, parseRevision(since), options);
  },
});
