import type { TruthAnswer } from "../../../schema/index.ts";
import type { Segment, WorldEvent } from "../../dynamics/index.ts";
import type { FluentName, HouseThing, Placement } from "../../house/types.ts";
import { binary, type Draft, firstOf, type Subtype } from "../draft.ts";
import { clockWords, listed, numberWord, phrase } from "../phrases.ts";
import { placeWords } from "../place-words.ts";
import { refer } from "../refer.ts";
import type { Scope } from "../scope.ts";
import { evidenceTimes } from "../sight.ts";
import { HOUSE_TOLERANCE_M } from "./objects.ts";

const TRIES = 20;
const S = 1_000_000;
export const MOVES = new Set<WorldEvent["type"]>(["move", "carry", "twin-swap"]);
const FLUENT_VERBS: Partial<Record<FluentName, { dev: string; test: string }>> = {
  openness: phrase("been opened or closed", "been opened or shut"),
  power: phrase("been switched on or off", "been turned on or off"),
  fill: phrase("been filled or emptied", "been filled up or emptied"),
  making: phrase("been made or unmade", "been made or messed up"),
};

/** Two places of one thing, both seen, with nothing between but the move. */
interface Moved {
  readonly thing: HouseThing;
  readonly before: Segment & { readonly placement: Placement };
  readonly after: Placement;
  readonly movedUs: number;
}

/** The last move of a thing, if both sides of it were seen; drawers that take it along do not count. */
export function observedMove(scope: Scope, thing: HouseThing): Moved | undefined {
  const known = scope.knownOf(thing.id);
  if (known === undefined || !thing.movable || thing.type !== "small") return undefined;
  const rests = restsOf(scope, thing.id);
  const now = rests.at(-1);
  const before = rests.at(-2);
  if (now?.placement === undefined || before?.placement === undefined) return undefined;
  const endUs = before.toUs ?? now.fromUs;
  if (!scope.sight.isClear(thing.id, before.fromUs, endUs - 1)) return undefined;
  return {
    thing,
    before: { ...before, placement: before.placement },
    after: known.placement,
    movedUs: endUs,
  };
}

/** Stretches at rest until now; what slid along with a drawer is joined to the stretch before. */
function restsOf(scope: Scope, id: string): Segment[] {
  const rests: Segment[] = [];
  for (const segment of scope.world.timeline.historyOf(id).segments) {
    if (segment.fromUs > scope.askedAtUs) break;
    if (segment.path !== undefined) continue;
    const last = rests.at(-1);
    if (last !== undefined && (segment.reason === "open" || segment.reason === "close"))
      rests[rests.length - 1] = { ...segment, fromUs: last.fromUs };
    else rests.push(segment);
  }
  return rests;
}

function hasRested(scope: Scope, id: string): boolean {
  return restsOf(scope, id).length === 1;
}

function seenTwice(scope: Scope, id: string): boolean {
  const frames = scope.sight.clear(id);
  return frames.length >= 6 && frames.at(-1)!.timeUs - frames[0]!.timeUs >= 30 * S;
}

function evidenceOfMove(scope: Scope, moved: Moved): number[] {
  const { thing, before, movedUs } = moved;
  return [
    ...evidenceTimes(scope.sight.clear(thing.id, before.fromUs, movedUs - 1)).slice(-8),
    ...evidenceTimes(scope.sight.clear(thing.id, movedUs)).slice(0, 8),
  ];
}

export function smallThings(scope: Scope): HouseThing[] {
  return scope.house.things.filter(({ type, movable }) => type === "small" && movable);
}

