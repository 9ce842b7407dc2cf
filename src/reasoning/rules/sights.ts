import { evidenceOf, type Finding, type RuleContext } from "../finding.ts";
import type { Need } from "../need.ts";
import type { Thing } from "../recall/thing.ts";
import { spanText, theName } from "../words/phrases.ts";
import { missing } from "./absence.ts";
import { resolve } from "./resolve.ts";

/** When each of the things of a question was first seen; a finding where one is not known. */
async function firstSights(
  need: Need,
  context: RuleContext,
): Promise<{ thing: Thing; us: number }[] | Finding> {
  const sights: { thing: Thing; us: number }[] = [];
  for (const goal of need.subgoals.slice(0, 2)) {
    const found = await resolve(goal, { ...need, times: [] }, context);
    const thing = found.things[0];
    if (!thing) return missing(goal, found, need, context);
    sights.push({ thing, us: await firstSeenUs(thing, context) });
  }
  return sights;
}

export async function firstSeenUs(thing: Thing, { recall }: RuleContext): Promise<number> {
  const stays = await recall.stays(thing.trackId);
  const presence = await recall.presence(stays.map(({ state }) => state.id));
  return Math.min(
    thing.state.validFromUs,
    ...stays.map(({ state }) => presence.get(state.id)?.firstSeenUs ?? state.validFromUs),
  );
}

/** How long it was from the first sight of one thing to the first sight of another. */
export async function gapBetweenSights(need: Need, context: RuleContext): Promise<Finding> {
  const sights = await firstSights(need, context);
  if (!Array.isArray(sights)) return sights;
  const s = Math.abs(sights[1]!.us - sights[0]!.us) / 1e6;
  return {
    status: "answered",
    text: spanText(s),
    durationS: s,
    evidence: sights.map(({ thing, us }) => evidenceOf(thing, theName(thing), us)),
    confidence: 0.65,
  };
}

/** Whether one thing was seen before another. */
export async function seenBefore(need: Need, context: RuleContext): Promise<Finding> {
  const sights = await firstSights(need, context);
  if (!Array.isArray(sights)) return sights;
  const aheadS = (sights[1]!.us - sights[0]!.us) / 1e6;
  if (need.answer !== "binary") {
    const sorted = sights.toSorted((a, b) => (need.compare?.op === "more" ? b.us - a.us : a.us - b.us));
    return {
      status: "answered",
      text: theName(sorted[0]!.thing),
      evidence: sorted.map(({ thing, us }) => evidenceOf(thing, theName(thing), us)),
      confidence: Math.abs(aheadS) > 5 ? 0.85 : 0.6,
    };
  }
  return {
    status: "answered",
    binary: aheadS > 0 !== need.negated,
    text: aheadS > 0 ? "yes" : "no",
    evidence: sights.map(({ thing, us }) => evidenceOf(thing, theName(thing), us)),
    confidence: Math.abs(aheadS) > 5 ? 0.85 : 0.6,
  };
}
