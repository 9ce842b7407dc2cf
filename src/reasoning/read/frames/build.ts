import type { Expression } from "../../../schema/index.ts";
import { node } from "../../algebra/notation.ts";
import type { Predicate } from "../phrases.ts";
import { meant, type Noun, setOf } from "../phrases.ts";

export const IT = node("it");
export const SELF = node("self");
export const ANYTHING: Noun = {
  kind: "things",
  set: node("things"),
  definite: false,
  plural: true,
  generic: true,
  pronoun: false,
};

/** Names of a set: what, who or which it is. */
export function nameOf(set: Expression, among?: readonly string[]): Expression {
  return node("name", [set], among && among.length > 1 ? { among: [...among] } : {});
}

/** Those of a noun phrase of which something is said; undefined where it cannot be said of such. */
export function those(noun: Noun, predicate?: Predicate | undefined): Expression | undefined {
  if (!predicate) return setOf(noun);
  if (noun.items && noun.items.length > 1) return predicate.filter(setOf(noun), noun.kind);
  if (!noun.grade) return predicate.filter(noun.set, noun.kind);
  // "The biggest chair in the kitchen" is the biggest of those in the kitchen.
  const set = predicate.filter(noun.set, noun.kind);
  return set && setOf({ ...noun, set });
}

/** Whether something is so of what a noun phrase means, by how it speaks of it: one, all, any, none. */
export function truthOf(noun: Noun, predicate: Predicate): Expression | undefined {
  const { kind } = noun;
  const { among } = predicate;
  if (among && among.options.length > 1 && !noun.quantity) return choiceOf(noun, predicate);
  if (noun.items && noun.items.length > 1) {
    const whole = predicate.test(setOf(noun), kind);
    if (whole.op === "same" && whole.of.length === 1) return node("same", noun.items.map(meant), whole.with);
    const each = noun.items.map((one) => truthOf(one, predicate));
    return each.some((one) => !one)
      ? undefined
      : node(noun.joined === "or" ? "or" : "and", each as Expression[]);
  }
  if (noun.kind === "self") return predicate.test(noun.set, kind);
  const same = predicate.test(noun.set, kind);
  if (same.op === "same" && same.of.length === 1) return node("same", [setOf(noun)], same.with);
  if (noun.quantity === "none") return wrap("none", predicate.filter(setOf(noun), kind));
  if (noun.quantity === "any" || noun.quantity === "some")
    return wrap("exists", predicate.filter(setOf(noun), kind));
  if (noun.quantity === "all" || noun.number !== undefined || (noun.plural && !noun.pronoun)) {
    const set = noun.number === undefined ? setOf(noun) : meant({ ...noun, definite: true });
    return node("all", [set, predicate.test(IT, kind)]);
  }
  if (noun.definite || noun.grade || noun.kind !== "things") return predicate.test(meant(noun), kind);
  return wrap("exists", predicate.filter(setOf(noun), kind));
}

function wrap(op: string, set: Expression | undefined): Expression | undefined {
  return set && node(op, [set]);
}

/** "Is it open or closed": which of them it is. */
function choiceOf(noun: Noun, { among, choose }: Predicate): Expression {
  const of = meant(noun);
  if (choose) return choose(of);
  const options = [...among!.options];
  if (among!.measure === "attribute") return node("attribute", [of], { name: among!.name!, among: options });
  if (among!.measure === "direction") return node("direction", [of], { among: options });
  return node("place", [of], { among: options });
}

/** The number of something there is: of things in rooms, or rooms that have it. */
export function countOf(noun: Noun, predicate?: Predicate | undefined): Expression | undefined {
  return wrap("count", those(noun, predicate));
}
