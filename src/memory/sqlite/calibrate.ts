import { Random } from "../../geometry/index.ts";
import type { Calibration, VectorSpace } from "../port.ts";
import { unpackIds } from "../rows/codec.ts";
import { cosineOf } from "../vectors.ts";
import type { Connection } from "./connection.ts";

const PAIRS = 2_000;

/**
 * The background of cosine between unrelated records (docs/formulas.md#background): mean and spread over random pairs
 * of different texts, or images, of records without labels: a threshold must not reveal hidden ones. The same vectors
 * and the same seed give the same numbers.
 */
export function measureBackground(connection: Connection, space: VectorSpace): Calibration {
  const embedder = connection.embedder(space)?.id ?? "none";
  const ids = openMeanings(connection, space).filter((id) => connection.vectorOf(id) !== undefined);
  if (ids.length < 2) return { embedder, mean: 0, sd: 1, pairs: 0 };
  const random = new Random(`calibration:${embedder}:${ids.length}`);
  let mean = 0;
  let squares = 0;
  for (let pair = 1; pair <= PAIRS; pair++) {
    const a = random.int(0, ids.length);
    const b = (a + random.int(1, ids.length)) % ids.length;
    const cosine = cosineOf(connection.vectorOf(ids[a]!)!, connection.vectorOf(ids[b]!)!);
    const delta = cosine - mean;
    mean += delta / pair;
    squares += delta * (cosine - mean);
  }
  return { embedder, mean, sd: Math.max(Math.sqrt(squares / PAIRS), 1e-3), pairs: PAIRS };
}

function openMeanings(connection: Connection, space: VectorSpace): number[] {
  const open = connection.labelSets.find("[]");
  const ids = new Set<number>();
  if (open === undefined) return [];
  for (const [lines, image] of connection.each(
    "SELECT lines, image FROM record WHERE superseded_at IS NULL AND labels = ?",
    open,
  )) {
    if (space === "text") for (const id of unpackIds(lines)) ids.add(id);
    else if (image !== null) ids.add(Number(image));
  }
  return [...ids].sort((a, b) => a - b);
}
