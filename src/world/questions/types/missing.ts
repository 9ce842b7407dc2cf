import type { Random } from "../../../geometry/index.ts";
import type { UnanswerableReason } from "../../../schema/index.ts";
import { COLOUR_NAMES } from "../../house/palette.ts";
import type { HouseThing } from "../../house/types.ts";
import { type Draft, firstOf } from "../draft.ts";
import { couldBe, nounsOf, type Phrase, phrase, withArticle } from "../phrases.ts";
import { placeWords } from "../place-words.ts";
import { refer } from "../refer.ts";
import type { Scope } from "../scope.ts";
import { evidenceTimes } from "../sight.ts";
import { removedThings } from "./change.ts";
import { visited } from "./comparison.ts";
import { onTopOf } from "./facts.ts";

const TRIES = 24;

/** Things that a house may have and this one may lack. */
const MAYBE_MISSING = [
  "piano",
  "crib",
  "printer",
  "umbrella",
  "coffee machine",
  "kitchen island",
  "treadmill",
  "bicycle",
  "guitar",
  "fireplace",
  "wheelchair",
  "aquarium",
  "violin",
  "telescope",
  "sewing machine",
  "chandelier",
  "bird cage",
  "skateboard",
  "blender",
  "globe",
  "typewriter",
  "vacuum cleaner",
  "projector",
  "drum kit",
];

export interface Missing {
  readonly words: Phrase;
  readonly noun: string;
  readonly about: NonNullable<Draft["about"]>;
  readonly reason: UnanswerableReason;
  readonly answer: string;
  readonly targets: readonly string[];
  readonly regions: readonly string[];
  readonly evidenceTimesUs: readonly number[];
}

/** A thing whose words fit nothing that was ever seen. */
export function neverSeen(scope: Scope, random: Random): Missing | undefined {
  const unseen = scope
    .present()
    .filter(
      ({ thing }) => thing.type !== "person" && thing.type !== "window" && !scope.sight.isSeen(thing.id),
    );
  if (random.chance(0.5) && unseen.length > 0) {
    const { thing } = random.pick(unseen);
    // Nothing of that name may have been seen: the words must not fit something else.
    const words = refer(scope, thing, random, false);
    const noun = words?.claims.nouns[0];
    if (!words || noun === undefined) return undefined;
    if (
      scope.house.things.some(
        (t) => words.claims.nouns.some((n) => couldBe(t, n)) && scope.sight.isSeen(t.id),
      )
    )
      return undefined;
    return missing("never-seen", words, noun, `I have not seen ${withArticle(noun)}`, {
      about: { missing: "unseen", noun },
      targets: [thing.id],
    });
  }
  const noun = random.pick(MAYBE_MISSING);
  if (scope.house.things.some((thing) => couldBe(thing, noun))) return undefined;
  return missing("never-seen", phrase(`the ${noun}`), noun, `I have not seen ${withArticle(noun)}`, {
    about: { missing: "nowhere", noun },
  });
}

/** A movable thing of a kind that is here, with words on it that nothing here has. */
export function unknownLabel(scope: Scope, random: Random): Missing | undefined {
  return firstOf(random, scope.known, TRIES, ({ thing }) => {
    const noun = nounsOf(thing)[0];
    const says = thing.text?.replace(/\d/g, () => String(random.int(0, 10)));
    if (noun === undefined || says === undefined || !thing.movable) return undefined;
    if (scope.house.things.some(({ text }) => text === says)) return undefined;
    const words = phrase(`the ${noun} that says “${says}”`);
    return missing("never-seen", words, noun, `I have not seen ${withArticle(noun)} that says “${says}”`, {
      about: { missing: "label", noun, says },
    });
  });
}

/** A thing that was looked for and absent: taken away, not on that table, or not in that room. */
export function lookedAbsent(scope: Scope, random: Random): Missing | undefined {
  const gone = random.chance(0.4) ? takenAway(scope, random) : undefined;
  if (gone !== undefined) return gone;
  return random.chance(0.5) ? absentFromTop(scope, random) : absentFromRoom(scope, random);
}

