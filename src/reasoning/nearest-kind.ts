import { headOf } from "../ontology/index.ts";
import type { Expression } from "../schema/index.ts";
import { node } from "./algebra/notation.ts";
import { kindsIn } from "./memory-names.ts";
import type { MemoryView } from "./memory-view/memory-view.ts";
import { nodesCalled, replaced } from "./rival-values.ts";

/** So alike in meaning must two names be, and so much more than any other. */
const ALIKE = 0.55;
const APART = 0.12;

export interface Nearest {
  readonly expression: Expression;
  /** What was asked for, and what is taken for it. */
  readonly kind: string;
  readonly category: string;
}

/** A question about a kind of thing that the vocabulary has no name for, about the kind in the memory that its name means most likely. */
export async function nearestKind(asked: Expression, memory: MemoryView): Promise<Nearest | undefined> {
  for (const things of nodesCalled("things", asked)) {
    const { category: kind } = things.with;
    if (typeof kind !== "string" || (process.env["NK"] !== "all" && headOf(kind) !== undefined)) continue;
    const own = await memory.vectorOf(kind);
    if (!own) continue;
    const likes: { readonly category: string; readonly score: number }[] = [];
    for (const category of await kindsIn(memory)) {
      const vector = await memory.vectorOf(category);
      if (vector) likes.push({ category, score: dot(own, vector) });
    }
    const [best, next] = likes.sort((a, b) => b.score - a.score);
    if (!best || best.score < ALIKE || best.score - (next?.score ?? 0) < APART) continue;
    const { category } = best;
    const meant = node("things", things.of, { ...things.with, category });
    return { expression: replaced(asked, things, meant), kind, category };
  }
  return undefined;
}

function dot(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, n) => sum + value * (b[n] ?? 0), 0);
}
