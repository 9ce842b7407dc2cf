import type { ImageEmbedder } from "../../../models/index.ts";
import { retrieveBy, together } from "../find.ts";
import type { Found, SystemOptions } from "../system.ts";
import { supersededIn } from "./library.ts";
import { looksOf } from "./looks.ts";

/** f_r(q): the library's results for one query of one module, by the settings. */
export async function findIn(
  query: string,
  options: SystemOptions,
  role: "planner" | "stop" | "answer" = "answer",
): Promise<Found> {
  const { adaptive, retrieve, update = true, reader } = options;
  const image = await pictureVector(query, options);
  const superseded = update ? await supersededIn(reader, options) : undefined;
  const retrieved = await retrieveBy("memory-eqa", { text: query, ...(image && { image }) }, options, {
    role,
    ...(adaptive !== undefined && { adaptive }),
    ...(retrieve !== undefined && { retrieve }),
    ...(superseded && { superseded }),
    ...(!image && { looks: looksOf(reader, options) }),
  });
  return together([{ cue: query, retrieved }]);
}

/**
 * The query in the space of pictures (eq. 6): the picture that came along, else the words. Only of the embedder by which the
 * memory's pictures were embedded.
 */
async function pictureVector(query: string, options: SystemOptions): Promise<Float32Array | undefined> {
  const { imageEmbedder, live, signal, reader } = options;
  if (imageEmbedder === undefined || !(await isOf(reader, imageEmbedder))) return undefined;
  const how = signal ? { signal } : {};
  const [first] = live?.images ?? [];
  const [vector] = first
    ? await imageEmbedder.embed([first], how)
    : ((await imageEmbedder.embedText?.([query], how)) ?? []);
  return vector ?? undefined;
}

async function isOf(reader: SystemOptions["reader"], embedder: ImageEmbedder): Promise<boolean> {
  return (await reader.embedder("image"))?.id === embedder.info.id;
}
