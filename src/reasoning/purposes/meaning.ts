import { cosineOf } from "../../memory/vectors.ts";
import type { TextEmbedder } from "../../models/index.ts";
import { namesFor, purposeTexts, type Serving, servesPurpose } from "../../ontology/index.ts";

/** The lines of the vocabulary as vectors, computed once per encoder. */
const encoded = new WeakMap<TextEmbedder, Promise<(Float32Array | null)[][]>>();
/** A line is as near as its best cue; a second near cue makes it likelier. */
const SECOND = 0.3;

/** Kinds of things that serve a need, the likeliest first, by its words and by meaning if there is an encoder. */
export async function servingKinds(
  need: string,
  embedder: TextEmbedder | undefined,
): Promise<readonly Serving[]> {
  return servesPurpose(need, embedder && (await likenessOf(need, embedder)));
}

/** The names in a memory for things of a kind: its own, and those of its subordinate kinds. */
export function categoriesOf({ entry }: Serving): readonly string[] {
  return [...entry.names, ...namesFor(entry.name).kinds];
}

async function likenessOf(need: string, embedder: TextEmbedder): Promise<number[] | undefined> {
  let known = encoded.get(embedder);
  if (known === undefined) {
    known = encodeLines(embedder);
    encoded.set(embedder, known);
    // After a failure the encoder is called again the next time.
    known.catch(() => encoded.delete(embedder));
  }
  const [asked] = await embedder.embed([need]);
  if (!asked) return undefined;
  return (await known).map((texts) => {
    const near = texts.map((text) => (text ? cosineOf(text, asked) : 0)).sort((a, b) => b - a);
    return (near[0] ?? 0) * (1 - SECOND) + (near[1] ?? 0) * SECOND;
  });
}

async function encodeLines(embedder: TextEmbedder): Promise<(Float32Array | null)[][]> {
  const lines = purposeTexts();
  const vectors = (await embedder.embed(lines.flatMap(({ name, cues }) => [name, ...cues]))).values();
  return lines.map(({ cues }) => [null, ...cues].map(() => vectors.next().value ?? null));
}
