import type { TimeUs, Vec3 } from "../../../geometry/index.ts";
import type { Timeline } from "../../../world/dynamics/index.ts";
import { roomAt } from "../../../world/dynamics/index.ts";
import { gapM, type Relation, relationsOf } from "../../../world/house/relations.ts";
import type { FluentName, House, HouseThing, Placement, Room } from "../../../world/house/types.ts";
import { clockWords } from "../../../world/questions/phrases.ts";
import { CLEAR_FRAMES, Sight } from "../../../world/questions/sight.ts";
import type { QuestionWorld, SeenFrame } from "../../../world/questions/world.ts";

/** Where a structure carries something, in words. */
const BY_STRUCTURE: Readonly<Record<string, string>> = {
  floor: "on the floor",
  wall: "on the wall",
  facade: "on the wall",
  ceiling: "on the ceiling",
  staircase: "on the stairs",
};

/** The truth of a toured house in the words of its sheet: one name for each thing and room, what was seen and when. */
export class HouseFacts {
  readonly world: QuestionWorld;
  readonly timeline: Timeline;
  readonly house: House;
  readonly endUs: TimeUs;
  readonly sight: Sight;
  /** Everything but walls, floors and the like that was ever in the house, in order of number. */
  readonly things: readonly HouseThing[];
  /** What holds between things at the end. */
  readonly #relations: ReadonlyMap<string, readonly Relation[]>;
  readonly #names: ReadonlyMap<string, string>;
  readonly #rooms: ReadonlyMap<string, string>;

  constructor(world: QuestionWorld) {
    this.world = world;
    this.timeline = world.timeline;
    this.house = world.timeline.house;
    this.endUs = this.timeline.startUs + this.timeline.durationUs;
    this.sight = new Sight(world, this.endUs);
    this.things = this.house.things.filter(
      ({ id, type }) =>
        type !== "structure" &&
        this.timeline.historyOf(id).segments.some(({ placement }) => isHere(placement)),
    );
    this.#relations = Map.groupBy(
      relationsOf(this.timeline.snapshotAt(this.endUs)),
      ({ subject }) => subject,
    );
    this.#names = numbered(this.things, ({ category, name, type }) => (type === "person" ? name : category));
    this.#rooms = numbered(this.house.rooms, ({ type }) => type);
  }

  /** "mug", or "mug 2" where there are several: numbers are the sheet's own. */
  nameOf(id: string): string {
    return this.#names.get(id) ?? this.timeline.thing(id).category;
  }

  roomName(id: string | null): string {
    return (id === null ? undefined : this.#rooms.get(id)) ?? "outside";
  }

  /** Where it is now; undefined when it is no longer, or not yet, in the house. */
  placement(id: string, timeUs = this.endUs): Placement | undefined {
    const placement = this.timeline.placementAt(id, timeUs);
    return isHere(placement) ? placement : undefined;
  }

  /** Since when it is where it is; a drawer that takes it along does not count. */
  sinceUs(id: string): TimeUs {
    const { segments } = this.timeline.historyOf(id);
    return (
      segments.findLast(({ reason }) => reason !== "open" && reason !== "close")?.fromUs ??
      segments[0]!.fromUs
    );
  }

  fluent(id: string, name: FluentName, timeUs = this.endUs): string | undefined {
    return this.timeline.fluentAt(id, name, timeUs);
  }

  /** "on the desk 2", "in the wardrobe (closed)", "on the wall". */
  placeWords(placement: Placement, timeUs = this.endUs): string {
    const { insideOf, supportedBy } = placement;
    if (insideOf !== undefined) {
      const shut = this.fluent(insideOf, "openness", timeUs);
      return `in the ${this.nameOf(insideOf)}${shut === undefined ? "" : ` (${shut})`}`;
    }
    if (supportedBy === undefined) return "";
    const host = this.timeline.thing(supportedBy);
    if (host.type === "person") return `carried by ${this.nameOf(supportedBy)}`;
    return BY_STRUCTURE[host.category] ?? `on the ${this.nameOf(supportedBy)}`;
  }

  /** The same with the room. */
  fullPlace(placement: Placement, timeUs = this.endUs): string {
    return `${this.placeWords(placement, timeUs)} in the ${this.roomName(placement.room)}`.trim();
  }

  /** Furniture that it stands under, and not what stands on it. */
  above(id: string): string[] {
    return this.#related(id, "under").filter((other) => {
      const { supportedBy, insideOf } = this.placement(other) ?? {};
      return supportedBy !== id && insideOf !== id && this.timeline.thing(other).type === "furniture";
    });
  }

  /** Neighbours at most half a metre away, the nearest first. */
  neighbours(id: string): string[] {
    const own = this.placement(id)!;
    const gap = (other: string) => gapM(own, this.placement(other) ?? own);
    return this.#related(id, "next_to").sort((a, b) => gap(a) - gap(b));
  }

  /** When it was in sight at all. */
  looks(id: string): string {
    const clear = this.sight.clear(id);
    const isGlimpsed = clear.length === 0 && this.sight.isSeen(id);
    return isGlimpsed ? "only glimpsed, from afar or in part" : looksWords(clear);
  }

  isWellSeen(id: string): boolean {
    return this.sight.clear(id).length >= CLEAR_FRAMES;
  }

  room(id: string | null): Room | undefined {
    return this.house.rooms.find((room) => room.id === id);
  }

  roomOfPoint(point: Vec3): string {
    return this.roomName(roomAt(this.house, point) ?? null);
  }

  #related(id: string, pred: Relation["pred"]): string[] {
    return (this.#relations.get(id) ?? []).flatMap((one) => (one.pred === pred ? [one.object] : []));
  }

  storey(floor: number): string {
    if (this.house.floors === 1) return "the only storey";
    return floor === 0 ? "ground floor, downstairs" : "upper floor, upstairs";
  }
}

