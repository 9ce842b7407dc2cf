import type { Expression } from "../../schema/index.ts";
import { node } from "../algebra/notation.ts";
import {
  DETERMINERS,
  FLOORS,
  GENERIC,
  GRADES,
  type Grade,
  NUMBERS,
  ORDINALS,
  PEOPLE,
  PLACED,
  WHOLE_PLACE,
} from "./lexicon.ts";
import { measureOf } from "./measures.ts";
import type { Parse } from "./pattern.ts";
import { modified } from "./post-modifiers.ts";
import type { Sentence } from "./sentence.ts";
import { adjectiveAt, isAdjectiveLike, isFunctionWord, nounAt, roomAt, singularOf } from "./vocabulary.ts";

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

interface Building {
  /** "the kitchen table", "the bathroom curtain": where it is, put before it. */
  readonly room?: string | undefined;
  readonly options: Record<string, string | string[]>;
  readonly floors: readonly string[];
  readonly grade?: { readonly grade: Grade; readonly nth: number } | undefined;
  readonly cost: number;
}

const START: Building = { options: {}, floors: [], cost: 0 };
const MOST = 14;
const UNKNOWN_NOUN = 0.6;
const UNKNOWN_WORD = 0.35;
const NO_DETERMINER = 0.15;

/** All ways to read a noun phrase from a word on: every length of what follows the noun is a way of its own. */
export function nounPhrases(s: Sentence, at: number): Parse<Noun>[] {
  const found = simple(s, at);
  const all = [...found, ...found.flatMap((first) => coordinated(s, first))];
  return best(all);
}

export function best<T>(all: readonly Parse<T>[]): Parse<T>[] {
  return all
    .map((one) => (one.cost < 0 ? { ...one, cost: 0 } : one))
    .sort((a, b) => a.cost - b.cost || b.end - a.end)
    .slice(0, MOST);
}

/** "the mug and the plate", "the desk, the bed or the sofa". */
function coordinated(s: Sentence, first: Parse<Noun>): Parse<Noun>[] {
  const found: Parse<Noun>[] = [];
  const step = (items: readonly Noun[], at: number, cost: number) => {
    const word = s.words[at];
    const parted = s.tokens[at]?.parted === true;
    const joiner =
      word === "and" || word === "or" || word === "nor" || word === "versus" || word === "vs"
        ? word
        : undefined;
    if (!joiner && !parted) return;
    const from = joiner ? at + 1 : at;
    for (const next of simple(s, from)) {
      if (next.value.kind !== first.value.kind) continue;
      const all = [...items, inherits(next.value, first.value)];
      const end = { end: next.end, cost: cost + next.cost + 0.05 };
      if (joiner) {
        const value: Noun = {
          ...first.value,
          items: all,
          joined: joiner === "and" ? "and" : "or",
          plural: true,
        };
        found.push({ ...end, value });
      }
      if (all.length < 6) step(all, next.end, end.cost);
    }
  };
  step([first.value], first.end, first.cost);
  return found;
}

/** "the mug or plate": the second is as definite as the first. */
function inherits(noun: Noun, first: Noun): Noun {
  const { category, ...rest } = first.set.with;
  // "the white bed or the blue one"
  const isOne =
    noun.set.op === "things" &&
    noun.set.with["category"] === undefined &&
    typeof category === "string" &&
    first.set.op === "things";
  void rest;
  const set = isOne ? { ...noun.set, with: { category, ...noun.set.with } } : noun.set;
  return {
    ...noun,
    set,
    generic: noun.generic && !isOne,
    definite: noun.definite || (first.definite && !noun.quantity),
  };
}

function simple(s: Sentence, at: number): Parse<Noun>[] {
  return s.memo("np", at, () => best([...pronouns(s, at), ...quantified(s, at), ...described(s, at)]));
}

function noun(kind: Noun["kind"], set: Expression, more: Partial<Noun> = {}): Noun {
  return { kind, set, definite: false, plural: false, generic: false, pronoun: false, ...more };
}

/** What a set that was spoken of is, if it is of rooms or storeys. */
function regionKind({ op, of }: Expression): "rooms" | "floors" | undefined {
  if (op === "rooms" || op === "house" || op === "neighbours") return "rooms";
  if (op === "floors") return "floors";
  return (op === "in" || op === "filter" || op === "most" || op === "least") && of[0]
    ? regionKind(of[0])
    : undefined;
}

