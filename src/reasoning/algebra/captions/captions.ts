import type { Vec3 } from "../../../geometry/index.ts";
import { wordsOf } from "../../../memory/lexical.ts";
import type { Concept, Evidence } from "../../../retrieval/index.ts";
import { cuesOf } from "../../../retrieval/question/cues.ts";
import type { Stored } from "../../../schema/core.ts";
import type { Scope } from "../operator.ts";
import type { CaptionQuestion } from "./caption-question.ts";

/** A caption compared with the question: how much of the question its best line covers, and that line. */
export interface Caption {
  readonly record: Stored;
  readonly position: Vec3 | undefined;
  /** By retrieval's own order: 1 for its first, 0 for those found by words only. */
  readonly retrieved: number;
  /** The share of the question, by importance, that the best line covers (0–1). */
  readonly cover: number;
  /** The same over all lines together. */
  readonly whole: number;
  /** How directly the thing itself is named: 1 by its word, less by a synonym or a kind of it, 0 not at all. */
  readonly named: number;
  readonly line: string;
}

/** The number of captions read beside those that retrieval chose. */
const POOL = 64;
const ANOTHER_WORD = 0.9;
const A_KIND = 0.6;
/** A line about something else that names the thing says less than a line about it. */
const LINE_SHARE = 0.7;
/** The deduction for each rank in retrieval's order. */
const RANK_STEP = 0.12;

/** The captions that a question may be about, best first. Costs one search by words, whatever the memory's size. */
export async function captionsFor(
  question: CaptionQuestion,
  items: readonly Evidence[],
  { memory, during }: Pick<Scope, "memory" | "during">,
): Promise<Caption[]> {
  const concepts = conceptsOf(question);
  const words = concepts.flatMap(({ words, same, kinds }) => [words, ...same, ...kinds]).join(" ");
  const time = during && { time: { overlaps: during } };
  const found =
    words.trim() === ""
      ? []
      : await memory.search({ kinds: ["caption"], meaning: { words }, limit: POOL, ...time });
  const pool = new Map<string, { record: Stored; position: Vec3 | undefined; retrieved: number }>();
  items.forEach(({ record, position }, rank) => {
    if (record.text.length > 0)
      pool.set(record.id, { record, position, retrieved: Math.max(0, 1 - rank * RANK_STEP) });
  });
  for (const { record, position } of found)
    if (!pool.has(record.id)) pool.set(record.id, { record, position, retrieved: 0 });
  const entries = [...pool.values()].map((one) => ({ ...one, lines: one.record.text.map(bagOf) }));
  const weights = concepts.map((concept) =>
    weightOf(
      concept,
      entries.flatMap(({ lines }) => lines),
    ),
  );
  const head = headOf(question, concepts);
  return entries
    .map(({ lines, ...one }) => {
      const covers = lines.map((bag) => coverOf(concepts, weights, bag));
      const cover = Math.max(0, ...covers);
      const every = new Set(lines.flatMap((bag) => [...bag]));
      return {
        ...one,
        cover,
        whole: coverOf(concepts, weights, every),
        named: head ? fitOf(head, every) : 0,
        line: one.record.text[covers.indexOf(cover)] ?? one.record.text[0]!,
      };
    })
    .sort((a, b) => scoreOf(b) - scoreOf(a) || (a.record.id < b.record.id ? -1 : 1));
}

/** How well a caption answers: its content and its retrieval rank, in equal parts. */
export function scoreOf({ cover, whole, named, retrieved }: Caption): number {
  return LINE_SHARE * cover + (1 - LINE_SHARE) * whole + 0.25 * named + retrieved;
}

function conceptsOf({ text }: CaptionQuestion): readonly Concept[] {
  const { concepts, level } = cuesOf(text);
  // A question about a place to sit means a bench as much as a seat.
  return level === "implicit"
    ? concepts.map(({ words, same, kinds }) => ({ words, same: [...same, ...kinds], kinds: [] }))
    : concepts;
}

/** The concept of the thing asked about. */
function headOf({ about }: CaptionQuestion, concepts: readonly Concept[]): Concept | undefined {
  const head = about === undefined ? undefined : wordsOf(about).at(-1);
  return concepts.find(({ words }) => wordsOf(words).at(-1) === head) ?? concepts[0];
}

function bagOf(line: string): ReadonlySet<string> {
  return new Set(wordsOf(line));
}

function fitOf({ words, same, kinds }: Concept, bag: ReadonlySet<string>): number {
  const has = (phrase: string) => {
    const parts = wordsOf(phrase);
    return parts.length > 0 && parts.every((part) => bag.has(part));
  };
  return has(words) ? 1 : same.some(has) ? ANOTHER_WORD : kinds.some(has) ? A_KIND : 0;
}

/** A concept in every caption does not discriminate. */
function weightOf(concept: Concept, lines: readonly ReadonlySet<string>[]): number {
  const n = lines.filter((bag) => fitOf(concept, bag) > 0).length;
  return Math.log(1 + (lines.length - n + 0.5) / (n + 0.5));
}

function coverOf(concepts: readonly Concept[], weights: readonly number[], bag: ReadonlySet<string>): number {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  if (total === 0) return 0;
  return concepts.reduce((sum, concept, n) => sum + weights[n]! * fitOf(concept, bag), 0) / total;
}
