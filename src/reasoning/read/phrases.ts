import type { Expression } from "../../schema/index.ts";
import { node } from "../algebra/notation.ts";
import type { Grade } from "./lexicon.ts";
import { measureOf } from "./measures.ts";
import type { Parse } from "./pattern.ts";

/** What a noun phrase means: a set, and how the speaker speaks of it. */
export interface Noun {
  readonly kind: "things" | "rooms" | "floors" | "self";
  readonly set: Expression;
  /** "the mug": one that both know of. */
  readonly definite: boolean;
  readonly plural: boolean;
  /** "the two chairs", "both". */
  readonly number?: number | undefined;
  readonly quantity?: "all" | "any" | "none" | "some" | undefined;
  /** "anything", "what thing": nothing is said of what it is. */
  readonly generic: boolean;
  readonly pronoun: boolean;
  /** Coordinated ones, each by itself. */
  readonly items?: readonly Noun[] | undefined;
  readonly joined?: "and" | "or" | undefined;
  /** Which graded adjective chooses among them; applied when the phrase is complete. */
  readonly grade?:
    | { readonly grade: Grade; readonly nth: number; readonly from?: Expression | undefined }
    | undefined;
}

/** The set that a noun phrase means; one thing where one is meant. */
export function meant(noun: Noun): Expression {
  if (noun.items && noun.items.length > 1) return node("or", noun.items.map(meant));
  if (noun.kind === "self" || noun.pronoun) return noun.set;
  const set = graded(noun);
  if (noun.grade) return set;
  if (noun.kind === "things" && noun.number !== undefined && noun.definite)
    return node("the", [set], { number: noun.number });
  if (noun.kind === "things" && noun.definite && !noun.plural && noun.quantity === undefined)
    return node("the", [set]);
  return set;
}

/** The set without the claim that there is one. */
export function setOf(noun: Noun): Expression {
  if (noun.items && noun.items.length > 1) return node("or", noun.items.map(setOf));
  return graded(noun);
}

export function graded({ set, grade, kind }: Noun): Expression {
  if (!grade) return set;
  const measure = measureOf(grade.grade.measure, node("it"), kind, grade.from);
  const { way } = grade.grade;
  if (grade.nth === 1) return node(way, [set, measure]);
  const n = way === "most" ? -grade.nth : grade.nth;
  return node("nth", [set, measure], { n });
}

const MOST = 14;

export function best<T>(all: readonly Parse<T>[]): Parse<T>[] {
  return all
    .map((one) => (one.cost < 0 ? { ...one, cost: 0 } : one))
    .sort((a, b) => a.cost - b.cost || b.end - a.end)
    .slice(0, MOST);
}

export function noun(kind: Noun["kind"], set: Expression, more: Partial<Noun> = {}): Noun {
  return { kind, set, definite: false, plural: false, generic: false, pronoun: false, ...more };
}

export type Kind = Noun["kind"];

/** What can be said of something: a truth of one, or a choice from a set. */
export interface Predicate {
  test(of: Expression, kind: Kind): Expression;
  filter(set: Expression, kind: Kind): Expression | undefined;
  /** "open or closed", "in the kitchen or in the hall": what the answer is one of, and of what. */
  /** "next to the red one or the blue one": which of them it is. */
  choose?(of: Expression): Expression;
  readonly among?:
    | {
        readonly measure: "attribute" | "place" | "direction";
        readonly name?: string;
        readonly options: readonly string[];
      }
    | undefined;
  /** It happened to something: it was moved, it disappeared. */
  readonly happened?:
    | { readonly kinds: readonly string[]; readonly attribute?: string; readonly to?: string }
    | undefined;
}

export const IT = node("it");

/** A predicate by its truth alone. */
export function by(test: Predicate["test"], more: Partial<Predicate> = {}): Predicate {
  return { test, filter: (set, kind) => node("filter", [set, test(IT, kind)]), ...more };
}
