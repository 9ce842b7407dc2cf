import { distance, mergeIntervals } from "../../geometry/index.ts";
import type { Evidence } from "../../retrieval/index.ts";
import { evidenceOfRecord, type Finding, type RuleContext } from "../finding.ts";
import type { Need } from "../need.ts";
import { COLOURS } from "../parse/lexicon.ts";
import { norm } from "../recall/matching.ts";
import { agoText, clockText, spanText } from "../words/phrases.ts";

/** Items within this share of the best are as good: then order in time or nearness decides. */
const AS_GOOD = 0.9;

/**
 * Answers from captions alone, for memories that hold no things: drives that somebody captioned, notes, diaries.
 * Where the best caption was made is where, when it was made is when, and what it says is what.
 */
export function fromCaptions(
  need: Need,
  items: readonly Evidence[],
  weak: boolean,
  context: RuleContext,
): Finding {
  const spoken = items.filter(({ record }) => record.text.length > 0);
  const best = pick(need, spoken, context);
  const { nowUs } = context.recall;
  if (!best)
    return { status: "not-seen", text: "I remember nothing about that.", evidence: [], confidence: 0.5 };
  const evidence = spoken
    .slice(0, 6)
    .map(({ record, score, position }) =>
      evidenceOfRecord(record, record.text.join(" ").slice(0, 300), score, position),
    );
  const atUs = best.record.validFromUs;
  const line = lineFor(need, best);
  const base = {
    status: "answered" as const,
    evidence,
    confidence: weak ? 0.35 : 0.55,
    time: { atUs, agoS: (nowUs - atUs) / 1e6 },
    ...(best.position && { position: { point: best.position } }),
  };
  switch (need.answer) {
    case "binary": {
      const mentioned = mentions(need, spoken.slice(0, 3));
      return {
        ...base,
        binary: mentioned !== need.negated,
        text: mentioned ? `yes: ${line}` : "no",
        confidence: mentioned ? 0.6 : 0.5,
      };
    }
    case "time":
      return { ...base, text: `${agoText(nowUs - atUs)}, at ${clockText(atUs)}` };
    case "duration": {
      const spans = mergeIntervals(
        spoken
          .filter(({ score }) => score >= best.score * AS_GOOD)
          .map(({ record }) => ({
            fromUs: record.validFromUs,
            toUs: record.validToUs ?? record.validFromUs + 1,
          })),
        60_000_000,
      );
      const s = spans.reduce((most, { fromUs, toUs }) => Math.max(most, (toUs! - fromUs) / 1e6), 0);
      return { ...base, durationS: s, text: spanText(s) };
    }
    case "count": {
      const n = Number(/\b(\d+)\b/.exec(line)?.[1] ?? 1);
      return { ...base, count: n, text: String(n), confidence: 0.3 };
    }
    default:
      return { ...base, text: need.asks === "attribute" ? (valueIn(need, line) ?? line) : line };
  }
}

/** The best item; of equally good ones the last, the first or the nearest, as the question asks. */
function pick(need: Need, items: readonly Evidence[], { pose }: RuleContext): Evidence | undefined {
  const top = Math.max(...items.map(({ score }) => score));
  const good = items.filter(({ score }) => score >= top * AS_GOOD);
  const last = need.times.some(({ kind }) => kind === "last");
  const first = need.times.some(({ kind }) => kind === "first");
  const sorted = good.toSorted((a, b) => {
    if (last || first) return (last ? -1 : 1) * (a.record.validFromUs - b.record.validFromUs);
    if (need.asks === "nearest" && pose && a.position && b.position)
      return distance(a.position, pose.position) - distance(b.position, pose.position);
    return b.score - a.score;
  });
  return sorted[0];
}

/** The line of a record that speaks most of what was asked. */
function lineFor(need: Need, { record }: Evidence): string {
  const asked = new Set(need.cues.flatMap((cue) => norm(cue).split(" ")));
  const score = (line: string) =>
    norm(line)
      .split(" ")
      .filter((word) => asked.has(word) || asked.has(norm(word))).length;
  return record.text.reduce((best, line) => (score(line) > score(best) ? line : best), record.text[0] ?? "");
}

function mentions(need: Need, items: readonly Evidence[]): boolean {
  const heads = need.subgoals.flatMap(({ target }) => (target.head === "object" ? [] : [norm(target.head)]));
  return items.some(({ record }) => {
    const words = new Set(
      record.text.flatMap((line) =>
        line
          .toLowerCase()
          .replace(/[^a-z0-9]+/g, " ")
          .split(" ")
          .map(norm),
      ),
    );
    return heads.length > 0 && heads.every((head) => head.split(" ").every((word) => words.has(norm(word))));
  });
}

function valueIn(need: Need, line: string): string | undefined {
  if (need.subgoals[0]?.property !== "colour") return undefined;
  const words = line
    .toLowerCase()
    .replace(/[^a-z ]+/g, " ")
    .split(" ");
  const head = words.findIndex((word) => norm(word) === norm(need.subgoals[0]!.target.head));
  const near = words
    .map((word, n) => ({ word, far: Math.abs(n - head) }))
    .filter(({ word }) => COLOURS.has(word));
  return near.sort((a, b) => a.far - b.far)[0]?.word;
}
