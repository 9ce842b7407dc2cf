import {
  categoryOf,
  LociError,
  type LociRecord,
  ownerOf,
  RECORD_KINDS,
  type Sighting,
  type SightingOutcome,
  type Stored,
} from "../../schema/core.ts";

/** Column order shared by every statement that reads or writes a record row. */
export const RECORD_COLUMNS =
  "row, kind, id, version, recorded_at, superseded_at, valid_from, valid_to, labels, scene, author, category, owner, submap, x, y, z, sx, sy, sz, lines, image, body, sum";

/** Positions in RECORD_COLUMNS, for rows read as arrays. */
export const COLUMN = {
  row: 0,
  kind: 1,
  id: 2,
  version: 3,
  recordedAt: 4,
  supersededAt: 5,
  validFrom: 6,
  validTo: 7,
  labels: 8,
  scene: 9,
  author: 10,
  category: 11,
  owner: 12,
  submap: 13,
  x: 14,
  y: 15,
  z: 16,
  sx: 17,
  sy: 18,
  sz: 19,
  lines: 20,
  image: 21,
  body: 22,
  sum: 23,
} as const;

export type Cell = null | number | bigint | string | Uint8Array;
export type Row = readonly Cell[];

/** How strings that repeat are written in a cell: as a number of a dictionary, or as they are. */
export interface Naming {
  intern(text: string): Cell;
  textOf(cell: Cell): string;
}

/** What a row needs besides itself to become a record again. */
export interface Dictionaries {
  readonly names: Naming;
  readonly labelSets: Naming;
}

/** How a label set is stored; the schema has sorted it already. */
export function labelKey(labels: readonly string[]): string {
  return labels.length === 0 ? "[]" : JSON.stringify(labels);
}

export interface EncodeContext extends Dictionaries {
  readonly meaningOf: (text: string) => number;
  readonly imageOf: (blob: string) => number;
}

export interface DecodeContext extends Dictionaries {
  readonly textOf: (meaning: number) => string;
}

/** Fields that columns hold; the rest is the body. */
const IN_COLUMNS: ReadonlySet<string> = new Set([
  "id",
  "kind",
  "sceneId",
  "author",
  "labels",
  "validFromUs",
  "validToUs",
  "anchor",
  "extent",
  "text",
  "image",
] satisfies (keyof LociRecord)[]);

/** A record as the values of one row, in RECORD_COLUMNS order without `row` and `sum`. */
export function encodeRecord(
  record: LociRecord,
  version: number,
  recordedAtUs: number,
  supersededAtUs: number | null,
  context: EncodeContext,
): Cell[] {
  const { names, labelSets } = context;
  const { id, kind, sceneId, author, labels, validFromUs, validToUs, anchor, extent, text, image } = record;
  const body: Record<string, unknown> = {};
  for (const key in record) if (!IN_COLUMNS.has(key)) body[key] = record[key as keyof LociRecord];
  if (anchor?.q) body["q"] = anchor.q;
  if (anchor?.cov) body["cov"] = anchor.cov;
  if (image) body["image"] = image;
  const category = categoryOf(record);
  return [
    RECORD_KINDS.indexOf(kind),
    id,
    version,
    recordedAtUs,
    supersededAtUs,
    validFromUs,
    validToUs,
    labelSets.intern(labelKey(labels)),
    names.intern(sceneId),
    names.intern(author),
    category === undefined ? null : names.intern(category),
    ownerOf(record) ?? null,
    anchor ? names.intern(anchor.submap) : null,
    anchor?.p.x ?? null,
    anchor?.p.y ?? null,
    anchor?.p.z ?? null,
    extent?.x ?? null,
    extent?.y ?? null,
    extent?.z ?? null,
    text.length === 0 ? null : packIds(text.map(context.meaningOf)),
    image === undefined ? null : context.imageOf(image),
    JSON.stringify(body),
  ];
}

/** The row as a record, with the version's number and times. */
export function decodeRecord(row: Row, context: DecodeContext): Stored {
  const { names, labelSets, textOf } = context;
  const { q, cov, ...rest } = parsedCell(row[COLUMN.body]) as Record<string, unknown>;
  const submap = row[COLUMN.submap];
  const sx = row[COLUMN.sx];
  const record: Record<string, unknown> = {
    ...rest,
    id: row[COLUMN.id],
    kind: RECORD_KINDS[Number(row[COLUMN.kind])],
    sceneId: names.textOf(row[COLUMN.scene]!),
    author: names.textOf(row[COLUMN.author]!),
    labels: labelsOf(labelSets.textOf(row[COLUMN.labels]!)),
    validFromUs: row[COLUMN.validFrom],
    validToUs: row[COLUMN.validTo],
    text: unpackIds(row[COLUMN.lines]).map(textOf),
    version: row[COLUMN.version],
    recordedAtUs: row[COLUMN.recordedAt],
    supersededAtUs: row[COLUMN.supersededAt],
  };
  if (submap !== null) {
    record["anchor"] = {
      submap: names.textOf(submap!),
      p: { x: row[COLUMN.x], y: row[COLUMN.y], z: row[COLUMN.z] },
      ...(q === undefined ? {} : { q }),
      ...(cov === undefined ? {} : { cov }),
    };
  }
  if (sx !== null) record["extent"] = { x: sx, y: row[COLUMN.sy], z: row[COLUMN.sz] };
  return record as Stored;
}

