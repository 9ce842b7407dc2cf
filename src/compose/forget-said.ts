import { sayingOf } from "../corrections/index.ts";
import { eachHit } from "../memory/each-hit.ts";
import { wordsOf } from "../memory/lexical.ts";
import type { MemoryReader } from "../memory/port.ts";
import { LIMITS, type RecordOf, type Stored } from "../schema/core.ts";

/** A note that mentions a thing by a name that people gave it, split by lines. */
export interface SaidByName {
  readonly note: Stored<RecordOf<"caption">>;
  readonly lines: readonly string[];
  /** Lines of the note about something else. */
  readonly rest: readonly string[];
}

/** Shorter names occur within too many other words. */
const SHORTEST_NAME = 3;

/**
 * Notes by people that mention these things by name. A sentence belongs to its author and is not derived from the
 * thing, so derivation does not reach it. A name that people gave to one thing alone links the sentence to that
 * thing. A name shared with another thing, or equal to a category (a chair called "chair"), leads to no sentence.
 */
export async function saidByName(reader: MemoryReader, ids: readonly string[]): Promise<SaidByName[]> {
  const phrases = await ownNames(reader, new Set(ids));
  const found = new Map<string, SaidByName>();
  for (const phrase of phrases) {
    const { hits } = await reader.search({
      kinds: ["caption"],
      meaning: { words: phrase },
      rank: "words",
      limit: LIMITS.hitsPerSearch,
    });
    for (const { record } of hits) {
      if (record.kind !== "caption" || record.source !== "human" || found.has(record.id)) continue;
      const lines = record.text.filter((line) => phrases.some((one) => says(line, one)));
      const rest = record.text.filter((line) => !lines.includes(line));
      if (lines.length > 0 && !ids.includes(record.id)) found.set(record.id, { note: record, lines, rest });
    }
  }
  return [...found.values()];
}

/** Names that people gave to these things and to nothing else, as stems. */
async function ownNames(reader: MemoryReader, ids: ReadonlySet<string>): Promise<string[]> {
  const [own, others] = [new Set<string>(), new Set<string>()];
  for await (const { record } of eachHit(reader, "event", { where: { category: ["correction"] } })) {
    const saying = sayingOf(record);
    const name = saying?.what === "name" && wordsOf(saying.says).join(" ");
    if (!name || name.length < SHORTEST_NAME) continue;
    const mine = ids.has(saying.target) || (await isOneOf(reader, saying.target, ids));
    (mine ? own : others).add(name);
  }
  const names: string[] = [];
  for (const name of own) if (!others.has(name) && !(await isCommon(reader, name, ids))) names.push(name);
  return names;
}

/** Whether a record belongs to these things: it was merged into one of them, or is a state of one. */
async function isOneOf(reader: MemoryReader, id: string, ids: ReadonlySet<string>): Promise<boolean> {
  const [record] = await reader.get([id]);
  if (record?.kind === "state") return ids.has(record.trackId);
  return record?.kind === "track" && record.mergedInto !== undefined && ids.has(record.mergedInto);
}

/** Whether a remaining record has this name, or belongs to a category with it. */
async function isCommon(reader: MemoryReader, name: string, ids: ReadonlySet<string>): Promise<boolean> {
  const { hits } = await reader.search({
    kinds: ["track", "region", "agent"],
    meaning: { words: name },
    rank: "words",
    limit: LIMITS.hitsPerSearch,
  });
  for (const { record } of hits) {
    if (ids.has(record.id) || (await isOneOf(reader, record.id, ids))) continue;
    const called = [
      "name" in record ? record.name : "",
      ...("category" in record && record.category !== undefined ? [record.category] : []),
      ...(record.kind === "track" ? record.aliases : []),
    ];
    if (called.some((one) => wordsOf(one).join(" ") === name)) return true;
  }
  return false;
}

function says(line: string, phrase: string): boolean {
  return ` ${wordsOf(line).join(" ")} `.includes(` ${phrase} `);
}
