import { binary, type Draft, firstOf, type Subtype } from "../draft.ts";
import { numberWord } from "../phrases.ts";
import { placeWords } from "../place-words.ts";
import { refer } from "../refer.ts";
import type { Known, Scope } from "../scope.ts";
import { evidenceTimes } from "../sight.ts";
import { observedMove } from "./change.ts";
import { onTopOf } from "./facts.ts";
import { pointedAt } from "./mixed.ts";
import { bare } from "./objects.ts";
import { timeAnswer } from "./time.ts";

const TRIES = 20;
const S = 1_000_000;
/** A delivery is asked about when it was seen within this; the answer may be off by the suite's tolerance. */
const SEEN_SOON_US = 60 * S;

/** The number of the slot that something stands in: the words on the shelf under it. */
function slotUnder(scope: Scope, host: string | undefined): string | undefined {
  const thing = host === undefined ? undefined : scope.thing(host);
  return thing?.category === "shelf" ? thing.text : undefined;
}

function slotAnswer(scope: Scope, label: string): Pick<Draft, "answer" | "extra" | "distractors"> {
  return {
    answer: { type: "text", text: label },
    extra: [
      `slot ${label}`,
      `shelf ${label}`,
      `in slot ${label}`,
      `on shelf ${label}`,
      `on the shelf ${label}`,
    ],
    distractors: scope.house.things.flatMap(({ category, text }) =>
      category === "shelf" && text !== undefined ? [text] : [],
    ),
  };
}

/** A slot that was seen since its content last changed. */
function knownSlots(scope: Scope): { shelf: Known; boxes: string[]; sinceUs: number }[] {
  return scope.known.flatMap((shelf) => {
    if (shelf.thing.category !== "shelf") return [];
    const boxes = onTopOf(scope, shelf.thing.id);
    const sinceUs = lastChangeOf(scope, shelf.thing.id);
    const isSeen = scope.sight.isClear(shelf.thing.id, sinceUs) && boxes.every((id) => scope.knownOf(id));
    return isSeen ? [{ shelf, boxes, sinceUs }] : [];
  });
}

/** When something was last put there or taken away. */
function lastChangeOf(scope: Scope, host: string): number {
  let last = -Infinity;
  for (const { id, type } of scope.house.things) {
    if (type !== "small") continue;
    for (const { fromUs, toUs, placement } of scope.world.timeline.historyOf(id).segments) {
      if (placement?.supportedBy !== host || fromUs > scope.askedAtUs) continue;
      last = Math.max(last, fromUs, toUs !== null && toUs <= scope.askedAtUs ? toUs : -Infinity);
    }
  }
  return last;
}

const boxesOf = (scope: Scope): Known[] => scope.known.filter(({ thing }) => thing.category === "box");

