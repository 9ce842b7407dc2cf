import { contentId, type RecordInput, type SightingInput } from "../../schema/index.ts";
import type { Timeline } from "../dynamics/index.ts";
import type { FluentName, HouseThing, Placement } from "../house/types.ts";
import type { Round } from "./patrol.ts";

/** Pixels in a frame needed to recognise a thing; a surface must be more visible to be found empty. */
const SEEN_PX = 24;
const SURFACE_PX = 1_200;
const SURFACE_FRAMES = 2;
const STATIC = new Set<HouseThing["type"]>(["furniture", "door", "window"]);

/** What a robot with good detection would remember of its rounds, ready for a memory. */
export interface WeekFacts {
  readonly records: readonly RecordInput[];
  readonly sightings: readonly SightingInput[];
}

interface Stay {
  readonly id: string;
  readonly thing: HouseThing;
  readonly key: string;
  readonly placement: Placement;
  readonly fromUs: number;
  toUs: number | null;
  lastSeenUs: number;
  readonly fluents: Map<string, { value: string; lastUs: number; support: number }>;
}

/**
 * The rounds as tracks, states, sightings and changes. Identity and places are given, not estimated: these weeks test
 * the use of months of memory, not detection and tracking. Only what was in view is known: a state begins with the
 * first observation, and ends when the thing is seen elsewhere or its place was clearly seen without it.
 */
export function factsOf(timeline: Timeline, rounds: readonly Round[]): WeekFacts {
  const book = new Book(timeline);
  for (const round of rounds) book.takeIn(round);
  return book.facts();
}

export function trackIdOf(thing: Pick<HouseThing, "id">): string {
  return contentId("track", thing.id);
}

export function roomIdOf(roomId: string): string {
  return contentId("room", roomId);
}

/**
 * The place of a thing, to tell places apart: its support or container; for people the room; undefined while out of
 * the house.
 */
export function placeKeyOf(thing: HouseThing, placement: Placement | undefined): string | undefined {
  if (placement === undefined) return undefined;
  if (thing.type === "person") return placement.room ?? undefined;
  return placement.insideOf ?? placement.supportedBy ?? placement.room ?? undefined;
}

class Book {
  readonly #timeline: Timeline;
  readonly #stays: Stay[] = [];
  readonly #current = new Map<string, Stay>();
  readonly #sightings: SightingInput[] = [];
  readonly #events: RecordInput[] = [];

  constructor(timeline: Timeline) {
    this.#timeline = timeline;
  }

