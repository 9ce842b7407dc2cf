import { AWAY } from "../../../belief/presence.ts";
import { MATCHING } from "../../../belief/settings/matching.ts";
import { isLiveAt, type KnownThing } from "../../../belief/thing.ts";
import { evidenceFor, trust } from "../../../belief/trust.ts";

import { centreOf, distance } from "../../../geometry/index.ts";
import { plural, withArticle } from "../../say/grammar.ts";
import { theThing } from "../../say/naming.ts";
import type { Scope } from "../operator.ts";
import {
  ANYTHING,
  ANYTHING_ELSE,
  type ThingsValue,
  type UnknownValue,
  unknownValue,
  type Value,
} from "../value.ts";
import { LOOKED } from "./coverage.ts";
import { GONE } from "./standing.ts";

/** Candidates within this share of the best are as good. */
const AS_GOOD = 0.92;
/** Of candidates weighted by a description, those with at least this share of the best are reported. */
const WORTH_TELLING = 0.5;
/** The highest confidence in a partial fit. */
const IN_PART = 0.75;
/** Below this a thing has hardly anything to do with the description. */
const LEAST = 0.02;

/**
 * The single thing that is meant. If all that fits has contrary evidence, the result is a false premise or an absence,
 * with what is true instead; the likeliest is then its `goal`, for a caller that wants a guess.
 */
export async function meant(set: ThingsValue, scope: Scope): Promise<Value> {
  const gone = await goneInstead(set, scope);
  const fitting = gone ? [gone] : set.things.length > 0 ? set.things : acceptable(set);
  const [best] = fitting;
  if (!best) return absent(set);
  const rivals = fitting
    .slice(1)
    .filter((other) => isRival(other, best, set, scope) && !isSpecial(other, best, set.phrase));
  const trusted = set.isShared
    ? best.fit * (await trust({ ...best, fit: 1 }, scope.memory))
    : await trust(best, scope.memory, rivals.length === 0);
  return {
    ...set,
    things: [best],
    p: trusted * (set.things.length > 0 ? 1 : IN_PART),
    evidence: evidenceFor([best, ...rivals].slice(0, 5)),
    elsewhere: undefined,
    lacking: undefined,
    ...(rivals.length > 0 && { rivals }),
  };
}

/**
 * A number of things meant together: "both chairs", "the three mugs". The speaker knows that there are so many: where
 * fewer have the name, `doubtful` adds things that may have it, and the likeliest of them are meant.
 */
export async function meantTogether(
  named: ThingsValue,
  number: number,
  scope: Scope,
  doubtful: () => Promise<Value>,
): Promise<Value> {
  if (named.things.length === 0) return meant(named, scope);
  const wider = named.things.length < number ? await doubtful() : named;
  const set = wider.kind === "things" && wider.things.length > named.things.length ? wider : named;
  const things = set.things.slice(0, Math.max(number, 1));
  if (things.length < number) {
    const { complete, evidence } = set;
    const few = things.length === 1 ? set.phrase : plural(set.phrase);
    const says = `I know of only ${things.length} ${few}`;
    const more = { choices: things, goal: things[0], complete, evidence, fewer: { ...set, things } };
    return unknownValue("false-premise", says, more);
  }
  return { ...set, things, elsewhere: undefined };
}

/** What is there fits so much worse (share) than what is gone that the latter is meant. */
const MUCH_WORSE = 0.8;

/** The thing that was missed, where it has all that is said of it and what is there has not: "the grey towel", of any colour. */
async function goneInstead(
  { things: [best], elsewhere = [] }: ThingsValue,
  { memory }: Scope,
): Promise<KnownThing | undefined> {
  const gone = elsewhere.find(
    ({ against = [] }) => against.length > 0 && against.every(({ part }) => part === "gone"),
  );
  if (!best || !gone || best.fit >= MUCH_WORSE * (gone.fit / GONE)) return undefined;
  return AWAY.has((await memory.standing(gone)).status) ? gone : undefined;
}

