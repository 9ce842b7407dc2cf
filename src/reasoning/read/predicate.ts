import type { Expression } from "../../schema/index.ts";
import { node } from "../algebra/notation.ts";
import { ATTRIBUTES, FLOORS, GRADES, type Grade, HAPPENINGS, PLACED } from "./lexicon.ts";
import { measureOf } from "./measures.ts";
import { best, meant, type Noun, setOf } from "./noun-phrase.ts";
import type { Parse } from "./pattern.ts";
import { lengthAt, placedAt, relationsAt, sideAt } from "./post-modifiers.ts";
import type { Sentence } from "./sentence.ts";
import { adjectiveAt } from "./vocabulary.ts";

type Kind = Noun["kind"];

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

const IT = node("it");

/** A predicate by its truth alone. */
function by(test: Predicate["test"], more: Partial<Predicate> = {}): Predicate {
  return { test, filter: (set, kind) => node("filter", [set, test(IT, kind)]), ...more };
}

/** All ways to read what is said of a subject from a word on; `withVerb`: as in "that is open", with its verb. */
export function predicates(s: Sentence, at: number, withVerb: boolean): Parse<Predicate>[] {
  if (withVerb) return clause(s, at);
  const plain = simple(s, at);
  return best([...plain, ...plain.flatMap((first) => joined(s, first))]);
}

function clause(s: Sentence, at: number): Parse<Predicate>[] {
  const word = s.words[at] ?? "";
  if (/^(?:is|are|was|were|be|been|has|have|had)$/.test(word)) {
    const from = s.words[at + 1] === "been" ? at + 2 : at + 1;
    const negated = s.words[from] === "not" || s.words[from] === "never";
    const so = s.predicates(negated ? from + 1 : from);
    return negated ? so.map(not) : [...so];
  }
  if (PLACED.has(word)) return placed(s, at + 1);
  if (/^(?:do|does|did)$/.test(word) && s.words[at + 1] === "not" && PLACED.has(s.words[at + 2] ?? ""))
    return placed(s, at + 3).map(not);
  return happened(s, at);
}

function not(one: Parse<Predicate>): Parse<Predicate> {
  const { test, filter } = one.value;
  return {
    ...one,
    value: {
      test: (of, kind) => node("not", [test(of, kind)]),
      filter: (set, kind) => {
        const those = filter(set, kind);
        return those && node("minus", [set, those]);
      },
    },
  };
}

function simple(s: Sentence, at: number): Parse<Predicate>[] {
  if (s.words[at] === "not") return simple(s, at + 1).map(not);
  let from = at;
  while (
    /^(?:still|currently|now|already|really|actually|all|completely|fully|also|just|even|ever|either|left|both|right|directly|properly|somewhere|presently|always|yet|anywhere|over|only)$/.test(
      s.words[from] ?? "",
    ) &&
    from - at < 3 &&
    s.words[from + 1] !== undefined &&
    sideAt(s, from) === undefined &&
    relationsAt(s, from).length === 0
  )
    from++;
  return best([
    ...adjective(s, from),
    ...placed(s, PLACED.has(s.words[from] ?? "") ? from + 1 : from),
    ...compared(s, from),
    ...alike(s, from),
    ...superlative(s, from),
    ...called(s, from),
    ...happened(s, from),
    ...sized(s, from),
    ...saying(s, from),
  ]);
}

/** "open", "red", "made of wood", "on". */
function adjective(s: Sentence, at: number): Parse<Predicate>[] {
  const from =
    s.phraseAt(at, [
      "made of",
      "made out of",
      "made from",
      "painted",
      "turned",
      "switched",
      "colour",
      "wide",
      "of",
      "left",
      "in the",
    ]) ?? at;
  const found: Parse<Predicate>[] = [];
  for (const start of new Set([at, from])) {
    const shut =
      /^(?:drawn|pulled)$/.test(s.words[start]!) &&
      /^(?:shut|closed|open|back)$/.test(s.words[start + 1] ?? "")
        ? start + 1
        : start;
    const word = adjectiveAt(s, shut);
    if (!word || s.words[start] === "new" || PLACED.has(s.words[start]!)) continue;
    // "on" and "off" are states where no place follows.
    if (
      /^(?:on|off|over|up|down)$/.test(s.words[start]!) &&
      s.words[start + 1] !== undefined &&
      !/^(?:or|and|now|right|at|in|today)$/.test(s.words[start + 1]!)
    )
      continue;
    const { attribute, value } = word;
    const isEmpty = s.words[start] === "empty";
    found.push({
      end: shut + word.length,
      cost: 0,
      value: by(
        (of, kind) =>
          kind === "rooms" || kind === "floors"
            ? isEmpty
              ? node("none", [node("in", [node("things", [], { category: "person" }), of])])
              : node("is", [node("things", [], {})], { attribute, value })
            : node("is", [of], { attribute, value }),
        {
          among: {
            measure: "attribute",
            name: attribute,
            options: [s.words.slice(start, start + word.length).join(" ")],
          },
        },
      ),
    });
  }
  return found;
}

