import { Random } from "../../geometry/index.ts";
import type { Calibration, VectorSpace } from "../port.ts";
import { cosineOf } from "../vectors.ts";
import type { Connection } from "./connection.ts";

const PAIRS = 2_000;

/**
 * The background of cosine between unrelated records (A-X1): mean and spread over random pairs of different
 * texts, or images. The same vectors and the same seed give the same numbers.
 */
export function measureBackground(connection: Connection, space: VectorSpace): Calibration {
  const embedder = connection.embedder(space)?.id ?? "none";
  const isText = space === "text" ? "IS NOT NULL" : "IS NULL";
  const ids = connection
    .rows(
      `SELECT v.meaning FROM vector v JOIN meaning m ON m.id = v.meaning WHERE m.text ${isText} ORDER BY v.meaning`,
    )
    .map((row) => Number(row[0]));
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
