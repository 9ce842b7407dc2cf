import { evidenceOf, type Finding, type RuleContext } from "../finding.ts";
import type { Need, Subgoal } from "../need.ts";
import { agoText, placeOf, theName, withArticle } from "../words/phrases.ts";
import { anchorsOf, type Resolved, resolve, roomsOf } from "./resolve.ts";

/** So much of a scope must have been looked at before "it is not there" may be said (A-M15). */
const LOOKED = 0.9;

/** Where something is kept: whoever saw the one saw whether the other is there. */
const HELD: ReadonlySet<string> = new Set(["on", "in", "under"]);

/** Nothing stands in the relation that is asked about: the place is known and empty, or it is itself not known. */
export async function nothingThere(goal: Subgoal, need: Need, context: RuleContext): Promise<Finding> {
  const anchor = goal.relations.find((relation) => relation.anchor)?.anchor;
  if (!anchor) return missing(goal, await resolve(goal, need, context), need, context);
  const rooms = goal.region ? await roomsOf(goal.region, context) : undefined;
  const [thing] = await anchorsOf(anchor, need, context, rooms);
  if (!thing) {
    const place: Subgoal = { target: anchor, relations: [], ...(goal.region && { region: goal.region }) };
    return missing(place, await resolve(place, need, context), need, context);
  }
  return {
    status: "looked-absent",
    text: `there is nothing ${goal.relations[0]!.predicate.replace("next-to", "next to")} ${theName(thing)}`,
    evidence: [evidenceOf(thing, theName(thing))],
    confidence: 0.65,
    goal: thing,
  };
}

/**
 * Nothing fits: three ways of not knowing. It was there and was found gone; the place was looked at and holds
 * none; or nobody looked.
 */
export async function missing(
  goal: Subgoal,
  found: Resolved,
  need: Need,
  context: RuleContext,
): Promise<Finding> {
  const { recall } = context;
  const phrase = goal.target.phrase;
  if (found.otherwise && need.asks !== "exist" && need.asks !== "count") {
    const { thing, attribute, value } = found.otherwise;
    const said = attribute === "text" ? `says “${value}”` : `is ${value}`;
    return {
      status: "false-premise",
      text: `the ${goal.target.head} ${said}`,
      evidence: [evidenceOf(thing, `${theName(thing)} ${said}`)],
      confidence: 0.7,
    };
  }
  const gone = found.named.find(({ state }) => state.validToUs !== null && state.validToUs <= recall.nowUs);
  const elsewhere = found.named.find(
    ({ state }) => state.validToUs === null || state.validToUs > recall.nowUs,
  );
  if (gone && !elsewhere && need.asks !== "exist") {
    const seenUs = await recall.lastSeenUs(gone);
    return {
      status: "looked-absent",
      text: `It is gone: last seen ${await placeOf(gone, recall)} ${agoText(recall.nowUs - seenUs)}.`,
      evidence: [evidenceOf(gone, `${theName(gone)} was here until it was found gone`, seenUs)],
      confidence: 0.75,
      ...(gone.position && { position: { point: gone.position, trackId: gone.trackId } }),
    };
  }
  const held = goal.relations.find(({ predicate, anchor }) => anchor && HELD.has(predicate));
  const [host] = held?.anchor && elsewhere ? await anchorsOf(held.anchor, need, context) : [];
  if (held && host && elsewhere)
    return {
      status: "looked-absent",
      text: `there is no ${phrase} ${held.predicate} ${theName(host)}`,
      evidence: [
        evidenceOf(host, theName(host)),
        evidenceOf(elsewhere, `${theName(elsewhere)} is elsewhere`),
      ],
      confidence: 0.7,
      goal: host,
    };
  if (found.room === null && goal.region)
    return {
      status: "not-seen",
      text: `I know of no ${goal.region.phrase} here.`,
      evidence: elsewhere ? [evidenceOf(elsewhere, `${theName(elsewhere)} is elsewhere`)] : [],
      confidence: 0.65,
    };
  const share = context.looked?.(found.room?.id, -Infinity);
  const looked =
    found.room === null ? false : share === undefined ? found.room !== undefined : share >= LOOKED;
  const evidence = elsewhere ? [evidenceOf(elsewhere, `${theName(elsewhere)} is elsewhere`)] : [];
  if (looked)
    return {
      status: "looked-absent",
      text: `I looked, and there is no ${phrase}${found.room ? ` in the ${found.room.name}` : ""}.`,
      evidence,
      confidence: 0.7,
    };
  return {
    status: "not-seen",
    text: `I have not seen ${goal.target.plural ? `any ${phrase}` : withArticle(phrase)}.`,
    evidence,
    confidence: 0.65,
  };
}
