import type { WriteBatch } from "../port.ts";
import { type FlatRecords, flatten, rebuild } from "./flat-records.ts";

/**
 * A batch on its way to the writer's thread: the vectors of texts as one array that changes hands instead of one copy
 * each, which would cost more than all of the records, and the records as one list of values instead of one object
 * each, which would cost more than checking them.
 */
export interface PackedBatch {
  readonly batch: WriteBatch;
  readonly records?: FlatRecords;
  readonly sightings?: FlatRecords;
  readonly texts?: readonly string[];
  readonly vectors?: Float32Array<ArrayBuffer>;
}

/** Malformed parts are passed on unchanged, for the checks to refuse. */
export function packBatch(batch: WriteBatch): PackedBatch {
  const { vectors, records, sightings, ...rest } = batch;
  const flat = Array.isArray(records) ? flatten(records) : undefined;
  const looks = Array.isArray(sightings) ? flatten(sightings) : undefined;
  const packed = packVectors(vectors);
  return {
    ...(flat && { records: flat }),
    ...(looks && { sightings: looks }),
    ...packed,
    batch: {
      ...rest,
      ...(flat === undefined && "records" in batch && { records: batch.records! }),
      ...(looks === undefined && "sightings" in batch && { sightings: batch.sightings! }),
      ...(packed === undefined && "vectors" in batch && { vectors: batch.vectors! }),
    },
  };
}

function packVectors(
  vectors: WriteBatch["vectors"],
): Required<Pick<PackedBatch, "texts" | "vectors">> | undefined {
  const dim = vectors?.[0]?.vector?.length ?? 0;
  if (!Array.isArray(vectors) || dim === 0) return undefined;
  if (!vectors.every(({ vector }) => vector instanceof Float32Array && vector.length === dim))
    return undefined;
  const packed = new Float32Array(vectors.length * dim);
  vectors.forEach(({ vector }, i) => {
    packed.set(vector, i * dim);
  });
  return { texts: vectors.map(({ text }) => text), vectors: packed };
}

export function unpackBatch({ batch, records, sightings, texts, vectors }: PackedBatch): WriteBatch {
  const dim = vectors && texts ? vectors.length / texts.length : 0;
  return {
    ...batch,
    ...(records && { records: rebuild(records) as NonNullable<WriteBatch["records"]> }),
    ...(sightings && { sightings: rebuild(sightings) as NonNullable<WriteBatch["sightings"]> }),
    ...(vectors &&
      texts && {
        vectors: texts.map((text, i) => ({ text, vector: vectors.subarray(i * dim, (i + 1) * dim) })),
      }),
  };
}
