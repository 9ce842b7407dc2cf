import { node } from "../algebra/notation.ts";
import { ATTRIBUTES, GRADES, type Grade } from "./lexicon.ts";
import { measureOf } from "./measures.ts";
import type { Parse } from "./pattern.ts";
import { by, IT, meant, type Noun, type Predicate } from "./phrases.ts";
import { lengthAt } from "./places.ts";
import { placed } from "./predicate-places.ts";
import type { Sentence } from "./sentence.ts";

/** "bigger than the sofa", "closer to the door than to the bed", "as tall as", "more than 2 m tall". */
export function compared(s: Sentence, at: number): Parse<Predicate>[] {
  const found: Parse<Predicate>[] = [];
  for (const { grade, end } of gradesAt(s, at, "more")) {
    const { measure, way } = grade;
    const op = way === "most" ? "greater" : "less";
    if (measure.op === "distance" && /^(?:to|from)$/.test(s.words[end] ?? "")) {
      for (const near of s.nouns(end + 1)) {
        if (s.words[near.end] !== "than") continue;
        const next = /^(?:to|from)$/.test(s.words[near.end + 1] ?? "") ? near.end + 2 : near.end + 1;
        for (const other of s.nouns(next)) {
          const direct = next === near.end + 2;
          found.push({
            end: other.end,
            cost: near.cost + other.cost,
            value: by((of) =>
              node(op, [
                node("distance", [of, meant(near.value)]),
                direct
                  ? node("distance", [of, meant(other.value)])
                  : node("distance", [meant(other.value), meant(near.value)]),
              ]),
            ),
          });
          if (!direct)
            found.push({
              end: other.end,
              cost: near.cost + other.cost + 0.05,
              value: by((of) =>
                node(op, [
                  node("distance", [of, meant(near.value)]),
                  node("distance", [of, meant(other.value)]),
                ]),
              ),
            });
        }
      }
      continue;
    }
    if (s.words[end] !== "than") continue;
    const length = lengthAt(s, end + 1);
    if (length)
      found.push({
        end: length.end,
        cost: 0,
        value: by((of, kind) =>
          node(op, [measureOf(measure, of, kind), node("value", [], { n: length.m, unit: "m" })]),
        ),
      });
    for (const other of s.nouns(end + 1))
      found.push({
        end: other.end,
        cost: other.cost,
        value: by((of, kind) =>
          node(op, [measureOf(measure, of, kind), measureOf(measure, meant(other.value), other.value.kind)]),
        ),
      });
  }
  return found;
}

/** Graded adjectives in a degree: "taller", "more spacious", "less tall". */
export function gradesAt(s: Sentence, at: number, degree: "more" | "most"): { grade: Grade; end: number }[] {
  const word = s.words[at] ?? "";
  const grade = GRADES.get(word);
  if (grade?.degree === degree) return [{ grade, end: at + 1 }];
  const plain = GRADES.get(s.words[at + 1] ?? "");
  if (plain?.degree !== "plain") return [];
  const up = degree === "more" ? "more" : "most";
  const down = degree === "more" ? "less" : "least";
  if (word === up) return [{ grade: plain, end: at + 2 }];
  if (word === down)
    return [{ grade: { ...plain, way: plain.way === "most" ? "least" : "most" }, end: at + 2 }];
  return [];
}

/** "the same colour as the bed", "in the same room as", "as tall as". */
export function alike(s: Sentence, at: number): Parse<Predicate>[] {
  const found: Parse<Predicate>[] = [];
  const same = s.phraseAt(at, [
    "the same",
    "of the same",
    "in the same",
    "on the same",
    "same",
    "in same",
    "made of the same",
  ]);
  if (same !== undefined) {
    const measure = sameMeasure(s, same);
    if (measure) {
      const with_ = s.phraseAt(measure.end, ["as", "like"]);
      if (with_ !== undefined)
        for (const other of s.nouns(
          s.words[with_] === "that" && s.words[with_ + 1] === "of" ? with_ + 2 : with_,
        ))
          found.push({
            end: other.end,
            cost: other.cost,
            value: by((of) => node("same", [of, meant(other.value)], { measure: measure.name })),
          });
      else
        found.push({
          end: measure.end,
          cost: 0.1,
          value: by((of) => node("same", [of], { measure: measure.name })),
        });
    }
  }
  if (
    s.words[at] === "as" &&
    GRADES.get(s.words[at + 1] ?? "")?.degree === "plain" &&
    s.words[at + 2] === "as"
  ) {
    const grade = GRADES.get(s.words[at + 1]!)!;
    for (const other of s.nouns(at + 3))
      found.push({
        end: other.end,
        cost: other.cost,
        value: by((of, kind) =>
          node("same", [of, meant(other.value)], {
            measure:
              grade.measure.op === "size"
                ? kind === "rooms"
                  ? "area"
                  : grade.measure.dimension!
                : grade.measure.op,
          }),
        ),
      });
  }
  return found;
}

