import { blobRefOf, blobsOf, recordSchema, referencesOf } from "../../schema/index.ts";
import type { VerifyReport } from "../port.ts";
import { COLUMN, unpackIds } from "../rows/codec.ts";
import { textHash } from "../rows/text-hash.ts";
import { readBlobs, sweepBlobs } from "./blob-rows.ts";
import { cellOf, reachOf, spanOf } from "./cells.ts";
import { type Session, transaction } from "./database.ts";
import { Contents, recordRow, SELECT_RECORD } from "./record-rows.ts";
import { type SceneState, sceneOf, selectScene } from "./scene.ts";
import { fromText } from "./text.ts";
import { addWords } from "./word-store.ts";

const MAX_PROBLEMS = 100;
const ROWS_PER_READ = 1_000;

/** Reads everything of a scene and holds it against the rules. With `repair`, what can be made again is made again. */
export function verifyScene(session: Session, sceneId: number, repair: boolean): Promise<VerifyReport> {
  const begin = repair
    ? `BEGIN; ${selectScene(sceneId)} FOR UPDATE`
    : `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; ${selectScene(sceneId)}`;
  return transaction(session, begin, async ([row]) => new Verifying(session, sceneOf(row), repair).run());
}

class Verifying {
  readonly #session: Session;
  readonly #scene: SceneState;
  readonly #repair: boolean;
  readonly #problems: string[] = [];
  readonly #repaired: string[] = [];
  readonly #checked = { records: 0, sightings: 0, vectors: 0, blobs: 0 };

  constructor(session: Session, scene: SceneState, repair: boolean) {
    this.#session = session;
    this.#scene = scene;
    this.#repair = repair;
  }

  async run(): Promise<VerifyReport> {
    await this.#records();
    await this.#rules();
    await this.#vectors();
    await this.#texts();
    await this.#blobs();
    await this.#words();
    if (this.#repair) await sweepBlobs(this.#session, this.#scene.sceneId);
    return { checked: this.#checked, problems: this.#problems, repaired: this.#repaired };
  }

  #problem(text: string): void {
    if (this.#problems.length < MAX_PROBLEMS) this.#problems.push(text);
  }

  /** Checks that every version fits the schema and is filed under its place and time. */
  async #records(): Promise<void> {
    const { sceneId, recordRow: last } = this.#scene;
    for (let after = 0; after < last; after += ROWS_PER_READ) {
      const values = await this.#session.rows(
        `SELECT ${SELECT_RECORD}, r.cell, r.reach, r.span FROM record r WHERE r.scene_id = $1 AND r.row > $2 AND r.row <= $3 ORDER BY r.row`,
        [sceneId, after, after + ROWS_PER_READ],
      );
      const rows = values.map((one) => recordRow(one.slice(0, -3)));
      const contents = new Contents();
      await contents.readTexts(
        this.#session,
        sceneId,
        rows.flatMap((row) => unpackIds(row[COLUMN.lines])),
      );
      rows.forEach((row, i) => {
        this.#checked.records++;
        const name = `record ${row[COLUMN.id]} version ${row[COLUMN.version]}`;
        try {
          const { version: _v, recordedAtUs: _r, supersededAtUs: _s, ...record } = contents.decode(row);
          const parsed = recordSchema.safeParse(record);
          if (!parsed.success) this.#problem(`${name}: ${parsed.error.issues[0]?.message}`);
          const { anchor, extent, validFromUs, validToUs } = record;
          const [cell, reach, span] = values[i]!.slice(-3);
          if (
            cell !== (anchor ? cellOf(anchor.p, extent) : null) ||
            reach !== reachOf(extent) ||
            span !== spanOf(validFromUs, validToUs)
          )
            this.#problem(`${name}: filed under another place or time than its own`);
        } catch (error) {
          this.#problem(`${name}: ${(error as Error).message}`);
        }
      });
    }
  }

  /** Invariants between rows, each a query that should find nothing. */
  async #rules(): Promise<void> {
    const { sceneId, recordRow: records, sightingRow, meaningId } = this.#scene;
    const rule = async (what: string, sql: string, ...values: number[]) => {
      for (const [id] of await this.#session.rows(`${sql} LIMIT 10`, [sceneId, ...values]))
        this.#problem(`${what}: ${id}`);
    };
    await rule(
      "not exactly one current version",
      "SELECT id FROM record WHERE scene_id = $1 GROUP BY id HAVING count(*) FILTER (WHERE superseded_at IS NULL) <> 1",
    );
    await rule(
      "its versions do not follow each other",
      `SELECT id FROM (SELECT id, recorded_at, lag(superseded_at) OVER (PARTITION BY id ORDER BY version) AS ended,
         lag(version) OVER (PARTITION BY id ORDER BY version) AS before FROM record WHERE scene_id = $1) v
         WHERE before IS NOT NULL AND ended IS DISTINCT FROM recorded_at`,
    );
    await rule(
      "a row beyond the scene's count",
      "SELECT row FROM record WHERE scene_id = $1 AND row > $2",
      records,
    );
    await rule(
      "a sighting beyond the scene's count",
      "SELECT row FROM sighting WHERE scene_id = $1 AND row > $2",
      sightingRow,
    );
    await rule(
      "a text beyond the scene's count",
      "SELECT id FROM meaning WHERE scene_id = $1 AND id > $2",
      meaningId,
    );
    await rule(
      "a sighting of no state",
      "SELECT s.row FROM sighting s WHERE s.scene_id = $1 AND NOT EXISTS (SELECT 1 FROM record r WHERE r.scene_id = $1 AND r.id = s.state)",
    );
    const [row] = await this.#session.rows("SELECT count(*) FROM sighting WHERE scene_id = $1", [sceneId]);
    this.#checked.sightings = Number(row![0]);
    await this.#references();
  }

