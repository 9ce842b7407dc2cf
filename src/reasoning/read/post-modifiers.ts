import { node } from "../algebra/notation.ts";
import { FLOORS } from "./lexicon.ts";
import { type Change, change, minus, negatedPlace, ofPlace, to } from "./modifying-places.ts";
import type { Parse } from "./pattern.ts";
import { type Noun, setOf } from "./phrases.ts";
import { placedAt } from "./places.ts";
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
