import type { FeedScene } from "../exchange/feed/index.ts";
import { feedSceneSchema, sceneQuerySchema } from "../schema/index.ts";
import { chunksFor } from "./map-chunk.ts";
import { operation } from "./operation.ts";

/** The data feed of a 4D viewer is docs/feed.md; blocks are decoded by `exchange/feed/decode.ts`, also in browsers. */
export const scene = operation({
  summary: "Rooms, span, revision and the chunks of the map",
  scope: "read",
  input: sceneQuerySchema,
  output: feedSceneSchema,
  answers: "tagged",
  http: { method: "get", path: "/v1/feed", says: "What there is" },
  run: async ({ seen, counts }, { scene: sceneId }, call): Promise<FeedScene> => {
    const { sceneOf } = await import("../exchange/feed/index.ts");
    const reader = await seen.reader();
    const chunks = await (await chunksFor(seen)).list(reader, { ...call, sceneId });
    // A slightly old count only causes some content to be sent again.
    return sceneOf(reader, chunks, sceneId, counts);
  },
});
