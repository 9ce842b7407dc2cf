import { distance, type Vec3 } from "../../../geometry/index.ts";
import { headOf, roomFit, usualRooms } from "../../../ontology/index.ts";
import type { KnownThing } from "../../memory-view/thing.ts";
import type { Scope } from "../operator.ts";
import type { Judge } from "./related.ts";

/** What stands farther away tells little of what kind of room something is in. */
const AROUND_M = 3;
const MOST_AROUND = 400;
/** How much a mentioned thing that nobody saw speaks for what is in such a place, and against what is not. */
const NEUTRAL = 1;
const SPEAKS = 0.6;

/**
 * A thing that is mentioned but not known still tells in what kind of place: beside a kettle means a kitchen. Each
 * candidate by its room, or where rooms are not known by what stands around it.
 */
export async function byUsualRooms(mentioned: string, { memory, during }: Scope): Promise<Judge> {
  const head = headOf(mentioned);
  const wanted = head === undefined ? [] : usualRooms(head.name);
  if (wanted.length === 0) return () => ({ score: 0, hint: NEUTRAL });
  const isThere = (room: string) => wanted.some((kind) => roomFit(kind, room) > 0);
  const rooms = new Map((await memory.house())?.map(({ id, type }) => [id, type]));
  const all = rooms.size > 0 ? [] : await memory.everything(during ? { during } : {});
  const telling = all.slice(0, MOST_AROUND).flatMap(({ trackId, category, position }) => {
    const kinds = usualRooms(category);
    return position && kinds.length > 0
      ? [{ trackId, position, share: kinds.filter(isThere).length / kinds.length }]
      : [];
  });
  return (thing) => {
    const type = thing.roomId === undefined ? undefined : rooms.get(thing.roomId);
    const share = type !== undefined ? (isThere(type) ? 1 : 0) : shareAround(thing, telling);
    return { score: 0, hint: share === undefined ? NEUTRAL : NEUTRAL + SPEAKS * (2 * share - 1) };
  };
}

interface Telling {
  readonly trackId: string;
  readonly position: Vec3;
  readonly share: number;
}

/** How much of what stands around a thing belongs there, the nearer the more it counts. */
function shareAround({ trackId, position }: KnownThing, telling: readonly Telling[]): number | undefined {
  if (!position) return undefined;
  let [sum, weight] = [0, 0];
  for (const other of telling) {
    if (other.trackId === trackId) continue;
    const w = Math.exp(-distance(position, other.position) / AROUND_M);
    sum += w * other.share;
    weight += w;
  }
  return weight < 0.05 ? undefined : sum / weight;
}
