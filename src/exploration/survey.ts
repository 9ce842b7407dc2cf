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

/** Share of a room that must be observed before "it is not there" may be said (docs/formulas.md#completeness). */
const LOOKED = 0.9;
/**
 * Range factor for a particular missing thing: it is sought from nearer than a member of a set, or a corner of a
 * room, before it is declared absent.
 */
const CLOSER = 0.6;
/** A frontier with less behind it does not keep a room from counting as complete. */
const RELEVANT_M2 = 1;
/** An unreachable frontier with at least this much behind it may hide anything, so that no absence can be concluded. */
const HIDDEN_M2 = 2.5;
/** Anything less than this below a floor still belongs to its storey. */
const ABOVE_M = 0.3;

export interface SurveyedRoom {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly polygon: Polygon;
}

/** What is known of the place at one step: ground, frontiers and rooms, and how well each was observed. */
export class Survey {
  readonly map: SceneMap;
  readonly terrain: Terrain;
  readonly frontiers: readonly Frontier[];
  readonly rooms: readonly SurveyedRoom[];
  /** Stairs from here, whether or not anything is left to see beyond them. */
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
    /** With what is left to see beyond them; undefined for a whole unobserved storey. */
    readonly flights: readonly (Flight & { readonly leftM2: number | undefined })[];
    /** Doors that were not seen open. */
    readonly doors: readonly Door[];
    /** If false, other storeys are unreachable, and absence cannot be concluded for the whole place. */
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

  /** Frontiers that are reachable and not given up. */
  get reachable(): Frontier[] {
    return this.frontiers.filter(({ id, costM }) => costM < Infinity && !this.#isGivenUp(id));
  }

  #roomAt(place: Vec3): { readonly roomType: string | undefined; readonly roomId: string | undefined } {
    const room = this.map.roomAt(place);
    return { roomType: room?.type, roomId: room?.id };
  }

  /**
   * Probability that something still open would be seen beyond a frontier: in its own room and, the more floor lies
   * behind it, in another, unobserved one.
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

  /** The same for its own room alone: what the papers ask of a picture. */
  likelyHere({ middle }: Frontier, parts: readonly Part[]): number {
    return parts.length === 0
      ? NO_PROSPECT
      : prospectOf(parts, { ...this.#roomAt(middle), isOpening: false });
  }

  /** The distances from which a room must be observed to conclude that a need is not met in it. */
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

  /** Share of a room that was observed from a sufficient distance for such a thing. */
  share(room: SurveyedRoom, sight: Sight): number {
    const key = keyOf(room, sight);
    let share = this.#shares.get(key);
    if (share === undefined) {
      share = this.#attention.share(this.terrain, room.polygon, sight);
      this.#shares.set(key, share);
    }
    return share;
  }

  /** Whether a room was fully observed and has no frontier left behind which more of it could be. */
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

  /** Whether every place that could satisfy a need was observed, closely enough to detect it. */
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

  /** Whether no frontier of this storey hides a relevant area. */
  #isShut(): boolean {
    return this.frontiers.every(
      ({ id, costM, gainM2, flight, isClosedDoor }) =>
        flight || (!isClosedDoor && this.#isGivenUp(id)) || (costM === Infinity && gainM2 < HIDDEN_M2),
    );
  }

  /** Unreachable frontiers of this storey that may hide a relevant area. */
  get hidden(): Frontier[] {
    return this.frontiers.filter(
      ({ id, costM, gainM2, isClosedDoor }) =>
        costM === Infinity && gainM2 >= HIDDEN_M2 && (isClosedDoor || !this.#isGivenUp(id)),
    );
  }

  /** Floor of this storey left to observe: beyond its frontiers, and in its rooms. */
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

  /** The nearest flight that leads up or down towards a height on another storey. */
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

  /**
   * Whether the surroundings of a place were observed closely enough to detect what a need asks for, as far as
   * possible.
   */
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

  /** Where to stand to observe, among a need's rooms, what was not yet observed closely enough. */
  inspection(needs: readonly Need[], field: Field, around?: Around): ReturnType<Attention["closer"]> {
    let best: ReturnType<Attention["closer"]>;
    const tried = new Set<string>();
    for (const need of needs) {
      const sight = this.sightFor(need);
      const rooms = around ? [] : this.roomsFor(need).filter((room) => this.share(room, sight) < LOOKED);
      const places = around ? [discOf(around)] : rooms.map(({ polygon }) => polygon);
      // Things of one size in the same rooms have the same search.
      const key = [sight.fromM, sight.toM, ...rooms.map(({ id }) => id)].join(" ");
      if (places.length === 0 || tried.has(key)) continue;
      tried.add(key);
      const found = this.#attention.closer(this.terrain, field, places, sight);
      if (found && !this.#isGivenUp(standKey(found.stand)) && (!best || worthOf(found) > worthOf(best)))
        best = found;
    }
    return best;
  }

  /** Whether a nearer look at a room is possible at all; unreachable parts are ignored. */
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

/** A key for a stand's position, so that the same one is not tried forever. */
export function standKey({ positionInWorld: { x, y } }: Stand): string {
  return `at:${Math.round(x * 2)}:${Math.round(y * 2)}`;
}
