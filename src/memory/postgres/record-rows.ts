import { LociError, type Sighting, type Stored } from "../../schema/core.ts";
import {
  type Cell,
  COLUMN,
  type Dictionaries,
  decodeRecord,
  decodeSighting,
  packIds,
  type Row,
  unpackIds,
} from "../rows/codec.ts";
import { readVector } from "./copy-data.ts";
import type { Session, Values } from "./database.ts";
import { fromText, toText } from "./text.ts";

/** A record's row in the order of `RECORD_COLUMNS`; sums are the server's own affair (data checksums). */
export const SELECT_RECORD =
  "r.row, r.kind, r.id, r.version, r.recorded_at, r.superseded_at, r.valid_from, r.valid_to, r.labels, r.scene_name, r.author, r.category, r.owner, r.submap, r.x, r.y, r.z, r.sx, r.sy, r.sz, r.lines, r.image, r.body";

export const SELECT_SIGHTING =
  "s.recorded_at, s.state, s.time, s.outcome, s.agent, s.labels, s.observation, s.detection, s.submap, s.x, s.y, s.z";

/** Here names are written as they are. */
export const PLAIN: Dictionaries = {
  names: { intern: toText, textOf: (cell) => fromText(String(cell)) },
  labelSets: { intern: (key) => key, textOf: String },
};

/** Label sets as the codec has them (JSON) and as the tables do (an array of texts). */
export const labelsToArray = (key: Cell): string[] => (JSON.parse(String(key)) as string[]).map(toText);
export const labelsFromArray = (labels: unknown): string =>
  JSON.stringify((labels as readonly string[]).map(fromText));

/** A row of SELECT_RECORD as the codec knows it. */
export function recordRow(values: Values): Row {
  const row = [...values, null] as Cell[];
  row[COLUMN.labels] = labelsFromArray(values[COLUMN.labels]);
  const lines = values[COLUMN.lines] as readonly number[] | null;
  row[COLUMN.lines] = lines === null ? null : packIds(lines);
  return row;
}

export function sightingRow(values: Values): Row {
  const row = [...values] as Cell[];
  row[5] = labelsFromArray(values[5]);
  return row;
}

export function sightingOf(values: Values): { sighting: Sighting; recordedAtUs: number } {
  return decodeSighting(sightingRow(values), PLAIN);
}

/** Texts and vectors of meanings, read before they are needed. */
export class Contents {
  readonly texts = new Map<number, string>();
  readonly vectors = new Map<number, Float32Array>();

  textOf = (meaning: number): string => {
    const text = this.texts.get(meaning);
    if (text === undefined) throw new LociError("memory-corrupt", `text ${meaning} is missing; run verify`);
    return text;
  };

  vectorOf = (meaning: number): Float32Array | undefined => this.vectors.get(meaning);

  async readTexts(session: Session, sceneId: number, meanings: Iterable<number>): Promise<void> {
    const wanted = [...new Set(meanings)].filter((id) => !this.texts.has(id));
    if (wanted.length === 0) return;
    for (const [id, text] of await session.rows(
      "SELECT id, text FROM meaning WHERE scene_id = $1 AND id = ANY($2::integer[]) AND text IS NOT NULL",
      [sceneId, wanted],
    ))
      this.texts.set(Number(id), fromText(String(text)));
  }

  async readVectors(session: Session, sceneId: number, meanings: Iterable<number>): Promise<void> {
    const wanted = [...new Set(meanings)].filter((id) => !this.vectors.has(id));
    if (wanted.length === 0) return;
    for (const [id, data] of await session.rows(
      "SELECT meaning, vector_send(embedding) FROM meaning_vector WHERE scene_id = $1 AND meaning = ANY($2::integer[])",
      [sceneId, wanted],
    ))
      this.vectors.set(Number(id), readVector(data as Uint8Array));
  }

  decode = (row: Row): Stored => decodeRecord(row, { ...PLAIN, textOf: this.textOf });
}

/** Rows as records. */
export async function recordsOf(session: Session, sceneId: number, rows: readonly Row[]): Promise<Stored[]> {
  const contents = new Contents();
  await contents.readTexts(
    session,
    sceneId,
    rows.flatMap((row) => unpackIds(row[COLUMN.lines])),
  );
  return rows.map(contents.decode);
}
