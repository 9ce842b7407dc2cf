import type { RecordKind } from "../../schema/core.ts";
import { type Plan, PlanBuilder } from "../plan/plan.ts";
import type { Asked } from "../question/question.ts";
import { ADAPTIVE } from "../ranking/ambiguity.ts";
import { ALL_KEYS, descent, distilled, hybrid, type Keys, scoped } from "./scope.ts";

/** `ours` are the decisions of docs/formulas.md#paper-and-ours, `paper` the rules of the paper or its released code. */
export type Mode = "ours" | "paper";

/** Options of a preset besides the question; each has the default of docs/formulas.md#paper-and-ours. */
export interface PresetOptions {
  readonly mode?: Mode;
  /** How many items; each paper has its own default. */
  readonly k?: number;
  /** R⁴: which keys may be used. */
  readonly keys?: Partial<Keys>;
  /** MemoryEQA: which module asks, in words of its own; the planner also wants what is near. */
  readonly role?: "planner" | "stop" | "answer";
  /** MemoryEQA: false for always `k`, default 5, instead of as many as the query is ambiguous. */
  readonly adaptive?: boolean;
  /** MemoryEQA: false for the whole library, as far as `tokens` go, in order of time. */
  readonly retrieve?: boolean;
  /** MemoryEQA: entries of the library that a newer one of the same place has replaced. */
  readonly superseded?: readonly string[];
  /** MemoryEQA: views have features to be compared with words. */
  readonly hasLooks?: boolean;
  /** Embodied-RAG: a place to go to, or a text to answer from. */
  readonly output?: "navigate" | "explain";
  /** The asker's pose is known. */
  readonly hasPose?: boolean;
  /** A forest is there to descend. */
  readonly hasForest?: boolean;
  readonly tokens?: number;
  /** For the baselines that read all: the kinds to read; default captions. */
  readonly kinds?: readonly RecordKind[];
}

export type Preset = (asked: Asked, options: PresetOptions) => Plan;

const THINGS: RecordKind[] = ["state"];
const CAPTIONS: RecordKind[] = ["caption"];
const SCENES: RecordKind[] = ["view", "caption"];
const titled = (name: string, mode: Mode | undefined) =>
  new PlanBuilder(mode === "paper" ? `${name}/paper` : name);

/**
 * R⁴: what, where and when, alone or together, always the whole record. Ours: one search under all keys, widened
 * until enough is found, one state a thing; text-only memories answer with their captions. Paper: whichever key
 * hits counts, without an order among them.
 */
export const r4: Preset = (asked, { mode, k = 6, keys: given }) => {
  const b = titled("r4", mode);
  const keys = { ...ALL_KEYS, ...given };
  const source = (kinds: RecordKind[], minZ?: number) =>
    keys.meaning
      ? hybrid(b, kinds, asked, {
          keys,
          pool: Math.max(48, 4 * k),
          ...(minZ === undefined ? {} : { minZ }),
        })
      : scoped(b, b.add({ op: "all", kinds, order: "latest" }), asked, keys);
  if (mode === "paper") {
    const { question } = asked;
    const lists: string[] = [];
    if (keys.meaning) lists.push(b.add({ op: "sem", kinds: THINGS, text: question.text, k }));
    const everything = () => b.add({ op: "all", kinds: THINGS, k, order: "latest" });
    if (keys.space && (question.near || question.regionId))
      lists.push(scoped(b, everything(), asked, { meaning: false, space: true, time: false }));
    if (keys.time && question.during)
      lists.push(scoped(b, everything(), asked, { meaning: false, space: false, time: true }));
    if (lists.length === 0) lists.push(b.add({ op: "none" }));
    return b.build(b.add({ op: "topK", from: b.add({ op: "rrf", of: lists }), k }));
  }
  const things = b.add({ op: "broaden", from: source(THINGS, 2), atLeast: k, rounds: 3 });
  const fewer = b.add({ op: "topK", from: things, k: 4 * k });
  const deduped = b.add({ op: "dedupeByTrack", from: fewer });
  const captions = source(CAPTIONS);
  const found = b.add({ op: "fallback", of: [deduped, captions], atLeast: 1 });
  return b.build(b.add({ op: "topK", from: found, k }));
};

/**
 * STaR: captions by cue, the things they name, the information bottleneck over those, and the fewest captions that
 * cover every cluster. Paper: min–max over the pool, Clio's distribution at a raw threshold, one caption a cluster.
 */
export const star: Preset = (asked, { mode, k = 6 }) => {
  const b = titled("star", mode);
  const { cues, question } = asked;
  if (mode === "paper") {
    const pool = scoped(b, b.add({ op: "sem", kinds: CAPTIONS, text: question.text, k: 100 }), asked);
    const kept = b.add({ op: "threshold", from: pool, minMax: 0.35, atLeast: 12, otherwise: 10 });
    const things = b.add({ op: "join", from: kept, along: "caption-state" });
    const clusters = b.add({
      op: "ib",
      from: things,
      cues: question.cues?.phrases?.length ? [...question.cues.phrases] : [cues.query],
      nullMode: "clio",
      alpha: 0.2,
      delta: 0.1,
      topK: 1,
      cumulative: false,
      neighbours: "paper",
      most: 10_000,
    });
    return b.build(
      b.add({ op: "cover", from: kept, clusters, k, temporal: false, representatives: true, fillZ: -100 }),
    );
  }
  return b.build(distilled(b, hybrid(b, CAPTIONS, asked), asked, k));
};

