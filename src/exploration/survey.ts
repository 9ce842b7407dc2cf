import type { Polygon, Vec3 } from "../geometry/index.ts";
import type { SceneMap } from "../map/index.ts";
import { typicalSizeM } from "../ontology/index.ts";
import type { BodyModel, Stand } from "./body.ts";
import { type Attention, lookingRangeM } from "./ground/attention.ts";
import type { Frontier, FrontierBook } from "./ground/frontiers.ts";
import type { Field, Terrain } from "./ground/terrain.ts";
import type { Part } from "./inquiry/inquiry.ts";
import type { Need } from "./inquiry/needs.ts";
import { isSameRoom, NO_PROSPECT, prospectOf } from "./inquiry/prospects.ts";

/** So much of a room must have been looked at before "it is not there" may be said (docs/formulas.md#completeness). */
const LOOKED = 0.9;
/** One thing that is missed is more than one of many: it is looked for from nearer before it is said not to be there. */
const CLOSER = 0.6;
/** A border with less behind it does not keep a room from being looked over. */
const RELEVANT_M2 = 1;

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
  readonly #attention: Attention;
  readonly #model: BodyModel;
  readonly #isGivenUp: (target: string) => boolean;
  readonly #field: Field;
  readonly #shares = new Map<string, number>();

  constructor(parts: {
    readonly map: SceneMap;
    readonly terrain: Terrain;
    readonly field: Field;
    readonly book: FrontierBook;
    readonly attention: Attention;
    readonly model: BodyModel;
    readonly isGivenUp: (target: string) => boolean;
  }) {
    const { map, terrain, field, book, attention, model, isGivenUp } = parts;
    this.map = map;
    this.terrain = terrain;
    this.#attention = attention;
    this.#model = model;
    this.#isGivenUp = isGivenUp;
    this.#field = field;
    this.frontiers = book.find(terrain, field);
    this.rooms = map
      .rooms()
      .filter(({ storey }) => storey === terrain.raster.storey)
      .map(({ id, name, type, polygon }) => ({ id, name, type, polygon }));
  }

  /** Frontiers that can be reached and are not given up. */
  get reachable(): Frontier[] {
    return this.frontiers.filter(({ id, costM }) => costM < Infinity && !this.#isGivenUp(id));
  }

  roomTypeAt(place: Vec3): string | undefined {
    return this.map.roomAt(place)?.type;
  }

  /** How likely something that is still open would be seen beyond a frontier. */
  likely({ middle, isOpening }: Frontier, parts: readonly Part[]): number {
    const open = parts.filter(({ state }) => state === "open");
    return open.length === 0
      ? NO_PROSPECT
      : prospectOf(open, { roomType: this.roomTypeAt(middle), isOpening });
  }

  /** From how near a room has to be looked at to say that a need is not met in it. */
  rangeM({ categories, kind }: Need): number {
    const sizes = categories.flatMap((name) => typicalSizeM(name) ?? []);
    const range = lookingRangeM(sizes.length === 0 ? undefined : Math.min(...sizes), this.#model);
    return kind === "all-of" ? range : range * CLOSER;
  }

  /** Rooms in which a need could be met: those that it names, else all. */
  roomsFor({ rooms }: Pick<Need, "rooms">): SurveyedRoom[] {
    return rooms.length === 0
      ? [...this.rooms]
      : this.rooms.filter(({ type, name }) => rooms.some((one) => isSameRoom(one, type) || one === name));
  }

  /** Share of a room that was looked at from near enough for a thing of that size. */
  share(room: SurveyedRoom, rangeM: number): number {
    const key = `${room.id} ${rangeM}`;
    let share = this.#shares.get(key);
    if (share === undefined) {
      share = this.#attention.share(this.terrain, room.polygon, rangeM);
      this.#shares.set(key, share);
    }
    return share;
  }

  /** Whether a room was looked over and has no border left behind which more of it could be. */
  isDone(room: SurveyedRoom, rangeM: number): boolean {
    if (this.share(room, rangeM) < LOOKED && this.#closer([room], rangeM)) return false;
    return this.reachable.every(
      ({ middle, stand, gainM2, isOpening }) =>
        isOpening ||
        gainM2 < RELEVANT_M2 ||
        (this.map.roomAt(middle)?.id !== room.id && this.map.roomAt(stand.positionInWorld)?.id !== room.id),
    );
  }

  /** Whether everywhere that a need could be met was looked at, closely enough to have seen it. */
  isLookedOver(need: Need): boolean {
    const range = this.rangeM(need);
    const isNamedDone = (name: string): boolean => {
      const rooms = this.roomsFor({ rooms: [name] });
      return rooms.length > 0 && rooms.every((room) => this.isDone(room, range));
    };
    if (need.rooms.length > 0 && need.rooms.every(isNamedDone)) return true;
    return this.reachable.length === 0 && this.rooms.every((room) => this.isDone(room, range));
  }

  /** Where to stand to look closer at what was not looked at closely enough for a need, among its rooms. */
  inspection(needs: readonly Need[], field: Field): ReturnType<Attention["closer"]> {
    let best: ReturnType<Attention["closer"]>;
    for (const need of needs) {
      const range = this.rangeM(need);
      const rooms = this.roomsFor(need).filter((room) => this.share(room, range) < LOOKED);
      if (rooms.length === 0) continue;
      const found = this.#attention.closer(
        this.terrain,
        field,
        rooms.map(({ polygon }) => polygon),
        range,
      );
      if (found && !this.#isGivenUp(standKey(found.stand)) && (!best || worthOf(found) > worthOf(best)))
        best = found;
    }
    return best;
  }

  /** Whether a closer look at a room is possible at all: what no way leads to is not waited for. */
  #closer(rooms: readonly SurveyedRoom[], rangeM: number): boolean {
    const found = this.#attention.closer(
      this.terrain,
      this.#field,
      rooms.map(({ polygon }) => polygon),
      rangeM,
    );
    return found !== undefined && !this.#isGivenUp(standKey(found.stand));
  }
}

function worthOf({ gainM2, costM }: { readonly gainM2: number; readonly costM: number }): number {
  return gainM2 / (1 + costM);
}

/** A stand by its place, for not trying the same one for ever. */
export function standKey({ positionInWorld: { x, y } }: Stand): string {
  return `at:${Math.round(x * 2)}:${Math.round(y * 2)}`;
}
