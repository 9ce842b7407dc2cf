import type { KnownThing } from "../../../belief/thing.ts";
import { trust } from "../../../belief/trust.ts";
import type { Scope } from "../operator.ts";
import { type ThingsValue, truthValue, unknownValue, type Value } from "../value.ts";

/**
 * Whether something is true of one thing, with its confidence and what is true instead; undefined where it was not
 * observed.
 */
export interface Verdict {
  readonly truth: boolean;
  readonly p: number;
  readonly instead?: string | undefined;
}
export type ThingJudge = (thing: KnownThing) => Promise<Verdict | undefined>;

/**
 * A verdict about the things that are meant: true if it is true of each. Others that fit as well with another verdict
 * are its rivals.
 */
export async function verdictOf(
  set: ThingsValue,
  judge: ThingJudge,
  unnoticed: string,
  scope: Scope,
): Promise<Value> {
  const { evidence, complete } = set;
  const verdicts = await Promise.all(set.things.map(judge));
  const verdict = verdicts.find((one) => one && !one.truth) ?? verdicts[0];
  const isOpen = verdicts.length === 0 || verdicts.includes(undefined);
  if (!verdict || (verdict.truth && isOpen))
    return unknownValue("not-yet", unnoticed, { evidence, complete, goal: set.things[0] });
  const rivals: KnownThing[] = [];
  for (const rival of set.rivals ?? []) if ((await judge(rival))?.truth !== verdict.truth) rivals.push(rival);
  const { truth, instead } = verdict;
  const p = (await trust(set.things[0]!, scope.memory, rivals.length === 0)) * (0.4 + 0.6 * verdict.p);
  return truthValue(truth, { ...set, p }, { shown: set, instead, rivals });
}