/** Things that moved, disappeared, appeared or switched, and where they were before. */
export const CHANGE: readonly Subtype[] = [
  {
    type: "change",
    subtype: "change/moved",
    answers: "binary",
    make: (scope, random, want) =>
      firstOf(random, movedOrRested(scope, want), TRIES, (thing) => {
        const moved = observedMove(scope, thing);
        const words = refer(scope, thing, random, false);
        if (!words) return undefined;
        const times = moved ? evidenceOfMove(scope, moved) : evidenceTimes(scope.sight.clear(thing.id));
        return {
          answer: binary(want),
          slots: { thing: words },
          targets: [thing.id],
          evidenceTimesUs: times,
          look: "none",
        };
      }),
  },
  {
    type: "change",
    subtype: "change/where-before",
    answers: "text",
    make: (scope, random) =>
      firstOf(random, movedOrRested(scope, true), TRIES, (thing) => {
        const moved = observedMove(scope, thing)!;
        const words = refer(scope, thing, random, false);
        return words && { ...placed(scope, moved, moved.before.placement), slots: { thing: words } };
      }),
  },
  {
    type: "change",
    subtype: "change/where-now",
    answers: "text",
    make: (scope, random) =>
      firstOf(random, movedOrRested(scope, true), TRIES, (thing) => {
        const moved = observedMove(scope, thing)!;
        const words = refer(scope, thing, random, false);
        return words && { ...placed(scope, moved, moved.after), slots: { thing: words }, look: "targets" };
      }),
  },
  setSubtype("change/what-moved", (scope, sinceUs) => {
    const ids: string[] = [];
    for (const event of eventsSince(scope, sinceUs)) {
      if (!MOVES.has(event.type)) continue;
      for (const id of [event.thing, ...(event.other === undefined ? [] : [event.other])]) {
        // A move that could not be noticed is not asked for; one half seen is not asked about.
        if (observedMove(scope, scope.thing(id)) !== undefined) ids.push(id);
        else if (isSeenSince(scope, id, scope.segmentAt(id).fromUs)) return undefined;
      }
    }
    return ids;
  }),
  setSubtype("change/what-gone", (scope, sinceUs) => {
    const ids: string[] = [];
    for (const event of eventsSince(scope, sinceUs)) {
      if (event.type !== "remove" || !scope.sight.isSeen(event.thing)) continue;
      const host = typeof event.from === "object" ? event.from.supportedBy : undefined;
      if (wasSeenGone(scope, event.thing)) ids.push(event.thing);
      else if (host === undefined || isSeenSince(scope, host, event.timeUs)) return undefined;
    }
    return ids;
  }),
  setSubtype("change/what-new", (scope, sinceUs) => {
    const ids: string[] = [];
    for (const event of eventsSince(scope, sinceUs)) {
      if (event.type !== "add" || !scope.sight.isSeen(event.thing)) continue;
      const known = scope.knownOf(event.thing);
      const host = known?.placement.supportedBy;
      if (!known || host === undefined || !scope.sight.isClear(host, -Infinity, event.timeUs - 1))
        return undefined;
      ids.push(event.thing);
    }
    return ids;
  }),
  {
    type: "change",
    subtype: "change/state",
    answers: "binary",
    make: (scope, random, want) =>
      firstOf(
        random,
        scope.known.filter(({ thing }) => thing.fluents.length > 0),
        3 * TRIES,
        ({ thing }) => {
          const name = random.pick(thing.fluents);
          const verb = FLUENT_VERBS[name];
          const since = sinceMinutes(scope, random.int(1, 11));
          const words = verb && since && refer(scope, thing, random, false);
          if (!verb || !since || !words) return undefined;
          const changes = (scope.world.timeline.historyOf(thing.id).fluents[name] ?? []).filter(
            ({ timeUs }) => timeUs > since.fromUs && timeUs <= scope.askedAtUs,
          );
          if (changes.length > 0 !== want || changes.length > 1) return undefined;
          const switchedUs = changes[0]?.timeUs ?? since.fromUs;
          const isSeenBefore = scope.sight.isClear(thing.id, -Infinity, switchedUs - 1);
          if (!isSeenBefore || !scope.sight.isClear(thing.id, switchedUs)) return undefined;
          return {
            answer: binary(want),
            slots: { thing: words, verb, since: since.words },
            targets: [thing.id],
            evidenceTimesUs: evidenceTimes(scope.sight.clear(thing.id)),
            about: { fluent: name, fromUs: since.fromUs },
            look: "none",
          };
        },
      ),
  },
];