const WHERE_YOU_ARE = [
  "your current position",
  "your position",
  "your current location",
  "your location",
  "where you are standing",
  "where you are",
  "where you stand",
  "where i am standing",
  "where i am",
  "where i stand",
  "the robot",
  "yourself",
];

function pronouns(s: Sentence, at: number): Parse<Noun>[] {
  const word = s.words[at] ?? "";
  const found: Parse<Noun>[] = [];
  const there = s.phraseAt(at, WHERE_YOU_ARE);
  if (there !== undefined)
    found.push({ end: there, cost: 0, value: noun("self", node("self"), { definite: true }) });
  if (/^(?:you|me|i|us|myself|yourself|robot)$/.test(word))
    found.push({ end: at + 1, cost: 0.1, value: noun("self", node("self"), { definite: true }) });
  if (/^(?:here|there)$/.test(word) && !s.words[at + 1])
    found.push({ end: at + 1, cost: 0.3, value: noun("rooms", s.here(word === "there")) });
  const stands = /^(?:it|they|them|he|him|she|her|this|that|these|those)$/.test(word);
  const one =
    /^(?:this|that|these|those)$/.test(word) &&
    /^(?:one|ones|thing|things|object|objects|item|items|rooms|options|places)$/.test(s.words[at + 1] ?? "");
  if (
    stands &&
    !(
      /^(?:this|that|these|those)$/.test(word) &&
      s.words[at + 1] !== undefined &&
      !one &&
      !isFunctionWord(s.words[at + 1]!)
    )
  ) {
    const plural = /^(?:they|them|these|those)$/.test(word);
    const set = s.antecedent(word);
    const kind = set && regionKind(set);
    if (set)
      found.push({
        end: at + (one ? 2 : 1),
        cost: 0.05,
        value: noun(kind ?? "things", set, { definite: true, plural, pronoun: true }),
      });
  }
  return found.flatMap((one) => modified(s, one));
}

const WHATEVER: Readonly<Record<string, Noun["quantity"]>> = {
  anything: "any",
  something: "some",
  everything: "all",
  nothing: "none",
  anybody: "any",
  anyone: "any",
  somebody: "some",
  someone: "some",
  everybody: "all",
  everyone: "all",
  nobody: "none",
};

/** "anything", "all of the chairs", "no lamp", "both doors", "none of them". */
function quantified(s: Sentence, at: number): Parse<Noun>[] {
  const found: Parse<Noun>[] = [];
  const word = s.words[at] ?? "";
  const whatever = WHATEVER[word];
  if (whatever) {
    let end = at + 1;
    if (s.words[end] === "else") end++;
    const isPerson = /body$|one$/.test(word);
    const set = node("things", [], isPerson ? { category: "person" } : {});
    const base = noun("things", set, { quantity: whatever, generic: !isPerson, plural: whatever === "all" });
    found.push(
      ...described(s, end, { noDeterminer: true, adjectiveOnly: true, base }).map((one) => ({
        ...one,
        value: { ...one.value, quantity: whatever },
      })),
    );
    found.push(...modified(s, { end, cost: 0, value: base }));
  }
  const lead = leadOf(s, at);
  for (const { end, quantity, number } of lead) {
    for (const rest of simple(s, end)) {
      const plural = rest.value.plural || quantity === "all";
      found.push({
        ...rest,
        cost: rest.cost - (s.words[end] === "the" || DETERMINERS.has(s.words[end] ?? "") ? 0 : NO_DETERMINER),
        value: { ...rest.value, quantity, plural, ...(number !== undefined && { number, definite: true }) },
      });
    }
  }
  return found;
}

function leadOf(s: Sentence, at: number): { end: number; quantity: Noun["quantity"]; number?: number }[] {
  const [a, b, c] = [s.words[at] ?? "", s.words[at + 1] ?? "", s.words[at + 2] ?? ""];
  const of = b === "of" ? 2 : 1;
  switch (a) {
    case "all":
    case "every":
    case "each":
      return [{ end: at + (b === "single" ? 2 : of), quantity: "all" }];
    case "both":
      return [{ end: at + of, quantity: "all", number: 2 }];
    case "any":
    case "either":
      return [{ end: at + (b === "other" ? 2 : b === "more" ? 2 : of), quantity: "any" }];
    case "some":
    case "several":
    case "most":
      return a === "most" && b !== "of" ? [] : [{ end: at + of, quantity: "some" }];
    case "no":
    case "neither":
      return [{ end: at + of, quantity: "none" }];
    case "none":
      return b === "of" ? [{ end: at + 2, quantity: "none" }] : [];
    case "one":
      return b === "of" ? [{ end: at + 2, quantity: "any" }] : [];
    case "at":
      return b === "least" && c === "one" ? [{ end: at + 3, quantity: "any" }] : [];
    case "more":
    case "other":
      return [];
    default:
      return [];
  }
}

