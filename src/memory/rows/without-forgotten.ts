import {
  blobRefOf,
  type LociRecord,
  type RecordKind,
  type RecordOf,
  referencesOf,
  type Stored,
} from "../../schema/core.ts";
import { type Traces, withoutTraces } from "../traces.ts";

/** A picture's address, and what takes its place; null where it is given up. */
export type Redacted = ReadonlyMap<string, Uint8Array | null>;

/** Kinds that only name records they are removed with never need rewriting. */
export const REWRITTEN: readonly RecordKind[] = [
  "track",
  "state",
  "view",
  "caption",
  "place",
  "region",
  "event",
  "relation",
];

/** A remaining version of a record, without the forgotten ids; the same object if it mentions none. */
export function withoutForgotten(
  before: Stored,
  gone: ReadonlySet<string>,
  redacted: Redacted,
  traces: Traces | undefined,
): LociRecord {
  let after = withoutIds(before, gone);
  if (before.kind === "view" && redacted.has(before.thumb)) after = redactedView(before, after, redacted);
  if (before.image !== undefined && redacted.has(before.image)) {
    const { image: _image, ...rest } = after;
    after = rest as LociRecord;
  }
  // The record before the change gives the names it mentioned.
  if (traces) {
    const cleaned = withoutTraces(before as LociRecord, traces);
    if (cleaned !== before) after = { ...after, ...pick(cleaned, TRACED) } as LociRecord;
  }
  return after;
}

const TRACED = ["text", "name", "relationships", "dirty", "room"];

function pick(record: LociRecord, fields: readonly string[]): Record<string, unknown> {
  const from = record as Record<string, unknown>;
  return Object.fromEntries(fields.map((field) => [field, from[field]]));
}

/** The view with its picture redacted; overlays and signatures are removed. */
function redactedView(before: RecordOf<"view">, after: LociRecord, redacted: Redacted): LociRecord {
  const bytes = redacted.get(before.thumb);
  if (!bytes) return after;
  const { overlay: _overlay, signature: _signature, image: _image, ...rest } = after as RecordOf<"view">;
  return { ...rest, thumb: blobRefOf(bytes) };
}

/** An observation without the forgotten part of its picture, and without its depths. */
export function redactedLook(before: Stored<RecordOf<"observation">>, redacted: Redacted): LociRecord {
  const { rgb, depth: _depth, cloud: _cloud, image: _image, ...rest } = before;
  const bytes = rgb === undefined ? undefined : redacted.get(rgb);
  return { ...rest, ...(bytes && { rgb: blobRefOf(bytes) }) };
}

/** The same version without any mention of these ids; the very same if it has none. */
export function withoutIds(record: Stored, gone: ReadonlySet<string>): LociRecord {
  const fields = new Set(referencesOf(record).flatMap(({ field, id }) => (gone.has(id) ? [field] : [])));
  if (fields.size === 0) return record;
  const copy = { ...record } as Record<string, unknown>;
  for (const field of fields) {
    const value = copy[field];
    if (Array.isArray(value)) copy[field] = value.filter((item) => !names(item, gone));
    else delete copy[field];
  }
  return copy as LociRecord;
}

function names(item: unknown, gone: ReadonlySet<string>): boolean {
  if (typeof item === "string") return gone.has(item);
  const entry = item as { id?: string; stateId?: string; to?: string };
  return [entry.id, entry.stateId, entry.to].some((id) => id !== undefined && gone.has(id));
}

/** The fields in which two versions differ. */
export function changedFields(before: LociRecord, after: LociRecord): string[] {
  const [a, b] = [before as Record<string, unknown>, after as Record<string, unknown>];
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].filter(
    (key) => JSON.stringify(a[key]) !== JSON.stringify(b[key]),
  );
}