function absentFromTop(scope: Scope, random: Random): Missing | undefined {
  return firstOf(random, scope.known, TRIES, (host) => {
    if (
      host.thing.type !== "furniture" ||
      !/table|desk$|nightstand|dresser|sideboard/.test(host.thing.category)
    )
      return undefined;
    const on = onTopOf(scope, host.thing.id);
    const other = random.pick(scope.known);
    const noun = nounsOf(other.thing)[0];
    const hostWords = refer(scope, host.thing, random);
    if (!hostWords || noun === undefined || other.thing.type !== "small") return undefined;
    const isFree = on.every((id) => scope.knownOf(id) && !couldBe(scope.thing(id), noun));
    if (
      !isFree ||
      scope.house.things.some((t) => couldBe(t, noun) && scope.placement(t.id)?.insideOf === host.thing.id)
    )
      return undefined;
    const words = phrase(`the ${noun} on ${hostWords.dev}`, `the ${noun} on ${hostWords.test}`);
    return missing("looked-absent", words, noun, `there is no ${noun} on ${hostWords.dev}`, {
      about: { missing: "not-on", noun, host: host.thing.id },
      targets: [host.thing.id],
      evidenceTimesUs: scope.evidence(host.thing.id),
    });
  });
}

/** `like` is the thing asked for, which exists elsewhere in the house; by default anything. */
export function absentFromRoom(scope: Scope, random: Random, like?: HouseThing): Missing | undefined {
  return firstOf(random, visited(scope), TRIES, ({ room, phrase: roomWords }) => {
    const other = like ?? random.pick(scope.known).thing;
    const noun = nounsOf(other)[0];
    if (noun === undefined || (other.type !== "small" && other.type !== "furniture")) return undefined;
    const isHere = scope.house.things.some(
      (thing) => couldBe(thing, noun) && scope.placement(thing.id)?.room === room.id,
    );
    if (isHere) return undefined;
    const words = phrase(`the ${noun} in ${roomWords.dev}`, `the ${noun} in ${roomWords.test}`);
    return missing("looked-absent", words, noun, `there is no ${noun} in ${roomWords.dev}`, {
      about: { missing: "not-in", noun, room: room.id },
      regions: [room.id],
      evidenceTimesUs: evidenceTimes(scope.sight.inRoom(room.id)),
    });
  });
}

/** There is one, but not of that colour. */
export function wrongColour(scope: Scope, random: Random): Missing | undefined {
  return firstOf(random, scope.known, TRIES, ({ thing }) => {
    const noun = nounsOf(thing)[0];
    if (noun === undefined || thing.colour === undefined || thing.type === "person") return undefined;
    const same = scope.house.things.filter((other) => couldBe(other, noun));
    if (same.length !== 1) return undefined;
    const colour = random.pick(COLOUR_NAMES.filter((name) => name !== thing.colour));
    return missing("false-premise", phrase(`the ${colour} ${noun}`), noun, `the ${noun} is ${thing.colour}`, {
      about: { missing: "colour", noun, colour },
      targets: [thing.id],
      evidenceTimesUs: scope.evidence(thing.id),
    });
  });
}

export function missing(
  reason: UnanswerableReason,
  words: Phrase,
  noun: string,
  answer: string,
  rest: Partial<Missing> & Pick<Missing, "about">,
): Missing {
  return { reason, words, noun, answer, targets: [], regions: [], evidenceTimesUs: [], ...rest };
}

/** Only what was taken away: "where is it" of a thing on a table or in a room would reveal its place. */
export function takenAway(scope: Scope, random: Random): Missing | undefined {
  const gone = removedThings(scope);
  if (gone.length === 0) return undefined;
  const { thing, last } = random.pick(gone);
  const words = refer(scope, thing, random, false);
  if (!words) return undefined;
  return missing(
    "looked-absent",
    words,
    words.claims.nouns[0]!,
    `it is gone; it was ${placeWords(scope, thing, last).text}`,
    {
      about: { missing: "removed", noun: words.claims.nouns[0]! },
      targets: [thing.id, last.supportedBy!],
      evidenceTimesUs: evidenceTimes(scope.sight.clear(last.supportedBy!, scope.segmentAt(thing.id).fromUs)),
    },
  );
}
