import type { FrameGraph } from "../../geometry/index.ts";
import { wordsOf } from "../lexical.ts";
import type { RowInput } from "../resident/row-writer.ts";
import { COLUMN, type Dictionaries, floatsOf, type Row, unpackIds } from "../rows/codec.ts";
import { placeOfRow } from "../rows/place.ts";
import type { Connection } from "../sqlite/connection.ts";

/** A row of the truth ready for the index, with the vectors it brings along. */
export interface PreparedRow {
  readonly row: number;
  /** The version before it, which it takes the place of. */
  readonly replaces: number | undefined;
  /** Undefined when a later version has taken its place already. */
  readonly input: (Omit<RowInput, "owner"> & { readonly ownerName: string | undefined }) | undefined;
  readonly vectors: {
    readonly space: "text" | "image";
    readonly key: number;
    readonly vector: Float32Array;
  }[];
}

/** The source of texts and vectors: the truth, or a commit that still has them at hand. */
export interface ContentSource {
  textOf(meaning: number): string;
  vectorOf(meaning: number): Float32Array | undefined;
}

/** The texts of many rows, and the vectors of rows that need one, each kind read by one statement. */
export function contentsOf(
  connection: Connection,
  rows: readonly Row[],
  needsVector: (meaning: number) => boolean,
): ContentSource {
  const meanings = new Set<number>();
  for (const row of rows) {
    if (row[COLUMN.supersededAt] === null) for (const id of unpackIds(row[COLUMN.lines])) meanings.add(id);
  }
  const texts = new Map<number, string>();
  const vectors = new Map<number, Float32Array>();
  if (meanings.size > 0) {
    const ids = [...meanings];
    for (const [id, text] of connection.rows(
      "SELECT m.id, m.text FROM json_each(?) j CROSS JOIN meaning m ON m.id = j.value",
      JSON.stringify(ids),
    ))
      texts.set(Number(id), String(text));
    for (const [id, data] of connection.rows(
      "SELECT v.meaning, v.data FROM json_each(?) j CROSS JOIN vector v ON v.meaning = j.value",
      JSON.stringify(ids.filter(needsVector)),
    ))
      vectors.set(Number(id), floatsOf(data as Uint8Array));
  }
  return {
    textOf: (meaning) => texts.get(meaning) ?? connection.textOf(meaning),
    vectorOf: (meaning) => vectors.get(meaning) ?? connection.vectorOf(meaning),
  };
}

/** Reads what the index needs of one row; everything slow happens here, outside of the index's lock. */
export function prepareRow(
  dictionaries: Pick<Dictionaries, "names">,
  row: Row,
  frames: FrameGraph,
  hasVector: VectorCheck,
  source: ContentSource,
  previousRow: (id: string, version: number) => number | undefined,
): PreparedRow {
  const number = Number(row[COLUMN.row]);
  const version = Number(row[COLUMN.version]);
  const replaces = version === 1 ? undefined : previousRow(String(row[COLUMN.id]), version - 1);
  if (row[COLUMN.supersededAt] !== null) return { row: number, replaces, input: undefined, vectors: [] };
  const vectors: PreparedRow["vectors"] = [];
  const bring = (space: "text" | "image", key: number): boolean => {
    if (hasVector(space, key)) return true;
    const vector = source.vectorOf(key);
    if (vector) vectors.push({ space, key, vector });
    return vector !== undefined;
  };
  const lines = unpackIds(row[COLUMN.lines]);
  const words = lines.flatMap((meaning) => wordsOf(source.textOf(meaning)));
  const image = row[COLUMN.image] === null ? undefined : Number(row[COLUMN.image]);
  const place = placeOfRow(dictionaries, row, frames);
  const validTo = row[COLUMN.validTo];
  return {
    row: number,
    replaces,
    vectors,
    input: {
      row: number,
      id: String(row[COLUMN.id]),
      kind: Number(row[COLUMN.kind]),
      labelSet: Number(row[COLUMN.labels]),
      scene: Number(row[COLUMN.scene]),
      author: Number(row[COLUMN.author]),
      category: Number(row[COLUMN.category] ?? 0),
      ownerName: row[COLUMN.owner] === null ? undefined : String(row[COLUMN.owner]),
      validFromUs: Number(row[COLUMN.validFrom]),
      validToUs: validTo === null ? null : Number(validTo),
      submap: Number(row[COLUMN.submap] ?? 0),
      texts: lines.filter((meaning) => bring("text", meaning)),
      words,
      ...(place && { place }),
      ...(image !== undefined && bring("image", image) ? { image } : {}),
    },
  };
}

export type VectorCheck = (space: "text" | "image", key: number) => boolean;

/** The row of a version, in the truth. */
export function rowOfVersion(connection: Connection, id: string, version: number): number | undefined {
  const found = connection.row("SELECT row FROM record WHERE id = ? AND version = ?", id, version);
  return found === undefined ? undefined : Number(found[0]);
}
