import { lerp, type TimeUs, type Vec3 } from "../../geometry/index.ts";
import { LociError } from "../../schema/index.ts";
import { remembered, solidsFor } from "../house/solids.ts";
import type {
  FluentName,
  FluentValues,
  House,
  HouseSnapshot,
  HouseThing,
  Placement,
  Start,
} from "../house/types.ts";
import { stepTowards, yawOfStep } from "../house/yaw.ts";
import type { Light, Solid } from "../solid.ts";
import type { FluentChange, History, PathPoint, Segment, WorldEvent } from "./types.ts";

/**
 * The truth over time: the place and state of everything, and all events. Immutable; every query about time t takes
 * O(log changes of the thing). Times before the start are answered as the start.
 */
export class Timeline {
  readonly house: House;
  readonly startUs: TimeUs;
  readonly durationUs: number;
  /** In order of time. */
  readonly events: readonly WorldEvent[];
  readonly #histories: readonly History[];
  readonly #indexOf: ReadonlyMap<string, number>;
  /** Indices of things that ever change: the others are skipped in the search for changes. */
  readonly #restless: readonly number[];

  constructor(
    house: House,
    startUs: TimeUs,
    durationUs: number,
    events: readonly WorldEvent[],
    histories: readonly History[],
  ) {
    this.house = house;
    this.startUs = startUs;
    this.durationUs = durationUs;
    this.events = events;
    this.#histories = histories;
    this.#indexOf = new Map(house.things.map((thing, i) => [thing.id, i]));
    this.#restless = histories.flatMap((history, i) =>
      history.segments.length > 1 || Object.values(history.fluents).some((changes) => changes.length > 1)
        ? [i]
        : [],
    );
  }

  thing(thingId: string): HouseThing {
    return this.house.things[this.#index(thingId)]!;
  }

  /** Everything true about one thing over time. Throws unknown-id for an id that never existed. */
  historyOf(thingId: string): History {
    return this.#histories[this.#index(thingId)]!;
  }

  /** Undefined while the thing is out of the house. */
  placementAt(thingId: string, timeUs: TimeUs): Placement | undefined {
    const segment = at(this.historyOf(thingId).segments, timeUs, (s) => s.fromUs);
    const { placement, path } = segment;
    if (placement === undefined) return undefined;
    if (path !== undefined) return this.#onPath(placement, path, timeUs);
    const hidden = this.#enclosed(placement, timeUs);
    return hidden === placement.hidden ? placement : { ...placement, hidden };
  }

  /** Undefined for a fluent that the thing does not have. */
  fluentAt(thingId: string, fluent: FluentName, timeUs: TimeUs): string | undefined {
    const changes = this.historyOf(thingId).fluents[fluent];
    return changes === undefined ? undefined : at(changes, timeUs, (change) => change.timeUs).value;
  }

  /** The text on a thing; that of a screen only while it is on. */
  textAt(thingId: string, timeUs: TimeUs): string | undefined {
    return this.fluentAt(thingId, "power", timeUs) === "off" ? undefined : this.thing(thingId).text;
  }

  solidsOf(thingId: string, timeUs: TimeUs): Solid[] {
    const i = this.#index(thingId);
    const placement = this.placementAt(thingId, timeUs);
    if (placement === undefined) return [];
    return solidsFor(this.house.things[i]!, this.#start(i).look, placement, this.#fluents(i, timeUs));
  }

  /** Everything, in order of thing number; things inside closed furniture too, since nothing sees them there. */
  solidsAt(timeUs: TimeUs): Solid[] {
    return this.house.things.flatMap((thing) => this.solidsOf(thing.id, timeUs));
  }

  /** Ids of things whose solids may differ between two times, in order of number. */
  changedBetween(fromUs: TimeUs, toUs: TimeUs): string[] {
    const low = Math.min(fromUs, toUs);
    const high = Math.max(fromUs, toUs);
    if (low === high) return [];
    const changed: string[] = [];
    for (const i of this.#restless) {
      const { segments, fluents } = this.#histories[i]!;
      const moved = segments.some(
        (s) => (s.fromUs > low && s.fromUs <= high) || (s.path !== undefined && overlaps(s, low, high)),
      );
      const switched = Object.values(fluents).some((changes) =>
        changes.some((change) => change.timeUs > low && change.timeUs <= high),
      );
      if (moved || switched) changed.push(this.house.things[i]!.id);
    }
    return changed;
  }

  /** Lamps that are on, where they stand now, and windows. */
  lightsAt(timeUs: TimeUs): Light[] {
    return this.house.lights.flatMap((light) => {
      if (light.kind === "window") return [light];
      const placement = this.placementAt(light.thing, timeUs);
      const shines = placement !== undefined && this.fluentAt(light.thing, "power", timeUs) === "on";
      return shines ? [{ ...light, position: placement.centre }] : [];
    });
  }

  snapshotAt(timeUs: TimeUs): HouseSnapshot {
    return {
      house: this.house,
      placementOf: (id) => this.placementAt(id, timeUs),
      fluentOf: (id, fluent) => this.fluentAt(id, fluent, timeUs),
      solidsOf: remembered((id) => this.solidsOf(id, timeUs)),
    };
  }

  #onPath(placement: Placement, path: readonly PathPoint[], timeUs: TimeUs): Placement {
    const { position, heading } = alongPath(path, timeUs);
    const centre = { x: position.x, y: position.y, z: position.z + placement.extent.z / 2 };
    return { ...placement, centre, yawRad: heading, room: roomAt(this.house, position) ?? placement.room };
  }

  #enclosed(placement: Placement, timeUs: TimeUs): boolean {
    let within = placement.insideOf;
    while (within !== undefined) {
      if (this.fluentAt(within, "openness", timeUs) === "closed") return true;
      within = at(this.historyOf(within).segments, timeUs, (s) => s.fromUs).placement?.insideOf;
    }
    return false;
  }

  #fluents(i: number, timeUs: TimeUs): FluentValues {
    const values: { [name in FluentName]?: string } = {};
    for (const [name, changes] of Object.entries(this.#histories[i]!.fluents)) {
      values[name as FluentName] = at(changes as readonly FluentChange[], timeUs, (c) => c.timeUs).value;
    }
    return values;
  }

  #start(i: number): Start {
    return this.house.starts[i]!;
  }

  #index(thingId: string): number {
    const i = this.#indexOf.get(thingId);
    if (i === undefined)
      throw new LociError("unknown-id", `expected a thing of house ${this.house.seed}, got "${thingId}"`);
    return i;
  }
}

