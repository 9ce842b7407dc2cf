import { FLUENTS, type FluentName } from "../../house/types.ts";
import { binary, firstOf, type Subtype } from "../draft.ts";
import { couldBe, plural, withArticle } from "../phrases.ts";
import { refer } from "../refer.ts";
import type { Known, Scope } from "../scope.ts";
import { evidenceTimes } from "../sight.ts";
import { visited } from "./comparison.ts";
import { countable, countDraft } from "./counting.ts";
import { FLAT_TOPS, onTopOf } from "./facts.ts";
import { fitsOnTop } from "./free-top.ts";

const TRIES = 24;
/** Number of seats, where people would agree on it. */
const SEATS: Readonly<Record<string, number>> = {
  chair: 1,
  armchair: 1,
  "office chair": 1,
  stool: 1,
  beanbag: 1,
};
const SOFA_SEATS: Readonly<Record<string, number>> = { "two-seat sofa": 2, "three-seat sofa": 3 };
/** A thing fits with a quarter to spare, or not even if a fifth smaller; nothing in between is asked. */
const ROOMY = 1.25;
const TIGHT = 0.8;

/** The fluent of a known thing whose present value was seen. */
function knownFluent(scope: Scope, { thing, sinceUs }: Known, name: FluentName): string | undefined {
  const since = Math.max(sinceUs, scope.fluentSince(thing.id, name));
  return scope.sight.isClear(thing.id, since) ? scope.fluent(thing.id, name) : undefined;
}

/** Open, on, full, made, occupied: now, and at the last sighting. */
export const STATE: readonly Subtype[] = [
  {
    type: "state",
    subtype: "state/is",
    answers: "binary",
    make: (scope, random, want) =>
      firstOf(
        random,
        scope.known.filter(({ thing }) => thing.fluents.length > 0),
        TRIES,
        (known) => {
          const name = random.pick(known.thing.fluents);
          const now = knownFluent(scope, known, name);
          const words = now && refer(scope, known.thing, random);
          if (now === undefined || !words) return undefined;
          const value = want ? now : FLUENTS[name].find((v) => v !== now)!;
          return {
            answer: binary(want, want ? undefined : `it is ${now}`),
            extra: [want ? "yes" : "no"],
            slots: { thing: words, value },
            targets: [known.thing.id],
            evidenceTimesUs: evidenceTimes(
              scope.sight.clear(known.thing.id, scope.fluentSince(known.thing.id, name)),
            ),
            about: { fluent: name, value },
            look: "targets",
          };
        },
      ),
  },
  {
    type: "state",
    subtype: "state/which",
    answers: "text",
    make: (scope, random) =>
      firstOf(
        random,
        scope.known.filter(({ thing }) => thing.fluents.length > 0),
        TRIES,
        (known) => {
          const name = random.pick(known.thing.fluents);
          const now = knownFluent(scope, known, name);
          const words = now && refer(scope, known.thing, random);
          if (now === undefined || !words) return undefined;
          const [first, second] = random.shuffle(FLUENTS[name]) as [string, string];
          return {
            answer: { type: "text", text: now },
            slots: { thing: words, first, second },
            targets: [known.thing.id],
            evidenceTimesUs: evidenceTimes(
              scope.sight.clear(known.thing.id, scope.fluentSince(known.thing.id, name)),
            ),
            about: { fluent: name },
            look: "targets",
          };
        },
      ),
  },
  {
    type: "state",
    subtype: "state/last-seen",
    answers: "binary",
    make: (scope, random, want) =>
      firstOf(
        random,
        scope.house.things.filter(({ fluents }) => fluents.length > 0),
        TRIES,
        (thing) => {
          const name = random.pick(thing.fluents);
          const last = scope.sight.clear(thing.id).at(-1);
          if (last === undefined || thing.type === "structure") return undefined;
          const changes = scope.world.timeline.historyOf(thing.id).fluents[name] ?? [];
          const since = changes.findLast(({ timeUs }) => timeUs <= last.timeUs)?.timeUs;
          const was = scope.fluent(thing.id, name, last.timeUs);
          const words = refer(scope, thing, random, false);
          if (since === undefined || was === undefined || !words || !scope.sight.isClear(thing.id, since))
            return undefined;
          const value = want ? was : FLUENTS[name].find((v) => v !== was)!;
          return {
            answer: binary(want),
            slots: { thing: words, value },
            targets: [thing.id],
            evidenceTimesUs: evidenceTimes(scope.sight.clear(thing.id, since)),
            about: { fluent: name, value },
            look: "none",
          };
        },
      ),
  },
];

