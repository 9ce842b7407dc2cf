import { isBetween } from "../../house/relations.ts";
import { type Draft, firstOf, type Subtype } from "../draft.ts";
import { answerNames, couldBe, listed } from "../phrases.ts";
import { placeWords } from "../place-words.ts";
import { refer } from "../refer.ts";
import type { Known, Scope } from "../scope.ts";
import { hasOneRoom, isFloorFurniture, isNear, NEAR_MARGIN_M, onTopOf, withinOf } from "./facts.ts";

const TRIES = 12;
/** A house is small: an answer a metre off points at something else. */
export const HOUSE_TOLERANCE_M = 1;

const named = (scope: Scope, known: Known, extra: Partial<Draft> = {}): Omit<Draft, "slots" | "targets"> => {
  const { text, extra: others } = answerNames(known.thing);
  return {
    answer: { type: "text", text, position: known.placement.centre },
    extra: others,
    evidenceTimesUs: scope.evidence(known.thing.id),
    distractors: scope.known.flatMap(({ thing }) =>
      thing.type === known.thing.type && !couldBe(thing, known.thing.category)
        ? [answerNames(thing).text]
        : [],
    ),
    look: "targets",
    ...extra,
  };
};

/** What is on, in, next to, between; which thing says a word. */
export const RECOGNITION: readonly Subtype[] = [
  {
    type: "recognition",
    subtype: "recognition/on",
    answers: "text",
    make: (scope, random) =>
      firstOf(random, scope.known, TRIES, (anchor) => {
        if (anchor.thing.type !== "furniture") return undefined;
        const on = onTopOf(scope, anchor.thing.id);
        const only = on.length === 1 ? scope.knownOf(on[0]!) : undefined;
        const words = only && refer(scope, anchor.thing, random);
        if (!only || !words || only.thing.type !== "small") return undefined;
        return { ...named(scope, only), slots: { anchor: words }, targets: [only.thing.id, anchor.thing.id] };
      }),
  },
  {
    type: "recognition",
    subtype: "recognition/all-on",
    answers: "set",
    make: (scope, random) =>
      firstOf(random, scope.known, TRIES, (anchor) => {
        if (anchor.thing.type !== "furniture") return undefined;
        const on = onTopOf(scope, anchor.thing.id);
        const words = refer(scope, anchor.thing, random);
        if (on.length < 2 || on.length > 6 || !words || !on.every((id) => scope.knownOf(id)))
          return undefined;
        const items = on.map((id) => scope.thing(id).name);
        return {
          answer: { type: "set", items, text: listed(items) },
          slots: { anchor: words },
          targets: [...on, anchor.thing.id],
          evidenceTimesUs: scope.evidence(...on),
          look: "targets",
        };
      }),
  },
  {
    type: "recognition",
    subtype: "recognition/in",
    answers: "text",
    make: (scope, random) =>
      firstOf(random, scope.known, TRIES, (anchor) => {
        const inside = withinOf(scope, anchor.thing.id);
        const only = inside.length === 1 ? scope.knownOf(inside[0]!) : undefined;
        const words = only && refer(scope, anchor.thing, random);
        if (!only || !words) return undefined;
        return { ...named(scope, only), slots: { anchor: words }, targets: [only.thing.id, anchor.thing.id] };
      }),
  },
  {
    type: "recognition",
    subtype: "recognition/next-to",
    answers: "text",
    make: (scope, random) =>
      firstOf(random, scope.known, TRIES, (anchor) => {
        if (!isFloorFurniture(scope, anchor)) return undefined;
        const all = scope
          .present()
          .filter((other) => other.thing !== anchor.thing && isFloorFurniture(scope, other));
        const near = all.filter((other) => isNear(other.placement, anchor.placement));
        const nearly = all.filter((other) => isNear(other.placement, anchor.placement, NEAR_MARGIN_M));
        const only = near.length === 1 && nearly.length === 1 ? scope.knownOf(near[0]!.thing.id) : undefined;
        const words = only && refer(scope, anchor.thing, random);
        if (!only || !words) return undefined;
        return { ...named(scope, only), slots: { anchor: words }, targets: [only.thing.id, anchor.thing.id] };
      }),
  },
  {
    type: "recognition",
    subtype: "recognition/between",
    answers: "text",
    make: (scope, random) =>
      firstOf(random, scope.known, 3 * TRIES, (a) => {
        const b = random.pick(scope.known);
        if (a === b || !isFloorFurniture(scope, a) || !isFloorFurniture(scope, b)) return undefined;
        const between = scope
          .present()
          .filter(
            (m) =>
              m.thing !== a.thing &&
              m.thing !== b.thing &&
              isFloorFurniture(scope, m) &&
              isBetween(m.placement, a.placement, b.placement),
          );
        const only = between.length === 1 ? scope.knownOf(between[0]!.thing.id) : undefined;
        const first = only && refer(scope, a.thing, random);
        const second = only && refer(scope, b.thing, random);
        if (!only || !first || !second) return undefined;
        const targets = [only.thing.id, a.thing.id, b.thing.id];
        return { ...named(scope, only), slots: { first, second }, targets };
      }),
  },
  {
    type: "recognition",
    subtype: "recognition/says",
    answers: "text",
    make: (scope, random) =>
      firstOf(random, scope.known, TRIES, (known) => {
        const text = scope.textOf(known);
        if (text === undefined || scope.house.things.filter((t) => t.text === text).length > 1)
          return undefined;
        return { ...named(scope, known), slots: { text }, targets: [known.thing.id] };
      }),
  },
];

