import type { Interval } from "../geometry/index.ts";
import type { Stored } from "../schema/core.ts";
import { type Evidence, textOf } from "./evidence.ts";
import { tokensOf } from "./ranking/budget.ts";

export interface SerialiseOptions {
  readonly nowUs: number;
  /** How many tokens at most; an item that would not fit is left out whole, the last one may be cut. */
  readonly tokens?: number;
  /** What to leave out, for ablations: positions, times, or the words themselves (docs/formulas.md#ablations). */
  readonly without?: readonly ("place" | "time" | "meaning")[];
}

export interface Serialised {
  readonly text: string;
  readonly tokens: number;
  /** The items that are in it, in the order in which they are written. */
  readonly ids: readonly string[];
}

const DEFAULT_TOKENS = 4_000;
const MIN_CUT_TOKENS = 24;

/**
 * Evidence as a language model or a person reads it: in order of time (docs/formulas.md#baselines), one item a line,
 * each with its id, time, place, author and confidence. Within a budget the best-scored items stay; the order is still
 * that of time.
 */
export function serialise(items: readonly Evidence[], options: SerialiseOptions): Serialised {
  const budget = options.tokens ?? DEFAULT_TOKENS;
  const kept = new Map<string, string>();
  let used = 0;
  for (const item of [...items].sort((a, b) => worthOf(b) - worthOf(a) || (a.id < b.id ? -1 : 1))) {
    if (kept.has(item.id)) continue;
    const line = serialiseItem(item, options.nowUs, options.without);
    const cost = tokensOf(line);
    const left = budget - used;
    if (cost <= left) kept.set(item.id, line);
    else if (left >= MIN_CUT_TOKENS) kept.set(item.id, `${line.slice(0, (left - 1) * 4)}…`);
    else break;
    used += Math.min(cost, left);
  }
  const ordered = items
    .filter(({ id }, i) => kept.has(id) && items.findIndex((other) => other.id === id) === i)
    .sort((a, b) => a.record.validFromUs - b.record.validFromUs || (a.id < b.id ? -1 : 1));
  const text = ordered.map(({ id }) => kept.get(id)!).join("\n");
  return { text, tokens: text === "" ? 0 : tokensOf(text), ids: ordered.map(({ id }) => id) };
}

/** The priority of an item: the score, or nearness for items ranked by distance. */
function worthOf({ score, scores }: Evidence): number {
  return score === scores.distanceM ? 1 / (1 + score) : score;
}

/** One item on one line. */
export function serialiseItem(
  item: Evidence,
  nowUs: number,
  without: SerialiseOptions["without"] = [],
): string {
  const { record, position, presence, alsoSeen, chain } = item;
  const parts = [`[${record.id}]`, record.kind];
  if (!without.includes("time")) {
    const { from, to } = seenSpan(item);
    parts.push(to === from ? at(from, nowUs) : `${at(from, nowUs)} to ${at(to, nowUs)}`);
    if (presence?.firstAbsentAfterUs != null) parts.push(`gone by ${at(presence.firstAbsentAfterUs, nowUs)}`);
    if (alsoSeen && alsoSeen.length > 0)
      parts.push(`also seen ${alsoSeen.map((span) => spanText(span, nowUs)).join(", ")}`);
  }
  if (position && !without.includes("place"))
    parts.push(`at (${metres(position.x)}, ${metres(position.y)}, ${metres(position.z)})`);
  // A chain found by retrieval gives the room, or none; else the record does.
  const room = chain ? chain[0] : "regionId" in record ? record.regionId : undefined;
  if (!without.includes("place") && room) parts.push(`in ${room}`);
  parts.push(`by ${record.author}`);
  const sure = confidenceOf(record);
  if (sure !== undefined) parts.push(`sure ${sure.toFixed(2)}`);
  const words = without.includes("meaning") ? "" : describe(record);
  return `${parts.join(" · ")}${words === "" ? "" : `: ${words}`}`.replace(/\s+/g, " ");
}

/** The name of a thing and its attributes, then its lines without what they repeat. */
function describe(record: Stored): string {
  const text = textOf(record);
  if (record.kind === "state" || record.kind === "track") {
    const attributes =
      record.kind === "state"
        ? Object.entries(record.attributes).map(([name, { value }]) => `${name} ${String(value)}`)
        : [];
    const head = [record.name, ...attributes.filter((a) => !text.includes(a))].join(", ");
    return text.includes(record.name) && attributes.length === 0 ? text : `${head}. ${text}`.trim();
  }
  if (record.kind === "region") return text.includes(record.name) ? text : `${record.name}. ${text}`.trim();
  if (record.kind === "event") return `${record.type} ${JSON.stringify(record.detail)} ${text}`.trim();
  if (record.kind === "relation") return `${record.subject} ${record.predicate} ${record.object}`;
  return text;
}

function confidenceOf(record: Stored): number | undefined {
  if (record.kind === "relation" || record.kind === "event") return record.p;
  if (record.kind === "detection") return record.score;
  if (record.kind !== "state") return undefined;
  const sure = Object.values(record.attributes).map(({ p }) => p);
  return sure.length > 0 ? Math.min(...sure) : undefined;
}

function seenSpan({ record, presence }: Evidence): { from: number; to: number } {
  const from = presence?.firstSeenUs ?? record.validFromUs;
  const end = record.validToUs === null ? from : record.validToUs - 1;
  return { from, to: Math.max(from, presence?.lastSeenUs ?? end) };
}

function spanText({ fromUs, toUs }: Interval, nowUs: number): string {
  const end = (toUs ?? fromUs + 1) - 1;
  return end - fromUs < 1e6 ? at(fromUs, nowUs) : `${at(fromUs, nowUs)} to ${at(end, nowUs)}`;
}

/** A clock time and how long ago that is: models reckon badly with epochs. */
function at(timeUs: number, nowUs: number): string {
  const stamp = new Date(Math.floor(timeUs / 1000)).toISOString().slice(0, 19).replace("T", " ");
  const agoS = (nowUs - timeUs) / 1e6;
  if (agoS < 0) return stamp;
  const ago =
    agoS < 90
      ? `${Math.round(agoS)} s`
      : agoS < 5_400
        ? `${(agoS / 60).toFixed(1)} min`
        : `${(agoS / 3_600).toFixed(1)} h`;
  return `${stamp} (${ago} ago)`;
}

const metres = (value: number) => value.toFixed(2);
