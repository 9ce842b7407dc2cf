import { type Note, notesNaming } from "../belief/notes.ts";
import { evidenceOfRecord } from "../belief/trust.ts";
import { singularOf, stemsOf } from "../ontology/index.ts";
import type { AnswerEvidence, Expression } from "../schema/index.ts";
import type { Scope } from "./algebra/operator.ts";
import { truthValue, type Value, wordsValue } from "./algebra/value.ts";
import { isFunctionWord } from "./read/function-words.ts";
import { nodesCalled } from "./rival-values.ts";
import { dayAndClock } from "./say/figures.ts";
import { quoted } from "./say/naming.ts";

/** A note is trusted but not observed: as certain as a thing seen once. */
const NOTE_P = 0.7;
/** The most notes quoted at once. */
const MOST_TOLD = 3;

/** Answers from notes where observations have none: their own words, or yes where one contains the whole question. */
export async function fromNotes(
  asked: Expression,
  question: string,
  { memory }: Scope,
): Promise<Value | undefined> {
  const notes = await notesFor(asked, question, memory);
  if (notes.length === 0) return undefined;
  const told = notes.slice(0, MOST_TOLD);
  const items = told.map(({ record, position, lines }) => ({
    words: lines.join(" "),
    p: NOTE_P,
    atUs: record.validFromUs,
    ...(position && { point: position }),
  }));
  const known = { p: NOTE_P, evidence: evidenceOf(told) };
  const value = wordsValue("note", items, known);
  const isYes = ASKS_WHETHER.has(asked.op) && notes.some(({ lines }) => saysAll(lines.join(" "), question));
  return isYes ? truthValue(true, known, { shown: value }) : value;
}

/** A sentence for a note that contradicts the observation; undefined where there is none. */
export async function noteBeside(
  asked: Expression,
  seen: string,
  { memory }: Scope,
): Promise<{ readonly text: string; readonly evidence: readonly AnswerEvidence[] } | undefined> {
  const [note] = await notesFor(asked, "", memory);
  const told = `${JSON.stringify(asked)} ${seen}`;
  if (!note || note.lines.every((line) => saysAll(told, line))) return undefined;
  return {
    text: noteText(note.lines.join(" "), note.record.validFromUs, memory.nowUs),
    evidence: evidenceOf([note]),
  };
}

/** "a note of yesterday at 10:20 says: “the ladder is in the garage”". */
export function noteText(words: string, atUs: number, nowUs: number): string {
  return `a note ${dayAndClock(atUs, nowUs).replace(/^(?:at|on) /, "of ")} says: ${quoted(words)}`;
}

const ASKS_WHETHER: ReadonlySet<string> = new Set(["within", "exists", "is", "ever"]);

/** Notes that name a thing or a room of the question; without names, those with most of its words. */
async function notesFor(asked: Expression, question: string, memory: Scope["memory"]): Promise<Note[]> {
  const named = ["things", "rooms"].flatMap((op) => nodesCalled(op, asked));
  const names = named.flatMap(({ with: { category, name } }) =>
    [category, name].filter((one) => typeof one === "string"),
  );
  const isNamed = names.length > 0;
  const words = isNamed ? names : tellingWords(question);
  const found = await Promise.all([...new Set(words)].map((name) => notesNaming(name, memory)));
  const notes = [...new Map(found.flat().map((note) => [note.record.id, note])).values()];
  const asks = new Set(stemsOf(question));
  const share = ({ lines }: Note) => {
    const said = new Set(stemsOf(lines.join(" ")));
    return [...asks].filter((stem) => said.has(stem)).length / Math.max(1, asks.size);
  };
  return isNamed ? notes : notes.filter((note) => share(note) >= MOST_WORDS);
}

/** A note with this share of a question's informative words is about it. */
const MOST_WORDS = 0.5;

function evidenceOf(notes: readonly Note[]): AnswerEvidence[] {
  return notes.map(({ record, lines, position }) => evidenceOfRecord(record, lines[0]!, NOTE_P, position));
}

/** Whether every informative word of one text is in the other. */
function saysAll(line: string, text: string): boolean {
  const said = new Set(tellingWords(line));
  const asked = tellingWords(text);
  return asked.length > 0 && asked.every((word) => said.has(word));
}

function tellingWords(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[^\p{L}\p{N}-]+/u)
    .filter((word) => word !== "" && !isFunctionWord(word))
    .map(singularOf);
}