function isSeenSince(scope: Scope, id: string, sinceUs: number): boolean {
  return scope.sight.glimpses(id).some(({ timeUs }) => timeUs >= sinceUs);
}

function movedOrRested(scope: Scope, moved: boolean): HouseThing[] {
  return smallThings(scope).filter((thing) =>
    moved
      ? observedMove(scope, thing) !== undefined
      : scope.knownOf(thing.id) !== undefined && hasRested(scope, thing.id) && seenTwice(scope, thing.id),
  );
}

function placed(scope: Scope, moved: Moved, placement: Placement): Omit<Draft, "slots"> {
  const { text, extra } = placeWords(scope, moved.thing, placement);
  return {
    answer: { type: "text", text, position: placement.centre },
    extra,
    targets: [moved.thing.id],
    evidenceTimesUs: evidenceOfMove(scope, moved),
    tolerance: { m: HOUSE_TOLERANCE_M },
    distractors: scope.known.flatMap((k) =>
      k.thing.type === "small" ? [placeWords(scope, k.thing, k.placement).text] : [],
    ),
    about: { movedUs: moved.movedUs },
    look: "none",
  };
}

/** The thing was seen, went, and the place where it stood was seen well after that. */
export function wasSeenGone(scope: Scope, id: string): boolean {
  const { fromUs, placement } = scope.segmentAt(id);
  const last = restsOf(scope, id).at(-2);
  if (placement !== undefined || last?.placement === undefined) return false;
  const host = last.placement.supportedBy;
  return (
    host !== undefined &&
    scope.thing(host).type !== "structure" &&
    !last.placement.hidden &&
    scope.sight.isClear(id, last.fromUs, fromUs - 1) &&
    scope.sight.isClear(host, fromUs)
  );
}

export function removedThings(scope: Scope): { thing: HouseThing; last: Placement }[] {
  return smallThings(scope).flatMap((thing) => {
    const last = wasSeenGone(scope, thing.id) ? restsOf(scope, thing.id).at(-2)?.placement : undefined;
    return last === undefined ? [] : [{ thing, last }];
  });
}

function eventsSince(scope: Scope, sinceUs: number): WorldEvent[] {
  return scope.world.timeline.events.filter(({ timeUs }) => timeUs > sinceUs && timeUs <= scope.askedAtUs);
}

function sinceMinutes(scope: Scope, minutes: number) {
  const fromUs = scope.askedAtUs - minutes * 60 * S;
  if (fromUs < scope.world.timeline.startUs) return undefined;
  const span = minutes === 1 ? "the last minute" : `the last ${numberWord(minutes)} minutes`;
  return { fromUs, words: phrase(`in ${span}`, `since ${clockWords(fromUs)}`) };
}

function setSubtype(
  subtype: string,
  changed: (scope: Scope, sinceUs: number) => string[] | undefined,
): Subtype {
  return {
    type: "change",
    subtype,
    answers: "set",
    make: (scope, random) => {
      const since = sinceMinutes(scope, random.int(2, 30));
      const ids = since && changed(scope, since.fromUs);
      if (!since || !ids || ids.length === 0 || ids.length > 8) return undefined;
      const things = [...new Set(ids)];
      const items = things.map((id) => scope.thing(id).name);
      const answer: TruthAnswer = { type: "set", items, text: listed(items) };
      return {
        answer,
        slots: { since: since.words },
        targets: things,
        evidenceTimesUs: things
          .flatMap((id) => evidenceTimes(scope.sight.clear(id)).slice(-4))
          .sort((a, b) => a - b),
        about: { fromUs: since.fromUs },
        look: "none",
      };
    },
  };
}