  takeIn({ frames, toUs }: Round): void {
    const seen = new Map<string, { firstUs: number; lastUs: number }>();
    const surfaces = new Map<string, number>();
    for (const { trueUs, visible } of frames) {
      for (const { thing: number, pixels } of visible) {
        const thing = this.#timeline.house.things[number - 1]!;
        if (pixels >= SURFACE_PX) surfaces.set(thing.id, (surfaces.get(thing.id) ?? 0) + 1);
        if (pixels < SEEN_PX || thing.type === "structure") continue;
        this.#see(thing, trueUs);
        const times = seen.get(thing.id);
        seen.set(thing.id, { firstUs: times?.firstUs ?? trueUs, lastUs: trueUs });
      }
    }
    for (const [id, { firstUs, lastUs }] of seen) {
      const stateId = this.#current.get(id)!.id;
      this.#sightings.push({ stateId, timeUs: lastUs, outcome: "seen", agentId: "robot-1" });
      if (firstUs >= this.#current.get(id)!.fromUs && firstUs < lastUs)
        this.#sightings.push({ stateId, timeUs: firstUs, outcome: "seen", agentId: "robot-1" });
    }
    for (const stay of this.#current.values()) if (!seen.has(stay.thing.id)) this.#miss(stay, surfaces, toUs);
  }

  #see(thing: HouseThing, timeUs: number): void {
    const placement = this.#timeline.placementAt(thing.id, timeUs);
    const key = placeKeyOf(thing, placement);
    if (placement === undefined || key === undefined) return;
    let stay = this.#current.get(thing.id);
    if (stay === undefined || stay.toUs !== null || (stay.key !== key && !STATIC.has(thing.type))) {
      const before = stay;
      if (before && before.toUs === null) before.toUs = timeUs;
      const id = contentId("state", thing.id, this.#stays.length);
      const fluents: Stay["fluents"] = new Map(before?.fluents);
      stay = { id, thing, key, placement, fromUs: timeUs, toUs: null, lastSeenUs: timeUs, fluents };
      this.#stays.push(stay);
      this.#current.set(thing.id, stay);
      if (before !== undefined && before.key !== key) this.#note("move", before.lastSeenUs, timeUs, stay, {});
    }
    for (const name of thing.fluents) this.#read(stay, name, timeUs);
    stay.lastSeenUs = timeUs;
  }

  #read(stay: Stay, name: FluentName, timeUs: number): void {
    const value = this.#timeline.fluentAt(stay.thing.id, name, timeUs);
    const known = stay.fluents.get(name);
    if (value === undefined) return;
    if (known !== undefined && known.value !== value)
      this.#note("state-change", known.lastUs, timeUs, stay, {
        attribute: name,
        from: known.value,
        to: value,
      });
    stay.fluents.set(name, { value, lastUs: timeUs, support: (known?.support ?? 0) + 1 });
  }

  /** Its place was clearly visible, and it is really not there any more. */
  #miss(stay: Stay, surfaces: ReadonlyMap<string, number>, timeUs: number): void {
    if (STATIC.has(stay.thing.type)) return;
    const floor = this.#timeline.house.things.find(
      ({ category, roomAtStart }) => category === "floor" && roomAtStart === stay.placement.room,
    );
    const place = stay.thing.type === "person" ? floor?.id : stay.key;
    if (place === undefined || (surfaces.get(place) ?? 0) < SURFACE_FRAMES) return;
    if (placeKeyOf(stay.thing, this.#timeline.placementAt(stay.thing.id, timeUs)) === stay.key) return;
    stay.toUs ??= timeUs;
    this.#sightings.push({ stateId: stay.id, timeUs, outcome: "absent", agentId: "robot-1" });
  }

  #note(
    type: "move" | "state-change",
    fromUs: number,
    toUs: number,
    stay: Stay,
    detail: Record<string, string>,
  ): void {
    const { thing, placement } = stay;
    this.#events.push({
      kind: "event",
      id: contentId("event", type, stay.id, toUs, detail["attribute"] ?? ""),
      type,
      author: "robot-1",
      who: [stay.id],
      anchor: { submap: "world", p: placement.centre },
      text: [
        type === "move" ? `the ${thing.category} was moved` : `the ${thing.category} is now ${detail["to"]}`,
      ],
      validFromUs: fromUs,
      validToUs: Math.max(toUs, fromUs + 1),
      detail: { ...detail, trackId: trackIdOf(thing) },
      ...(placement.room !== null && { regionId: roomIdOf(placement.room) }),
    });
  }

  facts(): WeekFacts {
    const stateOf = new Map(this.#stays.map(({ thing, id }) => [thing.id, id]));
    const things = new Map(this.#stays.map(({ thing }) => [thing.id, thing]));
    return {
      records: [
        ...roomRecords(this.#timeline),
        ...[...things.values()].map((thing) => trackRecord(thing, this.#timeline.startUs)),
        ...this.#stays.map((stay) => stateRecord(stay, stateOf)),
        ...this.#events,
      ],
      sightings: this.#sightings,
    };
  }
}

function roomRecords({ house, startUs }: Timeline): RecordInput[] {
  const floors = [...new Set(house.rooms.map(({ floor }) => floor))].sort((a, b) => a - b);
  const nameOf = (floor: number) =>
    floors.length === 1 || floor === 0 ? "ground floor" : floor === 1 ? "upper floor" : `floor ${floor}`;
  const common = { kind: "region", validFromUs: startUs, validToUs: null, coverage: 1 } as const;
  return [
    ...floors.map((floor): RecordInput => {
      const name = nameOf(floor);
      return {
        ...common,
        id: contentId("floor", String(floor)),
        type: "floor",
        level: 3,
        name,
        text: [name],
      };
    }),
    ...house.rooms.map((room): RecordInput => {
      const [a, c] = [room.polygon.points[0]!, room.polygon.points[2]!];
      return {
        ...common,
        id: roomIdOf(room.id),
        type: "room",
        level: 2,
        name: room.type,
        text: [room.type],
        parent: contentId("floor", String(room.floor)),
        anchor: { submap: "world", p: { x: (a.x + c.x) / 2, y: (a.y + c.y) / 2, z: room.floorZM } },
        hull: room.polygon.points.map(({ x, y }) => ({ x, y, z: room.floorZM })),
      };
    }),
  ];
}

function trackRecord(thing: HouseThing, startUs: number): RecordInput {
  return {
    kind: "track",
    id: trackIdOf(thing),
    type: thing.type === "person" ? "person" : "object",
    name: wordsOf(thing),
    category: thing.category,
    text: [wordsOf(thing)],
    validFromUs: startUs,
    validToUs: null,
  };
}

function stateRecord(stay: Stay, stateOf: ReadonlyMap<string, string>): RecordInput {
  const { thing, placement, fromUs, toUs, lastSeenUs } = stay;
  const certain = (value: string, support: number, lastUs: number) => ({ value, p: 0.98, support, lastUs });
  const fixed = Object.entries({ colour: thing.colour, material: thing.material }).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, certain(value, 5, lastSeenUs)] as const],
  );
  const fluents = [...stay.fluents].map(
    ([name, { value, support, lastUs }]) => [name, certain(value, support, lastUs)] as const,
  );
  const host = stateOf.get(placement.insideOf ?? placement.supportedBy ?? "");
  return {
    kind: "state",
    id: stay.id,
    trackId: trackIdOf(thing),
    author: "robot-1",
    name: wordsOf(thing),
    category: thing.category,
    text: [wordsOf(thing), ...(thing.text === undefined ? [] : [`it says “${thing.text}”`])],
    validFromUs: fromUs,
    validToUs: toUs === null ? null : Math.max(toUs, fromUs + 1),
    anchor: { submap: "world", p: placement.centre },
    extent: placement.extent,
    yawRad: placement.yawRad,
    attributes: Object.fromEntries([...fixed, ...fluents]),
    ...(placement.room !== null && { regionId: roomIdOf(placement.room) }),
    ...(host !== undefined &&
      (placement.insideOf === undefined ? { supportedBy: host } : { insideOf: host })),
  };
}

/** "red coffee mug"; people by their name. */
function wordsOf({ type, name, colour }: HouseThing): string {
  return type === "person" || colour === undefined ? name : `${colour} ${name}`;
}
