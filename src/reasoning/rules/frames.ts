import type { RuleContext } from "../finding.ts";
import type { Description, Need, NeedFrame, Relation } from "../need.ts";
import { isRoom } from "../parse/noun-phrase.ts";
import type { RoomView } from "../recall/room-names.ts";
import type { Thing } from "../recall/thing.ts";
import { entering } from "./doorway.ts";
import type { ViewFrame } from "./geometry.ts";

/** The cone of A-R12, and the wider one of somebody who steps into a room and looks to a side of it. */
const BESIDE_COS = Math.cos(Math.PI / 4);
const ALL_OF_A_SIDE_COS = Math.cos((5 * Math.PI) / 12);

/** On which side of somebody a thing is: the cone of A-R12 in its own frame. */
export function egoSide(
  predicate: Relation["predicate"],
  thing: Thing,
  frame: ViewFrame,
  looksInto = false,
): number {
  if (!thing.position) return 0;
  const dx = thing.position.x - frame.position.x;
  const dy = thing.position.y - frame.position.y;
  const length = Math.hypot(dx, dy);
  if (["near", "next-to", "around"].includes(predicate)) return Math.exp(-length / 2);
  const [c, s] = [Math.cos(frame.yawRad), Math.sin(frame.yawRad)];
  const axis = { front: [c, s], behind: [-c, -s], left: [-s, c], right: [s, -c] }[predicate as "front"];
  if (!axis || length < 1e-3) return 0;
  const cos = (dx * axis[0]! + dy * axis[1]!) / length;
  return cos < (looksInto ? ALL_OF_A_SIDE_COS : BESIDE_COS) ? 0 : cos * Math.exp(-length / 3);
}

/** Whose left is meant: an ego pose then or now, a viewer at a thing, or whoever saw the anchor last. */
export async function frameOf(
  frame: NeedFrame | undefined,
  need: Need,
  context: RuleContext,
  anchor?: Thing,
): Promise<ViewFrame | undefined> {
  const { recall } = context;
  if (frame?.kind === "viewer") {
    const [from, into] = await Promise.all(
      [frame.from, frame.ref].map((one) => one && roomsIn(one, context)),
    );
    if (from && into) {
      const step = await entering(from, into, context);
      if (step) return step;
    }
    const stands = frame.ref ? await viewerPlace(frame.ref, context) : context.pose?.position;
    const faced = frame.facing ? (await recall.things(frame.facing))[0] : anchor;
    if (stands && faced?.position)
      return {
        position: stands,
        yawRad: Math.atan2(faced.position.y - stands.y, faced.position.x - stands.x),
      };
    if (stands) return { position: stands, yawRad: 0 };
  }
  const past = frame?.atUs ?? need.times.find(({ kind }) => kind === "ago" || kind === "at")?.fromUs;
  if (frame?.kind === "ego" || past !== undefined) {
    const pose = past === undefined ? context.pose : await recall.poseAt(past, context.agentId);
    if (pose) return pose;
  }
  if (anchor) {
    const seenUs = await recall.lastSeenUs(anchor);
    const pose = await recall.poseAt(seenUs, context.agentId);
    if (pose) return pose;
  }
  return context.pose;
}

/** The rooms that a description names; undefined when it names none. */
async function roomsIn(description: Description, { recall }: RuleContext): Promise<RoomView[] | undefined> {
  if (!isRoom(description)) return undefined;
  const rooms = await recall.roomsNamed(description);
  return rooms.length > 0 ? rooms : undefined;
}

async function viewerPlace(ref: Description, context: RuleContext) {
  const rooms = await context.recall.roomsNamed(ref);
  const [thing] = await context.recall.things(ref);
  return thing?.position ?? rooms[0]?.centre;
}