export function sameMeasure(s: Sentence, at: number): { name: string; end: number } | undefined {
  const word = s.words[at] ?? "";
  const attribute = ATTRIBUTES.get(word);
  if (attribute) return { name: attribute, end: at + 1 };
  const piece = s.phraseAt(at, ["piece of furniture", "surface", "shelf", "table", "furniture"]);
  if (piece !== undefined) return { name: "support", end: piece };
  if (/^rooms?$/.test(word)) return { name: "room", end: at + 1 };
  if (/^(?:floor|storey|story|level)$/.test(word)) return { name: "floor", end: at + 1 };
  if (/^(?:size|height|width|length|area)$/.test(word)) return { name: word, end: at + 1 };
  if (/^(?:kind|type|sort)$/.test(word))
    return { name: "kind", end: s.phraseAt(at + 1, ["of thing", "of object", "of furniture"]) ?? at + 1 };
  if (/^(?:thing|object|one|place|spot)$/.test(word))
    return { name: word === "place" || word === "spot" ? "place" : "identity", end: at + 1 };
  return undefined;
}

/** "the biggest", "the largest room", "closest to the door". */
export function superlative(s: Sentence, at: number): Parse<Predicate>[] {
  const from = s.words[at] === "the" ? at + 1 : at;
  const found: Parse<Predicate>[] = [];
  for (const { grade, end } of gradesAt(s, from, "most")) {
    const to = s.phraseAt(end, ["to", "from", "away from"]);
    const froms = to === undefined ? [] : s.nouns(to);
    const push = (at: number, cost: number, anchor?: Noun) =>
      found.push({
        end: at,
        cost,
        value: {
          test: (of, kind) =>
            node(
              "same",
              [
                of,
                node(grade.way, [
                  kind === "rooms" ? node("rooms") : node("things"),
                  measureOf(grade.measure, IT, kind, anchor && meant(anchor)),
                ]),
              ],
              { measure: "identity" },
            ),
          filter: (set, kind) =>
            node(grade.way, [set, measureOf(grade.measure, IT, kind, anchor && meant(anchor))]),
        },
      });
    push(end, 0.05);
    for (const anchor of froms) push(anchor.end, anchor.cost, anchor.value);
    // "the smallest downstairs", "the biggest in the house": of those there.
    const of = s.phraseAt(end, ["of all", "of them all", "of the lot", "overall"]);
    if (of !== undefined) push(of, 0.05);
    for (const place of placed(s, end))
      found.push({
        end: place.end,
        cost: place.cost + 0.05,
        value: {
          test: (one, kind) =>
            node(
              "same",
              [
                one,
                node(grade.way, [
                  place.value.filter(kind === "rooms" ? node("rooms") : node("things"), kind) ??
                    node("things"),
                  measureOf(grade.measure, IT, kind),
                ]),
              ],
              { measure: "identity" },
            ),
          filter: (set, kind) => {
            const there = place.value.filter(set, kind);
            return there && node(grade.way, [there, measureOf(grade.measure, IT, kind)]);
          },
        },
      });
  }
  return found;
}

/** "2 m tall", "more than a metre wide", "over 20 square metres". */
export function sized(s: Sentence, at: number): Parse<Predicate>[] {
  const more = s.phraseAt(at, ["more than", "over", "at least", "longer than", "taller than", "above"]);
  const less = s.phraseAt(at, ["less than", "under", "at most", "below", "fewer than"]);
  const length = lengthAt(s, more ?? less ?? at);
  if (!length) return [];
  const grade = GRADES.get(s.words[length.end] ?? "");
  const to = s.phraseAt(length.end, ["away from", "from"]);
  if (to !== undefined && (more !== undefined || less !== undefined))
    return s.nouns(to).map((other) => ({
      end: other.end,
      cost: other.cost,
      value: by((of) =>
        node(more === undefined ? "less" : "greater", [
          node("distance", [of, meant(other.value)]),
          node("value", [], { n: length.m, unit: "m" }),
        ]),
      ),
    }));
  if (grade?.degree !== "plain") return [];
  return [
    {
      end: length.end + 1,
      cost: 0,
      value: by((of, kind) =>
        node(more === undefined ? (less === undefined ? "equal" : "less") : "greater", [
          measureOf(grade.measure, of, kind),
          node("value", [], { n: length.m, unit: "m" }),
        ]),
      ),
    },
  ];
}
