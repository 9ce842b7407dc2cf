import type { RecordInput } from "./records.ts";

/** The kinds of record that a person can correct. */
export type Sayable<R extends RecordInput = RecordInput> = Extract<R, { kind: "track" | "state" | "region" }>;

export function isSayable<R extends RecordInput>(record: R): record is Sayable<R> {
  return record.kind === "track" || record.kind === "state" || record.kind === "region";
}

/** The record as the robots perceived it, without a person's correction; the record itself if there is none. */
export function asPerceived<R extends Sayable>(record: R): R {
  if (record.perceived === undefined) return record;
  const { perceived, ...rest } = record;
  const own = { ...rest, name: perceived.name, text: perceived.text } as R;
  if (own.kind !== "region" && perceived.category !== undefined) own.category = perceived.category;
  if (own.kind === "track") own.aliases = perceived.aliases ?? [];
  if (own.kind === "region") delete own.roomType;
  return own;
}