interface Described {
  readonly noDeterminer?: boolean;
  /** After "anything": "anything red". */
  readonly adjectiveOnly?: boolean;
  readonly base?: Noun;
}

/** "the two red mugs", "my old wooden chair", "Anna's bag", "the second largest room upstairs". */
function described(s: Sentence, at: number, given: Described = {}): Parse<Noun>[] {
  let end = at;
  let definite = false;
  let article = false;
  let owner: string | undefined;
  const first = s.words[end] ?? "";
  // "these" are the options, where there are some.
  if (s.context.options && /^(?:these|those)$/.test(first)) return [];
  if (!given.noDeterminer) {
    if (/^(?:the|this|that|these|those)$/.test(first)) [definite, article, end] = [true, true, end + 1];
    else if (/^(?:a|an|another)$/.test(first)) [article, end] = [true, end + 1];
    else if (/^(?:my|your|our|their|his|her|its)$/.test(first))
      [definite, article, end] = [true, true, end + 1];
    if (
      /^(?:other|whole|entire|only|very|said|aforementioned)$/.test(s.words[end] ?? "") &&
      s.words[end + 1] !== "of"
    )
      end++;
    if (
      /^(?:kind|sort|type|pair|set|piece|couple|bunch)s?$/.test(s.words[end] ?? "") &&
      s.words[end + 1] === "of" &&
      !/furniture/.test(s.words[end + 2] ?? "")
    ) {
      const known = nounAt(s, end);
      if (!known || known.length < 3) end += 2;
    } else if (/^pieces?$/.test(s.words[end] ?? "") && s.words[end + 1] === "of") end += 2;
  }
  const named = /'s/.test(roomAt(s, end)?.name ?? "") ? undefined : ownerAt(s, end);
  if (named) [owner, definite, article, end] = [named.owner, true, true, named.end];
  let number: number | undefined;
  const count =
    NUMBERS.get(s.words[end] ?? "") ??
    (/^\d{1,3}$/.test(s.words[end] ?? "") ? Number(s.words[end]) : undefined);
  if (count !== undefined && count > 1 && s.words[end + 1] !== undefined) [number, end] = [count, end + 1];
  const heads: { at: number; building: Building }[] = [];
  adjectives(s, end, { ...START, options: owner === undefined ? {} : { owner } }, 0, heads);
  const found: Parse<Noun>[] = [];
  for (const { at: from, building } of heads) {
    if (given.base) {
      if (from > end)
        found.push({
          end: from,
          cost: building.cost,
          value: { ...given.base, set: node("things", [], building.options) },
        });
      continue;
    }
    for (const head of headsAt(s, from, building, { article, number })) {
      const plain: Noun = {
        ...head.value,
        definite: definite || head.value.definite,
        ...(number !== undefined && { number, plural: true }),
      };
      found.push({ ...head, value: plain });
    }
  }
  return best(found).flatMap((one) => modified(s, one));
}

/** "anna 's": whose it is. */
function ownerAt(s: Sentence, at: number): { owner: string; end: number } | undefined {
  for (const length of [1, 2])
    if (
      s.words[at + length] === "'s" &&
      s.words[at + length + 1] !== undefined &&
      !isFunctionWord(s.words[at] ?? "")
    )
      return {
        owner: s.tokens
          .slice(at, at + length)
          .map(({ raw }) => raw)
          .join(" "),
        end: at + length + 1,
      };
  return undefined;
}

