import type { HouseThing } from "../../house/types.ts";
import { type Draft, firstOf, type Subtype } from "../draft.ts";
import { couldBe, nounsOf, numberWord, plural, withArticle } from "../phrases.ts";
import { refer } from "../refer.ts";
import type { Scope } from "../scope.ts";
import { hasOneRoom, isNear, onTopOf } from "./facts.ts";

const TRIES = 16;
const AROUND_M = 0.8;
const AROUND_MARGIN_M = 1.1;
const MOST = 12;

/** Names that make good heads of a count, with all things in the house that it could mean. */
export function countable(scope: Scope, thing: HouseThing): { noun: string; all: string[] } | undefined {
  const noun = thing.type === "person" || !hasOneRoom(thing) ? undefined : nounsOf(thing)[0];
  if (noun === undefined) return undefined;
  const all = scope.present().flatMap((other) => (couldBe(other.thing, noun) ? [other.thing.id] : []));
  return { noun, all };
}

/** A count can be known only when every one of them was seen where it is. */
export function countDraft(
  scope: Scope,
  ids: readonly string[],
  rest: Pick<Draft, "slots"> & Partial<Draft>,
): Draft | undefined {
  if (ids.length > MOST || !ids.every((id) => scope.knownOf(id))) return undefined;
  const count = ids.length;
  const others = [count - 2, count - 1, count + 1, count + 2, count + 3].filter((n) => n >= 0);
  return {
    answer: { type: "count", count, text: String(count) },
    extra: [numberWord(count)],
    targets: [...ids],
    evidenceTimesUs: scope.evidence(...ids),
    distractors: others.map(String),
    look: "regions",
    ...rest,
  };
}

/** How many: in a room, in the house, on something, around a table, and in how many rooms. */
export const COUNTING: readonly Subtype[] = [
  {
    type: "counting",
    subtype: "counting/room",
    answers: "count",
    make: (scope, random) =>
      firstOf(random, scope.known, TRIES, ({ thing, placement }) => {
        const what = countable(scope, thing);
        const info = scope.roomInfo(placement.room);
        if (!what || !info || !scope.isLookedOver(info.room.id)) return undefined;
        const here = what.all.filter((id) => scope.placement(id)!.room === info.room.id);
        if (here.length < 2 && random.chance(0.7)) return undefined;
        return countDraft(scope, here, {
          slots: { things: plural(what.noun), room: info.phrase },
          regions: [info.room.id],
          about: { noun: what.noun, room: info.room.id },
        });
      }),
  },
  {
    type: "counting",
    subtype: "counting/house",
    answers: "count",
    make: (scope, random) =>
      firstOf(random, scope.known, TRIES, ({ thing }) => {
        const what = countable(scope, thing);
        if (!what || what.all.length < 2) return undefined;
        const rooms = [...new Set(what.all.map((id) => scope.placement(id)!.room!))];
        return countDraft(scope, what.all, {
          slots: { things: plural(what.noun) },
          regions: rooms,
          about: { noun: what.noun },
        });
      }),
  },
  {
    type: "counting",
    subtype: "counting/on",
    answers: "count",
    make: (scope, random) =>
      firstOf(random, scope.known, TRIES, (anchor) => {
        if (anchor.thing.type !== "furniture") return undefined;
        const on = onTopOf(scope, anchor.thing.id);
        const words = refer(scope, anchor.thing, random);
        if (on.length === 0 || on.length > 8 || !words) return undefined;
        return countDraft(scope, on, {
          slots: { anchor: words },
          targets: [...on, anchor.thing.id],
          regions: [anchor.placement.room!],
          look: "targets",
          about: { anchor: anchor.thing.id },
        });
      }),
  },
  {
    type: "counting",
    subtype: "counting/around",
    answers: "count",
    make: (scope, random) =>
      firstOf(random, scope.known, 3 * TRIES, (anchor) => {
        if (!/table|desk|island/.test(anchor.thing.category)) return undefined;
        const chairs = scope.present().filter(({ thing }) => couldBe(thing, "chair"));
        const around = chairs.filter((c) => isNear(c.placement, anchor.placement, AROUND_M));
        const nearly = chairs.filter((c) => isNear(c.placement, anchor.placement, AROUND_MARGIN_M));
        const words = refer(scope, anchor.thing, random);
        if (around.length === 0 || nearly.length !== around.length || !words) return undefined;
        const ids = around.map(({ thing }) => thing.id);
        return countDraft(scope, ids, {
          slots: { anchor: words },
          targets: [...ids, anchor.thing.id],
          regions: [anchor.placement.room!],
          look: "targets",
          about: { anchor: anchor.thing.id },
        });
      }),
  },
  {
    type: "counting",
    subtype: "counting/rooms-with",
    answers: "count",
    make: (scope, random) =>
      firstOf(random, scope.known, TRIES, ({ thing }) => {
        const what = countable(scope, thing);
        if (!what || what.all.length > 40 || !what.all.every((id) => scope.knownOf(id))) return undefined;
        const rooms = [...new Set(what.all.map((id) => scope.placement(id)!.room!))];
        const count = rooms.length;
        if (count < 2 && random.chance(0.7)) return undefined;
        return {
          answer: { type: "count", count, text: String(count) },
          extra: [numberWord(count)],
          slots: { thing: what.noun, aThing: withArticle(what.noun) },
          targets: what.all,
          regions: rooms,
          evidenceTimesUs: scope.evidence(...what.all),
          distractors: [count - 1, count + 1, count + 2, count + 3].filter((n) => n > 0).map(String),
          about: { noun: what.noun },
          look: "regions",
        };
      }),
  },
];
