import type { RecordOf, Stored } from "../../schema/core.ts";
import type { MemoryReader } from "../port.ts";
import { type Candidate, type Holdings, plain, ROW_BYTES, statesOf } from "./gather.ts";
import type { Slimmed } from "./slim.ts";

type Worded = RecordOf<"view"> | RecordOf<"caption">;

/** A line that other records use too costs four bytes here. */
const MAX_LINES = 48;

/**
 * Rewords views and captions by what they show: one sentence of their own, the longest, and otherwise the existing
 * lines of the states they name, whose text and vector are stored once. They are still found by their content, also by
 * a thing's category where its line differs ("wardrobe" beside "white wood closet"); the original wording is lost. What
 * people said stays verbatim.
 */
export async function plainerWords(
  reader: MemoryReader,
  candidates: readonly Candidate[],
  { linesOf, categoryOf }: Holdings,
  slimmedBefore: (id: string) => Slimmed | undefined,
): Promise<(Slimmed & { readonly record: Worded })[]> {
  const plainer: (Slimmed & { readonly record: Worded })[] = [];
  const shared = new Set([...[...linesOf.values()].flat(), ...categoryOf.values()]);
  for (const { record } of candidates) {
    if (record.kind !== "view" && record.kind !== "caption") continue;
    if (record.kind === "caption" && record.source === "human") continue;
    const own = record.text.filter((line) => !shared.has(line));
    if (own.length <= 1) continue;
    const lines = statesOf(record).flatMap((state) => linesOf.get(state)?.slice(0, 1) ?? []);
    const kinds = statesOf(record).flatMap((state) => categoryOf.get(state) ?? []);
    const text = new Set([
      own.reduce((best, line) => (line.length > best.length ? line : best)),
      ...kinds.filter((kind) => !lines.some((line) => ` ${line} `.includes(` ${kind} `))),
      ...lines,
      ...record.text.filter((line) => shared.has(line)),
    ]);
    const before = slimmedBefore(record.id);
    const versions = before?.versions ?? (await versionsOf(reader, record as Stored<Worded>));
    plainer.push({
      record: { ...((before?.record ?? plain(record)) as Worded), text: [...text].slice(0, MAX_LINES) },
      versions,
      bytes: before === undefined ? (versions.length - 1) * ROW_BYTES : 0,
      ...(before?.blobs && { blobs: before.blobs }),
    });
  }
  return plainer;
}

async function versionsOf(reader: MemoryReader, { id, version }: Stored<Worded>): Promise<number[]> {
  if (version === 1) return [version];
  return (await reader.history(id)).map((one) => one.version);
}
