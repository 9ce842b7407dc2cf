import type { Vec3 } from "../../geometry/index.ts";
import type { Segment } from "../dynamics/index.ts";
import type { FluentName, House, HouseThing, Placement, Room } from "../house/types.ts";
import { type Phrase, roomPhrase } from "./phrases.ts";
import { evidenceTimes, Sight } from "./sight.ts";
import type { QuestionWorld } from "./world.ts";

/** A thing clearly seen in its present place since it came there. */
export interface Known {
  readonly thing: HouseThing;
  readonly placement: Placement;
  /** Since when it has been there. */
  readonly sinceUs: number;
}

export interface RoomInfo {
  readonly room: Room;
  readonly phrase: Phrase;
}

/** Frames needed to search a room: fewer is passing through. */
export const LOOKED_FRAMES = 8;

/**
 * The world as a question may refer to it at one moment: the truth, what was seen of it until then, and words for it.
 * Only predictive questions use anything after the moment.
 */
export class Scope {
  readonly world: QuestionWorld;
  readonly house: House;
  readonly askedAtUs: number;
  /** Who is asked: "you". */
  readonly askedOf: string;
  readonly sight: Sight;
  /** What may be asked about in the present tense. */
  readonly known: readonly Known[];
  /** Rooms that a word names, with the word. */
  readonly rooms: readonly RoomInfo[];
  readonly #things: ReadonlyMap<string, HouseThing>;
  readonly #known: ReadonlyMap<string, Known>;

  constructor(world: QuestionWorld, askedAtUs: number, askedOf: string, seenBy?: ReadonlySet<string>) {
    this.world = world;
    this.house = world.timeline.house;
    this.askedAtUs = askedAtUs;
    this.askedOf = askedOf;
    this.sight = new Sight(world, askedAtUs, seenBy);
    this.#things = new Map(this.house.things.map((thing) => [thing.id, thing]));
    this.known = this.house.things.flatMap((thing) => this.#settle(thing));
    this.#known = new Map(this.known.map((known) => [known.thing.id, known]));
    this.rooms = this.house.rooms.flatMap((room) => {
      const words = roomPhrase(this.house, room);
      return words === undefined ? [] : [{ room, phrase: words }];
    });
  }

  thing(id: string): HouseThing {
    return this.#things.get(id)!;
  }

  knownOf(id: string): Known | undefined {
    return this.#known.get(id);
  }

  placement(id: string, timeUs = this.askedAtUs): Placement | undefined {
    return this.world.timeline.placementAt(id, timeUs);
  }

  fluent(id: string, name: FluentName, timeUs = this.askedAtUs): string | undefined {
    return this.world.timeline.fluentAt(id, name, timeUs);
  }

  /** The stretch that holds a moment. */
  segmentAt(id: string, timeUs = this.askedAtUs): Segment {
    const { segments } = this.world.timeline.historyOf(id);
    return segments.findLast(({ fromUs }) => fromUs <= timeUs) ?? segments[0]!;
  }

  /** Everything in the house now that is no structure, seen or not. */
  present(): { thing: HouseThing; placement: Placement }[] {
    return this.house.things.flatMap((thing) => {
      if (thing.type === "structure") return [];
      const placement = this.placement(thing.id);
      return placement === undefined ? [] : [{ thing, placement }];
    });
  }

  /** Since when a state has its present value; the start of the recording if it never changed. */
  fluentSince(id: string, name: FluentName): number {
    const changes = this.world.timeline.historyOf(id).fluents[name] ?? [];
    return changes.findLast(({ timeUs }) => timeUs <= this.askedAtUs)?.timeUs ?? -Infinity;
  }

  /** What is written on a known thing and was seen there; a screen that is off says nothing. */
  textOf({ thing, sinceUs }: Known): string | undefined {
    const since = Math.max(sinceUs, this.fluentSince(thing.id, "power"));
    const text = this.world.timeline.textAt(thing.id, this.askedAtUs);
    return text !== undefined && this.sight.isClear(thing.id, since) ? text : undefined;
  }

  roomInfo(id: string | null): RoomInfo | undefined {
    return this.rooms.find(({ room }) => room.id === id);
  }

  /** Whether a room was searched and not only passed through. */
  isLookedOver(room: string): boolean {
    return this.sight.inRoom(room).length >= LOOKED_FRAMES;
  }

  /** Times at which things were seen in their present places. */
  evidence(...ids: readonly string[]): number[] {
    const times = ids.flatMap((id) => {
      const since = this.#known.get(id)?.sinceUs ?? -Infinity;
      return evidenceTimes(this.sight.clear(id, since));
    });
    return [...new Set(times)].sort((a, b) => a - b);
  }

  /** The asked agent's position on the floor, and its heading. */
  pose(timeUs = this.askedAtUs): { position: Vec3; yawRad: number } {
    const agent = this.world.agents.find(({ id }) => id === this.askedOf)!;
    const { positionInWorld, yawRad } = agent.trajectory.at(timeUs);
    return { position: positionInWorld, yawRad };
  }

  #settle(thing: HouseThing): Known[] {
    if (thing.type === "structure") return [];
    const { fromUs, path } = this.segmentAt(thing.id);
    const placement = this.placement(thing.id);
    if (placement === undefined || placement.hidden || placement.room === null || path !== undefined)
      return [];
    return this.sight.isClear(thing.id, fromUs) ? [{ thing, placement, sinceUs: fromUs }] : [];
  }
}