/** Reads what stands before the noun; every place where the noun may begin is kept. */
function adjectives(
  s: Sentence,
  at: number,
  building: Building,
  depth: number,
  heads: { at: number; building: Building }[],
): void {
  heads.push({ at, building });
  if (depth > 5) return;
  const word = s.words[at] ?? "";
  if (word === "") return;
  if ((word === "and" || word === "but") && depth > 0 && adjectiveAt(s, at + 1))
    return adjectives(s, at + 1, building, depth + 1, heads);
  if (/^(?:very|really|quite|rather|fairly|pretty|wall)$/.test(word) && s.words[at + 1] !== undefined)
    return adjectives(s, at + 1, building, depth, heads);
  const grade = GRADES.get(word);
  const nth = ORDINALS.get(word);
  if ((word === "most" || word === "least") && GRADES.get(s.words[at + 1] ?? "")) {
    const plain = GRADES.get(s.words[at + 1]!)!;
    const way = word === "most" ? plain.way : plain.way === "most" ? ("least" as const) : ("most" as const);
    adjectives(
      s,
      at + 2,
      { ...building, grade: { grade: { measure: plain.measure, way }, nth: 1 } },
      depth + 1,
      heads,
    );
  }
  if (grade?.degree === "most" || grade?.degree === "more") {
    const set: Building["grade"] = { grade, nth: building.grade?.nth ?? 1 };
    adjectives(
      s,
      at + 1,
      { ...building, grade: set, cost: building.cost + (grade.degree === "more" ? 0.1 : 0) },
      depth + 1,
      heads,
    );
  } else if (grade?.degree === "plain")
    adjectives(s, at + 1, with_(building, "size", word), depth + 1, heads);
  else if (nth !== undefined) {
    const next = GRADES.get(s.words[at + 1] ?? "");
    if (next?.degree === "most")
      adjectives(
        s,
        at + 2,
        { ...building, grade: { grade: next, nth: nth === -1 ? 1 : nth } },
        depth + 1,
        heads,
      );
    else {
      const seen: Grade = {
        measure: { op: "seen", which: nth === -1 ? "last" : "first" },
        way: nth === -1 ? "most" : "least",
      };
      adjectives(
        s,
        at + 1,
        { ...building, grade: { grade: seen, nth: Math.abs(nth) }, cost: building.cost + 0.2 },
        depth + 1,
        heads,
      );
    }
  }
  const room = depth < 3 ? roomAt(s, at) : undefined;
  if (
    room &&
    !room.plural &&
    room.name !== "room" &&
    building.room === undefined &&
    s.words[at + room.length] !== undefined &&
    s.words[at + room.length] !== "'s" &&
    !s.tokens[at + room.length]!.parted &&
    !isFunctionWord(s.words[at + room.length]!)
  )
    adjectives(
      s,
      at + room.length,
      { ...building, room: room.name, cost: building.cost + 0.06 },
      depth + 1,
      heads,
    );
  const floor = FLOORS.get(word) ?? FLOORS.get(`${word} ${s.words[at + 1] ?? ""}`);
  if (floor)
    adjectives(s, at + (FLOORS.has(word) ? 1 : 2), { ...building, floors: [floor] }, depth + 1, heads);
  const adjective = PLACED.has(word) ? undefined : adjectiveAt(s, at);
  if (adjective)
    adjectives(
      s,
      at + adjective.length,
      with_(building, adjective.attribute, adjective.value),
      depth + 1,
      heads,
    );
  else if (grade === undefined && nth === undefined && !floor && isModifier(s, at))
    adjectives(
      s,
      at + 1,
      { ...words(building, word), cost: building.cost + (isAdjectiveLike(word) ? 0.1 : UNKNOWN_WORD) },
      depth + 1,
      heads,
    );
}

/** A word that may describe what follows it: no function word, and something follows. */
function isModifier(s: Sentence, at: number): boolean {
  const word = s.words[at]!;
  return (
    !isFunctionWord(word) &&
    !s.tokens[at]!.quoted &&
    s.words[at + 1] !== undefined &&
    !isFunctionWord(s.words[at + 1]!) &&
    !s.tokens[at + 1]!.parted &&
    !/^\d/.test(word)
  );
}

function with_(building: Building, name: string, value: string): Building {
  if (building.options[name] !== undefined) return words(building, value);
  return { ...building, options: { ...building.options, [name]: value } };
}

function words(building: Building, word: string): Building {
  const known = (building.options["words"] as string[] | undefined) ?? [];
  return { ...building, options: { ...building.options, words: [...known, word] } };
}

