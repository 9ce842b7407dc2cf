import type { Expression } from "../../schema/index.ts";
import { node } from "../algebra/notation.ts";
import { FLOORS, PARTS, PLACED, RELATIONS, type Relation, SIDES } from "./lexicon.ts";
import { graded, meant, type Noun, setOf } from "./noun-phrase.ts";
import type { Parse } from "./pattern.ts";
import type { Sentence } from "./sentence.ts";
import { adjectiveAt } from "./vocabulary.ts";

const MOST_DEPTH = 4;
/** A modifier less is a simpler phrase: where both fit, the modifier belongs to what comes before the phrase. */
const A_MODIFIER = 0.03;

/** A noun phrase with everything that may follow the noun: "on the desk", "that is open", "without a lid", "upstairs". */
export function modified(s: Sentence, plain: Parse<Noun>, depth = 0): Parse<Noun>[] {
  const found: Parse<Noun>[] = [plain];
  if (depth >= MOST_DEPTH) return found;
  for (const { end, cost, value: change } of modifiers(s, plain.end)) {
    const value = change(plain.value);
    if (value) found.push(...modified(s, { end, cost: plain.cost + cost + A_MODIFIER, value }, depth + 1));
  }
  return found;
}

type Change = (noun: Noun) => Noun | undefined;

/** What may follow a noun from a word on, with what it does to the set. */
function modifiers(s: Sentence, at: number): readonly Parse<Change>[] {
  return s.memo("modifiers", at, () => [
    ...ofPlace(s, at, false),
    ...negatedPlace(s, at),
    ...besides(s, at),
    ...without(s, at),
    ...clauses(s, at),
    ...written(s, at),
    ...adverbs(s, at),
    ...made(s, at),
  ]);
}

/** A noun with another set; what graded it before stays outside. */
function to(noun: Noun, set: Expression): Noun {
  return { ...noun, set, generic: false };
}

/** A relation phrase from a word on, the longest first. */
export function relationsAt(s: Sentence, at: number): { relation: Relation; end: number }[] {
  const found: { relation: Relation; end: number }[] = [];
  for (let length = Math.min(6, s.words.length - at); length >= 1; length--) {
    const relation = RELATIONS.get(s.words.slice(at, at + length).join(" "));
    if (relation) found.push({ relation, end: at + length });
  }
  return found;
}

export function sideAt(s: Sentence, at: number): { relation: Relation; end: number } | undefined {
  for (let length = Math.min(7, s.words.length - at); length >= 1; length--) {
    const relation = SIDES.get(s.words.slice(at, at + length).join(" "));
    if (relation) return { relation, end: at + length };
  }
  return undefined;
}

/** Sets that stand in a relation to an anchor; rooms and storeys hold what is in them. */
export function placedAt(
  set: Expression,
  kind: Noun["kind"],
  relation: Relation,
  anchor: Noun,
  withinM?: number,
): Expression | undefined {
  // Who asks what is on the desk takes the desk for granted; in a description it is one hint of several.
  const isOpen = set.op === "things" && Object.keys(set.with).length === 0;
  const there = isOpen ? meant(anchor) : setOf(anchor);
  const isRegion = anchor.kind === "rooms" || anchor.kind === "floors";
  if (kind === "rooms") {
    if (anchor.kind === "floors" || (anchor.kind === "rooms" && anchor.set.op === "house"))
      return node("in", [set, there]);
    if (anchor.kind === "rooms")
      return relation === "beside" || relation === "near" || relation === "opposite"
        ? node("and", [set, node("neighbours", [there])])
        : undefined;
    if (relation === "with" || relation === "in")
      return node("filter", [set, node("exists", [node("in", [there, node("it")])])]);
    return undefined;
  }
  if (isRegion && (relation === "in" || relation === "on" || relation === "at" || relation === "with"))
    return node("in", [set, there]);
  if (relation === "between" && anchor.kind === "rooms" && anchor.items?.length === 2)
    return anchor.items.reduce<Expression>(
      (all, room) => node("relate", [all, setOf(room)], { relation: "at" }),
      set,
    );
  if (relation === "between" && anchor.items && anchor.items.length === 2)
    return node("relate", [set, ...anchor.items.map(isOpen ? meant : setOf)], { relation });
  return node("relate", [set, there], { relation, withinM });
}

