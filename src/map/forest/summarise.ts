import type { Summariser } from "../../models/summariser.ts";
import { LIMITS, throwIfAborted } from "../../schema/core.ts";
import { FOREST } from "../settings.ts";
import { wordsOf } from "./extractive.ts";
import type { Forest } from "./forest.ts";

/** The content of leaves: captions of a place, and the things there. */
export interface LeafContent {
  lines(leafId: string): readonly string[];
  things(leafId: string): Iterable<{ readonly category: string; readonly count: number }>;
}

export interface SummariseOptions {
  readonly summariser: Summariser;
  readonly content: LeafContent;
  /** Type and name of the groups; clusters have neither. */
  readonly group?: (id: string) => { type: "room" | "floor" | "site"; name?: string } | undefined;
  /** Also those that changed a little; default only stale ones (docs/formulas.md#forest). */
  readonly all?: boolean;
  readonly signal?: AbortSignal;
}

/** Relationships named in the new summaries, by node id; only records contain them. */
type Relationships = Map<string, readonly string[]>;

/**
 * Updates the summaries bottom up: a level waits for the one below it; within a level as many run concurrently as the
 * summariser allows. A stale node whose children are stale too is written after them.
 */
export async function summarise(forest: Forest, options: SummariseOptions): Promise<Relationships> {
  const { summariser, signal } = options;
  const contents = new Contents(forest, options.content);
  const stale = (node: number): boolean => {
    const [now, before] = [contents.weightOf(node), forest.weightOf(node)];
    const grown = Math.abs(now - before);
    return options.all === true
      ? grown > 0 || forest.changesUnder(node) > 0
      : grown > FOREST.staleShare * before || forest.isDirty(node);
  };
  const rounds = new Map<number, number[]>();
  const heightOf = (node: number): number => {
    if (forest.isLeaf(node)) return 0;
    let height = 1;
    for (const child of forest.childrenOf(node)) height = Math.max(height, heightOf(child) + 1);
    if (stale(node)) {
      const round = rounds.get(height);
      if (round === undefined) rounds.set(height, [node]);
      else round.push(node);
    }
    return height;
  };
  heightOf(forest.root);
  const related: Relationships = new Map();
  for (const height of [...rounds.keys()].sort((a, b) => a - b)) {
    const waiting = rounds.get(height)!;
    for (let at = 0; at < waiting.length; at += summariser.parallel) {
      throwIfAborted(signal);
      await Promise.all(
        waiting.slice(at, at + summariser.parallel).map(async (node) => {
          const { lines, relationships } = await describeNode(forest, node, contents, options);
          forest.describe(node, lines, contents.weightOf(node));
          related.set(forest.idOf(node), relationships);
        }),
      );
    }
  }
  return related;
}

async function describeNode(
  forest: Forest,
  node: number,
  contents: Contents,
  { summariser, content, group, signal }: SummariseOptions,
): Promise<{ lines: string[]; relationships: readonly string[] }> {
  const known = forest.isGroup(node) ? (group?.(forest.idOf(node)) ?? { type: "site" as const }) : undefined;
  const children = forest.childrenOf(node).sort((a, b) => (forest.idOf(a) < forest.idOf(b) ? -1 : 1));
  const parts = children.map((child) => {
    if (forest.isLeaf(child)) {
      return { lines: content.lines(forest.idOf(child)).slice(0, FOREST.maxLeafLines), leaves: 1 };
    }
    const [name, ...lines] = forest.linesOf(child);
    return { ...(name === undefined ? {} : { name }), lines, leaves: forest.leavesUnder(child) };
  });
  const { name, summary, relationships } = await summariser.summarise(
    {
      type: known?.type ?? "cluster",
      ...(known?.name === undefined ? {} : { name: known.name }),
      leaves: forest.leavesUnder(node),
      parts,
      things: contents.things(node),
      commonness: (category) => contents.commonness(category),
      words: contents.words(node),
    },
    signal ? { signal } : {},
  );
  const lines = [name.slice(0, LIMITS.nameChars) || "somewhere"];
  if (summary.length > 0) lines.push(summary.slice(0, LIMITS.lineChars));
  return { lines, relationships };
}

/** Counts of things, and of the words said, below each node, folded once. */
class Contents {
  readonly #forest: Forest;
  readonly #things = new Map<number, Counts>();
  readonly #words = new Map<number, Counts>();
  readonly #placesWith: Counts = new Map();

  constructor(forest: Forest, content: LeafContent) {
    this.#forest = forest;
    const fold = (node: number): void => {
      const things: Counts = new Map();
      const words: Counts = new Map();
      this.#things.set(node, things);
      this.#words.set(node, words);
      if (forest.isLeaf(node)) {
        const id = forest.idOf(node);
        for (const { category, count } of content.things(id)) add(things, category, count);
        for (const category of things.keys()) add(this.#placesWith, category, 1);
        for (const line of content.lines(id).slice(0, FOREST.maxLeafLines))
          for (const word of wordsOf(line)) words.set(word, 1);
        return;
      }
      for (const child of forest.childrenOf(node)) {
        fold(child);
        for (const [category, count] of this.#things.get(child)!) add(things, category, count);
        for (const [word, count] of this.#words.get(child)!) add(words, word, count);
      }
    };
    fold(forest.root);
  }

  things(node: number): { category: string; count: number }[] {
    return Array.from(this.#things.get(node)!, ([category, count]) => ({ category, count })).sort(
      (a, b) => b.count - a.count || (a.category < b.category ? -1 : 1),
    );
  }

  /** Share of the leaves below with a word, times the logarithm of its ratio to the overall share. */
  words(node: number): { word: string; weight: number }[] {
    const below = Math.max(1, this.#forest.leavesUnder(node));
    const all = Math.max(1, this.#forest.leafCount);
    const overall = this.#words.get(this.#forest.root)!;
    return Array.from(this.#words.get(node)!, ([word, count]) => {
      const share = count / below;
      // The added one keeps the commonest words at the root, where no word exceeds its overall share.
      return { word, weight: share * Math.log(1 + share / ((overall.get(word) ?? count) / all)) };
    })
      .sort((a, b) => b.weight - a.weight || (a.word < b.word ? -1 : 1))
      .slice(0, FOREST.maxWords);
  }

  weightOf(node: number): number {
    let sum = 0;
    for (const count of this.#things.get(node)!.values()) sum += count;
    return sum;
  }

  /** Share of the places that have the category. */
  commonness(category: string): number {
    return (this.#placesWith.get(category) ?? 0) / Math.max(1, this.#forest.leafCount);
  }
}

type Counts = Map<string, number>;

function add(counts: Counts, key: string, count: number): void {
  counts.set(key, (counts.get(key) ?? 0) + count);
}