/** The noun itself: a room, a storey, the place, a person, a thing by a name that is known, or by one that is not. */
function headsAt(
  s: Sentence,
  at: number,
  { options, floors, grade, cost, room: inRoom }: Building,
  { article, number }: { article: boolean; number: number | undefined },
): Parse<Noun>[] {
  const word = s.words[at] ?? "";
  const token = s.tokens[at];
  const found: Parse<Noun>[] = [];
  const bare = article || number !== undefined || grade ? 0 : NO_DETERMINER;
  const more = { ...(grade && { grade: { ...grade } }), ...(number !== undefined && { number }) };
  const within = (set: Expression) =>
    inRoom === undefined ? set : node("in", [set, node("rooms", [], { name: inRoom })]);
  const on = (set: Expression) =>
    floors.reduce((all, name) => node("in", [all, node("floors", [], { name })]), within(set));
  const push = (length: number, extra: number, value: Noun) =>
    found.push({ end: at + length, cost: cost + extra, value: { ...value, ...more } });
  const noDetails =
    Object.keys(options).length === 0 ||
    (Object.keys(options).length === 1 && options["owner"] !== undefined);
  if (token === undefined) return found;
  const room = inRoom === undefined ? roomAt(s, at) : undefined;
  if (room) {
    const label = options["owner"] === undefined ? room.name : `${options["owner"]}'s ${room.name}`;
    const said = (options["words"] as string[] | undefined) ?? [];
    const name =
      room.name === "room" && Object.keys(options).length === 0 ? undefined : [...said, label].join(" ");
    if (Object.keys(options).every((key) => key === "owner" || key === "words" || key === "size"))
      push(
        room.length,
        0.02,
        noun("rooms", on(node("rooms", [], name === undefined ? {} : { name })), { plural: room.plural }),
      );
  }
  const storey = /^(?:floor|floors|storey|storeys|story|stories|level|levels)$/.test(word);
  if (storey && floors.length === 0 && noDetails)
    push(1, 0.1, noun("floors", node("floors"), { plural: word.endsWith("s") }));
  if (WHOLE_PLACE.has(word) && noDetails && (word === "house" || s.words[at - 1] !== "a"))
    push(1, 0.05, noun("rooms", node("house"), { definite: true }));
  const floorPhrase = FLOORS.get(word) ?? FLOORS.get(`${word} ${s.words[at + 1] ?? ""}`);
  if (floorPhrase && noDetails)
    push(
      FLOORS.has(word) ? 1 : 2,
      0.02,
      noun("floors", node("floors", [], { name: floorPhrase }), { definite: true }),
    );
  if (PEOPLE.has(word))
    push(
      1,
      bare,
      noun("things", on(node("things", [], { category: "person", ...options })), {
        plural: /people|persons|humans|folks|visitors|individuals/.test(word),
      }),
    );
  if (
    GENERIC.has(word) &&
    !(word === "one" && at + 1 < s.words.length && !isFunctionWord(s.words[at + 1]!))
  ) {
    const again = word === "one" || word === "ones" ? s.sameKind() : undefined;
    push(
      1,
      again ? 0.02 : word.startsWith("one") ? 0.4 : bare * 0.5,
      noun("things", on(node("things", [], { ...(again && { category: again }), ...options })), {
        generic: Object.keys(options).length === 0,
        plural: /s$|stuff/.test(word),
      }),
    );
  }
  if (token.quoted)
    push(1, 0.2, noun("things", on(node("things", [], { ...options, text: token.raw })), { definite: true }));
  const known = nounAt(s, at);
  if (known)
    push(
      known.length,
      (known.plural ? bare * 0.2 : bare) + (known.sure ? 0 : 0.15),
      noun("things", on(node("things", [], { category: known.name, ...options })), { plural: known.plural }),
    );
  const isName = /^[A-Z][a-z]+$/.test(token.raw) && at > 0 && !room && !known && !isFunctionWord(word);
  if (isName || s.isPersonName(word))
    push(
      1,
      0.05,
      noun("things", node("things", [], { category: "person", name: token.raw, ...options }), {
        definite: true,
      }),
    );
  if (
    !known &&
    !room &&
    !isFunctionWord(word) &&
    !token.quoted &&
    /^\p{L}/u.test(word) &&
    !GRADES.has(word)
  ) {
    for (const length of [1, 2]) {
      const last = s.words[at + length - 1];
      if (
        last === undefined ||
        isFunctionWord(last) ||
        (length === 2 && (s.tokens[at + 1]!.parted || nounAt(s, at + 1)))
      )
        break;
      const name = s.words
        .slice(at, at + length - 1)
        .concat(singularOf(last))
        .join(" ");
      push(
        length,
        bare + UNKNOWN_NOUN + (length - 1) * 0.2,
        noun("things", on(node("things", [], { category: name, ...options })), {
          plural: singularOf(last) !== last,
        }),
      );
    }
  }
  return found;
}
