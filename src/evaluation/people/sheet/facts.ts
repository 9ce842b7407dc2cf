import type { TimeUs, Vec3 } from "../../../geometry/index.ts";
import type { Timeline } from "../../../world/dynamics/index.ts";
import { roomAt } from "../../../world/dynamics/index.ts";
import { gapM, type Relation, relationsOf } from "../../../world/house/relations.ts";
import {
  type FluentName,
  type House,
  type HouseThing,
  isMover,
  type Placement,
  type Room,
} from "../../../world/house/types.ts";
import { clockWords } from "../../../world/questions/phrases.ts";
import { CLEAR_FRAMES, Sight } from "../../../world/questions/sight.ts";
import type { QuestionWorld, SeenFrame } from "../../../world/questions/world.ts";

export const ON_FLOOR = "on the floor";
/** How a structure carries something, in words. */
const BY_STRUCTURE: Readonly<Record<string, string>> = {
  floor: ON_FLOOR,
  wall: "on the wall",
  facade: "on the wall",
  ceiling: "on the ceiling",
  staircase: "on the stairs",
};

export type SheetFamily = "house" | "warehouse";

/** One of the robots that toured the place, and what it alone saw. */
export interface SheetRobot {
  /** Its name on the sheet: "the robot" if there is one, else "robot-2". */
  readonly name: string;
  readonly sight: Sight;
}

/** The truth of a toured place in the words of its sheet: one name for each thing and room, what was seen and when. */
export class PlaceFacts {
  readonly family: SheetFamily;
  readonly world: QuestionWorld;
  readonly timeline: Timeline;
  readonly house: House;
  readonly endUs: TimeUs;
  /** What all robots together saw. */
  readonly sight: Sight;
  readonly robots: readonly SheetRobot[];
  /** Everything except walls, floors and the like that was ever in the house, in order of number. */
  readonly things: readonly HouseThing[];
  /** Relations between things at the end. */
  readonly #relations: ReadonlyMap<string, readonly Relation[]>;
  readonly #names: ReadonlyMap<string, string>;
  readonly #rooms: ReadonlyMap<string, string>;

  constructor(world: QuestionWorld, family: SheetFamily = "house") {
    this.world = world;
    this.family = family;
    this.timeline = world.timeline;
    this.house = world.timeline.house;
    this.endUs = this.timeline.startUs + this.timeline.durationUs;
    this.sight = new Sight(world, this.endUs);
    this.robots =
      world.agents.length === 1
        ? [{ name: "the robot", sight: this.sight }]
        : world.agents.map(({ id }) => ({ name: id, sight: new Sight(world, this.endUs, new Set([id])) }));
    this.things = this.house.things.filter(
      ({ id, type }) =>
        type !== "structure" &&
        this.timeline.historyOf(id).segments.some(({ placement }) => isHere(placement)),
    );
    this.#relations = Map.groupBy(
      relationsOf(this.timeline.snapshotAt(this.endUs)),
      ({ subject }) => subject,
    );
    this.#names =
      family === "house"
        ? numbered(this.things, wordOf)
        : new Map([...coded(this.things), ...plain(this.things)]);
    this.#rooms =
      family === "house"
        ? numbered(this.house.rooms, ({ type }) => type)
        : new Map(this.house.rooms.map(({ id, name }) => [id, name]));
  }

  /** "mug", or "mug 2" if there are several: numbers are the sheet's own. */
  nameOf(id: string): string {
    return this.#names.get(id) ?? this.timeline.thing(id).category;
  }

  roomName(id: string | null): string {
    return (id === null ? undefined : this.#rooms.get(id)) ?? "outside";
  }

  /** "the mug 2", "Anna", "slot A-03-2": names and codes take no article. */
  the(id: string): string {
    return this.#isNamed(id) ? this.nameOf(id) : `the ${this.nameOf(id)}`;
  }

  /** "the kitchen", "aisle C". */
  theRoom(id: string | null): string {
    return this.room(id)?.isSigned ? this.roomName(id) : `the ${this.roomName(id)}`;
  }

  /** Its current place; undefined if it is no longer, or not yet, in the house. */
  placement(id: string, timeUs = this.endUs): Placement | undefined {
    const placement = this.timeline.placementAt(id, timeUs);
    return isHere(placement) ? placement : undefined;
  }

  roomAt(id: string, timeUs = this.endUs): string | null {
    return this.placement(id, timeUs)?.room ?? null;
  }

  /** Since when it has been there; moves with its drawer do not count. */
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
      return `in ${this.the(insideOf)}${shut === undefined ? "" : ` (${shut})`}`;
    }
    if (supportedBy === undefined) return "";
    const host = this.timeline.thing(supportedBy);
    if (isMover(host)) return `carried by ${this.the(supportedBy)}`;
    if (isSlot(host)) return `in ${this.the(supportedBy)}`;
    return BY_STRUCTURE[host.category] ?? `on ${this.the(supportedBy)}`;
  }

  /** The same with the room. */
  fullPlace(placement: Placement, timeUs = this.endUs): string {
    return `${this.placeWords(placement, timeUs)} in ${this.theRoom(placement.room)}`.trim();
  }

  /** Furniture above it, excluding what stands on it. */
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

  /** When it was in view at all, and of which robot. */
  looks(id: string): string {
    const isGlimpsed = this.sight.clear(id).length === 0 && this.sight.isSeen(id);
    return isGlimpsed ? "only glimpsed, from afar or in part" : this.looksSince(id, -Infinity);
  }

  /** The same from a time on; with several robots, the last one to see it. */
  looksSince(id: string, sinceUs: TimeUs): string {
    const all = this.sight.clear(id, sinceUs);
    if (this.robots.length === 1) return looksWords(all);
    if (all.length === 0) return "never seen by any robot";
    const own = this.robots.flatMap(({ name, sight }) => {
      const frames = sight.clear(id, sinceUs);
      return frames.length === 0 ? [`not seen by ${name}`] : [looksWords(frames, ` by ${name}`)];
    });
    const seers = this.robots.filter(({ sight }) => sight.clear(id, sinceUs).length > 0);
    const { agentId, timeUs } = all.at(-1)!;
    return `${own.join(", ")}${seers.length > 1 ? `; last by ${agentId} at ${clock(timeUs)}` : ""}`;
  }

  isWellSeen(id: string): boolean {
    return this.sight.clear(id).length >= CLEAR_FRAMES;
  }

  room(id: string | null): Room | undefined {
    return this.house.rooms.find((room) => room.id === id);
  }

  roomOfPoint(point: Vec3): string {
    return this.theRoom(roomAt(this.house, point) ?? null);
  }

  #isNamed(id: string): boolean {
    const { type, text } = this.timeline.thing(id);
    return type === "person" || (this.family !== "house" && text !== undefined);
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