/** What a warehouse asks its robot: which slot, what is in it, how many of it, since when. */
export const STOCK: readonly Subtype[] = [
  {
    type: "localisation",
    subtype: "stock/where",
    answers: "position",
    make: (scope, random) =>
      firstOf(random, boxesOf(scope), TRIES, ({ thing, placement }) => {
        const words = refer(scope, thing, random, false);
        if (!words) return undefined;
        return {
          answer: {
            type: "position",
            position: placement.centre,
            text: slotUnder(scope, placement.supportedBy) ?? placeWords(scope, thing, placement).text,
          },
          slots: { thing: words },
          targets: [thing.id],
          evidenceTimesUs: scope.evidence(thing.id),
          tolerance: { m: 1 },
          look: "targets",
        };
      }),
  },
  {
    type: "localisation",
    subtype: "stock/slot-of",
    answers: "text",
    make: (scope, random) =>
      firstOf(random, boxesOf(scope), TRIES, ({ thing, placement }) => {
        const label = slotUnder(scope, placement.supportedBy);
        const words = label === undefined ? undefined : refer(scope, thing, random, false);
        if (label === undefined || !words || !scope.knownOf(placement.supportedBy!)) return undefined;
        return {
          ...slotAnswer(scope, label),
          slots: { thing: words },
          targets: [thing.id, placement.supportedBy!],
          evidenceTimesUs: scope.evidence(thing.id),
          look: "targets",
        };
      }),
  },
  {
    type: "recognition",
    subtype: "stock/in-slot",
    answers: "text",
    make: (scope, random) =>
      firstOf(random, knownSlots(scope), TRIES, ({ shelf, boxes }) => {
        const [only] = boxes;
        const sku = boxes.length === 1 ? scope.thing(only!).text : undefined;
        if (sku === undefined) return undefined;
        return {
          answer: { type: "text", text: `a box that says “${sku}”` },
          extra: [sku, `box ${sku}`, `the box that says “${sku}”`, `box that says “${sku}”`],
          slots: { slot: shelf.thing.text! },
          targets: [only!, shelf.thing.id],
          evidenceTimesUs: scope.evidence(only!),
          look: "targets",
        };
      }),
  },
  {
    type: "existence",
    subtype: "stock/empty",
    answers: "binary",
    make: (scope, random, want) =>
      firstOf(random, knownSlots(scope), TRIES, ({ shelf, boxes, sinceUs }) => {
        if ((boxes.length === 0) !== want) return undefined;
        return {
          answer: binary(want),
          slots: { slot: shelf.thing.text! },
          targets: [shelf.thing.id, ...boxes],
          evidenceTimesUs: evidenceTimes(scope.sight.clear(shelf.thing.id, sinceUs)),
          look: "targets",
        };
      }),
  },
  {
    type: "counting",
    subtype: "stock/count",
    answers: "count",
    make: (scope, random) =>
      firstOf(random, boxesOf(scope), TRIES, ({ thing }) => {
        const all = alike(scope, thing.text);
        if (all === undefined || (all.length < 2 && random.chance(0.7))) return undefined;
        return {
          ...counted(all.length),
          slots: { sku: thing.text! },
          targets: all,
          evidenceTimesUs: scope.evidence(...all),
          about: { sku: thing.text! },
          look: "targets",
        };
      }),
  },
  {
    type: "localisation",
    subtype: "stock/zone",
    answers: "text",
    make: (scope, random) =>
      firstOf(random, boxesOf(scope), TRIES, ({ thing, placement }) => {
        const words = refer(scope, thing, random, false);
        const info = scope.roomInfo(placement.room);
        if (!words || !info) return undefined;
        return {
          answer: { type: "text", text: bare(info.phrase.dev), position: placement.centre },
          extra: [info.phrase.dev, `in ${info.phrase.dev}`, `the ${info.phrase.dev}`],
          slots: { thing: words },
          targets: [thing.id],
          regions: [info.room.id],
          evidenceTimesUs: scope.evidence(thing.id),
          distractors: scope.rooms.map(({ phrase }) => bare(phrase.dev)),
          look: "targets",
        };
      }),
  },
  {
    type: "change",
    subtype: "stock/slot-before",
    answers: "text",
    make: (scope, random) =>
      firstOf(random, boxesOf(scope), 3 * TRIES, ({ thing }) => {
        const moved = observedMove(scope, thing);
        const label = moved && slotUnder(scope, moved.before.placement.supportedBy);
        const words = label === undefined ? undefined : refer(scope, thing, random, false);
        if (!moved || label === undefined || !words) return undefined;
        const seen = scope.sight.clear(thing.id, moved.before.fromUs, moved.movedUs - 1);
        return {
          ...slotAnswer(scope, label),
          slots: { thing: words },
          targets: [thing.id],
          evidenceTimesUs: evidenceTimes(seen).slice(-8),
          about: { movedUs: moved.movedUs },
          look: "none",
        };
      }),
  },
  {
    type: "temporal",
    subtype: "stock/arrived",
    answers: "time",
    make: (scope, random) =>
      firstOf(random, scope.world.timeline.events, 3 * TRIES, ({ type, thing: id, timeUs }) => {
        if (type !== "add" || timeUs > scope.askedAtUs || scope.thing(id).category !== "box")
          return undefined;
        const first = scope.sight.clear(id)[0]?.timeUs;
        const words = refer(scope, scope.thing(id), random, false);
        if (first === undefined || first - timeUs > SEEN_SOON_US || !scope.sight.isClear(id) || !words)
          return undefined;
        return {
          answer: timeAnswer(scope, timeUs),
          slots: { thing: words },
          targets: [id],
          evidenceTimesUs: [first],
          tolerance: { s: 120 },
          look: "none",
        };
      }),
  },
  {
    type: "multimodal",
    subtype: "this/slot",
    answers: "text",
    make: (scope, random) =>
      firstOf(random, pointedAt(scope), TRIES, ({ known: { thing, placement }, image }) => {
        const label = thing.category === "box" ? slotUnder(scope, placement.supportedBy) : undefined;
        if (label === undefined || !scope.knownOf(placement.supportedBy!)) return undefined;
        return {
          ...slotAnswer(scope, label),
          slots: {},
          targets: [thing.id, placement.supportedBy!],
          evidenceTimesUs: scope.evidence(thing.id),
          image,
          look: "none",
        };
      }),
  },
  {
    type: "multimodal",
    subtype: "this/alike",
    answers: "count",
    make: (scope, random) =>
      firstOf(random, pointedAt(scope), TRIES, ({ known: { thing }, image }) => {
        const all = thing.category === "box" ? alike(scope, thing.text) : undefined;
        if (all === undefined) return undefined;
        return {
          ...counted(all.length - 1),
          slots: {},
          targets: [thing.id, ...all.filter((id) => id !== thing.id)],
          evidenceTimesUs: scope.evidence(...all),
          image,
          look: "none",
        };
      }),
  },
];

/** Boxes with this label, when every one of them was seen where it is. */
function alike(scope: Scope, sku: string | undefined): string[] | undefined {
  const all = scope
    .present()
    .flatMap(({ thing }) => (thing.category === "box" && thing.text === sku ? [thing.id] : []));
  return sku !== undefined && all.every((id) => scope.knownOf(id)) ? all : undefined;
}

function counted(count: number): Pick<Draft, "answer" | "extra" | "distractors"> {
  return {
    answer: { type: "count", count, text: String(count) },
    extra: [numberWord(count)],
    distractors: [count - 1, count + 1, count + 2, count + 3].filter((n) => n >= 0).map(String),
  };
}
