import { stepsOf, visitsOf } from "../../../belief/looks.ts";
import { evidenceFor } from "../../../belief/trust.ts";
import { movesItself } from "../../../ontology/index.ts";
import type { Expression } from "../../../schema/index.ts";
import type { Call } from "../operator.ts";
import { truthValue, type Value } from "../value.ts";
import { spanOf } from "./spans.ts";
import { isIn } from "./whereabouts.ts";

/** How sure it is that a robot saw somebody somewhere, and that it did not. */
const SEEN_P = 0.8;
const NOT_SEEN_P = 0.7;

/**
 * Whether somebody was ever, or never, in a room as one robot saw it: what another robot saw of them elsewhere is not what this
 * one can tell. Undefined where the question is another, or is not about somebody who walks about.
 */
export async function everSeenBy(
  { op, of: [within] }: Expression,
  agentId: string,
  call: Call,
): Promise<Value | undefined> {
  if ((op !== "ever" && op !== "never") || within?.op !== "within" || within.with["relation"] !== undefined)
    return undefined;
  const [who, where] = within.of;
  if (!who || !where) return undefined;
  // Who is meant is known by name, whenever and by whichever robot they were seen.
  const set = await call.value(who, { during: undefined });
  const thing = set.kind === "things" ? set.things[0] : undefined;
  if (!thing || thing.agentId !== undefined || !movesItself(thing.category)) return undefined;
  const rooms = await call.value(where, { during: undefined });
  if (rooms.kind !== "rooms" && rooms.kind !== "floors") return undefined;
  const { memory } = call.scope;
  const steps = await stepsOf(thing, memory, spanOf(call.scope), { by: agentId });
  const isSeen = (await visitsOf(steps, memory)).some(({ room }) => isIn(room, rooms));
  const evidence = evidenceFor([thing]);
  return truthValue(isSeen === (op === "ever"), { p: isSeen ? SEEN_P : NOT_SEEN_P, evidence });
}