/** "in the kitchen", "on the desk", "upstairs", "to my left", "on the floor". */
function placed(s: Sentence, at: number): Parse<Predicate>[] {
  const found: Parse<Predicate>[] = [];
  for (const { relation, end } of relationsAt(s, at)) {
    for (const anchor of s.nouns(end)) {
      if (relation === "on" && anchor.value.kind === "floors" && anchor.value.set.with["name"] === undefined)
        continue;
      const there = anchor.value.items ? setOf(anchor.value) : meant(anchor.value);
      const isRegion = anchor.value.kind === "rooms" || anchor.value.kind === "floors";
      const options =
        (anchor.value.items ?? []).length > 1 && anchor.value.joined === "or"
          ? [s.words.slice(end, anchor.end).join(" ")]
          : [];
      found.push({
        end: anchor.end,
        cost: anchor.cost,
        value: {
          test: (of) =>
            relation === "between" && anchor.value.items?.length === 2
              ? node("within", [of, meant(anchor.value.items[0]!), meant(anchor.value.items[1]!)], {
                  relation,
                })
              : node("within", [of, there], isRegion && /^(?:in|on|at)$/.test(relation) ? {} : { relation }),
          filter: (set, kind) => placedAt(set, kind, relation, anchor.value),
          ...(options.length > 0 &&
            anchor.value.kind === "things" && {
              choose: (of: Expression) =>
                node("name", [node("filter", [setOf(anchor.value), node("within", [of, IT], { relation })])]),
            }),
          among: {
            measure: "place",
            options:
              options.length > 0 ? splitOptions(options[0]!) : [s.words.slice(at, anchor.end).join(" ")],
          },
        },
      });
    }
  }
  if (s.words[at] === "on" && s.words[at + 1] === "the" && /^(?:floor|ground)$/.test(s.words[at + 2] ?? ""))
    found.push({
      end: at + 3,
      cost: 0,
      value: by((of) => node("less", [node("elevation", [of]), node("value", [], { n: 0.12, unit: "m" })])),
    });
  for (let length = 5; length >= 1; length--) {
    const floor = FLOORS.get(s.words.slice(at, at + length).join(" "));
    if (!floor || s.words[at + length - 1] === undefined) continue;
    const there = node("floors", [], { name: floor });
    found.push({
      end: at + length,
      cost: 0,
      value: {
        test: (of) => node("within", [of, there]),
        filter: (set) => node("in", [set, there]),
        among: { measure: "place", name: "floor", options: [s.words.slice(at, at + length).join(" ")] },
      },
    });
    break;
  }
  const side = sideAt(s, at);
  if (side)
    found.push({
      end: side.end,
      cost: 0.02,
      value: {
        test: (of) => node("within", [of, node("self")], { relation: side.relation }),
        filter: (set) => node("relate", [set, node("self")], { relation: side.relation }),
        among: { measure: "direction", options: [side.relation] },
      },
    });
  if (
    /^(?:here|there)$/.test(s.words[at] ?? "") ||
    (s.words[at] === "in" && /^(?:here|there)$/.test(s.words[at + 1] ?? ""))
  ) {
    const end = at + (s.words[at] === "in" ? 2 : 1);
    const there = s.here(s.words[end - 1] === "there");
    if (s.words[at] !== "there" || s.context.spoken?.place)
      found.push({
        end,
        cost: 0.1,
        value: { test: (of) => node("within", [of, there]), filter: (set) => node("in", [set, there]) },
      });
  }
  return found;
}

