import { type Point2, polygonContains, type Vec3 } from "../geometry/index.ts";
import type { Hit, SearchRequest } from "../memory/index.ts";
import { isKindOf } from "../ontology/index.ts";
import { LIMITS, type Stored, WORLD_FRAME } from "../schema/core.ts";
import type { Description } from "./description.ts";
import { keptUntilCommit } from "./kept.ts";
import { nameEvidence, type Searching } from "./name-evidence.ts";
import { namedByAll } from "./place-names.ts";
import { floorOf, namedRooms, type RoomView, titledRooms } from "./room-names.ts";
import { PLACES } from "./settings/places.ts";
import type { KnownThing } from "./thing.ts";

/** Records of rooms and floors, which change the set of rooms and their names. */
const isPlace = (record: Stored) =>
  record.kind === "region" && (record.type === "room" || record.type === "floor");

/** People and vehicles stand on a floor; the upper half of one seen in part is at most this far above it. */
const GROUNDED = ["person", "vehicle"] as const;

/** Stands for the evidence for names, where there is none. */
const UNNAMED = {};

const ROOMS = { kinds: ["region"], where: { category: ["room"] } } as const;

/** The rooms of a memory with the names that people use, read as far as a question needs them. */
export class Rooms {
  readonly #memory: Searching;
  readonly #byId = new Map<string, Promise<RoomView | undefined>>();
  #known: Promise<RoomView[] | undefined> | undefined;
  /** The cached rooms, by id. */
  #keptById: ReadonlyMap<string, RoomView> | undefined;
  #all: Promise<RoomView[]> | undefined;
  #floors: Promise<Hit[]> | undefined;

  constructor(memory: Searching) {
    this.#memory = memory;
  }

  /** Every room there is. */
  async all(): Promise<RoomView[]> {
    const known = await this.#kept();
    if (known) return known;
    this.#all ??= this.#rooms({ limit: LIMITS.hitsPerSearch, rank: "id" }).then((hits) => this.#titled(hits));
    return this.#all;
  }

  /** Every room of a house; undefined for a larger building. */
  async house(): Promise<RoomView[] | undefined> {
    const known = await this.#kept();
    return known && known.length <= PLACES.houseRooms ? known : undefined;
  }

