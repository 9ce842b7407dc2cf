import { type Polygon, polygonArea, type Vec3 } from "../geometry/index.ts";
import type { SceneMap } from "../map/index.ts";
import { hangsOn, typicalSizeM } from "../ontology/index.ts";
import type { BodyModel, Stand } from "../sensors/index.ts";
import { type Attention, lookingRangeM, type Sight, sightOf } from "./ground/attention.ts";
import { doorFrontier } from "./ground/closed-doors.ts";
import { type Frontier, type FrontierBook, flightFrontier, shareOfRoom } from "./ground/frontiers.ts";
import type { Field, Terrain } from "./ground/terrain.ts";
import type { Around } from "./inquiry/alternatives.ts";
import type { Door } from "./inquiry/doors.ts";
import type { Flight } from "./inquiry/flights.ts";
import type { Need } from "./inquiry/needs.ts";
import type { Part } from "./inquiry/part.ts";
import { isSameRoom, NO_PROSPECT, prospectOf } from "./inquiry/prospects.ts";

/** So much of a room must have been looked at before "it is not there" may be said (docs/formulas.md#completeness). */
const LOOKED = 0.9;
/** One thing that is missed is more than one of many, or than a corner of a room: it is looked for from nearer before it is said not to be there. */
const CLOSER = 0.6;
/** A border with less behind it does not keep a room from being looked over. */
const RELEVANT_M2 = 1;
/** Behind a border that no way leads to so much may lie unseen that nothing can be said not to be there. */
const HIDDEN_M2 = 2.5;
/** What lies less than this below a floor still belongs to its storey. */
const ABOVE_M = 0.3;

export interface SurveyedRoom {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly polygon: Polygon;
}

/** What one knows of the place at one step: ground, frontiers and rooms, and how well each was looked at. */
export class Survey {
  readonly map: SceneMap;
  readonly terrain: Terrain;
  readonly frontiers: readonly Frontier[];
  readonly rooms: readonly SurveyedRoom[];
  /** Stairs from here, whether or not anything is left to see where they lead. */
  readonly flights: readonly Frontier[];
  /** The other storeys as they were left. */
  readonly #others: readonly Survey[];
  readonly #attention: Attention;
  readonly #model: BodyModel;
  readonly #isGivenUp: (target: string) => boolean;
  readonly #field: Field;
  readonly #shares = new Map<string, number>();
  readonly #closer = new Map<string, boolean>();

  constructor(parts: {
    readonly map: SceneMap;
    readonly terrain: Terrain;
    readonly field: Field;
    readonly book: FrontierBook;
    readonly attention: Attention;
    readonly model: BodyModel;
    /** With what is left to see where they lead; undefined for all of a storey. */
    readonly flights: readonly (Flight & { readonly leftM2: number | undefined })[];
    /** Doors that were not seen open. */
    readonly doors: readonly Door[];
    /** Else nobody gets there, and it cannot be said that something is nowhere. */
    readonly mayClimb: boolean;
    readonly others: readonly Survey[];
    readonly isGivenUp: (target: string) => boolean;
  }) {
    const { map, terrain, field, book, attention, model, others, isGivenUp } = parts;
    this.map = map;
    this.terrain = terrain;
    this.#attention = attention;
    this.#model = model;
    this.#isGivenUp = isGivenUp;
    this.#field = field;
    this.#others = others;
    this.flights = parts.flights
      .flatMap((flight) => flightFrontier(terrain, field, flight) ?? [])
      .map((flight) => (parts.mayClimb ? flight : { ...flight, costM: Infinity }));
    const leading = this.flights.filter(({ gainM2 }) => gainM2 >= RELEVANT_M2);
    const closed = parts.doors
      .flatMap((door) => doorFrontier(terrain, field, door) ?? [])
      .map((door) => (isGivenUp(door.id) ? { ...door, costM: Infinity } : door));
    this.frontiers = [...book.find(terrain, field), ...leading, ...closed];
    this.rooms = map
      .rooms()
      .filter(({ storey }) => storey === terrain.raster.storey)
      .map(({ id, name, type, polygon }) => ({ id, name, type, polygon }));
  }

  /** Frontiers that can be reached and are not given up. */
  get reachable(): Frontier[] {
    return this.frontiers.filter(({ id, costM }) => costM < Infinity && !this.#isGivenUp(id));
  }

  #roomAt(place: Vec3): { readonly roomType: string | undefined; readonly roomId: string | undefined } {
    const room = this.map.roomAt(place);
    return { roomType: room?.type, roomId: room?.id };
  }

