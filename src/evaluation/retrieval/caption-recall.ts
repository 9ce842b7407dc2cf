import type { Interval } from "../../geometry/index.ts";
import type { MemoryReader, SearchRequest } from "../../memory/index.ts";
import type { TextEmbedder } from "../../models/embedder.ts";
import { retrieve, type Strategy } from "../../retrieval/index.ts";
import { LIMITS } from "../../schema/core.ts";
import { bootstrap, type Estimate, meanOf } from "../statistics.ts";

/** A question about captions, and those that hold its answer. */
export interface CaptionQuestion {
  readonly text: string;
  readonly gold: readonly string[];
  /** The time that the question is about. */
  readonly window?: Interval;
  readonly askedAtUs: number;
}

/** One recorded drive with its captions in a memory. */
export interface CaptionDrive {
  readonly id: string;
  readonly reader: MemoryReader;
  readonly embedder: TextEmbedder;
  readonly questions: readonly CaptionQuestion[];
}

/** A single key of the memory, the memory's fusion of both, or a retrieval plan. */
export const KEYS = ["words", "meaning", "fused"] as const;
export type Ranker = (typeof KEYS)[number] | Strategy;

/**
 * The captions to search: all captions of the drive, those up to the moment of asking (a memory does not know the
 * future), or those of the time that the question is about.
 */
export const SCOPES = ["drive", "asked", "window"] as const;
export type Scope = (typeof SCOPES)[number];

export interface CaptionRecallRow {
  readonly ranker: Ranker;
  readonly scope: Scope;
  readonly recall1: Estimate;
  readonly recall6: Estimate;
  /** Recall@6 drive by drive. */
  readonly byDrive: Readonly<Record<string, number>>;
}

const DEPTH = 6;

/** How often one of the first six captions found holds the answer. */
export async function captionRecall(
  drives: readonly CaptionDrive[],
  rankers: readonly Ranker[],
  scope: Scope,
): Promise<CaptionRecallRow[]> {
  const rows: CaptionRecallRow[] = [];
  for (const ranker of rankers) {
    const places: number[] = [];
    const byDrive: Record<string, number> = {};
    for (const drive of drives) {
      const own: number[] = [];
      for (const question of drive.questions) {
        if (scope === "window" && question.window === undefined) continue;
        const found = await rank(drive, question, ranker, scope);
        const gold = new Set(question.gold);
        const place = found.findIndex((id) => gold.has(id));
        own.push(place < 0 ? Number.POSITIVE_INFINITY : place + 1);
      }
      if (own.length > 0) byDrive[drive.id] = meanOf(own.map((place) => Number(place <= DEPTH)));
      places.push(...own);
    }
    if (places.length === 0) continue;
    const recall = (k: number) =>
      bootstrap(places, (some) => meanOf(some.map((place) => Number(place <= k))));
    rows.push({ ranker, scope, recall1: recall(1), recall6: recall(DEPTH), byDrive });
  }
  return rows;
}

/** A ranker's captions, best first. */
async function rank(
  { reader, embedder }: CaptionDrive,
  { text, window, askedAtUs }: CaptionQuestion,
  ranker: Ranker,
  scope: Scope,
): Promise<string[]> {
  const during =
    scope === "window" ? window : scope === "asked" ? { fromUs: 0, toUs: askedAtUs + 1 } : undefined;
  if (!isKey(ranker)) {
    const question = { text, ...(scope === "window" && during && { during }) };
    const { items } = await retrieve(question, {
      reader,
      embedder,
      strategy: ranker,
      nowUs: scope === "drive" ? LIMITS.timeUs - 1 : askedAtUs,
      k: DEPTH,
    });
    return items.filter(({ kind }) => kind === "caption").map(({ id }) => id);
  }
  const [vector] = ranker === "words" ? [] : await embedder.embed([text]);
  const meaning = {
    ...(ranker !== "meaning" && { words: text }),
    ...(vector && { vector }),
  };
  if (meaning.words === undefined && meaning.vector === undefined) return [];
  const request: SearchRequest = {
    kinds: ["caption"],
    meaning,
    ...(during && { time: { overlaps: during } }),
    rank: ranker === "fused" ? "fused" : ranker,
    limit: DEPTH,
  };
  return (await reader.search(request)).hits.map(({ record }) => record.id);
}

function isKey(ranker: Ranker): ranker is (typeof KEYS)[number] {
  return (KEYS as readonly string[]).includes(ranker);
}

/** The rows as a table. */
export function formatCaptionRecall(rows: readonly CaptionRecallRow[]): string {
  const drives = Object.keys(rows[0]?.byDrive ?? {});
  const head = `scope   ranker          R@1    R@6 [95 %]              n    ${drives.map((id) => id.padEnd(8)).join("")}`;
  const lines = rows.map(({ ranker, scope, recall1, recall6, byDrive }) => {
    const interval = `${recall6.value.toFixed(3)} [${recall6.low.toFixed(3)}, ${recall6.high.toFixed(3)}]`;
    const each = drives.map((id) => (byDrive[id]?.toFixed(2) ?? "–").padEnd(8)).join("");
    return `${scope.padEnd(8)}${ranker.padEnd(16)}${recall1.value.toFixed(3)}  ${interval.padEnd(22)}  ${String(recall6.n).padEnd(5)}${each}`;
  });
  return [head.trimEnd(), ...lines.map((line) => line.trimEnd())].join("\n");
}
