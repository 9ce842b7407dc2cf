import { isKindOf } from "../../ontology/index.ts";
import type { Expression } from "../../schema/index.ts";
import { meant } from "./phrases.ts";
import { type Antecedents, type ReadContext, Sentence } from "./sentence.ts";
import type { Written } from "./tokens.ts";

/** The things that a sentence speaks of, for what follows it. */
export function antecedentsOf({ tokens }: Written, context: ReadContext): Antecedents | undefined {
  const s = new Sentence(tokens, context);
  let thing: Expression | undefined;
  let place: Expression | undefined;
  let isSure = false;
  for (let at = 0; at < s.words.length; at++) {
    const noun = s
      .nouns(at)
      .filter(({ value, cost }) => value.kind !== "self" && !value.generic && !value.pronoun && cost < 0.5)
      .toSorted((a, b) => b.end - a.end || a.cost - b.cost)[0];
    if (!noun) continue;
    // Who says "the sofa" means one that is known; "a throw" may be new.
    if (noun.value.kind === "things") {
      const category = noun.value.set.with["category"];
      const isOwn = typeof category === "string" && isKindOf(category, "person");
      if (!isOwn && (!thing || (noun.value.definite && !isSure)))
        [thing, isSure] = [meant({ ...noun.value, definite: true }), noun.value.definite];
    } else place = meant(noun.value);
    at = noun.end - 1;
  }
  return thing || place ? { antecedent: thing ?? place, ...(place && { place }) } : undefined;
}

/** The first set of things in an expression: what "it" means afterwards. */
export function subjectOf(expression: Expression): Expression | undefined {
  const { op, of } = expression;
  if (op === "the" || op === "shown" || op === "most" || op === "least") return expression;
  if (SETS.has(op) && hasThings(expression)) return expression;
  for (const one of of) {
    const found = subjectOf(one);
    if (found) return found;
  }
  return undefined;
}

/** Whether a set is of things that were named, not of rooms or of anything. */
function hasThings({ op, of, with: options }: Expression): boolean {
  return op === "things" ? Object.keys(options).length > 0 : of[0] !== undefined && hasThings(of[0]);
}

const SETS = new Set(["things", "relate", "in", "filter", "minus", "and"]);