  async #references(): Promise<void> {
    const { sceneId } = this.#scene;
    const ids = new Set(
      (await this.#session.rows("SELECT DISTINCT id FROM record WHERE scene_id = $1", [sceneId])).map(
        ([id]) => String(id),
      ),
    );
    const blobs = new Set(
      (await this.#session.rows("SELECT encode(hash, 'hex') FROM blob WHERE scene_id = $1", [sceneId])).map(
        ([ref]) => String(ref),
      ),
    );
    for (let after = 0; after < this.#scene.recordRow; after += ROWS_PER_READ) {
      const rows = await this.#session.rows(
        `SELECT ${SELECT_RECORD} FROM record r WHERE r.scene_id = $1 AND r.row > $2 AND r.row <= $3 AND r.superseded_at IS NULL`,
        [sceneId, after, after + ROWS_PER_READ],
      );
      const contents = new Contents();
      contents.textOf = () => "";
      for (const values of rows) {
        const record = contents.decode(recordRow(values));
        for (const { field, id } of referencesOf(record))
          if (!ids.has(id)) this.#problem(`${record.id}.${field} names "${id}", which is not there`);
        for (const ref of blobsOf(record))
          if (!blobs.has(ref))
            this.#problem(`${record.id} names blob ${ref.slice(0, 12)}…, which is not there`);
      }
    }
  }

  async #vectors(): Promise<void> {
    const { sceneId, settings } = this.#scene;
    for (const [isText, dim, count] of await this.#session.rows(
      `SELECT m.text IS NOT NULL, vector_dims(v.embedding), count(*) FROM meaning_vector v
         LEFT JOIN meaning m ON m.scene_id = v.scene_id AND m.id = v.meaning WHERE v.scene_id = $1 GROUP BY 1, 2`,
      [sceneId],
    )) {
      this.#checked.vectors += Number(count);
      const expected = settings.embedders?.[isText ? "text" : "image"]?.dim;
      if (dim !== expected)
        this.#problem(`${count} vectors have ${dim} numbers, their embedder makes ${expected}`);
    }
  }

  async #texts(): Promise<void> {
    const { sceneId, meaningId } = this.#scene;
    for (let after = 0; after < meaningId; after += ROWS_PER_READ)
      for (const [id, text, hash] of await this.#session.rows(
        "SELECT id, text, hash FROM meaning WHERE scene_id = $1 AND id > $2 AND id <= $3 AND text IS NOT NULL",
        [sceneId, after, after + ROWS_PER_READ],
      ))
        if (textHash(fromText(String(text))) !== hash)
          this.#problem(`text ${id} is missing or not what was written`);
  }

  async #blobs(): Promise<void> {
    const { sceneId } = this.#scene;
    const refs = await this.#session.rows(
      "SELECT encode(hash, 'hex') FROM blob WHERE scene_id = $1 ORDER BY hash",
      [sceneId],
    );
    for (const [ref] of refs) {
      this.#checked.blobs++;
      const bytes = await readBlobs(this.#session, sceneId, [String(ref)])
        .then((found) => found.get(String(ref)))
        .catch(() => undefined);
      if (bytes === undefined || blobRefOf(bytes) !== ref)
        this.#problem(`blob ${String(ref).slice(0, 12)}… is missing or not what was written`);
    }
  }

  /** The words of believed rows, and their totals; rebuilt from the records where they do not agree. */
  async #words(): Promise<void> {
    const { sceneId, recordRow: last } = this.#scene;
    const [wrong] = await this.#session.rows(
      `SELECT (SELECT count(*) FROM (SELECT row FROM record WHERE scene_id = $1 AND superseded_at IS NULL AND lines IS NOT NULL
                 EXCEPT SELECT row FROM posting WHERE scene_id = $1) a)
            + (SELECT count(*) FROM (SELECT row FROM posting WHERE scene_id = $1
                 EXCEPT SELECT row FROM record WHERE scene_id = $1 AND superseded_at IS NULL AND lines IS NOT NULL) b)
            + (SELECT count(*) FROM (
                 (SELECT kind, labels, count(*), sum(words)::bigint FROM record
                    WHERE scene_id = $1 AND superseded_at IS NULL AND words > 0 GROUP BY kind, labels)
                 EXCEPT SELECT kind, labels, records, words FROM word_total WHERE scene_id = $1) c)`,
      [sceneId],
    );
    if (Number(wrong![0]) === 0) return;
    if (!this.#repair)
      return this.#problem("the words of records are not all filed; verify --repair files them anew");
    await this.#session.run("DELETE FROM posting WHERE scene_id = $1", [sceneId]);
    await this.#session.run("DELETE FROM word_total WHERE scene_id = $1", [sceneId]);
    for (let after = 0; after < last; after += ROWS_PER_READ) {
      const rows = (
        await this.#session.rows(
          `SELECT ${SELECT_RECORD} FROM record r WHERE r.scene_id = $1 AND r.row > $2 AND r.row <= $3 AND r.superseded_at IS NULL`,
          [sceneId, after, after + ROWS_PER_READ],
        )
      ).map(recordRow);
      const contents = new Contents();
      await contents.readTexts(
        this.#session,
        sceneId,
        rows.flatMap((row) => unpackIds(row[COLUMN.lines])),
      );
      await addWords(
        this.#session,
        sceneId,
        rows.map((row) => ({
          row: Number(row[COLUMN.row]),
          record: contents.decode(row),
          meanings: unpackIds(row[COLUMN.lines]),
        })),
      );
    }
    this.#repaired.push("the words of all records are filed anew");
  }
}