/** Position and heading on a path; it rests at the ends. */
export function alongPath(path: readonly PathPoint[], timeUs: TimeUs): { position: Vec3; heading: number } {
  let i = 0;
  while (i + 2 < path.length && path[i + 1]!.timeUs <= timeUs) i++;
  const a = path[i]!;
  const b = path[i + 1] ?? a;
  const span = b.timeUs - a.timeUs;
  const t = span > 0 ? Math.min(1, Math.max(0, (timeUs - a.timeUs) / span)) : 1;
  const heading = yawOfStep(stepTowards(b.position.x - a.position.x, b.position.y - a.position.y));
  return { position: lerp(a.position, b.position, t), heading };
}

/** The room whose inner floor holds the point; rooms are rectangles and do not overlap. */
export function roomAt(house: House, { x, y, z }: Vec3): string | undefined {
  return house.rooms.find(({ polygon: { points }, floorZM, ceilingM }) => {
    const a = points[0]!;
    const c = points[2]!;
    return x >= a.x && x <= c.x && y >= a.y && y <= c.y && z >= floorZM - 0.1 && z < floorZM + ceilingM + 0.1;
  })?.id;
}

function overlaps({ fromUs, toUs }: Segment, low: TimeUs, high: TimeUs): boolean {
  return fromUs <= high && (toUs === null || toUs >= low);
}

/** The last entry that has begun, or the first. */
function at<T>(entries: readonly T[], timeUs: TimeUs, begin: (entry: T) => TimeUs): T {
  let low = 0;
  let high = entries.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (begin(entries[middle]!) <= timeUs) low = middle;
    else high = middle - 1;
  }
  return entries[low]!;
}
