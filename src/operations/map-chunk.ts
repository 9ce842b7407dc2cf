import { z } from "zod";
import type { Memory } from "../compose/memory.ts";
import type { MapChunks } from "../exchange/feed/index.ts";
import { mapChunkQuerySchema } from "../schema/index.ts";
import { operation } from "./operation.ts";

/** Bytes with a tag that changes with their content. */
export interface Tagged {
  readonly etag: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Longest name of a block, in characters. */
const NAME_CHARS = 160;
export const blockId = z.string().max(NAME_CHARS);

export const mapChunk = operation({
  summary: "One chunk of the map: coloured surface points",
  scope: "read",
  input: z.strictObject({ id: blockId, ...mapChunkQuerySchema.shape }),
  output: z.any(),
  lead: "id",
  answers: "block",
  http: { method: "get", path: "/v1/feed/map/{id}", says: "A block of columns (docs/feed.md)" },
  run: async ({ seen }, { id, scene, level }, call): Promise<Tagged | undefined> =>
    (await chunksFor(seen)).chunk(await seen.reader(), id, { ...call, sceneId: scene, level }),
});

/** A chunk's name determines its content, so all readers of a memory can share chunks. */
const chunksOf = new WeakMap<object, MapChunks>();

export async function chunksFor({ engine }: Memory): Promise<MapChunks> {
  const { MapChunks } = await import("../exchange/feed/index.ts");
  let chunks = chunksOf.get(engine);
  if (chunks === undefined) {
    chunks = new MapChunks();
    chunksOf.set(engine, chunks);
  }
  return chunks;
}
