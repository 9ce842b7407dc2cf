import type { Vec3 } from "../geometry/index.ts";
import type { Hit } from "../memory/index.ts";
import { namesFor, singularOf } from "../ontology/index.ts";
import type { RecordOf, Stored } from "../schema/core.ts";
import type { Belief } from "./belief.ts";
import { SEARCH } from "./settings/search.ts";

/** A statement that a person left in the memory, beside the observations. */
export interface Note {
  readonly record: Stored<RecordOf<"caption">>;
  readonly position: Vec3 | undefined;
  /** Its lines that name what was asked for. */
  readonly lines: readonly string[];
}

/** The topic that finds notes; a note with a topic of its own is found by its words. */
export const NOTE_TOPIC = "note";

/**
 * The notes that name a thing, newest first. People often write notes long after the last observation, so the time of
 * the question does not hide a note unless the question was given a time of its own.
 */
export async function notesNaming(name: string, memory: Belief): Promise<Note[]> {
  const words = wordsFor(name);
  const meaning = { words: words.join(" ") };
  const time = memory.options.isNowGiven ? { time: { overlaps: UNTIL(memory.nowUs) } } : {};
  const request = { kinds: ["caption"], meaning, limit: SEARCH.mostRead, rank: "words", ...time } as const;
  const [own, others] = await Promise.all([
    memory.search({ ...request, where: { category: [NOTE_TOPIC] } }),
    memory.search(request),
  ]);
  const notes = new Map<string, Note>();
  for (const hit of [...own, ...others]) {
    const note = noteOf(hit, words);
    if (note) notes.set(note.record.id, note);
  }
  return [...notes.values()].sort((a, b) => b.record.validFromUs - a.record.validFromUs);
}

const UNTIL = (nowUs: number) => ({ fromUs: -Number.MAX_SAFE_INTEGER, toUs: nowUs + 1 });

function noteOf({ record, position }: Hit, words: readonly string[]): Note | undefined {
  if (record.kind !== "caption" || record.source !== "human") return undefined;
  const lines = record.text.filter((line) => words.some((word) => names(line, word)));
  return lines.length > 0 ? { record, position, lines } : undefined;
}

/** The name itself and its synonyms. */
function wordsFor(name: string): string[] {
  const plain = name.toLowerCase();
  return [...new Set([plain, singularOf(plain), ...namesFor(plain).same])];
}

/** Whether a line contains the name as a whole word, in the singular or the plural. */
function names(line: string, name: string): boolean {
  const said = line
    .toLowerCase()
    .split(/[^\p{L}\p{N}-]+/u)
    .map(singularOf)
    .join(" ");
  return ` ${said} `.includes(` ${name.split(" ").map(singularOf).join(" ")} `);
}