function isHere(placement: Placement | undefined): placement is Placement {
  return placement !== undefined && placement.room !== null;
}

function numbered<T extends { readonly id: string }>(
  items: readonly T[],
  wordOf: (item: T) => string,
): Map<string, string> {
  const names = new Map<string, string>();
  for (const [word, alike] of Map.groupBy(items, wordOf))
    alike.forEach(({ id }, i) => {
      names.set(id, alike.length === 1 ? word : `${word} ${i + 1}`);
    });
  return names;
}

export const clock = clockWords;

/** "seen 09:00:05–09:04:12, 23 looks". */
export function looksWords(frames: readonly SeenFrame[]): string {
  const [first, last] = [frames[0], frames.at(-1)];
  if (first === undefined || last === undefined) return "never seen by the robot";
  const looks = `${frames.length} look${frames.length === 1 ? "" : "s"}`;
  const hardly = frames.length < CLEAR_FRAMES ? "hardly seen: " : "seen ";
  return first === last ? `${hardly}${clock(first.timeUs)}, ${looks}` : `${hardly}${span(frames)}, ${looks}`;
}

export function span(frames: readonly SeenFrame[]): string {
  const [first, last] = [clock(frames[0]!.timeUs), clock(frames.at(-1)!.timeUs)];
  return first === last ? first : `${first}–${last}`;
}

/** Splits looks where more than so long passed between two. */
export function visits(frames: readonly SeenFrame[], apartUs = 5_000_000): SeenFrame[][] {
  const groups: SeenFrame[][] = [];
  for (const frame of frames) {
    const last = groups.at(-1)?.at(-1);
    if (last !== undefined && frame.timeUs - last.timeUs <= apartUs) groups.at(-1)!.push(frame);
    else groups.push([frame]);
  }
  return groups;
}

export function metres(value: number): string {
  return `${value.toFixed(2)} m`;
}
