import type { KnownThing } from "../../../belief/thing.ts";
import { trust } from "../../../belief/trust.ts";
import type { Scope } from "../operator.ts";
import { type ThingsValue, truthValue, unknownValue, type Value } from "../value.ts";

/** Whether something is so of one thing, how sure that is, and what is so instead; undefined where nobody noticed. */
export interface Verdict {
  readonly truth: boolean;
  readonly p: number;
  readonly instead?: string | undefined;
}
export type ThingJudge = (thing: KnownThing) => Promise<Verdict | undefined>;

/**
 * A verdict about the things that are meant: it is so if it is so of each. Others that fit as well and are otherwise
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