const OUTCOMES = ["seen", "absent", "occluded", "replaced"] as const satisfies readonly SightingOutcome[];

export const SIGHTING_COLUMNS =
  "recorded_at, state, time, outcome, agent, labels, observation, detection, submap, x, y, z";

/** A sighting as the values of SIGHTING_COLUMNS. */
export function encodeSighting(
  sighting: Sighting,
  recordedAtUs: number,
  { names, labelSets }: Dictionaries,
): Cell[] {
  const { anchor } = sighting;
  return [
    recordedAtUs,
    names.intern(sighting.stateId),
    sighting.timeUs,
    OUTCOMES.indexOf(sighting.outcome),
    names.intern(sighting.agentId),
    labelSets.intern(labelKey(sighting.labels)),
    sighting.observationId ?? null,
    sighting.detectionId ?? null,
    anchor ? names.intern(anchor.submap) : null,
    anchor?.p.x ?? null,
    anchor?.p.y ?? null,
    anchor?.p.z ?? null,
  ];
}

export function outcomeNumber(outcome: SightingOutcome): number {
  return OUTCOMES.indexOf(outcome);
}

/** The inverse of encodeSighting. */
export function decodeSighting(
  row: Row,
  { names, labelSets }: Dictionaries,
): { sighting: Sighting; recordedAtUs: number } {
  const [recordedAt, state, time, outcome, agent, labels, observation, detection, submap, x, y, z] = row;
  const kind = OUTCOMES[Number(outcome)];
  if (kind === undefined)
    throw new LociError("memory-corrupt", `a sighting of outcome ${outcome}; run verify`);
  return {
    recordedAtUs: Number(recordedAt),
    sighting: {
      stateId: names.textOf(state!),
      timeUs: Number(time),
      outcome: kind,
      agentId: names.textOf(agent!),
      labels: labelsOf(labelSets.textOf(labels!)),
      ...(observation === null ? {} : { observationId: String(observation) }),
      ...(detection === null ? {} : { detectionId: String(detection) }),
      ...(submap === null
        ? {}
        : {
            anchor: { submap: names.textOf(submap!), p: { x: Number(x), y: Number(y), z: Number(z) } },
          }),
    },
  };
}

/** Meaning ids as little-endian uint32s. */
export function packIds(ids: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(ids.length * 4);
  for (let i = 0; i < ids.length; i++) {
    const id = ids[i]!;
    bytes[i * 4] = id;
    bytes[i * 4 + 1] = id >>> 8;
    bytes[i * 4 + 2] = id >>> 16;
    bytes[i * 4 + 3] = id >>> 24;
  }
  return bytes;
}

export function unpackIds(cell: Cell | undefined): number[] {
  if (!(cell instanceof Uint8Array)) return [];
  const ids: number[] = [];
  for (let i = 0; i < cell.byteLength; i += 4)
    ids.push((cell[i]! | (cell[i + 1]! << 8) | (cell[i + 2]! << 16) | (cell[i + 3]! << 24)) >>> 0);
  return ids;
}

/** The value of a JSON cell; an invalid one was not written by us. */
export function parsedCell(cell: Cell | undefined): unknown {
  try {
    return JSON.parse(String(cell));
  } catch (cause) {
    throw new LociError("memory-corrupt", "a row is not what was written; run verify", { cause });
  }
}

/** The labels of a set, as `labelKey` wrote them. */
export const labelsOf = (key: string): string[] => parsedCell(key) as string[];

/** A stored vector as numbers; node:sqlite hands out copies, so the view may be kept. */
export function floatsOf(bytes: Uint8Array): Float32Array {
  if (!(bytes instanceof Uint8Array) || bytes.byteLength % 4 !== 0)
    throw new LociError("memory-corrupt", "a vector is not what was written; run verify");
  if (bytes.byteOffset % 4 === 0)
    return new Float32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4);
  return new Float32Array(bytes.slice().buffer);
}

export function bytesOf(vector: Float32Array): Uint8Array {
  return new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
}
