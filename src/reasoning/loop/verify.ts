import { stemmer } from "stemmer";
import type { ModelAnswer } from "../../models/prompts/index.ts";
import { type Evidence, expand } from "../../retrieval/index.ts";
import type { LoopMemory } from "./loop-memory.ts";

/** Why an answer, or a part of it, cannot stand. */
export type Flaw =
  | "unknown id"
  | "unsupported citation"
  | "no citation"
  | "contradicts itself"
  | "no such option"
  | "count without records"
  | "absence not observed";

export interface Checked {
  /** Citations that are in the book and speak of what was asked or said. */
  readonly cited: readonly Evidence[];
  readonly flaws: readonly Flaw[];
}

export interface CheckContext {
  readonly question: string;
  readonly options?: readonly string[] | undefined;
  /** What the question turned out to be about: "this" in words, the keys searched by. */
  readonly about: readonly string[];
  readonly memory: LoopMemory;
  /** Numbers that the memory itself counted. */
  readonly counts: ReadonlySet<number>;
  /** Views whose pictures the model has seen: what it says of them cannot be checked by words. */
  readonly looked: ReadonlySet<string>;
}

/**
 * Holds an answer against the records. A citation must be of something that was shown, and share a word with the
 * question or the answer; a yes must not say no, a count must be that of its records, a letter one of the options,
 * and nothing is gone that nobody looked for.
 */
export function checkAnswer(answer: ModelAnswer, context: CheckContext): Checked {
  const flaws: Flaw[] = [];
  const about = stems(
    [context.question, ...context.about, answer.text, ...(answer.set ?? []), ...(context.options ?? [])].join(
      " ",
    ),
  );
  const cited: Evidence[] = [];
  for (const id of new Set(answer.cited)) {
    const item = context.memory.known(id);
    if (item === undefined) flaws.push("unknown id");
    else if (context.looked.has(id) || speaksOf(item, about, context.memory)) cited.push(item);
    else flaws.push("unsupported citation");
  }
  for (const id of [answer.subject, answer.second, ...(answer.counted ?? [])]) {
    if (id != null && id !== "me" && context.memory.known(id) === undefined) flaws.push("unknown id");
  }
  if (answer.status === "answered" && cited.length === 0) flaws.push("no citation");
  flaws.push(...contradictionsOf(answer, context, cited));
  return { cited, flaws };
}

function contradictionsOf(answer: ModelAnswer, context: CheckContext, cited: readonly Evidence[]): Flaw[] {
  const flaws: Flaw[] = [];
  const said = /^(yes|no)\b/i.exec(answer.text)?.[1]?.toLowerCase();
  if (answer.binary != null && said !== undefined && (said === "yes") !== answer.binary)
    flaws.push("contradicts itself");
  if (answer.status === "answered" && answer.text === "" && answer.choice == null)
    flaws.push("contradicts itself");
  if (answer.status === "not-seen" && answer.type === "position" && answer.subject != null)
    flaws.push("contradicts itself");
  if (context.options && answer.status === "answered" && letterOf(answer, context.options) === undefined)
    flaws.push("no such option");
  if (answer.type === "count" && answer.status === "answered") {
    const counted = countOf(answer, context);
    if (counted === undefined) flaws.push("count without records");
    else if (answer.count != null && answer.count !== counted) flaws.push("contradicts itself");
  }
  if (answer.status === "looked-absent" && !cited.some(wasFoundGone)) flaws.push("absence not observed");
  return flaws;
}

/** Different things among those counted; else a number that the memory counted itself. */
export function countOf(
  answer: ModelAnswer,
  { memory, counts }: Pick<CheckContext, "memory" | "counts">,
): number | undefined {
  const known = (answer.counted ?? []).flatMap((id) => memory.known(id) ?? []);
  if (answer.counted != null && answer.counted.length > 0 && known.length > 0) {
    // A list may have been too long to show in full, while its length is known.
    if (answer.count != null && answer.count > known.length && counts.has(answer.count)) return answer.count;
    return new Set(known.map(({ id, record }) => (record.kind === "state" ? record.trackId : id))).size;
  }
  return answer.count != null && counts.has(answer.count) ? answer.count : undefined;
}

/** The letter of the option meant: said as a letter, or in the option's own words. */
export function letterOf(answer: ModelAnswer, options: readonly string[]): string | undefined {
  const said = answer.choice ?? answer.text;
  const letter = /^\(?([A-Za-z])(?:[).:\s]|$)/.exec(said)?.[1]?.toUpperCase();
  if (letter !== undefined && letter.charCodeAt(0) - 65 < options.length) return letter;
  const plain = (text: string) =>
    text
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
      .trim();
  const at = options.findIndex((option) => plain(option) === plain(said));
  return at < 0 ? undefined : String.fromCharCode(65 + at);
}

function wasFoundGone({ record, presence }: Evidence): boolean {
  if (record.kind === "event") return record.type === "disappear" || record.type === "move";
  return presence?.firstAbsentAfterUs != null;
}

function speaksOf(item: Evidence, about: ReadonlySet<string>, memory: LoopMemory): boolean {
  for (const word of stems(wordsOf(item, memory))) if (about.has(word)) return true;
  if (item.record.kind !== "state") return false;
  const { same, kinds } = expand(item.record.category);
  return [...same, ...kinds].some((word) => [...stems(word)].some((stem) => about.has(stem)));
}

/** Everything a record says in words. */
function wordsOf({ record, chain }: Evidence, memory: LoopMemory): string {
  const parts: string[] = [...record.text, ...(chain ?? []), record.kind];
  if ("name" in record) parts.push(record.name);
  if ("category" in record && record.category !== undefined) parts.push(record.category);
  if (record.kind === "state") {
    for (const [name, { value }] of Object.entries(record.attributes)) parts.push(name, String(value));
  }
  if (record.kind === "event") parts.push(record.type, JSON.stringify(record.detail));
  if (record.kind === "relation") parts.push(record.predicate.replaceAll("_", " "));
  if (record.kind === "view") {
    if (record.room !== undefined) parts.push(record.room);
    for (const { stateId } of record.visible) {
      const state = memory.known(stateId)?.record;
      if (state?.kind === "state") parts.push(state.name, state.category);
    }
  }
  return parts.join(" ");
}

const STOP = new Set(
  "a an and are at be been by can did do does for from had has have he her his how i in is it its me my no not of on or our she that the their them there these they this those to up was we were what when where which who why will with yes you your state caption view event seen see saw last first now".split(
    " ",
  ),
);

function stems(text: string): Set<string> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return new Set(words.filter((word) => !STOP.has(word)).map((word) => stemmer(word)));
}
