import { COLOUR_NAMES } from "../../house/palette.ts";
import { binary, firstOf, type Subtype } from "../draft.ts";
import { couldBe, listed, nounsOf, numberWord, plural } from "../phrases.ts";
import { refer } from "../refer.ts";
import type { Known, Scope } from "../scope.ts";
import { hasOneRoom, isFloorFurniture } from "./facts.ts";

const TRIES = 12;
const MATERIALS = [
  "wood",
  "metal",
  "glass",
  "plastic",
  "ceramic",
  "fabric",
  "leather",
  "steel",
  "cotton",
  "paper",
];

const attribute = (
  subtype: string,
  value: (
    known: Known,
    scope: Scope,
  ) => { text: string; extra?: string[]; distractors: readonly string[] } | undefined,
): Subtype => ({
  type: "attribute",
  subtype,
  answers: "text",
  make: (scope, random) =>
    firstOf(random, scope.known, TRIES, (known) => {
      const found = value(known, scope);
      const words = found && refer(scope, known.thing, random);
      if (!found || !words || words.claims.says !== undefined) return undefined;
      // "What colour is the red mug" answers itself.
      if (words.claims.colour !== undefined && subtype === "attribute/colour") return undefined;
      return {
        answer: { type: "text", text: found.text },
        extra: found.extra ?? [],
        slots: { thing: words },
        targets: [known.thing.id],
        evidenceTimesUs: scope.evidence(known.thing.id),
        distractors: found.distractors,
        look: "targets",
      };
    }),
});

/** Colour, material, printed words, height. */
export const ATTRIBUTE: readonly Subtype[] = [
  attribute("attribute/colour", ({ thing }) =>
    thing.colour === undefined || thing.type === "person"
      ? undefined
      : { text: thing.colour, extra: thing.colour === "grey" ? ["gray"] : [], distractors: COLOUR_NAMES },
  ),
  attribute("attribute/material", ({ thing }) =>
    thing.material === undefined || thing.type === "person" || thing.material === "food"
      ? undefined
      : {
          text: thing.material,
          extra: thing.material === "wood" ? ["wooden"] : [],
          distractors: MATERIALS,
        },
  ),
  attribute("attribute/text", (known, scope) => {
    const text = scope.textOf(known);
    return text === undefined ? undefined : { text, distractors: [] };
  }),
  {
    type: "attribute",
    subtype: "attribute/height",
    answers: "quantity",
    make: (scope, random) =>
      firstOf(random, scope.known, TRIES, (known) => {
        const heightM = Math.round(known.placement.extent.z * 100) / 100;
        const words = refer(scope, known.thing, random);
        if (!words || !isFloorFurniture(scope, known) || heightM < 0.3) return undefined;
        return {
          answer: {
            type: "quantity",
            quantity: { value: heightM, unit: "m" },
            text: `${heightM.toFixed(1)} m`,
          },
          slots: { thing: words },
          targets: [known.thing.id],
          evidenceTimesUs: scope.evidence(known.thing.id),
          tolerance: { share: 0.25 },
          look: "targets",
        };
      }),
  },
  {
    type: "attribute",
    subtype: "attribute/colours",
    answers: "set",
    make: (scope, random) =>
      firstOf(random, scope.known, TRIES, ({ thing }) => {
        const noun = nounsOf(thing)[0];
        const all = scope.present().filter((other) => noun !== undefined && couldBe(other.thing, noun));
        const isGood = all.every((o) => scope.knownOf(o.thing.id) && o.thing.colour !== undefined);
        if (noun === undefined || all.length < 2 || all.length > 3 || !isGood || thing.type === "person")
          return undefined;
        const items = [...new Set(all.map((other) => other.thing.colour!))].sort();
        const ids = all.map((other) => other.thing.id);
        return {
          answer: { type: "set", items, text: listed(items) },
          slots: { things: plural(noun), count: numberWord(all.length) },
          targets: ids,
          evidenceTimesUs: scope.evidence(...ids),
          about: { noun },
          look: "targets",
        };
      }),
  },
];

/** "Is the mug on the table?" and whether two things share a place or a colour. */
export const RELATIONSHIP: readonly Subtype[] = [
  pairwise("relationship/same-room", (a, b) =>
    hasOneRoom(a.thing) && hasOneRoom(b.thing) ? a.placement.room === b.placement.room : undefined,
  ),
  pairwise("relationship/same-colour", (a, b) =>
    a.thing.colour === undefined || b.thing.colour === undefined || a.thing.type === "person"
      ? undefined
      : a.thing.colour === b.thing.colour,
  ),
  pairwise("relationship/same-surface", (a, b) =>
    a.thing.type !== "small" ||
    b.thing.type !== "small" ||
    !a.placement.supportedBy ||
    !b.placement.supportedBy
      ? undefined
      : a.placement.supportedBy === b.placement.supportedBy,
  ),
  pairwise("relationship/on", (a, b, carriers) =>
    a.thing.type !== "small" || !carriers.has(b.thing.id) || a.placement.insideOf !== undefined
      ? undefined
      : a.placement.supportedBy === b.thing.id,
  ),
];

/** `carriers` are the things that have something on them: questions about others would be silly. */
function pairwise(
  subtype: string,
  holds: (a: Known, b: Known, carriers: ReadonlySet<string>) => boolean | undefined,
): Subtype {
  return {
    type: "relationship",
    subtype,
    answers: "binary",
    make: (scope, random, want) => {
      const carriers = new Set(scope.known.flatMap(({ placement }) => placement.supportedBy ?? []));
      return firstOf(random, scope.known, 6 * TRIES, (a) => {
        const fits = scope.known.filter(
          (b) => b !== a && b.thing.type !== "person" && holds(a, b, carriers) === want,
        );
        if (fits.length === 0) return undefined;
        const b = random.pick(fits);
        const roomAllowed = subtype !== "relationship/same-room";
        const first = refer(scope, a.thing, random, roomAllowed);
        const second = refer(scope, b.thing, random, roomAllowed);
        if (!first || !second) return undefined;
        const tellsColour = first.claims.colour !== undefined && second.claims.colour !== undefined;
        if (subtype === "relationship/same-colour" && tellsColour) return undefined;
        return {
          answer: binary(want),
          slots: { first, second },
          targets: [a.thing.id, b.thing.id],
          evidenceTimesUs: scope.evidence(a.thing.id, b.thing.id),
          look: "targets",
        };
      });
    },
  };
}
