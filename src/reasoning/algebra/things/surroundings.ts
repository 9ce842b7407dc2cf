import type { KnownThing } from "../../../belief/thing.ts";
import { distance, type Vec3 } from "../../../geometry/index.ts";
import { headOf, roomFit, usualRooms } from "../../../ontology/index.ts";
import type { Scope } from "../operator.ts";
import type { Judge } from "./related.ts";

/** Things farther away say little about the kind of room. */
const AROUND_M = 3;
/** With little around a thing, the kind of its room is open: the prior, and its weight. */
const EVEN = { share: 0.5, weight: 0.3 };
/** How much an unseen mentioned thing counts for candidates in its usual kind of place, and against others. */
const NEUTRAL = 1;
const SPEAKS = 0.6;

/** How likely a thing is in a room of one of these kinds, from 0 to 1; even where nothing is known. */
export type ShareOfKinds = (thing: KnownThing, kinds: readonly string[]) => number;

/** The kinds of rooms in which a thing of this name is usually found. */
export function kindsFor(name: string): readonly string[] {
  const head = headOf(name);
  return head === undefined ? [] : usualRooms(head.name);
}

/** Things by the kind of their room, or where rooms are not known by what stands around them. */
export async function roomKindShares({ memory, during }: Scope): Promise<ShareOfKinds> {
  const rooms = new Map((await memory.house())?.map(({ id, type }) => [id, type]));
  const around = sharesAround(rooms.size > 0 ? [] : await memory.everything(during ? { during } : {}));
  return (thing, kinds) => {
    const type = thing.roomId === undefined ? undefined : rooms.get(thing.roomId);
    if (type === undefined) return around(thing, kinds);
    return kinds.some((kind) => roomFit(kind, type) > 0) ? 1 : 0;
  };
}

/** Things by what stands around them: a place with mostly kitchen things is a kitchen. */
export function sharesAround(all: readonly KnownThing[]): ShareOfKinds {
  const telling = all.flatMap(({ trackId, category, position }) => {
    const kinds = usualRooms(category);
    return position && kinds.length > 0 ? [{ trackId, position, kinds }] : [];
  });
  return (thing, kinds) => {
    const isThere = (room: string) => kinds.some((kind) => roomFit(kind, room) > 0);
    return shareAround(thing, telling, isThere);
  };
}

/**
 * A mentioned thing that is not known still suggests a kind of place: beside a kettle means a kitchen. Each candidate
 * by its room, or where rooms are not known by what stands around it.
 */
export async function byUsualRooms(mentioned: string, scope: Scope): Promise<Judge> {
  const wanted = kindsFor(mentioned);
  if (wanted.length === 0) return () => ({ score: 0, hint: NEUTRAL });
  const shareOf = await roomKindShares(scope);
  return (thing) => ({ score: 0, hint: NEUTRAL + SPEAKS * (2 * shareOf(thing, wanted) - 1) });
}

interface Telling {
  readonly trackId: string;
  readonly position: Vec3;
  readonly kinds: readonly string[];
}

/** The share of the surrounding things that belong in such a room, weighted by nearness. */
function shareAround(
  { trackId, position }: KnownThing,
  telling: readonly Telling[],
  isThere: (room: string) => boolean,
): number {
  if (!position) return EVEN.share;
  let [sum, weight] = [EVEN.share * EVEN.weight, EVEN.weight];
  for (const other of telling) {
    if (other.trackId === trackId) continue;
    const w = Math.exp(-distance(position, other.position) / AROUND_M);
    sum += (w * other.kinds.filter(isThere).length) / other.kinds.length;
    weight += w;
  }
  return sum / weight;
}
