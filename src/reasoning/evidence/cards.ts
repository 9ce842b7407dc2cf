import type { KnownThing } from "../../belief/thing.ts";
import type { RecordOf, Stored } from "../../schema/core.ts";
import type { EvidenceContext } from "./context.ts";
import { factsOfAll, type HeldFact, type StateSpan, type ThingFacts } from "./facts.ts";
import { spanText, timeText } from "./times.ts";

/** Cards of things: one line each, and what was left out. */
export interface Cards {
  /** The lines, then "21 of 27 shown" where some were left out. */
  readonly text: string;
  readonly lines: readonly string[];
  readonly facts: readonly ThingFacts[];
  readonly shown: number;
  readonly total: number;
}

export interface CardOptions {
  /** So many at most; default 24. */
  readonly most?: number | undefined;
  /** So many tokens at most; default 1,500. */
  readonly tokens?: number | undefined;
}

const MOST = 24;
const TOKENS = 1_500;
/** Characters that a token of such text has, as `retrieval/ranking/budget` reckons. */
const CHARS = 4;
const MOST_CARRIED = 6;
const MOST_CHANGES = 4;
/** Attributes as sure as this are told without a doubt. */
const SURE = 0.7;

/** One line a thing, in the order in which they come; what does not fit is counted, never cut. */
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

/** Its name, and what it is where the name does not say so. */
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

/** Where it was before it came where it is. */
function staysText({ stays }: ThingFacts, nowUs: number): string {
  const before = stays.slice(0, -1).slice(-MOST_CHANGES);
  return `moved: ${before
    .map(({ room, fromUs, toUs }) => `${room ?? "elsewhere"} ${spanText(fromUs, toUs ?? nowUs, nowUs)}`)
    .join(", ")}`;
}

function awayText({ standing, missedUs }: ThingFacts, nowUs: number): string | undefined {
  if (standing === "taken") return "carried off since";
  if (standing === "unknown") return "where it is now is not known";
  if (standing !== "gone") return undefined;
  return missedUs === undefined ? "gone" : `gone by ${timeText(missedUs, nowUs)}`;
}

/** A caption as one line, with all times at which the same was said. */
export interface CaptionLine {
  /** Short id of the first of them. */
  readonly id: string;
  readonly text: string;
  readonly recordIds: readonly string[];
}

/** Sentences of one caption that are told; of more it is said how many they are. */
const MOST_SENTENCES = 3;

/**
 * What captions say: the same words once, and a sentence that an earlier line has not again.
 * "c4 09:01:10–09:04:02 (3×): A man washes dishes."
 */
export function captionLines(
  captions: readonly Stored<RecordOf<"caption">>[],
  { memory, ids }: Pick<EvidenceContext, "memory" | "ids">,
): CaptionLine[] {
  const groups = Map.groupBy(captions, ({ text }) => plain(text.join(" ")));
  const told = new Set<string>();
  return [...groups].flatMap(([words, same]) => {
    if (words === "") return [];
    const inOrder = same.toSorted((a, b) => a.validFromUs - b.validFromUs);
    const [first, last] = [inOrder[0]!, inOrder.at(-1)!];
    const endUs = last.validToUs === null ? last.validFromUs : last.validToUs - 1;
    const id = ids.of(first.id, "caption");
    for (const other of inOrder.slice(1)) ids.alias(other.id, id);
    const fresh = first.text.filter((line) => !told.has(plain(line)));
    const shown = (fresh.length > 0 ? fresh : first.text).slice(0, MOST_SENTENCES);
    for (const line of shown) told.add(plain(line));
    const left = first.text.length - shown.length;
    const more = left > 0 ? ` (${left} more lines)` : "";
    const times = same.length > 1 ? ` (${same.length}×)` : "";
    const text = `${id} ${spanText(first.validFromUs, endUs, memory.nowUs)}${times}: ${shown.join(" ")}${more}`;
    return [{ id, text: text.replaceAll(/\s+/g, " "), recordIds: inOrder.map((one) => one.id) }];
  });
}

function plain(text: string): string {
  return text.toLowerCase().replaceAll(/\s+/g, " ").trim();
}
