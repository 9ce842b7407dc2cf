import type { Expression } from "../../schema/index.ts";
import { node } from "../algebra/notation.ts";
import { PARTS, PLACED } from "./lexicon.ts";
import type { Parse } from "./pattern.ts";
import { graded, type Noun, setOf } from "./phrases.ts";
import { lengthAt, placedAt, relationsAt, sideAt } from "./places.ts";
import type { Sentence } from "./sentence.ts";

export type Change = (noun: Noun) => Noun | undefined;

/** A noun with another set; what graded it before stays outside. */
export function to(noun: Noun, set: Expression): Noun {
  return { ...noun, set, generic: false };
}

/** "on the desk", "in the kitchen", "within 2 m of the door", "standing next to the bed". */
export function ofPlace(s: Sentence, at: number, isPredicate: boolean): Parse<Change>[] {
  let from = at;
  if (PLACED.has(s.words[from] ?? "") && !isPredicate) from++;
  while (
    /^(?:right|directly|immediately|just|over|up|down|out|somewhere|all)$/.test(s.words[from] ?? "") &&
    from - at < 3 &&
    relationsAt(s, from).length === 0
  )
    from++;
  const found: Parse<Change>[] = [];
  const within = /^(?:within|less|closer|under)$/.test(s.words[from] ?? "")
    ? lengthAt(s, from + (s.words[from + 1] === "than" ? 2 : 1))
    : undefined;
  if (within && /^(?:of|from|to|away)$/.test(s.words[within.end] ?? ""))
    for (const anchor of s.nouns(within.end + (s.words[within.end + 1] === "from" ? 2 : 1)))
      found.push({
        end: anchor.end,
        cost: anchor.cost,
        value: (noun) => change(noun, placedAt(noun.set, noun.kind, "near", anchor.value, within.m)),
      });
  for (const { relation, end } of relationsAt(s, from)) {
    const part = partAt(s, end);
    for (const anchor of s.nouns(part ?? end)) {
      // "On the floor" is a surface, "on the first floor" a storey.
      if (relation === "on" && anchor.value.kind === "floors" && anchor.value.set.with["name"] === undefined)
        continue;
      found.push({
        end: anchor.end,
        cost: anchor.cost + (relation === "with" ? 0.05 : 0),
        value: (noun) => {
          if (
            noun.grade &&
            noun.grade.grade.measure.op === "distance" &&
            noun.grade.from === undefined &&
            relation === "near"
          )
            return { ...noun, grade: { ...noun.grade, from: setOf(anchor.value) } };
          return change(noun, placedAt(noun.set, noun.kind, relation, anchor.value));
        },
      });
    }
  }
  if (
    s.words[from] === "on" &&
    s.words[from + 1] === "the" &&
    /^(?:floor|ground)$/.test(s.words[from + 2] ?? "")
  )
    found.push({
      end: from + 3,
      cost: 0,
      value: (noun) =>
        to(
          noun,
          node("filter", [
            noun.set,
            node("less", [node("elevation", [node("it")]), node("value", [], { n: 0.12, unit: "m" })]),
          ]),
        ),
    });
  if (s.words[from] === "of" || s.words[from] === "to" || s.words[from] === "from")
    for (const anchor of s.nouns(from + 1))
      found.push({
        end: anchor.end,
        cost: anchor.cost + 0.1,
        value: (noun) => ofNoun(noun, anchor.value, s.words[from]!),
      });
  const side = sideAt(s, from);
  if (side)
    found.push({
      end: side.end,
      cost: 0.02,
      value: (noun) =>
        noun.kind === "things"
          ? to(noun, node("relate", [noun.set, node("self")], { relation: side.relation }))
          : undefined,
    });
  return found;
}

export function change(noun: Noun, set: Expression | undefined): Noun | undefined {
  return set && to(noun, set);
}

/** "the door of the kitchen", "the nearest chair to the door", "the door to the garage". */
function ofNoun(noun: Noun, anchor: Noun, word: string): Noun | undefined {
  if (noun.grade?.grade.measure.op === "distance" && word !== "of")
    return { ...noun, grade: { ...noun.grade, from: setOf(anchor) } };
  if (anchor.kind === "rooms" || anchor.kind === "floors") {
    if (word === "of") return to(noun, node("in", [noun.set, setOf(anchor)]));
    // "The door to the kitchen" is at its edge, and may count to the next room.
    return noun.kind === "things"
      ? to(noun, node("relate", [noun.set, setOf(anchor)], { relation: "at" }))
      : undefined;
  }
  if (word !== "of" || noun.kind !== "things") return undefined;
  return to(noun, node("relate", [noun.set, setOf(anchor)], { relation: "with" }));
}

/** "the top of": the whole is meant, and the relation has said where. */
function partAt(s: Sentence, at: number): number | undefined {
  const from = s.words[at] === "the" ? at + 1 : at;
  return PARTS.has(s.words[from] ?? "") && s.words[from + 1] === "of" ? from + 2 : undefined;
}

/** "not in the kitchen", "that is not red". */
export function negatedPlace(s: Sentence, at: number): Parse<Change>[] {
  if (s.words[at] !== "not") return [];
  return ofPlace(s, at + 1, false).map((one) => ({ ...one, value: (noun) => minus(noun, one.value(noun)) }));
}

export function minus(noun: Noun, less: Noun | undefined): Noun | undefined {
  return less && to(noun, node("minus", [noun.set, graded(less)]));
}