/** Whether there is any: in the house, in a room, in a state. A "no" is asked only about observed places. */
export const EXISTENCE: readonly Subtype[] = [
  {
    type: "existence",
    subtype: "existence/room",
    answers: "binary",
    make: (scope, random, want) =>
      firstOf(random, scope.known, TRIES, ({ thing, placement }) => {
        const what = countable(scope, thing);
        const info = want ? scope.roomInfo(placement.room) : visited(scope)[0] && random.pick(visited(scope));
        if (!what || !info || !scope.isLookedOver(info.room.id)) return undefined;
        const here = what.all.filter((id) => scope.placement(id)!.room === info.room.id);
        if (want !== here.length > 0 || !here.every((id) => scope.knownOf(id))) return undefined;
        return {
          answer: want ? binary(true) : { ...noLooked, text: "no" },
          slots: { thing: withArticle(what.noun), things: plural(what.noun), room: info.phrase },
          targets: here,
          regions: [info.room.id],
          evidenceTimesUs: want ? scope.evidence(...here) : evidenceTimes(scope.sight.inRoom(info.room.id)),
          about: { noun: what.noun, room: info.room.id },
          look: want ? "targets" : "regions",
        };
      }),
  },
  {
    type: "existence",
    subtype: "existence/house",
    answers: "binary",
    make: (scope, random, want) => {
      if (!want && !scope.house.rooms.every(({ id }) => scope.isLookedOver(id))) return undefined;
      const noun = want
        ? firstOf(random, scope.known, TRIES, ({ thing }) => countable(scope, thing)?.noun)
        : random.pick(ELSEWHERE);
      if (noun === undefined) return undefined;
      // What was here and has gone would make a "no" ambiguous.
      if (!want && scope.house.things.some((thing) => couldBe(thing, noun))) return undefined;
      const seen = scope.known.flatMap(({ thing }) => (couldBe(thing, noun) ? [thing.id] : []));
      return {
        answer: want ? binary(true) : { ...noLooked, text: "no" },
        slots: { thing: withArticle(noun), things: plural(noun) },
        targets: seen,
        regions: want ? [] : scope.house.rooms.map(({ id }) => id),
        evidenceTimesUs: want ? scope.evidence(...seen) : [],
        about: { noun },
        look: want ? "targets" : "regions",
      };
    },
  },
  {
    type: "existence",
    subtype: "existence/state",
    answers: "binary",
    make: (scope, random, want) =>
      firstOf(
        random,
        scope.known.filter(({ thing }) => thing.fluents.length > 0),
        TRIES,
        (known) => {
          const name = random.pick(known.thing.fluents);
          const what = countable(scope, known.thing);
          const info = scope.roomInfo(known.placement.room);
          if (!what || !info || known.thing.type === "door" || !scope.isLookedOver(info.room.id))
            return undefined;
          const here = what.all.filter((id) => scope.placement(id)!.room === info.room.id);
          const values = here.map((id) => {
            const k = scope.knownOf(id);
            return k && scope.thing(id).fluents.includes(name) ? knownFluent(scope, k, name) : undefined;
          });
          if (values.some((value) => value === undefined)) return undefined;
          const value = random.pick(FLUENTS[name]);
          if (values.includes(value) !== want) return undefined;
          return {
            answer: binary(want),
            slots: { thing: withArticle(what.noun), things: plural(what.noun), value, room: info.phrase },
            targets: here,
            regions: [info.room.id],
            evidenceTimesUs: scope.evidence(...here),
            about: { noun: what.noun, room: info.room.id, fluent: name, value },
            look: "targets",
          };
        },
      ),
  },
];

