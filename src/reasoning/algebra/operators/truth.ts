import { NAMELESS } from "../../../schema/core.ts";
import { theThing } from "../../say/naming.ts";
import type { Operator } from "../operator.ts";
import { HARDLY_LOOKED } from "../things/coverage.ts";
import {
  ANYTHING,
  type KnownValue,
  type ThingsValue,
  type TruthValue,
  truthValue,
  unknownValue,
  type Value,
} from "../value.ts";
import { elementsOf, ofEach, ofElements } from "./elements.ts";

const SETS = ["things", "rooms", "floors", "events", "times"] as const;
/** The confidence in an absence after looking. */
const ABSENT_P = 0.8;

/** Whether a set has a member: one is enough for yes; no requires observation. */
function existence(set: KnownValue, isNegated: boolean): Value {
  const unnoticed = set.kind === "things" && allUnnoticed(set);
  if (unnoticed) return unnoticed;
  if (elementsOf(set).length > 0) return truthValue(!isNegated, set, { shown: set });
  const nothing = nothingKnown(set);
  if (nothing) return nothing;
  const instead = set.kind === "things" ? insteadOf(set) : undefined;
  const p = ABSENT_P * (0.6 + 0.4 * set.complete.share);
  return truthValue(isNegated, { ...set, p }, { shown: set, instead });
}

/** There are such things, but none has an observed value for the state: that is neither yes nor no. */
function allUnnoticed({ things, complete, evidence }: ThingsValue): Value | undefined {
  const [first] = things;
  if (first?.unnoticed === undefined || things.some(({ unnoticed }) => unnoticed === undefined))
    return undefined;
  const which = things.length === 1 ? theThing(first) : `any ${first.category}`;
  const says = `I have not noticed whether ${which} is ${first.unnoticed}`;
  return unknownValue("not-yet", says, { complete, evidence, choices: things, goal: first });
}

/** An empty set about which nothing is known: its description has an unknown part, or its place was not observed. */
export function nothingKnown(set: KnownValue): Value | undefined {
  if (set.kind === "things" && set.lacking) return set.lacking;
  const { share, missing } = set.complete;
  if (share >= HARDLY_LOOKED) return undefined;
  const where = missing.length === 0 ? "there" : `in ${missing.slice(0, 4).join(", ")}`;
  return unknownValue("not-yet", `I have not looked ${where} yet`, { complete: set.complete });
}

/**
 * What exists instead of what does not: "the mug is in the study". Instead of "anything" there is nothing, and a thing
 * without a name is nothing that was asked for.
 */
function insteadOf({ elsewhere = [], phrase }: ThingsValue): string | undefined {
  const other = phrase === ANYTHING ? undefined : elsewhere.find(({ category }) => category !== NAMELESS);
  return other?.against?.[0] && `${theThing(other)} ${other.against.map(({ says }) => says).join(" and ")}`;
}

/** What is true, and what is not. */
export const truth: readonly Operator[] = [
  {
    name: "exists",
    says: "whether the set has a member",
    takes: [{ name: "set", kinds: SETS }],
    gives: "truth",
    run: async (call) => existence((await call.arg(0)) as KnownValue, false),
  },
  {
    name: "none",
    says: "whether the set has no member",
    takes: [{ name: "set", kinds: SETS }],
    gives: "truth",
    run: async (call) => existence((await call.arg(0)) as KnownValue, true),
  },
  {
    name: "all",
    says: "whether it is so for every member of the set",
    takes: [
      { name: "set", kinds: SETS },
      { name: "truth", kinds: ["truth"], bound: true },
    ],
    gives: "truth",
    async run(call) {
      const set = (await call.arg(0)) as KnownValue;
      const elements = await ofEach(set, call);
      const phrase = "phrase" in set ? set.phrase : "time";
      if (elements.length === 0)
        return (
          nothingKnown(set) ??
          unknownValue("false-premise", `I have not seen any ${phrase}`, { complete: set.complete })
        );
      const { complete, evidence } = set;
      const noticed = elements.flatMap(({ element, value }) =>
        value.kind === "truth" ? [{ element, is: value }] : [],
      );
      if (noticed.length === 0)
        return unknownValue("not-yet", `I have not noticed that of any ${phrase}`, { complete, evidence });
      const p = Math.min(set.p, ...noticed.map(({ is }) => is.p));
      const against = noticed.filter(({ is }) => !is.truth);
      const share = complete.share * (noticed.length / elements.length);
      if (against.length === 0)
        return truthValue(true, { p, complete: { ...complete, share }, evidence }, { shown: set });
      // One counterexample settles it, whatever was not observed.
      const others = against.map(({ element }) => element);
      const instead = against.find(({ is }) => is.instead !== undefined)?.is.instead;
      return truthValue(false, { p, evidence }, { shown: ofElements(set, others), instead });
    },
  },
  {
    name: "not",
    says: "the contrary",
    takes: [{ name: "truth", kinds: ["truth"] }],
    gives: "truth",
    async run(call) {
      const value = (await call.arg(0)) as TruthValue;
      return { ...value, truth: !value.truth };
    },
  },
];
