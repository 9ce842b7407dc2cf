import { node } from "../algebra/notation.ts";
import { alike, compared, sized, superlative } from "./comparisons.ts";
import { HAPPENINGS, PLACED } from "./lexicon.ts";
import type { Parse } from "./pattern.ts";
import { best, by, meant, type Predicate } from "./phrases.ts";
import { relationsAt, sideAt } from "./places.ts";
import { placed } from "./predicate-places.ts";
import type { Sentence } from "./sentence.ts";
import { adjectiveAt } from "./vocabulary.ts";

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