  /** The rooms that a description names: "kitchen", "the upstairs hallway". */
  async named(description: Description): Promise<RoomView[]> {
    const known = await this.#kept();
    if (known) return namedRooms(known, description);
    const words = [...description.mods, description.head].join(" ");
    const hits = await this.#rooms({ meaning: { words }, limit: PLACES.mostNamed });
    const found = namedRooms(await this.#titled(hits), description);
    return found.length > 0 ? found : namedRooms(await this.all(), description);
  }

  /** The room a thing is in, by its record; by its place where the record names none, or one of the storey below. */
  async of(roomId: string | undefined, position: Vec3 | undefined): Promise<RoomView | undefined> {
    const known = roomId === undefined ? undefined : await this.#withId(roomId);
    const isThere = known && !known.isRest && position && position.z - floorOf(known) < PLACES.nextStoreyM;
    if (!position || isThere) return known;
    return (await this.at(position)) ?? known ?? (await this.#within(position));
  }

  /** The id of a thing's room: corrected by its place where rooms are known, otherwise the one in its record. */
  async idOf(roomId: string | undefined, position: Vec3 | undefined): Promise<string | undefined> {
    return (await this.#kept()) ? (await this.of(roomId, position))?.id : roomId;
  }

  /** The room of a point: of storeys above each other the one with the next floor below it. */
  async at(position: Vec3): Promise<RoomView | undefined> {
    let best: { readonly room: RoomView; readonly below: number } | undefined;
    for (const room of (await this.#kept()) ?? (await this.#around(position))) {
      const { hull } = room.record;
      if (!hull || hull.length < 3) continue;
      const below = position.z - floorOf(room) + PLACES.underFloorM;
      if (below < 0 || below > PLACES.roomM || (best && below >= best.below)) continue;
      if (polygonContains({ points: hull }, position)) best = { room, below };
    }
    return best?.room;
  }

  /** The room in whose wall a point lies: the one with the nearest outline, at most a wall away. */
  async #within(position: Vec3): Promise<RoomView | undefined> {
    let best: { readonly room: RoomView; readonly m: number } | undefined;
    for (const room of (await this.#kept()) ?? (await this.#around(position))) {
      const below = position.z - floorOf(room) + PLACES.underFloorM;
      if (below < 0 || below > PLACES.roomM) continue;
      const m = distanceToOutline(room.record.hull ?? [], position);
      if (m <= PLACES.wallM && (!best || m < best.m)) best = { room, m };
    }
    return best?.room;
  }

  /**
   * Whether a supposed person or vehicle hangs too high to walk or drive, or is too flat: a sign, or a mark on the
   * floor.
   */
  async isAdrift({ category, name, box }: Pick<KnownThing, "category" | "name" | "box">): Promise<boolean> {
    if (!box || !GROUNDED.some((kind) => isKindOf(category, kind))) return false;
    const isNamed = /\p{Lu}/u.test(name);
    // The last sighting of a known person may have shown the face alone.
    if (isNamed && isKindOf(category, "person")) return false;
    if (box.max.z - box.min.z < PLACES.flatM && !isNamed) return true;
    const floors = new Set(((await this.#kept()) ?? []).map(floorOf));
    return floors.size > 0 && [...floors].every((m) => m > box.max.z || box.min.z - m > PLACES.offFloorM);
  }

  /** All rooms, read once for each state of the memory; undefined for a building that has too many. */
  #kept(): Promise<RoomView[] | undefined> {
    this.#known ??= this.#liveNow();
    return this.#known;
  }

  async #liveNow(): Promise<RoomView[] | undefined> {
    const { options, nowUs } = this.#memory;
    const of = options.sceneId ?? "";
    const ever = await keptUntilCommit(
      options.reader,
      `rooms ${of}`,
      () => this.#memory.search({ ...ROOMS, limit: PLACES.mostRooms, rank: "id" }),
      isPlace,
    );
    if (ever.length >= PLACES.mostRooms) return undefined;
    // A replaced outline has ended; another room stands in its place.
    const live = ever.filter(
      ({ record: { validFromUs, validToUs } }) =>
        validFromUs <= nowUs && (validToUs === null || validToUs > nowUs),
    );
    const key = live.map(({ record }) => `${record.id}/${record.version}`).join(" ");
    // In a house all signs and captions name its rooms; in a larger building only the map's labels do.
    const evidence = live.length > PLACES.houseRooms ? undefined : await nameEvidence(this.#memory);
    const known = await keptUntilCommit(
      options.reader,
      `titled rooms ${of} ${key}`,
      async () => new WeakMap<object, RoomView[]>(),
      isPlace,
    );
    const made = known.get(evidence ?? UNNAMED);
    if (made) return made;
    const rooms = await this.#titled(live, evidence && ((views) => namedByAll(views, evidence)));
    known.set(evidence ?? UNNAMED, rooms);
    return rooms;
  }

  async #withId(id: string): Promise<RoomView | undefined> {
    const known = await this.#kept();
    if (known) {
      this.#keptById ??= new Map(known.map((room) => [room.id, room]));
      return this.#keptById.get(id);
    }
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
    const near = await this.#rooms({ space, limit: PLACES.nearRooms, rank: "distance" });
    return near.length > 0 ? this.#titled(near) : this.all();
  }

  #rooms(request: SearchRequest): Promise<Hit[]> {
    return this.#memory.search({
      ...request,
      kinds: ROOMS.kinds,
      where: { ...request.where, ...ROOMS.where },
      time: { overlaps: { fromUs: this.#memory.nowUs, toUs: this.#memory.nowUs + 1 } },
    });
  }

  async #titled(
    rooms: readonly Hit[],
    name?: (views: readonly RoomView[]) => readonly RoomView[],
  ): Promise<RoomView[]> {
    this.#floors ??= this.#memory.search({
      kinds: ["region"],
      where: { category: ["floor"] },
      limit: PLACES.mostFloors,
      rank: "id",
    });
    const floors = await this.#floors;
    const frames = await this.#memory.options.reader.frames();
    const mapOf = ({ record }: Hit) =>
      record.kind === "region" && record.anchor ? frames.topOf(record.anchor.submap) : WORLD_FRAME;
    // The heights of rooms in separate maps cannot be compared.
    const maps = Map.groupBy(rooms, mapOf);
    return [...maps].flatMap(([map, own]) =>
      titledRooms(own, maps.size === 1 ? floors : floors.filter((floor) => mapOf(floor) === map), name),
    );
  }
}

/** The distance from a point to the nearest side of an outline, metres; Infinity where there is no outline. */
function distanceToOutline(corners: readonly Point2[], { x, y }: Point2): number {
  const sides = corners.map((from, n) => {
    const to = corners[(n + 1) % corners.length]!;
    const [dx, dy] = [to.x - from.x, to.y - from.y];
    const along = ((x - from.x) * dx + (y - from.y) * dy) / (dx * dx + dy * dy || 1);
    const t = Math.min(1, Math.max(0, along));
    return Math.hypot(x - from.x - t * dx, y - from.y - t * dy);
  });
  return Math.min(Infinity, ...sides);
}
