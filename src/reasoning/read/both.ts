import type { Expression } from "../../schema/index.ts";
import { neglected } from "./neglected.ts";
import type { Reading } from "./reading.ts";
import type { Written } from "./tokens.ts";
import type { Proposed } from "./trained/index.ts";

/** What a reading gains that both have, and what one costs that only the trained reader has. */
const AGREED = 0.3;
const TRAINED_ALONE = 0.1;
const HALF = 0.5;
/** A greeting is no sentence. */
const SHORT = 3;
/** What it costs the trained reader to be in doubt. */
const DOUBT = 0.6;
/** And to speak against a grammar that has read every word plainly; from this cost on its reading is a plain one no more. */
const AGAINST_PLAIN = 0.35;
const PLAIN = 0.15;
/** What a reading of the grammar costs that is no plain one, where the trained reader is sure of another. */
const UNPROPOSED = 0.25;
/** To refuse what the other would answer. */
const REFUSED = 0.25;

/** What speaks against a plain reading and is no likelier than this is never taken: nobody need find it. */
const LEAST_AGAINST_PLAIN = 0.15;

/** What it finds no likelier than this is noise: of words that mean nothing it says anything. */
const NOISE = 0.04;

/** How likely the trained reader must find a reading for it to count beside the grammar's. */
export function leastWorth([best]: readonly Reading[]): number | undefined {
  return best && best.cost < PLAIN ? LEAST_AGAINST_PLAIN : undefined;
}

/** Readings by the grammar and by the trained reader in one order: what both say is likelier than what one says. */
export function both(
  byGrammar: readonly Reading[],
  byTraining: readonly Proposed[],
  notes: readonly string[],
  sentences: readonly Written[],
): Reading[] {
  const words = sentences.flatMap(({ tokens }) => tokens.map(({ word }) => word));
  const proposed = new Map(byTraining.map((one) => [formOf(one.parts), one]));
  // What is told before a question is read by no frame, and two questions in one are cut by guess: neither is plain.
  const isOne =
    sentences.filter(({ tokens }) => tokens.length > SHORT).length <= 1 && byGrammar[0]?.parts.length === 1;
  const plainness = isOne ? Math.max(0, 1 - (byGrammar[0]?.cost ?? PLAIN) / PLAIN) : 0;
  const alone = (p: number) => TRAINED_ALONE + DOUBT * (1 - p) + AGAINST_PLAIN * plainness;
  const likeliest = Math.max(0, ...byTraining.map(({ p }) => p));
  const agreed = byGrammar.map((one) => {
    const same = proposed.get(formOf(one.parts));
    const p = same?.p ?? asNeed(one, byTraining);
    // What both say is never dearer than if the grammar had not thought of it.
    const cost = p === undefined ? one.cost : Math.min(one.cost - AGREED * p, alone(p));
    const unproposed = p === undefined ? UNPROPOSED * likeliest * (1 - plainness) : 0;
    // The trained reader hears better what is one and what is any.
    const parts = same && same.p > HALF ? same.parts : one.parts;
    return { ...one, parts, cost: cost + unproposed + neglected(words, parts), proposedP: p ?? 0 };
  });
  const known = new Set(byGrammar.map(({ parts }) => formOf(parts)));
  const added = byTraining
    .filter(({ parts, p }) => p > NOISE && !known.has(formOf(parts)))
    .map(({ parts, p }) => ({
      parts,
      cost: alone(p) + (parts.some(({ op }) => op === "refuse") ? REFUSED : 0) + neglected(words, parts),
      explained: 1,
      notes,
      proposedP: p,
      grammarCost: byGrammar[0]?.cost,
    }));
  return [...agreed, ...added].toSorted((a, b) => a.cost - b.cost);
}

/** The trained reader was taught no `action`: to it what to do about a need is the need itself. */
function asNeed({ parts }: Reading, byTraining: readonly Proposed[]): number | undefined {
  if (parts.length !== 1 || parts[0]!.op !== "action") return undefined;
  return byTraining.find((one) => one.parts.length === 1 && one.parts[0]!.of[0]?.op === "serves")?.p;
}

/** Readings of one form are one reading. */
function formOf(parts: readonly Expression[]): string {
  return JSON.stringify(parts.map(plainly));
}

/** "Anything" has no category, and what stands by "the sofa" stands by a sofa. */
function plainly({ op, of, with: { category, ...rest } }: Expression): Expression {
  const inner = of.map((one, n) =>
    plainly(n > 0 && one.op === "the" && one.of[0]?.op === "things" ? one.of[0] : one),
  );
  const isAnything =
    op === "things" && typeof category === "string" && /^(?:thing|object|item)$/.test(category);
  return { op, of: inner, with: category === undefined || isAnything ? rest : { category, ...rest } };
}