/**
 * A partial fit is acceptable if the only evidence against the likeliest is that it is gone, or that one of several
 * relations does not hold.
 */
function acceptable({ elsewhere = [], told = 0 }: ThingsValue): readonly KnownThing[] {
  const isOpen = ({ against = [] }: KnownThing) => {
    const otherwise = against.filter(({ part }) => part !== "gone");
    return otherwise.length < Math.max(1, told) && otherwise.every(({ part }) => part === "relation");
  };
  // Each relation that does not hold lowers the fit; after several the remainder is small and still the likeliest.
  const likely = elsewhere.filter(({ fit }) => fit >= LEAST ** Math.max(1, told));
  return likely[0] && isOpen(likely[0]) ? likely.filter(isOpen) : [];
}

function isRival(
  other: KnownThing,
  best: KnownThing,
  { isShared }: ThingsValue,
  { memory, during }: Scope,
): boolean {
  if (other.fit < best.fit * (isShared ? WORTH_TELLING : AS_GOOD)) return false;
  // For a past time, a thing that was there then is as good as one that still is.
  if (during === undefined && isLiveAt(best, memory.nowUs) && !isLiveAt(other, memory.nowUs)) return false;
  return !other.box || !best.box || distance(centreOf(best.box), centreOf(other.box)) > MATCHING.samePlaceM;
}

/** "The coffee" is the thing with exactly that name, though ground coffee is coffee too. */
function isSpecial(other: KnownThing, best: KnownThing, phrase: string): boolean {
  return best.category === phrase && other.category.endsWith(` ${phrase}`);
}

/** None fits: it is different, it is gone, the place was observed without it, or it was not observed. */
function absent(set: ThingsValue): UnknownValue {
  const [instead] = set.phrase === ANYTHING ? [] : (set.elsewhere ?? []);
  const more = {
    complete: set.complete,
    ...(instead && { goal: instead, evidence: evidenceFor([instead]) }),
  };
  if (instead?.against?.[0] && !isOneOfMany(set)) {
    const is = `${theThing(instead)} ${instead.against.map((one) => one.says).join(" and ")}`;
    const says = set.lacking ? `${set.lacking.says}; ${is}` : is;
    const isElsewhere = instead.against.every(({ part }) => part !== "attribute");
    // It exists, but not where it was said to be: the place was observed without it.
    return unknownValue(isElsewhere && !set.lacking ? "looked-absent" : "false-premise", says, {
      ...more,
      choices: (set.elsewhere ?? []).slice(0, 5),
      p: isElsewhere ? 0.65 : 0.7,
    });
  }
  if (set.lacking) return set.lacking;
  return notThere(set);
}

/** Of several that all differ none is the one that was meant, so none serves as a correction. */
function isOneOfMany({ elsewhere = [] }: ThingsValue): boolean {
  return elsewhere.length > 1 && elsewhere.every(({ against }) => against?.[0]?.says.startsWith("says “"));
}

/** Pronouns for what was mentioned. */
const PRONOUN = /^(?:it|this|that|these|those|they|them|he|him|she|her|one|ones)$/i;

/** Nothing of that name: searched in vain in the place given, or never seen anywhere. */
export function notThere({ phrase, where, complete }: ThingsValue): UnknownValue {
  if (PRONOUN.test(phrase))
    return unknownValue("never-seen", `I do not know what “${phrase}” stands for; say its name`, {
      complete,
    });
  const place = where === undefined ? "" : ` ${where}`;
  const isLooked = where !== undefined && complete.share >= LOOKED;
  // Without a name to search for, something may always have escaped notice.
  const says =
    phrase === ANYTHING || phrase === ANYTHING_ELSE
      ? `I have not seen anything${phrase === ANYTHING ? "" : " else"}${place}`
      : isLooked
        ? `I looked, and there is no ${phrase}${place}`
        : `I have not seen ${withArticle(phrase)}${place}`;
  return unknownValue(isLooked ? "looked-absent" : "never-seen", says, { complete });
}
