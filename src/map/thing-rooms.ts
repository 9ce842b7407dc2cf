import { apply, type Box, centreOf, distanceToBox, type Transform, type Vec3 } from "../geometry/index.ts";
import { isKindOf } from "../ontology/index.ts";
import type { Maybe, Percept, TrackedFrame } from "../schema/core.ts";
import type { RoomThings } from "./rooms/types.ts";
import { ROOMS } from "./settings.ts";

/** A tracked thing at its current place. */
export interface MapThing {
  /** The id of its state. */
  readonly id: string;
  readonly category: string;
  /** Alternative categories. */
  readonly maybe?: readonly Maybe[] | undefined;
  /** Text on it: signs name rooms. */
  readonly says?: string | undefined;
  readonly box: Box;
  /** Where it was seen from, as computed by `before`, if known from other sources than this map's frames. */
  readonly seenFrom?: readonly Vec3[] | undefined;
}

/** A point slightly in front of a thing, towards the eye that saw it: in the room from which it is visible. */
export function before(point: Vec3, eye: Vec3): Vec3 {
  const [dx, dy] = [eye.x - point.x, eye.y - point.y];
  const away = Math.hypot(dx, dy);
  const share = away > 0 ? Math.min(ROOMS.doorM / away, 0.5) : 0;
  return { x: point.x + dx * share, y: point.y + dy * share, z: point.z };
}

/** The texts of the signs in each room. */
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

/** Counts of things by category in each room, and their alternatives. */
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
 * Remembers, for each state, where it was seen from: a picture hangs on a wall shared by two rooms, but is visible
 * from only one of them. The points lie slightly in front of the thing, in the submap of the frame.
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

  /** The room with most of the points; the thing's own centre votes too and breaks ties. */
  roomOf(
    thing: MapThing,
    worldFromSubmap: (submap: string) => Transform | undefined,
    roomAt: (positionInWorld: Vec3) => string | undefined,
  ): string | undefined {
    const own = roomAt(centreOf(thing.box));
    const votes = new Map<string, number>();
    if (own !== undefined) votes.set(own, ROOMS.ownVotes);
    for (const position of [...this.#pointsOf(thing.id, worldFromSubmap), ...(thing.seenFrom ?? [])]) {
      // Possibly from before it was moved: no evidence about its current place.
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
