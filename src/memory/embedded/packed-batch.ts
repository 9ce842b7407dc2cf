import type { WriteBatch } from "../port.ts";

/**
 * A batch on its way to the writer's thread: the vectors of texts as one array that changes hands instead of one copy
 * each, which would cost more than all of the records.
 */
export interface PackedBatch {
  readonly batch: WriteBatch;
  readonly texts?: readonly string[];
  readonly vectors?: Float32Array<ArrayBuffer>;
}

/** Vectors that are not all of one kind and length travel as they are, for the checks to refuse. */
export function packBatch(batch: WriteBatch): PackedBatch {
  const { vectors, ...rest } = batch;
  const dim = vectors?.[0]?.vector?.length ?? 0;
  if (!Array.isArray(vectors) || dim === 0) return { batch };
  if (!vectors.every(({ vector }) => vector instanceof Float32Array && vector.length === dim))
    return { batch };
  const packed = new Float32Array(vectors.length * dim);
  vectors.forEach(({ vector }, i) => {
    packed.set(vector, i * dim);
  });
  return { batch: rest, texts: vectors.map(({ text }) => text), vectors: packed };
}

export function unpackBatch({ batch, texts, vectors }: PackedBatch): WriteBatch {
  if (texts === undefined || vectors === undefined) return batch;
  const dim = vectors.length / texts.length;
  return {
    ...batch,
    vectors: texts.map((text, i) => ({ text, vector: vectors.subarray(i * dim, (i + 1) * dim) })),
  };
}
