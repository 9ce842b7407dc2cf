import type { Belief } from "../belief/belief.ts";
import { cosineOf } from "../memory/vectors.ts";
import type { Expression } from "../schema/index.ts";
import { node } from "./algebra/notation.ts";
import { kindsIn } from "./memory-names.ts";
import { nodesCalled, replaced } from "./rival-values.ts";

/**
 * The required similarity of two names, and its lead over any other, as cosines of our own encoder. Of 41 household
 * words that the vocabulary does not relate to their meaning, 11 are that near to the right one of a hundred kinds and
 * 3 to another; of 33 names of things a house does not have, 3 are (oven, freezer, ironing board).
 */
const ALIKE = 0.55;
const APART = 0.12;
const ENCODER = /^loci-encoder/;

export interface Nearest {
  /** The question about that kind. */
  readonly expression: Expression;
  /** The name asked for, and the kind used instead. */
  readonly kind: string;
  readonly category: string;
}

/** A question about unseen things, asked about the kind in the memory that their name most likely means. */
export async function nearestKind(asked: Expression, memory: Belief): Promise<Nearest | undefined> {
  if (!ENCODER.test(memory.options.embedder?.info.id ?? "")) return undefined;
  for (const things of nodesCalled("things", asked)) {
    const { category: kind } = things.with;
    const own = typeof kind === "string" ? await memory.vectorOf(kind) : null;
    if (typeof kind !== "string" || !own) continue;
    const likes: { readonly category: string; readonly score: number }[] = [];
    for (const category of await kindsIn(memory)) {
      const vector = await memory.vectorOf(category);
      if (vector) likes.push({ category, score: cosineOf(own, vector) });
    }
    const [best, next] = likes.sort((a, b) => b.score - a.score);
    if (!best || best.category === kind) continue;
    if (best.score < ALIKE || best.score - (next?.score ?? 0) < APART) continue;
    const { category } = best;
    const meant = node("things", things.of, { ...things.with, category });
    return { expression: replaced(asked, things, meant), kind, category };
  }
  return undefined;
}
