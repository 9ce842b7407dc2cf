import { type LociRecord, RECORD_KINDS } from "../../schema/core.ts";
import { wordsOf } from "../lexical.ts";
import { copyText } from "./copy-data.ts";
import type { Session } from "./database.ts";
import { arrayLiteral, toText } from "./text.ts";

/** How many words a record has, and how often each. */
export function wordCounts(record: LociRecord): { length: number; counts: Map<string, number> } {
  const counts = new Map<string, number>();
  let length = 0;
  for (const line of record.text) {
    for (const word of wordsOf(line)) {
      counts.set(word, (counts.get(word) ?? 0) + 1);
      length++;
    }
  }
  return { length, counts };
}

/** The key of a meaning among the words: no word begins with this sign. */
export const meaningTerm = (meaning: number): string => `#${meaning}`;

/** Files the words and the meanings of rows that are believed from now on. */
export async function addWords(
  session: Session,
  sceneId: number,
  rows: readonly {
    readonly row: number;
    readonly record: LociRecord;
    readonly meanings: readonly number[];
  }[],
): Promise<void> {
  const postings: (string | number)[][] = [];
  const totals = new Map<string, { kind: number; labels: string; records: number; words: number }>();
  for (const { row, record, meanings } of rows) {
    const { length, counts } = wordCounts(record);
    for (const meaning of new Set(meanings)) postings.push([sceneId, meaningTerm(meaning), row, 1]);
    if (length === 0) continue;
    for (const [word, tf] of counts) postings.push([sceneId, toText(word), row, tf]);
    const kind = RECORD_KINDS.indexOf(record.kind);
    const labels = arrayLiteral(record.labels.map(toText));
    const key = `${kind} ${labels}`;
    const total = totals.get(key) ?? { kind, labels, records: 0, words: 0 };
    total.records++;
    total.words += length;
    totals.set(key, total);
  }
  if (postings.length === 0) return;
  await session.copy("posting (scene_id, term, row, tf)", copyText(postings), "text");
  const list = [...totals.values()];
  if (list.length === 0) return;
  await session.run(
    `INSERT INTO word_total AS t (scene_id, kind, labels, records, words)
       SELECT $1, kind, labels::text[], records, words
       FROM unnest($2::smallint[], $3::text[], $4::bigint[], $5::bigint[]) AS n (kind, labels, records, words)
       ON CONFLICT (scene_id, kind, labels)
       DO UPDATE SET records = t.records + excluded.records, words = t.words + excluded.words`,
    [
      sceneId,
      list.map(({ kind }) => kind),
      list.map(({ labels }) => labels),
      list.map(({ records }) => records),
      list.map(({ words }) => words),
    ],
  );
}

/** Takes out the words of rows that are about to end or to go; before they do. */
export async function dropWords(session: Session, sceneId: number, rows: readonly number[]): Promise<void> {
  if (rows.length === 0) return;
  await session.run(
    `UPDATE word_total t SET records = t.records - g.records, words = t.words - g.words
       FROM (SELECT kind, labels, count(*) AS records, sum(words) AS words FROM record
             WHERE scene_id = $1 AND row = ANY($2::bigint[]) AND superseded_at IS NULL AND words > 0
             GROUP BY kind, labels) g
       WHERE t.scene_id = $1 AND t.kind = g.kind AND t.labels = g.labels`,
    [sceneId, rows],
  );
  await session.run("DELETE FROM posting WHERE scene_id = $1 AND row = ANY($2::bigint[])", [sceneId, rows]);
}
