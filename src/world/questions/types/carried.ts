import type { WorldEvent } from "../../dynamics/index.ts";
import { binary, type Draft, firstOf, type Subtype } from "../draft.ts";
import { numberWord } from "../phrases.ts";
import { placeWords } from "../place-words.ts";
import { refer } from "../refer.ts";
import type { Scope } from "../scope.ts";
import { evidenceTimes } from "../sight.ts";
import { MOVES, smallThings } from "./change.ts";
import { HOUSE_TOLERANCE_M } from "./objects.ts";

const TRIES = 20;
const S = 1_000_000;

/** Whether things stay where they are: known only afterwards, scored by probability. */
export const PREDICTIVE: readonly Subtype[] = [
  {
    type: "predictive",
    subtype: "predictive/stays",
    answers: "binary",
    make: (scope, random, want) => {
      const minutes = random.int(1, 6);
      const untilUs = scope.askedAtUs + minutes * 60 * S;
      const { timeline } = scope.world;
      if (untilUs > timeline.startUs + timeline.durationUs) return undefined;
      const pool = scope.known.filter(({ thing }) => {
        if (thing.type !== "small" || !thing.movable) return false;
        const leaves = timeline.events.some(
          (e) =>
            (MOVES.has(e.type) || e.type === "remove") &&
            (e.thing === thing.id || e.other === thing.id) &&
            e.timeUs > scope.askedAtUs &&
            e.timeUs <= untilUs,
        );
        return leaves !== want;
      });
      return firstOf(random, pool, TRIES, ({ thing }) => {
        const words = refer(scope, thing, random);
        if (!words) return undefined;
        return {
          answer: binary(want),
          slots: { thing: words, span: minutes === 1 ? "a minute" : `${numberWord(minutes)} minutes` },
          targets: [thing.id],
          evidenceTimesUs: scope.evidence(thing.id),
          about: { untilUs },
          look: "none",
        };
      });
    },
  },
];

/** What people carried, who it was, and where it went. */
export const CARRIED: readonly Subtype[] = [
  {
    type: "carried",
    subtype: "carried/what",
    answers: "text",
    make: (scope, random) =>
      firstOf(random, seenCarries(scope), TRIES, (carry) => {
        const later = carriesBy(scope, carry.who!).at(-1);
        if (later !== carry) return undefined;
        const thing = scope.thing(carry.thing);
        const { name, category, colour } = thing;
        return {
          ...carried(scope, carry),
          answer: { type: "text", text: name },
          extra: [category, ...(colour === undefined ? [] : [`${colour} ${name}`, `${colour} ${category}`])],
          slots: { person: scope.thing(carry.who!).name },
          distractors: smallThings(scope).map((other) => other.name),
        };
      }),
  },
  {
    type: "carried",
    subtype: "carried/who",
    answers: "text",
    make: (scope, random) =>
      firstOf(random, seenCarries(scope), TRIES, (carry) => {
        const words = refer(scope, scope.thing(carry.thing), random, false);
        const who = new Set(carriesOf(scope, carry.thing).map((other) => other.who));
        if (!words || who.size > 1) return undefined;
        return {
          ...carried(scope, carry),
          answer: { type: "text", text: scope.thing(carry.who!).name },
          slots: { thing: words },
          distractors: scope.house.people.filter((name) => name !== scope.thing(carry.who!).name),
        };
      }),
  },
  {
    type: "carried",
    subtype: "carried/where-put",
    answers: "text",
    make: (scope, random) =>
      firstOf(random, seenCarries(scope), TRIES, (carry) => {
        const known = scope.knownOf(carry.thing);
        const words = refer(scope, scope.thing(carry.thing), random, false);
        if (!known || known.sinceUs !== carry.endUs || !words || typeof carry.to !== "object")
          return undefined;
        const { text, extra } = placeWords(scope, known.thing, known.placement);
        return {
          ...carried(scope, carry),
          answer: { type: "text", text, position: known.placement.centre },
          extra,
          slots: { person: scope.thing(carry.who!).name, thing: words },
          tolerance: { m: HOUSE_TOLERANCE_M },
        };
      }),
  },
];

function carriesBy(scope: Scope, who: string): WorldEvent[] {
  return scope.world.timeline.events.filter(
    (e) => e.type === "carry" && e.who === who && e.endUs <= scope.askedAtUs,
  );
}

function carriesOf(scope: Scope, thing: string): WorldEvent[] {
  return scope.world.timeline.events.filter(
    (e) => MOVES.has(e.type) && (e.thing === thing || e.other === thing) && e.endUs <= scope.askedAtUs,
  );
}

/** Carries in which the person and the thing were both seen well, on the way. */
function seenCarries(scope: Scope): WorldEvent[] {
  return scope.world.timeline.events.filter(
    (e) =>
      e.type === "carry" &&
      e.who !== null &&
      e.endUs <= scope.askedAtUs &&
      scope.sight.isClear(e.thing, e.timeUs, e.endUs) &&
      scope.sight.isClear(e.who, e.timeUs, e.endUs),
  );
}

function carried(scope: Scope, { thing, who, timeUs, endUs }: WorldEvent): Omit<Draft, "slots" | "answer"> {
  return {
    targets: [thing, who!],
    evidenceTimesUs: evidenceTimes(scope.sight.clear(thing, timeUs, endUs)),
    about: { carriedUs: timeUs },
    look: "none",
  };
}
