import { z } from "zod";
import { sceneQuerySchema } from "../schema/index.ts";
import { groundsOf } from "./grounds.ts";
import { blockId, type Tagged } from "./map-chunk.ts";
import { operation } from "./operation.ts";

export const ground = operation({
  summary: "One storey from above: seen and unseen ground, walls, when it was last looked at",
  scope: "read",
  input: z.strictObject({ id: blockId, ...sceneQuerySchema.shape }),
  output: z.any(),
  lead: "id",
  answers: "block",
  http: { method: "get", path: "/v1/feed/ground/{id}", says: "A block of columns (docs/feed.md)" },
  run: async ({ seen }, { id, scene }): Promise<Tagged | undefined> =>
    (await groundsOf(seen, scene)).find((floor) => floor.id === id),
});
