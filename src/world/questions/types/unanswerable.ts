import type { Random } from "../../../geometry/index.ts";
import type { TruthAnswer, UnanswerableReason } from "../../../schema/index.ts";
import { FLUENTS } from "../../house/types.ts";
import { type Draft, firstOf, type Subtype } from "../draft.ts";
import { clockWords, couldBe, phrase, plural, withArticle } from "../phrases.ts";
import { refer } from "../refer.ts";
import type { Scope } from "../scope.ts";
import { countable } from "./counting.ts";
import { FLAT_TOPS, onTopOf } from "./facts.ts";
import {
  absentFromRoom,
  lookedAbsent,
  type Missing,
  missing,
  neverSeen,
  takenAway,
  unknownLabel,
  wrongColour,
} from "./missing.ts";
import { PURPOSES } from "./purposes.ts";

const TRIES = 24;
const S = 1_000_000;

function none(text: string, reason: UnanswerableReason): TruthAnswer {
  return { type: "none", text, status: reason === "never-seen" ? "not-seen" : reason };
}

function draftOf(found: Missing, wording: string, slots: Draft["slots"]): Draft {
  return {
    answer: none(found.answer, found.reason),
    slots,
    targets: found.targets,
    regions: found.regions,
    evidenceTimesUs: found.evidenceTimesUs,
    about: found.about,
    unanswerable: found.reason,
    wording,
    look: found.reason === "looked-absent" ? "regions" : "none",
  };
}

type Finder = (scope: Scope, random: Random) => Missing | undefined;
const FINDERS: readonly Finder[] = [neverSeen, lookedAbsent, wrongColour];
/** For questions that a wrong colour or a place would already answer: only things that are not there at all. */
const ABSENT: readonly Finder[] = [neverSeen, lookedAbsent];

/** A question of an ordinary type whose one thing is missing; the wording is that of the type. */
function ofOne(
  base: Pick<Subtype, "type" | "subtype" | "answers">,
  finders: readonly Finder[] = FINDERS,
): Subtype {
  return {
    ...base,
    make: (scope, random) => {
      const found = random.pick(finders)(scope, random);
      return found && draftOf(found, base.subtype, { thing: found.words });
    },
  };
}

/** The same for two things, of which one is there. */
function ofTwo(base: Pick<Subtype, "type" | "subtype" | "answers">): Subtype {
  return {
    ...base,
    make: (scope, random) => {
      const found = random.pick(ABSENT)(scope, random);
      const real =
        found &&
        firstOf(random, scope.known, TRIES, ({ thing }) =>
          thing.type === "furniture" && !couldBe(thing, found.noun) ? refer(scope, thing, random) : undefined,
        );
      if (!found || !real) return undefined;
      const slots = random.chance(0.5)
        ? { first: found.words, second: real }
        : { first: real, second: found.words };
      const draft = draftOf(found, base.subtype, slots);
      return { ...draft, targets: [...draft.targets, real.id] };
    },
  };
}

/**
 * Questions without an answer, worded like any other of their type: never seen, looked for and absent, false premise.
 * They expose a memory that invents answers.
 */