/** "on the desk", "in the kitchen", "within 2 m of the door", "standing next to the bed". */
function ofPlace(s: Sentence, at: number, isPredicate: boolean): Parse<Change>[] {
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

function change(noun: Noun, set: Expression | undefined): Noun | undefined {
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

/** "two metres", "50 cm". */
export function lengthAt(s: Sentence, at: number): { m: number; end: number } | undefined {
  const n = s.numberAt(at);
  if (n === undefined) return undefined;
  const unit = s.words[n.end] ?? "";
  const m = /^(?:m|metres?|meters?)$/.test(unit)
    ? 1
    : /^(?:cm|centimetres?|centimeters?)$/.test(unit)
      ? 0.01
      : /^(?:foot|feet|ft)$/.test(unit)
        ? 0.3048
        : /^(?:inch|inches)$/.test(unit)
          ? 0.0254
          : undefined;
  return m === undefined ? undefined : { m: n.value * m, end: n.end + 1 };
}

/** "not in the kitchen", "that is not red". */
function negatedPlace(s: Sentence, at: number): Parse<Change>[] {
  if (s.words[at] !== "not") return [];
  return ofPlace(s, at + 1, false).map((one) => ({ ...one, value: (noun) => minus(noun, one.value(noun)) }));
}

function minus(noun: Noun, less: Noun | undefined): Noun | undefined {
  return less && to(noun, node("minus", [noun.set, graded(less)]));
}

export const BUT = [
  "other than",
  "besides",
  "except for",
  "except",
  "apart from",
  "excluding",
  "aside from",
  "but not",
  "not counting",
  "but",
  "without counting",
  "beside",
  "not including",
  "bar",
  "leaving out",
  "in addition to",
];

/** "besides the lamp": all but these. */
function besides(s: Sentence, at: number): Parse<Change>[] {
  const end = s.phraseAt(at, BUT);
  if (end === undefined) return [];
  const found: Parse<Change>[] = s.nouns(end).map((other) => ({
    end: other.end,
    cost: other.cost,
    value: (noun) =>
      other.value.kind === noun.kind && isMany(noun)
        ? to(noun, node("minus", [noun.set, setOf(other.value)]))
        : undefined,
  }));
  for (const place of ofPlace(s, end, false))
    found.push({ ...place, value: (noun) => minus(noun, place.value(noun)) });
  return found;
}

/** Something can only be left out of several. */
function isMany({ generic, plural, quantity }: Noun): boolean {
  return generic || plural || quantity !== undefined;
}

/** "without a window", "with no lamp", "that has no lid". */
function without(s: Sentence, at: number): Parse<Change>[] {
  const end = s.phraseAt(at, [
    "without",
    "with no",
    "that has no",
    "that have no",
    "which has no",
    "which have no",
    "having no",
    "lacking",
    "that lacks",
    "that does not have",
    "that do not have",
    "that lack",
    "has no",
    "with none of",
  ]);
  if (end === undefined) return [];
  return s.nouns(s.words[end] === "any" ? end + 1 : end).map((other) => ({
    end: other.end,
    cost: other.cost,
    value: (noun) => {
      if (noun.kind === "things")
        return to(
          noun,
          node("minus", [noun.set, node("relate", [noun.set, setOf(other.value)], { relation: "with" })]),
        );
      return to(
        noun,
        node("filter", [noun.set, node("none", [node("in", [setOf(other.value), node("it")])])]),
      );
    },
  }));
}

/** "that is on the desk", "which says EXIT", "that was moved", "you saw first". */
function clauses(s: Sentence, at: number): Parse<Change>[] {
  const found: Parse<Change>[] = [];
  let from = at;
  const isRelative = /^(?:that|which|who|whose)$/.test(s.words[at] ?? "");
  if (isRelative) from++;
  if (isRelative) {
    for (const predicate of s.predicates(from, true))
      found.push({
        end: predicate.end,
        cost: predicate.cost + 0.02,
        value: (noun) => change(noun, predicate.value.filter(noun.set, noun.kind)),
      });
    const has = s.phraseAt(from, ["has", "have", "had", "contains", "contain", "holds", "got", "has got"]);
    if (has !== undefined)
      for (const other of s.nouns(has))
        found.push({
          end: other.end,
          cost: other.cost,
          value: (noun) => change(noun, placedAt(noun.set, noun.kind, "with", other.value)),
        });
  }
  const where = s.phraseAt(at, [
    "where there is",
    "where there are",
    "in which there is",
    "in which there are",
    "where",
    "in which",
  ]);
  if (where !== undefined)
    for (const other of s.nouns(where)) {
      if (other.value.kind !== "things") continue;
      const tail =
        s.words[other.end] === "is" || s.words[other.end] === "are"
          ? s.predicates(other.end + 1).map(({ end, cost }) => ({ end, cost: other.cost + cost }))
          : [];
      for (const { end, cost } of [{ end: other.end, cost: other.cost }, ...tail])
        found.push({
          end,
          cost,
          value: (noun) =>
            noun.kind === "rooms"
              ? to(
                  noun,
                  node("filter", [
                    noun.set,
                    node(other.value.quantity === "none" ? "none" : "exists", [
                      node("in", [setOf(other.value), node("it")]),
                    ]),
                  ]),
                )
              : undefined,
        });
    }
  const seen = s.phraseAt(from, [
    "you were in",
    "you visited",
    "you have been in",
    "you went into",
    "you entered",
    "you went to",
    "you saw",
    "you have seen",
    "i saw",
    "we saw",
    "you noticed",
    "you see",
    "i see",
    "i can see",
    "you can see",
    "you found",
    "you know of",
    "you came across",
    "was seen",
    "were seen",
    "you passed",
    "you remember",
    "there are",
    "there is",
    "we have",
    "i have",
    "you have",
    "there were",
    "you observed",
    "you spotted",
    "you encountered",
  ]);
  if (seen !== undefined) found.push({ end: seen, cost: 0.02, value: (noun) => noun });
  return found;
}

const SAYS = [
  "that says",
  "which says",
  "saying",
  "reading",
  "that reads",
  "labelled",
  "labeled",
  "marked",
  "with the text",
  "with the words",
  "with the word",
  "with the label",
  "with the title",
  "that is labelled",
  "that is marked",
  "titled",
  "called",
  "named",
  "with the writing",
  "that is called",
  "entitled",
  "bearing",
  "bearing the words",
  "bearing the text",
  "with the inscription",
  "says",
  "reads",
  "whose label says",
  "which reads",
  "that has",
  "which has",
  "with",
  "written",
];

/** "marked FRAGILE", "that says “EXIT”". */
function written(s: Sentence, at: number): Parse<Change>[] {
  const found: Parse<Change>[] = [];
  for (const end of s.phrasesAt(at, SAYS)) {
    const loose = s.words[at] === "with" || s.words[at + 1] === "has";
    const text = s.textAt(
      end,
      !loose && !/^(?:called|named|that is called)$/.test(s.words.slice(at, end).join(" ")),
    );
    if (!text) continue;
    let after = text.end;
    const tail = s.phraseAt(after, [
      "written on it",
      "printed on it",
      "on it",
      "written on them",
      "on them",
      "written",
      "printed",
      "on its side",
      "on the front",
    ]);
    if (tail !== undefined) after = tail;
    found.push({
      end: after,
      cost: text.sure ? 0 : 0.3,
      value: (noun) =>
        noun.kind === "things" && noun.set.op === "things"
          ? to(noun, { ...noun.set, with: { ...noun.set.with, text: text.text } })
          : undefined,
    });
  }
  return found;
}

/** "upstairs", "nearby", "here", and adjectives that follow: "anything open". */
function adverbs(s: Sentence, at: number): Parse<Change>[] {
  const found: Parse<Change>[] = [];
  for (let length = 5; length >= 1; length--) {
    const floor = FLOORS.get(s.words.slice(at, at + length).join(" "));
    if (!floor || s.words[at + length - 1] === undefined) continue;
    // "Upper floor" by itself follows nothing; "upstairs" and "on the upper floor" do.
    if (length === 2 && s.words[at + 1] !== "stairs") continue;
    found.push({
      end: at + length,
      cost: 0,
      value: (noun) => to(noun, node("in", [noun.set, node("floors", [], { name: floor })])),
    });
    break;
  }
  if (
    s.words[at] === "here" ||
    (s.words[at] === "in" && s.words[at + 1] === "here") ||
    (s.words[at] === "in" && s.words[at + 1] === "there")
  )
    found.push({
      end: at + (s.words[at] === "in" ? 2 : 1),
      cost: 0.05,
      value: (noun) => to(noun, node("in", [noun.set, s.here(s.words[at + 1] === "there")])),
    });
  const adjective = adjectiveAt(s, at);
  if (adjective)
    found.push({
      end: at + adjective.length,
      cost: 0.15,
      value: (noun) =>
        noun.kind === "things" && (noun.generic || noun.quantity)
          ? to(
              noun,
              node("filter", [
                noun.set,
                node("is", [node("it")], { attribute: adjective.attribute, value: adjective.value }),
              ]),
            )
          : undefined,
    });
  return found;
}

/** "made of wood", "out of glass". */
function made(s: Sentence, at: number): Parse<Change>[] {
  const end = s.phraseAt(at, [
    "made of",
    "made out of",
    "made from",
    "built of",
    "with colour",
    "of colour",
    "in colour",
    "with the colour",
    "of the colour",
    "colour",
    "where colour",
    "where the colour is",
    "where colour is",
    "painted",
    "in",
    "that is",
  ]);
  if (end === undefined) return [];
  const material = adjectiveAt(s, end);
  if (material?.attribute !== "material" && material?.attribute !== "colour") return [];
  return [
    {
      end: end + material.length,
      cost: 0,
      value: (noun) =>
        noun.set.op === "things"
          ? to(noun, { ...noun.set, with: { ...noun.set.with, [material.attribute]: material.value } })
          : to(
              noun,
              node("filter", [
                noun.set,
                node("is", [node("it")], { attribute: material.attribute, value: material.value }),
              ]),
            ),
    },
  ];
}
