import { z } from "zod";
import { theThing } from "../../say/naming.ts";
import type { Operator } from "../operator.ts";
import { HARDLY_LOOKED } from "../things/coverage.ts";
import {
  ANYTHING,
  type KnownValue,
  type ThingsValue,
  type TruthValue,
  unknownValue,
  type Value,
} from "../value.ts";
import { elementsOf, ofElements } from "./elements.ts";

const NONE = z.strictObject({});
const SETS = ["things", "rooms", "floors", "events", "times"] as const;
/** How sure one may be that something is not there after looking. */
const ABSENT_P = 0.8;

/** Whether a set has a member: one is enough for yes; no needs to have looked. */
function existence(set: KnownValue, isNegated: boolean): Value {
  const { p, complete, evidence } = set;
  if (elementsOf(set).length > 0)
    return { kind: "truth", truth: !isNegated, p, complete, evidence, shown: set };
  const nothing = nothingKnown(set);
  if (nothing) return nothing;
  const instead = set.kind === "things" ? insteadOf(set) : undefined;
  return {
    kind: "truth",
    truth: isNegated,
    p: ABSENT_P * (0.6 + 0.4 * complete.share),
    complete,
    evidence,
    shown: set,
    ...(instead !== undefined && { instead }),
  };
}

/** An empty set of which nothing can be said: what it was told by is not known, or nobody looked there. */
export function nothingKnown(set: KnownValue): Value | undefined {
  if (set.kind === "things" && set.lacking) return set.lacking;
  const { share, missing } = set.complete;
  if (share >= HARDLY_LOOKED) return undefined;
  const where = missing.length === 0 ? "there" : `in ${missing.slice(0, 4).join(", ")}`;
  return unknownValue("not-yet", `I have not looked ${where} yet`, { complete: set.complete });
}

/** What there is instead of what there is not: "the mug is in the study". Instead of anything there is nothing. */
function insteadOf({ elsewhere, phrase }: ThingsValue): string | undefined {
  const [other] = phrase === ANYTHING ? [] : (elsewhere ?? []);
  return other?.against?.[0] && `${theThing(other)} ${other.against.map(({ says }) => says).join(" and ")}`;
}

/** What is so, and what is not. */
export const truth: readonly Operator[] = [
  {
    name: "exists",
    says: "whether the set has a member",
    takes: [{ name: "set", kinds: SETS }],
    options: NONE,
    gives: "truth",
    reads: [],
    run: async (call) => existence((await call.arg(0)) as KnownValue, false),
  },
  {
    name: "none",
    says: "whether the set has no member",
    takes: [{ name: "set", kinds: SETS }],
    options: NONE,
    gives: "truth",
    reads: [],
    run: async (call) => existence((await call.arg(0)) as KnownValue, true),
  },
  {
    name: "all",
    says: "whether it is so for every member of the set",
    takes: [
      { name: "set", kinds: SETS },
      { name: "truth", kinds: ["truth"], bound: true },
    ],
    options: NONE,
    gives: "truth",
    reads: [],
    async run(call) {
      const set = (await call.arg(0)) as KnownValue;
      const elements = elementsOf(set);
      const phrase = "phrase" in set ? set.phrase : "time";
      if (elements.length === 0)
        return (
          nothingKnown(set) ??
          unknownValue("false-premise", `there is no ${phrase}`, { complete: set.complete })
        );
      const against: typeof elements = [];
      let [unnoticed, p, instead] = [0, set.p, undefined as string | undefined];
      for (const element of elements) {
        const is = await call.arg(1, { it: ofElements(set, [element]) });
        if (is.kind !== "truth") unnoticed++;
        else {
          p = Math.min(p, is.p);
          if (!is.truth) against.push(element);
          instead ??= is.truth ? undefined : is.instead;
        }
      }
      if (against.length === 0 && unnoticed === elements.length)
        return unknownValue("not-yet", `I have not noticed that of any ${phrase}`, {
          complete: set.complete,
          evidence: set.evidence,
        });
      const share = set.complete.share * (1 - unnoticed / elements.length);
      return {
        kind: "truth",
        truth: against.length === 0,
        p,
        // One that is otherwise settles it, whatever was not looked at.
        complete: against.length > 0 ? { share: 1, missing: [] } : { ...set.complete, share },
        evidence: set.evidence,
        shown: against.length > 0 ? ofElements(set, against) : set,
        ...(against.length > 0 && instead !== undefined && { instead }),
      };
    },
  },
  {
    name: "not",
    says: "the contrary",
    takes: [{ name: "truth", kinds: ["truth"] }],
    options: NONE,
    gives: "truth",
    reads: [],
    async run(call) {
      const value = (await call.arg(0)) as TruthValue;
      return { ...value, truth: !value.truth };
    },
  },
];
