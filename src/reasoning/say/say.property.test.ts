import fc from "fast-check";
import { expect, it } from "vitest";
import type { KnownThing } from "../../belief/thing.ts";
import { answerSchema, type Expression } from "../../schema/index.ts";
import { node } from "../algebra/notation.ts";
import { type Completeness, REASONS, unknownValue, type Value, WHOLE } from "../algebra/value.ts";
import { CONTEXT, numberOf, room, thing, thingsOf, truthOf, wordsOf } from "../testing/made-values.ts";
import { counted, countedList, isPlural, list, plural, withArticle } from "./grammar.ts";
import { say } from "./say.ts";

const NOUNS = [
  "mug",
  "red mug",
  "shoes",
  "spoons",
  "chest of drawers",
  "box that says “TEA”",
  "hour glass",
  "milk",
  "the thing",
  "a lamp",
  "unicorn poster",
  "TV",
  "Anna's mug",
  "x",
  "",
];
const ROOMS = ["kitchen", "study", "upstairs hallway", "children's room"];

const aThing: fc.Arbitrary<KnownThing> = fc
  .record({
    name: fc.constantFrom(...NOUNS),
    colour: fc.option(fc.constantFrom("red", "white"), { nil: undefined }),
    roomId: fc.option(fc.constantFrom(...ROOMS), { nil: undefined }),
    holder: fc.option(fc.constantFrom("desk", "shelf"), { nil: undefined }),
    isPerson: fc.boolean(),
  })
  .map(({ name, colour, roomId, holder, isPerson }) =>
    thing(isPerson ? `${colour ?? ""} Olga`.trim() : name, {
      category: isPerson ? "person" : (name.split(" ").at(-1) ?? ""),
      ...(colour && { attributes: { colour } }),
      ...(roomId && { roomId }),
      ...(holder && { holder }),
    }),
  );
const things = fc.array(aThing, { maxLength: 9 });
const complete: fc.Arbitrary<Completeness> = fc.oneof(
  fc.constant(WHOLE),
  fc.record({
    share: fc.double({ min: 0, max: 1, noNaN: true }),
    missing: fc.array(fc.constantFrom("the attic", "after 10:20", ""), { maxLength: 3 }),
  }),
);
const someWords = fc.constantFrom("red", "open", "on the desk in the study", "", "  ", "“TEA”");
const items = fc.array(fc.record({ words: someWords, thing: fc.option(aThing, { nil: undefined }) }), {
  maxLength: 7,
});
const UNITS = ["things", "times", "s", "epoch", "m", "m2", "m3", "m/s", "rad", "rad/s", "1"] as const;
const spans = fc.array(
  fc.record({
    fromUs: fc.integer({ min: CONTEXT.nowUs - 1e13, max: CONTEXT.nowUs }),
    longUs: fc.option(fc.integer({ min: 1, max: 1e10 })),
  }),
  { maxLength: 4 },
);
const about = fc.constantFrom("name", "place", "colour", "text", "motion", "describe", "openness");

const value: fc.Arbitrary<Value> = fc.oneof(
  fc.tuple(things, complete).map(([all, share]) => thingsOf(all, { complete: share })),
  fc.tuple(about, items, complete).map(([what, all, share]) => wordsOf(what, all, { complete: share })),
  fc
    .tuple(
      fc.boolean(),
      things,
      things,
      fc.option(fc.constantFrom("it is closed", " ", "It is in the hall")),
      complete,
    )
    .map(([truth, shown, elsewhere, instead, share]) =>
      truthOf(truth, {
        shown: thingsOf(shown, { elsewhere }),
        instead: instead ?? undefined,
        complete: share,
      }),
    ),
  fc
    .tuple(fc.double({ min: 0, max: 1e6, noNaN: true }), fc.constantFrom(...UNITS), things)
    .map(([n, unit, of]) => numberOf(n, unit, of)),
  fc.array(fc.constantFrom(...ROOMS), { maxLength: 5 }).map(
    (names): Value => ({
      kind: "rooms",
      rooms: names.map((name) => room(name)),
      phrase: "room",
      p: 1,
      complete: WHOLE,
      evidence: [],
    }),
  ),
  spans.map(
    (all): Value => ({
      kind: "times",
      spans: all.map(({ fromUs, longUs }) => ({ fromUs, toUs: longUs === null ? null : fromUs + longUs })),
      p: 1,
      complete: WHOLE,
      evidence: [],
    }),
  ),
  fc.tuple(fc.array(fc.constantFrom(...ROOMS), { maxLength: 4 }), things, fc.option(aThing)).map(
    ([names, doors, end]): Value => ({
      kind: "route",
      rooms: names.map((name) => room(name)),
      doors,
      lengthM: 7.5,
      points: [],
      to: { point: { x: 0, y: 0, z: 0 }, thing: end ?? undefined },
      p: 1,
      complete: WHOLE,
      evidence: [],
    }),
  ),
  fc
    .tuple(
      fc.constantFrom(...REASONS),
      fc.constantFrom("", "I have not seen a spoons.", "I have not seen a red the mug"),
      things,
      complete,
    )
    .map(([reason, says, choices, share]) => unknownValue(reason, says, { choices, complete: share })),
);
const ROOTS = [
  "name",
  "place",
  "count",
  "exists",
  "none",
  "all",
  "is",
  "attribute",
  "most",
  "usual",
  "likely",
  "not",
];
const expression: fc.Arbitrary<Expression> = fc
  .tuple(fc.constantFrom(...ROOTS), fc.constantFrom(...ROOTS))
  .map(([outer, inner]) => node(outer, [node(inner, [node("things")])]));

