import type { KnownThing } from "../../belief/thing.ts";
import type { RecordOf, Stored } from "../../schema/core.ts";
import type { EvidenceContext } from "./context.ts";
import { factsOfAll, type HeldFact, type StateSpan, type ThingFacts } from "./facts.ts";
import { spanText, timeText } from "./times.ts";

/** Cards of things: one line each, and the number left out. */
export interface Cards {
  /** The lines, then "21 of 27 shown" where some were left out. */
  readonly text: string;
  readonly lines: readonly string[];
  readonly facts: readonly ThingFacts[];
  readonly shown: number;
  readonly total: number;
}

export interface CardOptions {
  /** The most cards; default 24. */
  readonly most?: number | undefined;
  /** The most tokens; default 1,500. */
  readonly tokens?: number | undefined;
}

const MOST = 24;
const TOKENS = 1_500;
/** Characters per token of such text, as in `retrieval/ranking/budget`. */
const CHARS = 4;
const MOST_CARRIED = 6;
const MOST_CHANGES = 4;
/** Attributes with at least this probability are given without a doubt. */
const SURE = 0.7;

/** One line per thing, in the given order; cards that do not fit are counted, never cut. */
export async function cardsOf(
  things: readonly KnownThing[],
  context: EvidenceContext,
  { most = MOST, tokens = TOKENS }: CardOptions = {},
): Promise<Cards> {
  const facts = await factsOfAll(things.slice(0, most), context);
  const lines: string[] = [];
  let used = 0;
  for (const one of facts) {
    const line = cardOf(one, context);
    used += Math.ceil(line.length / CHARS);
    if (lines.length > 0 && used > tokens) break;
    lines.push(line);
  }
  const [shown, total] = [lines.length, things.length];
  const text = shown < total ? [...lines, `${shown} of ${total} shown`] : lines;
  return { text: text.join("\n"), lines, facts: facts.slice(0, shown), shown, total };
}

/** "t12 red mug · kitchen · 8×8×10 cm · on t3 table · seen 09:00:10–09:12:04 · p4". */
export function cardOf(facts: ThingFacts, { memory }: Pick<EvidenceContext, "memory">): string {
  const { nowUs } = memory;
  const { id, name, room, sizeM, heldBy, carries, seenFromUs, seenToUs, pictureId } = facts;
  const parts = [`${id} ${titleOf(facts)}`, room?.name ?? "room unknown"];
  if (sizeM) parts.push(sizeText(sizeM));
  if (heldBy) parts.push(`${heldBy.relation} ${heldBy.id} ${heldBy.name}`);
  if (carries.length > 0) parts.push(carriedText(carries));
  const own = name.toLowerCase();
  for (const attribute of facts.attributes)
    if (!own.includes(attribute.value.toLowerCase())) parts.push(attributeText(attribute));
  for (const [, spans] of Map.groupBy(facts.states, ({ attribute }) => attribute))
    parts.push(statesText(spans, nowUs));
  if (facts.stays.length > 1) parts.push(staysText(facts, nowUs));
  parts.push(`seen ${spanText(seenFromUs, seenToUs, nowUs)}`);
  const away = awayText(facts, nowUs);
  if (away !== undefined) parts.push(away);
  if (pictureId !== undefined) parts.push(pictureId);
  return parts.join(" · ").replaceAll(/\s+/g, " ");
}

/** Its name, and its category where the name does not contain it. */
function titleOf({ name, category }: ThingFacts): string {
  return name.toLowerCase().includes(category.toLowerCase()) ? name : `${name} (${category})`;
}

/** Length, width and height. */
export function sizeText({ length, width, height }: NonNullable<ThingFacts["sizeM"]>): string {
  const sides = [length, width, height];
  if (Math.max(...sides) < 1) return `${sides.map((m) => Math.max(1, Math.round(m * 100))).join("×")} cm`;
  return `${sides.map((m) => m.toFixed(m < 1 ? 2 : 1)).join("×")} m`;
}

function carriedText(carries: readonly HeldFact[]): string {
  return [...Map.groupBy(carries, ({ relation }) => relation)]
    .map(([relation, held]) => {
      const named = held.slice(0, MOST_CARRIED).map(({ id, name }) => `${id} ${name}`);
      const more = held.length > named.length ? ` and ${held.length - named.length} more` : "";
      return `${relation === "in" ? "holds" : "carries"} ${named.join(", ")}${more}`;
    })
    .join(" · ");
}

function attributeText({ name, value, p }: ThingFacts["attributes"][number]): string {
  const said = name === "text" ? `says “${value}”` : `${name} ${value}`;
  return p < SURE ? `${said}?` : said;
}

/** "closed until 09:05:23, open from 09:07:36, not witnessed". */
function statesText(spans: readonly StateSpan[], nowUs: number): string {
  const shown = spans.slice(-MOST_CHANGES);
  const told = shown.map(({ value, fromUs, toUs, isOpen, isWitnessed }, n) => {
    const isFirst = n === 0;
    const from = isFirst ? "" : ` from ${timeText(fromUs, nowUs)}`;
    const until = isOpen ? "" : ` until ${timeText(toUs, nowUs)}`;
    return `${value}${from}${until}${isFirst || isWitnessed ? "" : ", not witnessed"}`;
  });
  const earlier = spans.length - shown.length;
  return `${earlier > 0 ? `${earlier} changes before, then ` : ""}${told.join(", ")}`;
}