/** A place for one box in a rack, with a code on it. */
export function isSlot({ category }: HouseThing): boolean {
  return category === "shelf";
}

/** The everyday name of its category. */
export const kindOf = (thing: HouseThing) => (isSlot(thing) ? "slot" : thing.category);

const wordOf = ({ category, name, type }: HouseThing) => (type === "person" ? name : category);

/** Where codes identify things they serve as names: "box KX-402", and "box KX-402 (b)" if several share it. */
function coded(things: readonly HouseThing[]): Map<string, string> {
  const withCode = things.filter(({ text }) => text !== undefined);
  const word = (thing: HouseThing) => `${kindOf(thing)} ${thing.text}`;
  return numbered(withCode, word, (i) => `(${String.fromCharCode(97 + i)})`);
}

const plain = (things: readonly HouseThing[]) =>
  numbered(
    things.filter(({ text }) => text === undefined),
    wordOf,
  );

function numbered<T extends { readonly id: string }>(
  items: readonly T[],
  wordOf: (item: T) => string,
  mark = (i: number) => String(i + 1),
): Map<string, string> {
  const names = new Map<string, string>();
  for (const [word, alike] of Map.groupBy(items, wordOf))
    alike.forEach(({ id }, i) => {
      names.set(id, alike.length === 1 ? word : `${word} ${mark(i)}`);
    });
  return names;
}

export const clock = clockWords;

/** "seen 09:00:05–09:04:12, 23 looks". */
export function looksWords(frames: readonly SeenFrame[], by = ""): string {
  const [first, last] = [frames[0], frames.at(-1)];
  if (first === undefined || last === undefined) return "never seen by the robot";
  const looks = `${frames.length} look${frames.length === 1 ? "" : "s"}`;
  const hardly = frames.length < CLEAR_FRAMES ? `hardly seen${by}: ` : `seen${by} `;
  return `${hardly}${span(frames)}, ${looks}`;
}

export function span(frames: readonly SeenFrame[]): string {
  const [first, last] = [clock(frames[0]!.timeUs), clock(frames.at(-1)!.timeUs)];
  return first === last ? first : `${first}–${last}`;
}

/** Splits observations at gaps longer than this. */
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
