import type { HouseThing } from "../../house/types.ts";
import { binary, firstOf, type Subtype } from "../draft.ts";
import { couldBe, plural, spanWords, withArticle } from "../phrases.ts";
import { refer } from "../refer.ts";
import type { Scope } from "../scope.ts";
import { countable } from "./counting.ts";
import { firstSight, timeAnswer } from "./time.ts";

const TRIES = 16;
const S = 1_000_000;
/** In the open a thing is a speck for as long as the approach takes. */
const SPECK_US = 40 * S;
/** What a campus could have and ours never do. */
const ELSEWHERE = [
  "windmill",
  "telephone box",
  "swimming pool",
  "roundabout",
  "water tower",
  "greenhouse",
  "tennis court",
  "drinking fountain",
  "traffic light",
  "playground",
  "tram",
  "lighthouse",
] as const;

function passed(scope: Scope): HouseThing[] {
  return scope.house.things.filter(({ type }) => type === "furniture" || type === "person");
}

/** What was passed on a drive, when, and how long it took from one to the other. */
export const ALONG_THE_WAY: readonly Subtype[] = [
  {
    type: "existence",
    subtype: "drive/passed",
    answers: "binary",
    make: (scope, random, want) => {
      const noun = want
        ? firstOf(random, scope.known, TRIES, ({ thing }) => countable(scope, thing)?.noun)
        : random.pick(ELSEWHERE);
      if (noun === undefined || (!want && scope.house.things.some((thing) => couldBe(thing, noun))))
        return undefined;
      const seen = scope.known.flatMap(({ thing }) => (couldBe(thing, noun) ? [thing.id] : [])).slice(0, 64);
      return {
        answer: binary(want),
        slots: { thing: withArticle(noun), things: plural(noun) },
        targets: seen,
        regions: [],
        evidenceTimesUs: scope.evidence(...seen).slice(0, 64),
        about: { noun },
        look: "none",
      };
    },
  },
  {
    type: "temporal",
    subtype: "drive/first-seen",
    answers: "time",
    make: (scope, random) =>
      firstOf(random, passed(scope), 4 * TRIES, (thing) => {
        const atUs = firstSight(scope, thing.id, SPECK_US);
        const words = atUs === undefined ? undefined : refer(scope, thing, random, false);
        if (atUs === undefined || !words || atUs - scope.world.timeline.startUs < 10 * S) return undefined;
        return {
          answer: timeAnswer(scope, atUs),
          slots: { thing: words },
          targets: [thing.id],
          evidenceTimesUs: [atUs],
          tolerance: { s: 120 },
          look: "none",
        };
      }),
  },
  {
    type: "temporal",
    subtype: "drive/gap",
    answers: "duration",
    make: (scope, random) =>
      firstOf(random, passed(scope), 4 * TRIES, (a) => {
        const b = random.pick(passed(scope));
        const first = firstSight(scope, a.id, SPECK_US);
        const second = firstSight(scope, b.id, SPECK_US);
        if (first === undefined || second === undefined || second - first < 60 * S) return undefined;
        const one = refer(scope, a, random, false);
        const two = refer(scope, b, random, false);
        if (!one || !two) return undefined;
        const durationS = (second - first) / S;
        return {
          answer: { type: "duration", durationS, text: `about ${spanWords(durationS)}` },
          slots: { first: one, second: two },
          targets: [a.id, b.id],
          evidenceTimesUs: [first, second],
          tolerance: { s: 60, share: 0.15 },
          look: "none",
        };
      }),
  },
];