/** Its earlier places. */
function staysText({ stays }: ThingFacts, nowUs: number): string {
  const before = stays.slice(0, -1).slice(-MOST_CHANGES);
  return `moved: ${before
    .map(({ room, fromUs, toUs }) => `${room ?? "elsewhere"} ${spanText(fromUs, toUs ?? nowUs, nowUs)}`)
    .join(", ")}`;
}

function awayText({ standing, missedUs, isElsewhere }: ThingFacts, nowUs: number): string | undefined {
  if (isElsewhere) return "elsewhere since";
  if (standing === "taken") return "carried off since";
  if (standing === "unknown") return "where it is now is not known";
  if (standing !== "gone") return undefined;
  return missedUs === undefined ? "gone" : `gone by ${timeText(missedUs, nowUs)}`;
}

/** A caption as one line, with all times at which the same was captioned. */
export interface CaptionLine {
  /** Short id of the first of them. */
  readonly id: string;
  readonly text: string;
  readonly recordIds: readonly string[];
}

/** The most sentences of one caption that are given; the rest are counted. */
const MOST_SENTENCES = 3;
/** Question words this short do not discriminate. */
const SHORT = 3;

/**
 * The contents of captions: equal words once, nothing that an earlier line has, and first the parts about `asked`. A
 * caption without news shares the most similar line, unless it is about the question: then it gives its own time. "c4
 * 09:01:10–09:04:02 (3×): A man washes dishes."
 */
export function captionLines(
  captions: readonly Stored<RecordOf<"caption">>[],
  { memory, ids }: Pick<EvidenceContext, "memory" | "ids">,
  asked = "",
): CaptionLine[] {
  const words = wordsOf(asked);
  const lines: { id: string; text: string; recordIds: string[]; readonly told: ReadonlySet<string> }[] = [];
  const told = new Set<string>();
  for (const [text, same] of Map.groupBy(captions, (one) => plain(one.text.join(" ")))) {
    if (text === "") continue;
    const inOrder = same.toSorted((a, b) => a.validFromUs - b.validFromUs);
    const recordIds = inOrder.map((one) => one.id);
    const [first, last] = [inOrder[0]!, inOrder.at(-1)!];
    const { shown, left } = chosenOf(first.text, told, words);
    const own = new Set(first.text.flatMap(phrasesOf));
    const like = shown.length > 0 ? undefined : mostAlike(own, lines);
    const id = like?.id ?? ids.of(first.id, "caption");
    for (const recordId of like ? recordIds : recordIds.slice(1)) ids.alias(recordId, id);
    if (like) {
      like.recordIds.push(...recordIds);
      continue;
    }
    const endUs = last.validToUs === null ? last.validFromUs : last.validToUs - 1;
    const times = same.length > 1 ? ` (${same.length}×)` : "";
    const more = left > 0 ? ` (${left} more lines)` : "";
    const span = spanText(first.validFromUs, endUs, memory.nowUs);
    const line = `${id} ${span}${times}: ${shown.join(" ")}${more}`.replaceAll(/\s+/g, " ");
    lines.push({ id, text: line, recordIds, told: own });
  }
  return lines.map(({ id, text, recordIds }) => ({ id, text, recordIds }));
}

/** The sentences of a caption with news, those about the question first; otherwise the one that is about it. */
function chosenOf(
  sentences: readonly string[],
  told: Set<string>,
  asked: ReadonlySet<string>,
): { readonly shown: readonly string[]; readonly left: number } {
  const about = (line: string) => sharedBy(wordsOf(line), asked);
  const fresh = (line: string) => phrasesOf(line).filter((phrase) => !told.has(phrase)).length;
  const inOrder = sentences.toSorted((a, b) => about(b) - about(a));
  const shown: string[] = [];
  for (const line of inOrder) {
    if (shown.length >= MOST_SENTENCES || fresh(line) === 0) continue;
    shown.push(line);
    for (const phrase of phrasesOf(line)) told.add(phrase);
  }
  if (shown.length === 0 && inOrder[0] !== undefined && about(inOrder[0]) > 0) shown.push(inOrder[0]);
  const left = inOrder.filter((line) => !shown.includes(line) && fresh(line) > 0).length;
  return { shown, left };
}

/** The line that contains most of a caption. */
function mostAlike<T extends { readonly told: ReadonlySet<string> }>(
  own: ReadonlySet<string>,
  lines: readonly T[],
): T | undefined {
  return lines.reduce<T | undefined>(
    (best, one) => (best && sharedBy(best.told, own) >= sharedBy(one.told, own) ? best : one),
    undefined,
  );
}

function sharedBy(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  return [...a].filter((one) => b.has(one)).length;
}

/** The items that a sentence lists: two sentences with the same items are equal. */
function phrasesOf(sentence: string): string[] {
  return plain(sentence)
    .replace(/^(?:there (?:is|are)|this is) /, "")
    .split(/[,:;.]| and | with /)
    .map((phrase) => phrase.trim().replace(/^(?:an?|the) /, ""))
    .filter((phrase) => phrase !== "");
}

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(
    plain(text)
      .split(/[^\p{L}\p{N}]+/u)
      .filter((word) => word.length > SHORT),
  );
}

function plain(text: string): string {
  return text.toLowerCase().replaceAll(/\s+/g, " ").trim();
}