export const UNANSWERABLE: readonly Subtype[] = [
  ofOne({ type: "localisation", subtype: "localisation/where", answers: "text" }, [
    neverSeen,
    wrongColour,
    takenAway,
  ]),
  ofOne({ type: "localisation", subtype: "localisation/room", answers: "text" }, [neverSeen, wrongColour]),
  ofOne({ type: "localisation", subtype: "localisation/point", answers: "position" }),
  ofOne({ type: "attribute", subtype: "attribute/colour", answers: "text" }, ABSENT),
  ofOne({ type: "attribute", subtype: "attribute/material", answers: "text" }),
  ofOne({ type: "world-knowledge", subtype: "knowledge/room-type", answers: "text" }, [
    neverSeen,
    wrongColour,
  ]),
  ofOne({ type: "temporal", subtype: "temporal/last-seen", answers: "time" }, [neverSeen, wrongColour]),
  ofOne({ type: "temporal", subtype: "temporal/first-seen", answers: "time" }, [neverSeen, wrongColour]),
  ofOne({ type: "compound", subtype: "compound/height-when", answers: "compound" }, [neverSeen]),
  ofOne({ type: "localisation", subtype: "stock/where", answers: "position" }, [unknownLabel]),
  ofOne({ type: "localisation", subtype: "stock/slot-of", answers: "text" }, [unknownLabel]),
  ofOne({ type: "localisation", subtype: "stock/zone", answers: "text" }, [unknownLabel]),
  ofOne({ type: "temporal", subtype: "stock/arrived", answers: "time" }, [unknownLabel]),
  ofTwo({ type: "relationship", subtype: "relationship/same-colour", answers: "binary" }),
  ofTwo({ type: "comparison", subtype: "comparison/bigger", answers: "binary" }),
  ofTwo({ type: "comparison", subtype: "comparison/taller", answers: "binary" }),
  ofTwo({ type: "spatial", subtype: "spatial/distance", answers: "quantity" }),
  {
    type: "existence",
    subtype: "existence/room",
    answers: "binary",
    make: (scope, random) =>
      firstOf(
        random,
        scope.rooms.filter(({ room }) => isUnseen(scope, room.id)),
        TRIES,
        ({ room, phrase: words }) => {
          const noun = firstOf(random, scope.known, TRIES, ({ thing }) => countable(scope, thing)?.noun);
          if (noun === undefined) return undefined;
          const found = missing("never-seen", words, noun, `I have not been in ${words.dev}`, {
            about: { missing: "unvisited", noun, room: room.id },
            regions: [room.id],
          });
          return draftOf(found, "existence/room", {
            thing: withArticle(noun),
            things: plural(noun),
            room: words,
          });
        },
      ),
  },
  {
    type: "recognition",
    subtype: "recognition/on",
    answers: "text",
    make: (scope, random) =>
      firstOf(random, scope.known, 2 * TRIES, ({ thing }) => {
        if (!FLAT_TOPS.has(thing.category) || onTopOf(scope, thing.id).length > 0) return undefined;
        const words = refer(scope, thing, random);
        if (!words) return undefined;
        const found = missing("looked-absent", words, thing.category, `there is nothing on ${words.dev}`, {
          about: { missing: "empty", noun: thing.category },
          targets: [thing.id],
          evidenceTimesUs: scope.evidence(thing.id),
        });
        return draftOf(found, "recognition/on", { anchor: words });
      }),
  },
  {
    type: "state",
    subtype: "state/is",
    answers: "binary",
    make: (scope, random) =>
      firstOf(random, scope.known, TRIES, ({ thing }) => {
        const found = thing.fluents.length === 0 ? undefined : absentFromRoom(scope, random, thing);
        if (found === undefined) return undefined;
        const value = random.pick(FLUENTS[random.pick(thing.fluents)]);
        return draftOf(found, "state/is", { thing: found.words, value });
      }),
  },
  {
    type: "functional",
    subtype: "functional/what",
    answers: "text",
    make: (scope, random) =>
      firstOf(random, PURPOSES, TRIES, ({ affordance, dev, test }) => {
        if (scope.house.things.some(({ affordances }) => affordances.includes(affordance))) return undefined;
        const found = missing(
          "never-seen",
          phrase(dev, test),
          affordance,
          "I have not seen anything for that",
          {
            about: { missing: "no-means", noun: affordance },
          },
        );
        return draftOf(found, "functional/what", { purpose: found.words });
      }),
  },
  {
    type: "temporal",
    subtype: "temporal/gap",
    answers: "duration",
    make: (scope, random) => {
      const found = neverSeen(scope, random);
      const real =
        found && firstOf(random, scope.known, TRIES, ({ thing }) => refer(scope, thing, random, false));
      if (!found || !real) return undefined;
      const draft = draftOf(found, "temporal/gap", { first: real, second: found.words });
      return { ...draft, targets: [...draft.targets, real.id] };
    },
  },
  {
    type: "change",
    subtype: "change/where-before",
    answers: "text",
    make: (scope, random) =>
      firstOf(random, scope.known, TRIES, ({ thing }) => {
        const { segments } = scope.world.timeline.historyOf(thing.id);
        const frames = scope.sight.clear(thing.id);
        const long = frames.length >= 6 && frames.at(-1)!.timeUs - frames[0]!.timeUs > 30 * S;
        const words = refer(scope, thing, random, false);
        if (thing.type !== "small" || !thing.movable || segments.length > 1 || !long || !words)
          return undefined;
        return falsePremise("it has not been moved", { thing: words }, "change/where-before", [thing.id], {
          premise: "moved",
        });
      }),
  },
  {
    type: "motion",
    subtype: "motion/direction",
    answers: "motion",
    make: (scope, random) =>
      firstOf(random, scope.known, TRIES, ({ thing, sinceUs }) => {
        const frame = scope.sight.clear(thing.id, sinceUs)[0];
        const words = refer(scope, thing, random, false);
        if (thing.type !== "furniture" || !frame || !words) return undefined;
        const when = phrase(`at ${clockWords(frame.timeUs)}`, `back at ${clockWords(frame.timeUs)}`);
        return falsePremise("it was not moving", { person: words, when }, "motion/direction", [thing.id], {
          premise: "motion",
          atUs: frame.timeUs,
        });
      }),
  },
  {
    type: "carried",
    subtype: "carried/where-put",
    answers: "text",
    make: (scope, random) =>
      firstOf(random, scope.known, TRIES, ({ thing }) => {
        const people = scope.house.things.filter(
          (person) => person.type === "person" && scope.sight.isClear(person.id),
        );
        const words = refer(scope, thing, random, false);
        if (people.length === 0 || thing.type !== "small" || !thing.movable || !words) return undefined;
        const person = random.pick(people);
        const { segments } = scope.world.timeline.historyOf(thing.id);
        if (segments.length > 1) return undefined;
        return falsePremise(
          `${person.name} did not carry it; it stayed where it is`,
          { person: person.name, thing: words },
          "carried/where-put",
          [thing.id, person.id],
          { premise: "carried" },
        );
      }),
  },
];

/** No agent was in the room, and nothing in it was seen through its door. */
function isUnseen(scope: Scope, room: string): boolean {
  return (
    scope.sight.inRoom(room).length === 0 &&
    scope.present().every(({ thing, placement }) => placement.room !== room || !scope.sight.isSeen(thing.id))
  );
}

function falsePremise(
  text: string,
  slots: Draft["slots"],
  wording: string,
  targets: readonly string[],
  about: NonNullable<Draft["about"]>,
): Draft {
  return {
    answer: none(text, "false-premise"),
    slots,
    targets,
    evidenceTimesUs: [],
    about,
    unanswerable: "false-premise",
    wording,
    look: "none",
  };
}
