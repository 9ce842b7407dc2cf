import { polygonContains, type Vec3 } from "../../geometry/index.ts";
import type { Hit, SearchRequest } from "../../memory/index.ts";
import type { Description } from "./description.ts";
import { floorOf, namedRooms, type RoomView, titledRooms } from "./room-names.ts";

/** What of a memory it takes to find rooms. */
interface Searching {
  readonly nowUs: number;
  search(request: SearchRequest): Promise<Hit[]>;
}

/** A house has no more rooms: then all are read at once. Of a larger building only those that a question is about. */
const HOUSE_ROOMS = 64;
const MOST_ROOMS = 2_000;
const MOST_FLOORS = 200;
const MOST_NAMED = 100;
/** The room of a point is among so many whose middles are nearest to it. */
const NEAR_ROOMS = 24;
/** A rug measured a little below its floor still lies on it. */
export const UNDER_FLOOR_M = 0.15;
/** No room is higher; and what is this high above a floor lies on the next one. */
export const ROOM_M = 3.5;
const NEXT_STOREY_M = 2.7;

/** The rooms of a memory under the names that people use, read as far as a question needs them. */
export class Rooms {
  readonly #memory: Searching;
  readonly #byId = new Map<string, Promise<RoomView | undefined>>();
  #house: Promise<RoomView[] | undefined> | undefined;
  #all: Promise<RoomView[]> | undefined;
  #floors: Promise<Hit[]> | undefined;

  constructor(memory: Searching) {
    this.#memory = memory;
  }

  /** Every room there is. */
  async all(): Promise<RoomView[]> {
    const house = await this.#ofHouse();
    if (house) return house;
    this.#all ??= this.#rooms({ limit: MOST_ROOMS, rank: "id" }).then((hits) => this.#titled(hits));
    return this.#all;
  }

  /** Every room of a house; undefined for a building of which nobody reads all rooms for one question. */
  house(): Promise<RoomView[] | undefined> {
    return this.#ofHouse();
  }

  /** The rooms that a description names: "kitchen", "the upstairs hallway". */
  async named(description: Description): Promise<RoomView[]> {
    const house = await this.#ofHouse();
    if (house) return namedRooms(house, description);
    const words = [...description.mods, description.head].join(" ");
    const hits = await this.#rooms({ meaning: { words }, limit: MOST_NAMED });
    const found = namedRooms(await this.#titled(hits), description);
    return found.length > 0 ? found : namedRooms(await this.all(), description);
  }

  /** The room a thing is in, by its record; by its place where that names none, or one of the storey below. */
  async of(roomId: string | undefined, position: Vec3 | undefined): Promise<RoomView | undefined> {
    const known = roomId === undefined ? undefined : await this.#withId(roomId);
    if (!position || (known && position.z - floorOf(known) < NEXT_STOREY_M)) return known;
    return (await this.at(position)) ?? known;
  }

  /** The id of a thing's room: corrected by its place in a house, as its record has it in a larger building. */
  async idOf(roomId: string | undefined, position: Vec3 | undefined): Promise<string | undefined> {
    return (await this.#ofHouse()) ? ((await this.of(roomId, position))?.id ?? roomId) : roomId;
  }

  /** The room of a point: of storeys above each other the one whose floor is the next below it. */
  async at(position: Vec3): Promise<RoomView | undefined> {
    let best: { readonly room: RoomView; readonly below: number } | undefined;
    for (const room of (await this.#ofHouse()) ?? (await this.#around(position))) {
      const { hull } = room.record;
      if (!hull || hull.length < 3) continue;
      const below = position.z - floorOf(room) + UNDER_FLOOR_M;
      if (below < 0 || below > ROOM_M || (best && below >= best.below)) continue;
      if (polygonContains({ points: hull }, position)) best = { room, below };
    }
    return best?.room;
  }

  /** All rooms of a house; undefined for a building that has more than one reads for a question. */
  #ofHouse(): Promise<RoomView[] | undefined> {
    this.#house ??= this.#rooms({ limit: HOUSE_ROOMS + 1, rank: "id" }).then((hits) =>
      hits.length > HOUSE_ROOMS ? undefined : this.#titled(hits),
    );
    return this.#house;
  }

  async #withId(id: string): Promise<RoomView | undefined> {
    const house = await this.#ofHouse();
    if (house) return house.find((room) => room.id === id);
    let room = this.#byId.get(id);
    if (room === undefined) {
      room = this.#rooms({ where: { ids: [id] }, limit: 1 }).then(
        async (hits) => (await this.#titled(hits))[0],
      );
      this.#byId.set(id, room);
    }
    return room;
  }

  async #around(point: Vec3): Promise<RoomView[]> {
    const space = { type: "nearest" as const, point, metric: "centre" as const };
    const near = await this.#rooms({ space, limit: NEAR_ROOMS, rank: "distance" });
    return near.length > 0 ? this.#titled(near) : this.all();
  }

  #rooms(request: SearchRequest): Promise<Hit[]> {
    return this.#memory.search({
      ...request,
      kinds: ["region"],
      where: { ...request.where, category: ["room"] },
      // A room that was redrawn has ended, and another stands in its place.
      time: { overlaps: { fromUs: this.#memory.nowUs, toUs: this.#memory.nowUs + 1 } },
    });
  }

  async #titled(rooms: readonly Hit[]): Promise<RoomView[]> {
    this.#floors ??= this.#memory.search({
      kinds: ["region"],
      where: { category: ["floor"] },
      limit: MOST_FLOORS,
      rank: "id",
    });
    return titledRooms(rooms, await this.#floors);
  }
}