/**
 * Embodied-RAG: k leaves of the forest with the regions above them; for questions about the whole, the regions
 * first. Paper: k walks from the top instead of one best-first search. Without a forest, a flat search.
 */
export const embodiedRag: Preset = (
  asked,
  { mode, k = 6, output = "explain", hasPose, hasForest = true },
) => {
  const b = titled("embodied-rag", mode);
  const { cues, question } = asked;
  if (!hasForest) return b.build(b.add({ op: "topK", from: hybrid(b, CAPTIONS, asked), k }));
  const leaves =
    mode === "paper"
      ? b.add({ op: "descend", text: question.text, k, mode: "paper", leafShare: 0 })
      : descent(b, asked, k, hasPose);
  const captions = b.add({ op: "join", from: leaves, along: "place-caption", k: 4 * k });
  if (output === "navigate") return b.build(leaves);
  const chains = b.add({ op: "chains", from: leaves });
  const parts = [chains, captions];
  if (cues.level === "global") parts.unshift(b.add({ op: "summary", text: cues.query, minLevel: 2, k }));
  return b.build(b.add({ op: "or", of: parts }));
};

/**
 * MemoryEQA: what one module of the agent needs to know, within a radius and of a number that follow from how
 * ambiguous the query is. A picture counts beside the words, compared on its own (docs/formulas.md#modalities). Paper: the entropy of the
 * embedding itself, k by its nats, near-duplicates and all, and no background threshold.
 */
export const memoryEqa: Preset = (asked, options) => {
  const { mode, k = MOST_MEMORIES, tokens, adaptive = true } = options;
  const b = titled("memory-eqa", mode);
  const { text } = asked.question;
  const library = (source: string) => without(b, scoped(b, source, asked), options.superseded);
  if (options.retrieve === false) {
    const all = library(b.add({ op: "all", kinds: SCENES, order: "latest" }));
    return b.build(b.add({ op: "budget", from: all, tokens: tokens ?? LIBRARY_TOKENS }));
  }
  const pool = pooled(b, asked, text, library, options);
  const entropy = mode === "paper" ? ("softmaxEmbedding" as const) : ("ambiguity" as const);
  const by = mode === "paper" ? ("nats" as const) : ("equals" as const);
  // Ours: looks at one corner count once, and items below the background are better than none.
  const [apart, reach] =
    mode === "paper"
      ? [pool, { minZ: -100 }]
      : [b.add({ op: "distinct", from: pool }), { atLeast: ADAPTIVE.kMin }];
  const inside = b.add({ op: "radius", from: apart, entropy, text, ...reach });
  const kept = adaptive
    ? b.add({ op: "adaptiveK", from: inside, entropy, text, kMax: k, by })
    : b.add({ op: "topK", from: inside, k: options.k ?? FIXED_K });
  const deduped = b.add({ op: "dedupeByTrack", from: kept });
  return b.build(tokens === undefined ? deduped : b.add({ op: "budget", from: deduped, tokens }));
};

/** "Max retrieval" of MemoryEQA's table 6, and its number without adaptive k (table 3). */
const MOST_MEMORIES = 10;
const FIXED_K = 5;
/** The token limit of a library that is returned whole. */
const LIBRARY_TOKENS = 6_000;

/** The entries of the library by words and, where there are any, by picture: each compared on its own, then added up. */
function pooled(
  b: PlanBuilder,
  asked: Asked,
  text: string,
  library: (source: string) => string,
  { role, hasPose, hasLooks }: PresetOptions,
): string {
  const sem = library(b.add({ op: "sem", kinds: SCENES, text, k: 64 }));
  const lists = [sem];
  if (asked.question.image) lists.push(library(b.add({ op: "image", kinds: SCENES, k: 64 })));
  else if (hasLooks) lists.push(library(b.add({ op: "looks", text, k: 64 })));
  if (role === "planner" && hasPose) lists.push(b.add({ op: "near", from: sem, at: "here", radiusM: 10 }));
  if (lists.length === 1) return sem;
  return b.add({ op: "weighted", of: lists, weights: lists.map(() => 1), normalise: "none" });
}

function without(b: PlanBuilder, from: string, ids: readonly string[] | undefined): string {
  if (ids === undefined || ids.length === 0) return from;
  return b.add({ op: "minus", from, without: b.add({ op: "given", ids: ids.slice(0, 1_000) }) });
}

/** R-EQA: the k captions most like the question, in order of time. */
export const rEqa: Preset = (asked, { mode, k = 3 }) => {
  const b = titled("r-eqa", mode);
  const sem = scoped(b, b.add({ op: "sem", kinds: CAPTIONS, text: asked.question.text, k }), asked);
  return b.build(b.add({ op: "chronological", from: sem }));
};