const noLooked = { type: "binary", value: false, status: "looked-absent" } as const;
/** Things that no house of ours has, but a house could have. */
const ELSEWHERE = [
  "fish tank",
  "chandelier",
  "pool table",
  "violin",
  "bird cage",
  "sewing machine",
  "telescope",
];

/** Free seats, free tops, and whether one more fits. */
export const CAPACITY: readonly Subtype[] = [
  {
    type: "capacity",
    subtype: "capacity/anything-on",
    answers: "binary",
    make: (scope, random, want) =>
      firstOf(
        random,
        scope.known.filter(({ thing }) => FLAT_TOPS.has(thing.category)),
        TRIES,
        (host) => {
          const on = onTopOf(scope, host.thing.id);
          const words = refer(scope, host.thing, random);
          if (!words || on.length > 0 !== want || !on.every((id) => scope.knownOf(id))) return undefined;
          return {
            answer: want ? binary(true) : { ...noLooked, text: "no, it is empty" },
            slots: { host: words },
            targets: [host.thing.id, ...on],
            evidenceTimesUs: scope.evidence(host.thing.id),
            look: "targets",
          };
        },
      ),
  },
  {
    type: "capacity",
    subtype: "capacity/room-for",
    answers: "binary",
    make: (scope, random, want) =>
      firstOf(
        random,
        scope.known.filter(({ thing }) => FLAT_TOPS.has(thing.category)),
        3 * TRIES,
        (host) => {
          const guest = random.pick(scope.known);
          const on = onTopOf(scope, host.thing.id);
          if (guest.thing.type !== "small" || on.includes(guest.thing.id)) return undefined;
          if (guest.placement.insideOf !== undefined || !on.every((id) => scope.knownOf(id)))
            return undefined;
          const others = on.map((id) => scope.placement(id)!);
          const fits = (factor: number): boolean =>
            fitsOnTop(host.placement, others, {
              x: guest.placement.extent.x * factor,
              y: guest.placement.extent.y * factor,
            });
          if (want ? !fits(ROOMY) : fits(TIGHT)) return undefined;
          const first = refer(scope, host.thing, random);
          const second = refer(scope, guest.thing, random);
          if (!first || !second) return undefined;
          return {
            answer: binary(want),
            slots: { host: first, thing: second },
            targets: [host.thing.id, guest.thing.id, ...on],
            evidenceTimesUs: scope.evidence(host.thing.id, guest.thing.id),
            look: "targets",
          };
        },
      ),
  },
  {
    type: "capacity",
    subtype: "capacity/seats",
    answers: "count",
    make: (scope, random) =>
      firstOf(random, visited(scope), TRIES, (info) => {
        const seats = scope
          .present()
          .filter(
            ({ thing, placement }) =>
              placement.room === info.room.id &&
              (thing.fluents.includes("occupancy") || thing.category === "sofa"),
          );
        if (seats.length === 0) return undefined;
        let free = 0;
        for (const { thing } of seats) {
          const places = SEATS[thing.category] ?? SOFA_SEATS[thing.name];
          const known = scope.knownOf(thing.id);
          // How many a bench or a bed seats is unclear; a sofa with one person on it has one seat left, or two.
          if (places === undefined || known === undefined) return undefined;
          const state = knownFluent(scope, known, "occupancy");
          if (state === undefined || (state === "occupied" && places > 1)) return undefined;
          if (state === "free") free += places;
        }
        const ids = seats.map(({ thing }) => thing.id);
        const draft = countDraft(scope, ids, {
          slots: { room: info.phrase },
          regions: [info.room.id],
          about: { room: info.room.id },
        });
        return (
          draft && {
            ...draft,
            answer: { type: "count", count: free, text: String(free) },
            extra: [],
            distractors: [free - 1, free + 1, free + 2, free + 3].filter((n) => n >= 0).map(String),
          }
        );
      }),
  },
];