function splitOptions(text: string): string[] {
  return text.split(/ or |, /).map((one) => one.replace(/^(?:in |on )?(?:the |a )?/, ""));
}

/** "bigger than the sofa", "closer to the door than to the bed", "as tall as", "more than 2 m tall". */
function compared(s: Sentence, at: number): Parse<Predicate>[] {
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
function alike(s: Sentence, at: number): Parse<Predicate>[] {
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
function superlative(s: Sentence, at: number): Parse<Predicate>[] {
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

/** "a lamp", "the biggest room", "Anna". */
function called(s: Sentence, at: number): Parse<Predicate>[] {
  return s.nouns(at).flatMap((noun) => {
    const { value } = noun;
    if (value.kind === "self" || value.generic) return [];
    if (value.grade || value.definite || value.kind !== "things")
      return [
        {
          end: noun.end,
          cost: noun.cost + 0.2,
          value: by((of) => node("same", [of, meant(value)], { measure: "identity" })),
        },
      ];
    const category = value.set.with["category"];
    if (noun.cost >= 0.55) return [];
    if (value.set.op !== "things" || typeof category !== "string") return [];
    return [
      {
        end: noun.end,
        cost: noun.cost + 0.25,
        value: by((of) => node("is", [of], { attribute: "category", value: category })),
      },
    ];
  });
}

/** "moved", "gone", "switched on", "opened since". */
function happened(s: Sentence, at: number): Parse<Predicate>[] {
  const found: Parse<Predicate>[] = [];
  const from = /^(?:been|got|gotten|was|were|being)$/.test(s.words[at] ?? "") ? at + 1 : at;
  for (let length = Math.min(6, s.words.length - from); length >= 1; length--) {
    const kind = HAPPENINGS.get(s.words.slice(from, from + length).join(" "));
    if (!kind) continue;
    const kinds = kind === "changed" ? [] : [kind];
    found.push({
      end: from + length,
      cost: 0.05,
      value: {
        test: (of) => node("exists", [node("changes", [of], kinds.length > 0 ? { kinds } : {})]),
        filter: (set) => node("affected", [node("changes", [set], kinds.length > 0 ? { kinds } : {})]),
        happened: { kinds },
      },
    });
  }
  return found;
}

/** "2 m tall", "more than a metre wide", "over 20 square metres". */
function sized(s: Sentence, at: number): Parse<Predicate>[] {
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

/** "labelled FRAGILE". */
function saying(s: Sentence, at: number): Parse<Predicate>[] {
  const end = s.phraseAt(at, ["labelled", "labeled", "marked", "called", "named"]);
  const text = end === undefined ? undefined : s.textAt(end, true);
  return text
    ? [
        {
          end: text.end,
          cost: text.sure ? 0 : 0.3,
          value: by((of) => node("is", [of], { attribute: "text", value: text.text })),
        },
      ]
    : [];
}

/** "open or closed", "in the kitchen or in the hall", "red and clean". */
function joined(s: Sentence, first: Parse<Predicate>): Parse<Predicate>[] {
  const said = s.words[first.end];
  // "left, right or behind": before the last there may be a comma only.
  const isListed = s.tokens[first.end]?.parted === true && said !== "and";
  const word = isListed ? "or" : said;
  if (word !== "or" && word !== "and") return [];
  const from = said === word ? first.end + 1 : first.end;
  const not_ = s.words[from] === "not";
  return simple(s, from).flatMap((second) => {
    const cost = first.cost + second.cost + 0.02;
    if (word === "or" && !not_) {
      const [a, b] = [first.value.among, second.value.among];
      const among =
        a && b && a.measure === b.measure && (a.name === b.name || a.measure === "attribute")
          ? { ...a, options: [...a.options, ...b.options] }
          : undefined;
      const value: Predicate = {
        ...by((of, kind) => node("or", [first.value.test(of, kind), second.value.test(of, kind)])),
        among,
      };
      const more = joined(s, { end: second.end, cost, value });
      return isListed && said !== "or" ? more : [{ end: second.end, cost, value }, ...more];
    }
    return [
      {
        end: second.end,
        cost,
        value: by((of, kind) => node("and", [first.value.test(of, kind), second.value.test(of, kind)])),
      },
    ];
  });
}
