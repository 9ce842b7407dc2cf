import { type EmbedderInfo, LociError, throwIfAborted } from "../../schema/core.ts";
import type { EmbedLines, ReembedOptions, ReembedReport } from "../port.ts";
import { bytesOf } from "../rows/codec.ts";
import { unitVector } from "../vectors.ts";
import { measureBackground } from "./calibrate.ts";
import type { Connection } from "./connection.ts";
import { sumOf } from "./sums.ts";

const LINES_PER_STEP = 256;
const PROGRESS = "reembedding";

interface Progress {
  readonly embedder: EmbedderInfo;
  readonly doneTo: number;
  readonly withoutMeaning: number;
}

/**
 * Moves every text to another embedder. The new vectors grow in a table of their own, step by step and durable, so an
 * interrupted run resumes where it stopped; readers see the old ones until the new table replaces them in one
 * transaction. The two are never mixed.
 */
export async function reembedTexts(
  connection: Connection,
  embedder: EmbedderInfo,
  embed: EmbedLines,
  { signal, onProgress }: ReembedOptions,
): Promise<ReembedReport> {
  let progress = resume(connection, embedder);
  const resumedFrom = progress.doneTo;
  const total = Number(connection.row("SELECT count(*) FROM meaning WHERE text IS NOT NULL")?.[0]);
  let done = Number(
    connection.row("SELECT count(*) FROM meaning WHERE text IS NOT NULL AND id <= ?", progress.doneTo)?.[0],
  );
  const doneBefore = done;
  for (;;) {
    throwIfAborted(signal);
    const rows = connection.rows(
      `SELECT id, text FROM meaning WHERE id > ? AND text IS NOT NULL ORDER BY id LIMIT ${LINES_PER_STEP}`,
      progress.doneTo,
    );
    if (rows.length === 0) break;
    const vectors = await embed(
      rows.map((row) => String(row[1])),
      signal,
    );
    if (vectors.length !== rows.length) {
      throw new LociError(
        "model-failed",
        `the embedder gave ${vectors.length} vectors for ${rows.length} texts`,
      );
    }
    const checked = vectors.map((v) =>
      v === null ? null : unitVector(v, embedder.dim, `embedder ${embedder.id}`),
    );
    progress = {
      embedder,
      doneTo: Number(rows.at(-1)![0]),
      withoutMeaning: progress.withoutMeaning + checked.filter((v) => v === null).length,
    };
    connection.writing(() => {
      rows.forEach((row, i) => {
        const vector = checked[i];
        if (!vector) return;
        const cells = [row[0]!, bytesOf(vector)];
        connection.run(
          "INSERT OR REPLACE INTO vector_next (meaning, data, sum) VALUES (?, ?, ?)",
          ...cells,
          sumOf(cells),
        );
      });
      connection.setMeta(PROGRESS, progress);
    });
    done += rows.length;
    onProgress?.(done, total);
  }
  connection.writing(() => {
    connection.run(
      "INSERT INTO vector_next SELECT v.meaning, v.data, v.sum FROM vector v JOIN meaning m ON m.id = v.meaning WHERE m.text IS NULL",
    );
    connection.db.exec("DROP TABLE vector; ALTER TABLE vector_next RENAME TO vector");
    connection.setMeta("embedder:text", embedder);
    connection.run("DELETE FROM meta WHERE key IN (?, 'calibration:text')", PROGRESS);
    // Thresholds belong to the vectors: there is no moment with the new ones and without theirs.
    const calibration = measureBackground(connection, "text");
    if (calibration.pairs > 0) connection.setMeta("calibration:text", calibration);
    connection.raiseVectorEpoch();
    connection.head.recount();
  });
  return { embedded: done - doneBefore, resumedFrom, withoutMeaning: progress.withoutMeaning };
}

/** Whether a move to another embedder is in progress, and to which. */
export function reembeddingTo(connection: Connection): EmbedderInfo | undefined {
  return (connection.meta(PROGRESS) as Progress | undefined)?.embedder;
}

function resume(connection: Connection, embedder: EmbedderInfo): Progress {
  const known = connection.meta(PROGRESS) as Progress | undefined;
  if (known && known.embedder.id === embedder.id && known.embedder.dim === embedder.dim) return known;
  const fresh: Progress = { embedder, doneTo: 0, withoutMeaning: 0 };
  connection.writing(() => {
    connection.db.exec(
      "DROP TABLE IF EXISTS vector_next; CREATE TABLE vector_next (meaning INTEGER PRIMARY KEY, data BLOB NOT NULL, sum INTEGER)",
    );
    connection.setMeta(PROGRESS, fresh);
  });
  return fresh;
}
