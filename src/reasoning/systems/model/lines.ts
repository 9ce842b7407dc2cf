import type { Evidence } from "../../../retrieval/index.ts";
import { tokensOf } from "../../../retrieval/ranking/budget.ts";
import { timeText } from "../../evidence/index.ts";
import type { SystemOptions } from "../system.ts";
import { coreOf, listed, partsOf } from "./parts.ts";

/** Records as numbered lines, and which record each number stands for. */
export interface Lines {
  readonly text: string;
  readonly items: ReadonlyMap<string, Evidence>;
  /** All records that are told of; several may share a line. */
  readonly told: readonly Evidence[];
}

export interface LinesOptions {
  /** The most tokens in all; the oldest or the worst are left out first. */
  readonly tokens?: number;
  /** Which ones stay where not all fit: the best (the order given), or the newest. */
  readonly keep?: "best" | "newest";
  /** In order of time, or as given. */
  readonly order?: "time" | "given";
  /** The text after the words of equal records. */
  readonly more?: (...items: readonly Evidence[]) => string;
  /** The prefix of line marks: "c" gives [c1], [c2]; default a plain number. */
  readonly mark?: string;
  /** Numbers go on from here. */
  readonly from?: number;
  /** Captions of one moment as one list, each thing once with how many name it; default their sentences as they are. */
  readonly brief?: boolean;
}

const TOKENS = 5_000;
/** A single record is cut at so many tokens. */
const RECORD_TOKENS = 600;
const CHARS_A_TOKEN = 4;

/**
 * Records as a model reads them: a short number, when, in which room, where, and the words. Records that say word for word
 * the same are one line with all their times: captions of a robot that stands still repeat.
 */
export async function numbered(
  items: readonly Evidence[],
  options: SystemOptions,
  {
    tokens = TOKENS,
    keep = "best",
    order = "time",
    more = () => "",
    mark = "",
    from = 1,
    brief = false,
  }: LinesOptions = {},
): Promise<Lines> {
  const rooms = await roomNames(items, options);
  const said = brief ? briefWordsOf : wordsOf;
  const groups = Map.groupBy(items, said);
  const lines = [...groups.values()].map((group) => {
    const [first] = group as [Evidence, ...Evidence[]];
    const when = group.map(({ record }) => record.validFromUs).sort((a, b) => a - b);
    const room = "regionId" in first.record ? rooms.get(first.record.regionId ?? "") : undefined;
    const parts = [
      timesOf(when, first, options.nowUs),
      room ?? (first.record.kind === "view" ? first.record.room : undefined),
      first.position && `at (${first.position.x.toFixed(1)}, ${first.position.y.toFixed(1)})`,
    ];
    const words = `${parts.filter((part) => part !== undefined).join(", ")}: ${said(first)}${more(...group)}`;
    return { group, first, atUs: when[0]!, words: clipped(words, RECORD_TOKENS * CHARS_A_TOKEN) };
  });
  const ranked = keep === "newest" ? lines.toSorted((a, b) => b.atUs - a.atUs) : lines;
  const kept: typeof lines = [];
  let left = tokens;
  for (const line of ranked) {
    const cost = tokensOf(line.words) + 2;
    if (cost > left) break;
    left -= cost;
    kept.push(line);
  }
  const ordered =
    order === "time" ? kept.sort((a, b) => a.atUs - b.atUs) : lines.filter((line) => kept.includes(line));
  const marked = ordered.map((line, n) => ({ ...line, id: `${mark}${from + n}` }));
  return {
    text: marked.map(({ id, words }) => `[${id}] ${words}`).join("\n"),
    // Of a line with several times an answer means the newest record.
    items: new Map(marked.map(({ id, group }) => [id, newestOf(group)])),
    told: marked.flatMap(({ group }) => group),
  };
}

function newestOf(group: readonly Evidence[]): Evidence {
  return group.reduce((best, one) => (one.record.validFromUs > best.record.validFromUs ? one : best));
}

/** The words of a record, each statement once. */
export function wordsOf({ record }: Evidence): string {
  return saidOnce(linesOf(record));
}

/** The same, and of several captions of one moment each thing once, with how many of them name it. */
function briefWordsOf({ record }: Evidence): string {
  return record.kind === "caption" ? briefly(linesOf(record)) : saidOnce(linesOf(record));
}

/** Sentences that repeat one another as one list; those that do not stay as they are. */
function briefly(said: readonly string[]): string {
  const parts = partsOf(said);
  return parts.some(({ count }) => count > 1) ? `${listed(parts)}.` : saidOnce(said);
}

function linesOf(record: Evidence["record"]): string[] {
  const name = "name" in record && record.name !== undefined ? [record.name] : [];
  return [...name, ...record.text];
}

/** Lines as one text, each statement once: "There is a red mug." is left out where "a red mug on the table" is told. */
export function saidOnce(said: readonly string[]): string {
  const lines = said.map((line) => ({ line: line.replaceAll(/\s+/g, " ").trim(), core: coreOf(line) }));
  return lines
    .filter(({ core }, n) => {
      const isWithin = lines.some((other) => core.length < other.core.length && other.core.includes(core));
      const isAgain = lines.slice(0, n).some((other) => other.core === core);
      return core !== "" && !isWithin && !isAgain;
    })
    .map(({ line }) => (/[.!?:;]$/.test(line) ? line : `${line}.`))
    .join(" ");
}

/** The rooms that records lie in, by their ids. */
async function roomNames(
  items: readonly Evidence[],
  { reader }: SystemOptions,
): Promise<ReadonlyMap<string, string>> {
  const ids = [
    ...new Set(items.flatMap(({ record }) => ("regionId" in record ? (record.regionId ?? []) : []))),
  ];
  const regions = ids.length === 0 ? [] : await reader.get(ids);
  return new Map(regions.flatMap((one) => (one?.kind === "region" ? [[one.id, one.name] as const] : [])));
}

const MOST_TIMES = 6;

function timesOf(when: readonly number[], { presence, alsoSeen = [] }: Evidence, nowUs: number): string {
  const [first, ...others] =
    when.length > MOST_TIMES ? [...when.slice(0, 1), ...when.slice(1 - MOST_TIMES)] : when;
  const span =
    presence?.lastSeenUs == null
      ? timeText(first!, nowUs)
      : `${timeText(presence.firstSeenUs ?? first!, nowUs)} to ${timeText(presence.lastSeenUs, nowUs)}`;
  const listed = (times: readonly number[]) => times.map((us) => timeText(us, nowUs)).join(", ");
  const things = alsoSeen.map(({ fromUs }) => fromUs).sort((a, b) => a - b);
  const gone =
    presence?.firstAbsentAfterUs == null ? "" : ` (gone by ${timeText(presence.firstAbsentAfterUs, nowUs)})`;
  const again = others.length > 0 ? ` and at ${listed(others)}` : "";
  return `${span}${gone}${again}${things.length > 0 ? ` (its things also at ${listed(things)})` : ""}`;
}

/** A text that is too long ends with a whole word and a mark that there was more. */
export function clipped(text: string, chars: number): string {
  if (text.length <= chars) return text;
  const head = text.slice(0, chars - 1);
  const end = head.lastIndexOf(" ");
  return `${(end > 0 ? head.slice(0, end) : head).replace(/[,;:\s]+$/, "")}…`;
}
