import type { Expression } from "../../schema/index.ts";
import { GRADES } from "./lexicon.ts";
import type { Reading } from "./reading.ts";
import type { Proposed } from "./trained/index.ts";

/** What a reading gains that both have, and what one costs that only the trained reader has. */
const AGREED = 0.3;
const TRAINED_ALONE = 0.1;
/** What it costs the trained reader to be in doubt. */
const DOUBT = 0.6;
/** And to speak against a grammar that has read every word plainly; from this cost on its reading is a plain one no more. */
const AGAINST_PLAIN = 0.35;
const PLAIN = 0.15;
/** To refuse what the other would answer. */
const REFUSED = 0.25;

/** To leave "bigger" or "nearest" out: nobody says these for nothing. */
const UNGRADED = 0.4;

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
  words: readonly string[],
): Reading[] {
  const isGraded = words.some((word) => /more|most/.test(GRADES.get(word)?.degree ?? ""));
  const ungraded = ({ parts }: { readonly parts: readonly Expression[] }) =>
    isGraded && !parts.some(compares) ? UNGRADED : 0;
  const proposed = new Map(byTraining.map(({ parts, p }) => [formOf(parts), p]));
  const agreed = byGrammar.map((one) => {
    const p = proposed.get(formOf(one.parts)) ?? asNeed(one, byTraining);
    const cost = (p === undefined ? one.cost : one.cost - AGREED * p) + ungraded(one);
    return { ...one, cost, proposedP: p ?? 0 };
  });
  const plainness = Math.max(0, 1 - (byGrammar[0]?.cost ?? PLAIN) / PLAIN);
  const known = new Set(byGrammar.map(({ parts }) => formOf(parts)));
  const added = byTraining
    .filter(({ parts, p }) => p > NOISE && !known.has(formOf(parts)))
    .map(({ parts, p }) => ({
      parts,
      cost:
        TRAINED_ALONE +
        DOUBT * (1 - p) +
        AGAINST_PLAIN * plainness +
        (parts.some(({ op }) => op === "refuse") ? REFUSED : 0) +
        ungraded({ parts }),
      explained: 1,
      notes,
      proposedP: p,
      grammarCost: byGrammar[0]?.cost,
    }));
  return [...agreed, ...added].toSorted((a, b) => a.cost - b.cost);
}

/** Operators by which one thing is told from others by a measure, or asked how it compares. */
const COMPARING = new Set([
  "most",
  "least",
  "greater",
  "less",
  "nth",
  "refuse",
  "recall",
  "serves",
  "fits",
  "same",
  "largest",
  "smallest",
  "difference",
  "ratio",
]);

function compares({ op, of }: Expression): boolean {
  return COMPARING.has(op) || of.some(compares);
}

/** The trained reader was taught no `action`: to it what to do about a need is the need itself. */
function asNeed({ parts }: Reading, byTraining: readonly Proposed[]): number | undefined {
  if (parts.length !== 1 || parts[0]!.op !== "action") return undefined;
  return byTraining.find((one) => one.parts.length === 1 && one.parts[0]!.of[0]?.op === "serves")?.p;
}

/** Readings of one form are one reading. */
function formOf(parts: readonly Expression[]): string {
  return JSON.stringify(parts);
}
