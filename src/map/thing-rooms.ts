import { apply, type Box, centreOf, distanceToBox, type Transform, type Vec3 } from "../geometry/index.ts";
import { isKindOf } from "../ontology/index.ts";
import type { Maybe, Percept, TrackedFrame } from "../schema/core.ts";
import type { RoomThings } from "./rooms/types.ts";
import { ROOMS } from "./settings.ts";

/** A thing that tracking knows, where it is now. */
export interface MapThing {
  /** Of its state. */
  readonly id: string;
  readonly category: string;
  /** What else it may be. */
  readonly maybe?: readonly Maybe[] | undefined;
  /** What is written on it: signs name rooms. */
  readonly says?: string | undefined;
  readonly box: Box;
  /** Where it was seen from, as `before` says, where that is known from elsewhere than this map's own frames. */
  readonly seenFrom?: readonly Vec3[] | undefined;
}

/** A point of a thing, a little towards the eye that saw it: in the room that it can be seen from. */
export function before(point: Vec3, eye: Vec3): Vec3 {
  const [dx, dy] = [eye.x - point.x, eye.y - point.y];
  const away = Math.hypot(dx, dy);
  const share = away > 0 ? Math.min(ROOMS.doorM / away, 0.5) : 0;
  return { x: point.x + dx * share, y: point.y + dy * share, z: point.z };
}

/** What the signs in each room say. */
export function signsByRoom(
  things: readonly MapThing[],
  roomOf: ReadonlyMap<string, string>,
): (roomId: string) => readonly string[] {
  const signs = new Map<string, string[]>();
  for (const { id, category, says } of things) {
    const room = roomOf.get(id);
    if (room === undefined || says === undefined || !isKindOf(category, "sign")) continue;
    signs.set(room, [...(signs.get(room) ?? []), says]);
  }
  return (roomId) => signs.get(roomId) ?? [];
}

/** How many things of each category are in each room, and what else its things may be. */
export function countByRoom(
  things: readonly MapThing[],
  roomOf: ReadonlyMap<string, string>,
): ReadonlyMap<string, RoomThings> {
  const out = new Map<string, { counts: Map<string, number>; maybe: Map<string, number> }>();
  const add = (to: Map<string, number>, category: string, count: number) =>
    to.set(category, (to.get(category) ?? 0) + count);
  for (const { id, category, maybe = [] } of things) {
    const room = roomOf.get(id);
    if (room === undefined) continue;
    const there = out.get(room) ?? { counts: new Map(), maybe: new Map() };
    out.set(room, there);
    add(there.counts, category, 1);
    for (const one of maybe) add(there.maybe, one.category, one.p);
  }
  return out;
}

/**
 * Remembers, for each state, from where it was seen: a picture hangs on the wall that two rooms share, but it
 * can only be seen from one of them. The points lie a little before the thing, in the submap of the frame.
 */
export class ThingRooms {
  readonly #looks = new Map<string, { submaps: string[]; points: Float64Array; count: number }>();

  see(percept: Percept, { stateOf }: TrackedFrame): void {
    const eye = percept.submapFromCamera.p;
    for (const [i, { solid }] of percept.detections.entries()) {
      const state = stateOf[i];
      if (state === undefined || solid === undefined) continue;
      let looks = this.#looks.get(state);
      if (looks === undefined) {
        if (this.#looks.size >= ROOMS.maxStates) continue;
        looks = { submaps: [], points: new Float64Array(ROOMS.maxLooks * 3), count: 0 };
        this.#looks.set(state, looks);
      }
      const { x, y, z } = before(solid.centroid, eye);
      const at = looks.count % ROOMS.maxLooks;
      looks.submaps[at] = percept.submap;
      looks.points.set([x, y, z], at * 3);
      looks.count++;
    }
  }

  /** The room that most of the points lie in; the thing's own middle votes too and breaks ties. */
  roomOf(
    thing: MapThing,
    worldFromSubmap: (submap: string) => Transform | undefined,
    roomAt: (positionInWorld: Vec3) => string | undefined,
  ): string | undefined {
    const own = roomAt(centreOf(thing.box));
    const votes = new Map<string, number>();
    if (own !== undefined) votes.set(own, ROOMS.ownVotes);
    for (const position of [...this.#pointsOf(thing.id, worldFromSubmap), ...(thing.seenFrom ?? [])]) {
      // From before it was moved, perhaps: that says nothing of where it is now.
      if (distanceToBox(position, thing.box) > 2 * ROOMS.wallM) continue;
      const room = roomAt(position);
      if (room !== undefined) votes.set(room, (votes.get(room) ?? 0) + 1);
    }
    let [best, most] = [own, 0];
    for (const [room, vote] of votes) if (vote > most) [best, most] = [room, vote];
    return best;
  }

  #pointsOf(stateId: string, worldFromSubmap: (submap: string) => Transform | undefined): Vec3[] {
    const looks = this.#looks.get(stateId);
    return Array.from({ length: Math.min(ROOMS.maxLooks, looks?.count ?? 0) }, (_, i) => {
      const transform = worldFromSubmap(looks!.submaps[i]!);
      const [x, y, z] = looks!.points.subarray(i * 3, i * 3 + 3);
      return transform && apply(transform, { x: x!, y: y!, z: z! });
    }).filter((point) => point !== undefined);
  }
}