/** Patterns that no answer may contain. */
const BROKEN = [
  /undefined|NaN|null|\[object|Infinity/,
  /\b(?:the|an?|some|any) (?:the|an?|some|any)\b/i,
  /\ba (?:spoons|shoes|milk|people)\b/,
  /\ban (?:unicorn|mug|TV)\b|\ba (?:hour|iron)\b/,
  /,\s*,|;\s*;|:\s*[,;.]|\band\s*(?:[,;.]|$)|^\s*and\b|[:,;]\s*$|\s{2,}| [.,;]/,
];

it("never says anything broken, and always what its type promises", async () => {
  await fc.assert(
    fc.asyncProperty(expression, value, things, async (asked, what, rivals) => {
      const said = await say(asked, what, {
        ...CONTEXT,
        rivals: rivals.map((one) => ({ thing: one, value: what })),
      });
      for (const pattern of BROKEN) expect(said.text).not.toMatch(pattern);
      expect(said.text).not.toBe("");
      const { goal: _goal, goalPlace: _place, contradictions, ...fields } = said;
      answerSchema.parse({
        question: "?",
        askedAtUs: CONTEXT.nowUs,
        strategy: "auto",
        confidence: 0.5,
        ...fields,
        contradictions: [...(contradictions ?? [])],
      });
      expect(
        await say(asked, what, { ...CONTEXT, rivals: rivals.map((one) => ({ thing: one, value: what })) }),
      ).toEqual(said);
    }),
    { numRuns: 600 },
  );
});

it.each([
  ["person", "people"],
  ["bookshelf", "bookshelves"],
  ["chest of drawers", "chests of drawers"],
  ["box", "boxes"],
  ["knife", "knives"],
  ["glass", "glasses"],
  ["dustpan with brush", "dustpans with brush"],
  ["toy", "toys"],
  ["bus", "buses"],
  ["postman", "postmen"],
])("the plural of %s is %s, and a plural stays one", (one, many) => {
  expect(plural(one)).toBe(many);
  expect(isPlural(one)).toBe(false);
  expect(plural(many)).toBe(many);
});

it.each([
  ["iron", "an iron"],
  ["hour glass", "an hour glass"],
  ["unicorn poster", "a unicorn poster"],
  ["umbrella", "an umbrella"],
  ["LED lamp", "an LED lamp"],
  ["TV", "a TV"],
  ["spoons", "spoons"],
  ["milk", "some milk"],
  ["Olga", "Olga"],
  ["the lamp", "the lamp"],
])("%s takes its article: %s", (noun, said) => {
  expect(withArticle(noun)).toBe(said);
});

it("counts and lists", () => {
  expect(counted(2, "scissors")).toBe("2 pairs of scissors");
  expect(countedList(["door", "Olga", "door"])).toBe("2 doors and Olga");
  expect(list([])).toBe("");
  expect(list(["a", "b", "c"], 2)).toBe("a, b and c");
  expect(list(["a", "b", "c", "d"], 2)).toBe("a, b and 2 more");
});