/** Where things are: in words, by room, as a point to drive to. */
export const LOCALISATION: readonly Subtype[] = [
  {
    type: "localisation",
    subtype: "localisation/where",
    answers: "text",
    make: (scope, random) =>
      firstOf(random, scope.known, TRIES, (known) => {
        const words = refer(scope, known.thing, random, false);
        if (!words || known.thing.type !== "small") return undefined;
        const { text, extra } = placeWords(scope, known.thing, known.placement);
        return {
          answer: { type: "text", text, position: known.placement.centre },
          extra,
          slots: { thing: words },
          targets: [known.thing.id],
          evidenceTimesUs: scope.evidence(known.thing.id),
          tolerance: { m: HOUSE_TOLERANCE_M },
          distractors: scope.known.flatMap((other) =>
            other.thing.type === "small" ? [placeWords(scope, other.thing, other.placement).text] : [],
          ),
          look: "targets",
        };
      }),
  },
  {
    type: "localisation",
    subtype: "localisation/room",
    answers: "text",
    make: (scope, random) =>
      firstOf(random, scope.known, TRIES, (known) => {
        const words = refer(scope, known.thing, random, false);
        const info = scope.roomInfo(known.placement.room);
        if (!words || !info || !hasOneRoom(known.thing)) return undefined;
        return {
          answer: { type: "text", text: bare(info.phrase.dev), position: known.placement.centre },
          extra: [info.phrase.dev, info.room.type, `in ${info.phrase.dev}`, bare(info.phrase.test)],
          slots: { thing: words },
          targets: [known.thing.id],
          regions: [info.room.id],
          evidenceTimesUs: scope.evidence(known.thing.id),
          distractors: scope.rooms.map(({ phrase }) => bare(phrase.dev)),
          look: "targets",
        };
      }),
  },
  {
    type: "localisation",
    subtype: "localisation/point",
    answers: "position",
    make: (scope, random) =>
      firstOf(random, scope.known, TRIES, (known) => {
        const words = refer(scope, known.thing, random);
        if (!words) return undefined;
        return {
          answer: {
            type: "position",
            position: known.placement.centre,
            text: placeWords(scope, known.thing, known.placement).text,
          },
          slots: { thing: words },
          targets: [known.thing.id],
          evidenceTimesUs: scope.evidence(known.thing.id),
          tolerance: { m: HOUSE_TOLERANCE_M },
          look: "targets",
        };
      }),
  },
];

/** A room's phrase without its article, as an answer. */
export function bare(words: string): string {
  return words.replace(/^the /, "");
}
