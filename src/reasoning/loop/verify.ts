import type { ModelAnswer } from "../../models/prompts/index.ts";
import type { Evidence } from "../../retrieval/index.ts";
import type { AskOptions } from "../ask.ts";
import { type ClaimContext, type Judged, type Support, verifyClaims } from "../claims/index.ts";
import type { LoopMemory } from "./loop-memory.ts";

/** The flaws of an answer: of its form, or unsupported claims. */
export interface Checked {
  /** The records that bear it out. */
  readonly cited: readonly Evidence[];
  /** The reasons why it, or a part of it, fails; a claim is given with the records' own value. */
  readonly flaws: readonly string[];
  readonly claims: readonly Judged[];
  /** The kind of evidence that decided. */
  readonly support: Support;
}

export interface CheckContext {
  readonly question: string;
  readonly options?: readonly string[] | undefined;
  readonly asked: AskOptions;
  readonly memory: LoopMemory;
  /** Numbers that the memory itself counted. */
  readonly counts: ReadonlySet<number>;
  /** Views whose pictures the model has seen. */
  readonly looked: ReadonlySet<string>;
  /** Whether pictures and texts show what no field contains: one further question. */
  readonly shows?: ClaimContext["shows"];
}

/** Types whose value is taken from the named records, whatever the words. */
const FROM_RECORDS: ReadonlySet<string> = new Set(["position", "time", "duration", "quantity"]);

/**
 * Checks an answer against the records: its citations must have been shown, each claim must be supported by their
 * fields, texts or pictures, a yes must not contradict the text, a count must match the records, a letter must be one
 * of the options, and absence requires observation. A surplus citation is dropped.
 */
export async function checkAnswer(answer: ModelAnswer, context: CheckContext): Promise<Checked> {
  const { memory } = context;
  const found = answer.cited.flatMap((id) => memory.known(id) ?? []);
  const cited = [...new Map(found.map((item) => [item.id, item])).values()];
  const flaws: string[] = [];
  const named = [answer.subject, answer.second, ...(answer.counted ?? [])];
  const unknown = named.some((id) => id != null && id !== "me" && memory.known(id) === undefined);
  if (unknown || (cited.length === 0 && answer.cited.length > 0)) flaws.push("unknown id");
  if (answer.status === "answered" && cited.length === 0) flaws.push("no citation");
  flaws.push(...contradictionsOf(answer, context, cited));
  if (answer.status !== "answered" || cited.length === 0)
    return { cited, flaws, claims: [], support: "none" };
  return withClaims(answer, context, cited, flaws);
}

async function withClaims(
  answer: ModelAnswer,
  whole: CheckContext,
  cited: readonly Evidence[],
  flaws: readonly string[],
): Promise<Checked> {
  const { question, options, asked, memory, looked, shows } = whole;
  const letter = options && letterOf(answer, options);
  const chosen = letter === undefined ? undefined : options?.[letter.charCodeAt(0) - 65];
  const text = chosen !== undefined && answer.text.length <= 2 ? chosen : answer.text;
  const isNamed = answer.subject != null && memory.known(answer.subject) !== undefined;
  const isFromRecords =
    answer.type === "count" ? countOf(answer, whole) !== undefined : FROM_RECORDS.has(answer.type) && isNamed;
  const said = { text, binary: answer.binary, claims: answer.claims };
  const known = (id: string) => memory.known(id);
  const context = {
    ...asked,
    cited,
    shown: memory.shown(),
    known,
    looked,
    // An answer that is sent back in any case is not worth another question.
    shows: isFromRecords || flaws.length > 0 ? undefined : shows,
  };
  const verified = await verifyClaims(question, said, context);
  const failing = verified.claims.flatMap(({ claim, verdict, instead }) => {
    if (verdict === "contradicted") return [`${claim} – the records say: ${instead ?? "otherwise"}`];
    // The number or place is that of the record, so that its words need no proof of their own.
    return verdict === "cannot-tell" && !isFromRecords ? [`${claim} – nothing cited shows this`] : [];
  });
  const kept = keepNamed(answer, verified.cited, cited, memory);
  const support = isFromRecords && failing.length === 0 ? "fields" : verified.support;
  return { cited: kept, flaws: [...flaws, ...failing], claims: verified.claims, support };
}

/** A record that the answer names as its subject or counted is no surplus. */
function keepNamed(
  { subject, second, counted }: ModelAnswer,
  kept: readonly Evidence[],
  cited: readonly Evidence[],
  memory: LoopMemory,
): readonly Evidence[] {
  const said = [subject, second, ...(counted ?? [])];
  const named = new Set(said.flatMap((id) => (id == null ? [] : (memory.known(id)?.id ?? []))));
  const ids = new Set(kept.map(({ id }) => id));
  return [...kept, ...cited.filter(({ id }) => named.has(id) && !ids.has(id))];
}

function contradictionsOf(answer: ModelAnswer, context: CheckContext, cited: readonly Evidence[]): string[] {
  const flaws: string[] = [];
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

/** Different things among those counted; else a number that the memory counted itself, or that a picture shows. */
export function countOf(
  answer: ModelAnswer,
  { memory, counts, looked }: Pick<CheckContext, "memory" | "counts" | "looked">,
): number | undefined {
  const known = (answer.counted ?? []).flatMap((id) => memory.known(id) ?? []);
  const things = known.filter(({ record }) => record.kind !== "view");
  if (things.length > 0) {
    // A list may have been too long to show in full, while its length is known.
    if (answer.count != null && answer.count > things.length && counts.has(answer.count)) return answer.count;
    return new Set(things.map(({ id, record }) => (record.kind === "state" ? record.trackId : id))).size;
  }
  if (answer.count == null) return undefined;
  const isSeen = answer.cited.some((id) => looked.has(memory.known(id)?.id ?? id));
  return isSeen || counts.has(answer.count) ? answer.count : undefined;
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