  /**
   * How likely something that is still open would be seen beyond a frontier: in the room that it is in, and, the more floor
   * lies behind it, in another that nobody has seen.
   */
  likely({ middle, isOpening, gainM2 }: Frontier, parts: readonly Part[]): number {
    const open = parts.filter(({ state }) => state === "open");
    if (open.length === 0) return NO_PROSPECT;
    const room = this.#roomAt(middle);
    const beyond = prospectOf(open, { ...room, isOpening: true });
    if (isOpening) return beyond;
    const here = prospectOf(open, { ...room, isOpening: false });
    return here + Math.max(0, beyond - here) * shareOfRoom(gainM2);
  }

  /** The same of the room alone that it is in: what the papers ask of a picture. */
  likelyHere({ middle }: Frontier, parts: readonly Part[]): number {
    return parts.length === 0
      ? NO_PROSPECT
      : prospectOf(parts, { ...this.#roomAt(middle), isOpening: false });
  }

  /** From where a room has to be looked at to say that a need is not met in it. */
  sightFor({ categories, kind }: Need): Sight {
    const sizes = categories.flatMap((name) => typicalSizeM(name) ?? []);
    const range = lookingRangeM(sizes.length === 0 ? undefined : Math.min(...sizes), this.#model);
    const isHigh = categories.length > 0 && categories.every((name) => hangsOn(name) === "ceiling");
    return sightOf(kind === "all-of" || kind === "room" ? range : range * CLOSER, isHigh);
  }

  /** Rooms in which a need could be met: those that it names, else all. */
  roomsFor({ rooms }: Pick<Need, "rooms">): SurveyedRoom[] {
    return rooms.length === 0
      ? [...this.rooms]
      : this.rooms.filter(({ id, type, name }) =>
          rooms.some((one) => isSameRoom(one, type) || one === name || one === id),
        );
  }

  /** Share of a room that was looked at from where such a thing is seen. */
  share(room: SurveyedRoom, sight: Sight): number {
    const key = keyOf(room, sight);
    let share = this.#shares.get(key);
    if (share === undefined) {
      share = this.#attention.share(this.terrain, room.polygon, sight);
      this.#shares.set(key, share);
    }
    return share;
  }

  /** Whether a room was looked over and has no border left behind which more of it could be. */
  isDone(room: SurveyedRoom, sight: Sight): boolean {
    if (this.share(room, sight) < LOOKED && this.#mayBeCloser(room, sight)) return false;
    return this.reachable.every(
      ({ middle, stand, gainM2, isOpening }) =>
        isOpening ||
        gainM2 < RELEVANT_M2 ||
        (this.map.roomAt(middle)?.id !== room.id && this.map.roomAt(stand.positionInWorld)?.id !== room.id),
    );
  }

  /** This storey and the others. */
  get storeys(): readonly Survey[] {
    return [this, ...this.#others];
  }

  /** Whether everywhere that a need could be met was looked at, closely enough to have seen it. */
  isLookedOver(need: Need): boolean {
    const sight = this.sightFor(need);
    const isNamedDone = (name: string): boolean => {
      const named = this.storeys.map((one) => ({ one, rooms: one.roomsFor({ rooms: [name] }) }));
      const isAny = named.some(({ rooms }) => rooms.length > 0);
      return isAny && named.every(({ one, rooms }) => rooms.every((room) => one.isDone(room, sight)));
    };
    if (need.rooms.length > 0 && need.rooms.every(isNamedDone)) return true;
    const areStairsDone = this.frontiers.every(({ id, flight }) => !flight || this.#isGivenUp(id));
    return (
      areStairsDone &&
      this.storeys.every((one) => one.#isShut() && one.rooms.every((room) => one.isDone(room, sight)))
    );
  }

  /** Whether no border of this storey is left behind which anything to speak of could be. */
  #isShut(): boolean {
    return this.frontiers.every(
      ({ id, costM, gainM2, flight, isClosedDoor }) =>
        flight || (!isClosedDoor && this.#isGivenUp(id)) || (costM === Infinity && gainM2 < HIDDEN_M2),
    );
  }

  /** Borders of this storey that no way leads to, and behind which something to speak of could be. */
  get hidden(): Frontier[] {
    return this.frontiers.filter(
      ({ id, costM, gainM2, isClosedDoor }) =>
        costM === Infinity && gainM2 >= HIDDEN_M2 && (isClosedDoor || !this.#isGivenUp(id)),
    );
  }

  /** Floor of this storey that is left to look at: beyond its borders, and in its rooms. */
  get leftM2(): number {
    const sight = sightOf(lookingRangeM(undefined, this.#model), false);
    const borders = this.reachable.reduce((sum, { gainM2, flight }) => sum + (flight ? 0 : gainM2), 0);
    return this.rooms.reduce((sum, room) => {
      const share = this.share(room, sight);
      return share >= LOOKED ? sum : sum + (1 - share) * Math.abs(polygonArea(room.polygon));
    }, borders);
  }

  /** Whether a height is on this storey. */
  isHere(z: number): boolean {
    return this.#floorBelow(z) === this.terrain.raster.floorZ;
  }

  /** The nearest flight that leads up, or down, towards a height on another storey. */
  flightTo(z: number): Frontier | undefined {
    const { floorZ } = this.terrain.raster;
    const isUp = this.#floorBelow(z) > floorZ;
    return this.flights
      .filter(
        ({ id, flight, costM }) =>
          costM < Infinity &&
          isUp === floorZ < (flight!.box.min.z + flight!.box.max.z) / 2 &&
          !this.#isGivenUp(id),
      )
      .toSorted((a, b) => a.costM - b.costM)[0];
  }

  #floorBelow(z: number): number {
    const floors = this.map.floors().map(({ floorZ }) => floorZ);
    return Math.max(Math.min(...floors), ...floors.filter((floorZ) => floorZ <= z + ABOVE_M));
  }

  /** Whether all around a place was looked at, closely enough to have seen what a need asks for, as far as one can. */
  isLookedAround(around: Around, need: Need): boolean {
    const sight = this.sightFor(need);
    if (this.#attention.shareAround(this.terrain, around.at, around.radiusM, sight) >= LOOKED) return true;
    if ([...this.reachable, ...this.hidden].some((frontier) => this.isWithin(frontier, around))) return false;
    const found = this.#attention.closer(this.terrain, this.#field, [discOf(around)], sight);
    return found === undefined || this.#isGivenUp(standKey(found.stand));
  }

  /** Whether what a frontier would show may lie around a place. */
  isWithin({ middle, gainM2 }: Frontier, { at, radiusM }: Around): boolean {
    return gainM2 >= RELEVANT_M2 && Math.hypot(middle.x - at.x, middle.y - at.y) <= radiusM;
  }

  /** Where to stand to look closer at what was not looked at closely enough for a need, among its rooms. */
  inspection(needs: readonly Need[], field: Field, around?: Around): ReturnType<Attention["closer"]> {
    let best: ReturnType<Attention["closer"]>;
    const tried = new Set<string>();
    for (const need of needs) {
      const sight = this.sightFor(need);
      const rooms = around ? [] : this.roomsFor(need).filter((room) => this.share(room, sight) < LOOKED);
      const places = around ? [discOf(around)] : rooms.map(({ polygon }) => polygon);
      // Things of one size in the same rooms are looked for in the same way.
      const key = [sight.fromM, sight.toM, ...rooms.map(({ id }) => id)].join(" ");
      if (places.length === 0 || tried.has(key)) continue;
      tried.add(key);
      const found = this.#attention.closer(this.terrain, field, places, sight);
      if (found && !this.#isGivenUp(standKey(found.stand)) && (!best || worthOf(found) > worthOf(best)))
        best = found;
    }
    return best;
  }

  /** Whether a closer look at a room is possible at all: what no way leads to is not waited for. */
  #mayBeCloser(room: SurveyedRoom, sight: Sight): boolean {
    const key = keyOf(room, sight);
    let may = this.#closer.get(key);
    if (may === undefined) {
      const found = this.#attention.closer(this.terrain, this.#field, [room.polygon], sight);
      may = found !== undefined && !this.#isGivenUp(standKey(found.stand));
      this.#closer.set(key, may);
    }
    return may;
  }
}

function worthOf({ gainM2, costM }: { readonly gainM2: number; readonly costM: number }): number {
  return gainM2 / (1 + costM);
}

const CORNERS = 12;

function discOf({ at, radiusM }: Around): Polygon {
  const points = Array.from({ length: CORNERS }, (_, n) => {
    const angle = (2 * Math.PI * n) / CORNERS;
    return { ...at, x: at.x + radiusM * Math.cos(angle), y: at.y + radiusM * Math.sin(angle) };
  });
  return { points };
}

function keyOf({ id }: SurveyedRoom, { fromM, toM }: Sight): string {
  return `${id} ${fromM} ${toM}`;
}

/** A stand by its place, for not trying the same one for ever. */
export function standKey({ positionInWorld: { x, y } }: Stand): string {
  return `at:${Math.round(x * 2)}:${Math.round(y * 2)}`;
}
