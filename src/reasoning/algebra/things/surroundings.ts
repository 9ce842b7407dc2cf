import type { KnownThing } from "../../../belief/thing.ts";
import { distance, type Vec3 } from "../../../geometry/index.ts";
import { headOf, roomFit, usualRooms } from "../../../ontology/index.ts";
import type { Scope } from "../operator.ts";
import type { Judge } from "./related.ts";

/** What stands farther away tells little of what kind of room something is in. */
const AROUND_M = 3;
/** Where little stands around a thing, nobody can tell what kind of room it is in: even, with so much weight. */
const EVEN = { share: 0.5, weight: 0.3 };
/** How much a mentioned thing that nobody saw speaks for what is in such a place, and against what is not. */
const NEUTRAL = 1;
const SPEAKS = 0.6;

/** How much a thing is in a room of one of these kinds, from 0 to 1; even where nothing tells. */
export type ShareOfKinds = (thing: KnownThing, kinds: readonly string[]) => number;

/** Kinds of rooms where one would look for what is called so. */
export function kindsFor(name: string): readonly string[] {
  const head = headOf(name);
  return head === undefined ? [] : usualRooms(head.name);
}

/** Things by the kind of room that they are in, or where rooms are not known by what stands around them. */
export async function roomKindShares({ memory, during }: Scope): Promise<ShareOfKinds> {
  const rooms = new Map((await memory.house())?.map(({ id, type }) => [id, type]));
  const around = sharesAround(rooms.size > 0 ? [] : await memory.everything(during ? { during } : {}));
  return (thing, kinds) => {
    const type = thing.roomId === undefined ? undefined : rooms.get(thing.roomId);
    if (type === undefined) return around(thing, kinds);
    return kinds.some((kind) => roomFit(kind, type) > 0) ? 1 : 0;
  };
}

/** Things by what stands around them: where most belongs into a kitchen, there is one. */
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
 * A thing that is mentioned but not known still tells in what kind of place: beside a kettle means a kitchen. Each
 * candidate by its room, or where rooms are not known by what stands around it.
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

/** How much of what stands around a thing belongs there, the nearer the more it counts. */
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
