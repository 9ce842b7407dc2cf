import { readFile } from "node:fs/promises";
import { type Box, boxFromCentre, distance, lerp, polygonContains, type Vec3 } from "../../geometry/index.ts";
import { LociError, parseOrThrow, WORLD_FRAME } from "../../schema/index.ts";
import {
  type TruthDocument,
  type TruthFrame,
  type TruthPlacement,
  type TruthRoom,
  type TruthSegment,
  type TruthThing,
  truthSchema,
} from "./truth-schema.ts";

/** Unhidden pixels required for an observation; below this half of all segments are missed at noise 0.5. */
const CLEAR_PX = 60;
/** Observations required for a thing to count. */
const MIN_LOOKS = 3;
/** Things and states within this distance of their earlier place have not moved. */
export const MOVED_M = 0.3;
/** Things on and in walls have their centre outside of the room's inner faces. */
const WALL_M = 0.35;

/** A stretch in which a thing stayed in one place, and the frames that looked at it there. */
export interface Stay {
  readonly fromUs: number;
  readonly toUs: number | null;
  readonly placement: TruthPlacement;
  readonly looks: readonly TruthFrame[];
}

/**
 * The truth of one simulated recording with the look-ups that every figure needs. Times are true ones: agents' clock
 * times are converted by `trueUs` first.
 */
export class Truth {
  readonly document: TruthDocument;
  readonly endUs: number;
  /** Of the agents that share the world's frame, in order of time. */
  readonly frames: readonly TruthFrame[];
  readonly #things: ReadonlyMap<string, TruthThing>;
  readonly #rooms: ReadonlyMap<string, TruthRoom>;
  readonly #looks = new Map<string, TruthFrame[]>();
  readonly #offsets: ReadonlyMap<string, number>;
  readonly #framesOf: ReadonlyMap<string, readonly TruthFrame[]>;
  readonly #inWorld: ReadonlySet<string>;

  /** Agents whose maps are the world's; default: those whose recording says so. */
  constructor(document: TruthDocument, inWorld?: Iterable<string>) {
    this.document = document;
    const { agents } = document;
    this.#inWorld = new Set(
      inWorld ?? agents.filter(({ mapFrame }) => mapFrame === WORLD_FRAME).map(({ id }) => id),
    );
    this.endUs = document.startUs + document.durationUs;
    this.#things = new Map(document.house.things.map((thing) => [thing.id, thing]));
    this.#rooms = new Map(document.house.rooms.map((room) => [room.id, room]));
    this.#offsets = new Map(document.agents.map(({ id, clockOffsetUs }) => [id, clockOffsetUs]));
    this.frames = document.frames
      .filter(({ agentId }) => this.isInWorld(agentId))
      .sort((a, b) => a.trueUs - b.trueUs || a.index - b.index);
    this.#framesOf = Map.groupBy(this.frames, ({ agentId }) => agentId);
    for (const frame of this.frames) {
      for (const { thing, pixels } of frame.visible) {
        if (pixels < CLEAR_PX) continue;
        const list = this.#looks.get(thing);
        if (list) list.push(frame);
        else this.#looks.set(thing, [frame]);
      }
    }
  }

  /** Everything except walls, floors, ceilings, door frames and stairs, which detectors do not report. */
  get things(): TruthThing[] {
    return this.document.house.things.filter(({ type }) => type !== "structure");
  }

  thing(id: string): TruthThing | undefined {
    return this.#things.get(id);
  }

  room(id: string): TruthRoom | undefined {
    return this.#rooms.get(id);
  }

  /** Seen with at least 60 pixels in at least 3 frames: what a memory can be expected to know. */
  isCountable(id: string): boolean {
    return this.looksAt(id).length >= MIN_LOOKS;
  }

  /** Frames in which at least 60 pixels of it were seen, in order of time. */
  looksAt(id: string): readonly TruthFrame[] {
    return this.#looks.get(id) ?? [];
  }

  /** Whether at least one observation of it fell into this time window. */
  wasInView(id: string, aroundUs: number, withinUs: number): boolean {
    return this.looksAt(id).some(({ trueUs }) => Math.abs(trueUs - aroundUs) <= withinUs);
  }

  /** An agent with a map of its own is left out: its positions are not in the frame of the truth. */
  isInWorld(agentId: string): boolean {
    return this.#inWorld.has(agentId);
  }

  trueUs(agentId: string, stampUs: number): number {
    return stampUs - (this.#offsets.get(agentId) ?? 0);
  }

  /** The frame that an agent stamped with this time: the nearest one, within half the frame interval. */
  frameAt(agentId: string, stampUs: number): TruthFrame | undefined {
    const frames = this.#framesOf.get(agentId) ?? [];
    const atUs = this.trueUs(agentId, stampUs);
    let [low, high] = [0, frames.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (frames[middle]!.trueUs < atUs) low = middle + 1;
      else high = middle;
    }
    const offUs = (frame: TruthFrame | undefined) =>
      frame === undefined ? Infinity : Math.abs(frame.trueUs - atUs);
    const nearest = offUs(frames[low - 1]) <= offUs(frames[low]) ? frames[low - 1] : frames[low];
    return offUs(nearest) <= 5e5 / this.document.settings.fps ? nearest : undefined;
  }

  /** Where a thing is; undefined while it is away. A thing that walks or is carried has no resting placement. */
  placementAt(id: string, timeUs: number): { placement: TruthPlacement; isResting: boolean } | undefined {
    const segment = this.#segmentAt(id, timeUs);
    if (segment?.placement === undefined) return undefined;
    const { placement, path } = segment;
    if (path === undefined || path.length === 0) return { placement, isResting: true };
    const base = alongPath(path, timeUs);
    const centre = { ...base, z: base.z + placement.extent.z / 2 };
    return { placement: { ...placement, centre }, isResting: false };
  }

  fluentAt(id: string, fluent: string, timeUs: number): string | undefined {
    const changes = this.document.histories[id]?.fluents[fluent] ?? [];
    return changes.findLast((change) => change.timeUs <= timeUs)?.value;
  }

  /** The stays of a thing in places at least 0.3 m from the one before, with the observations at each. */
  staysOf(id: string): Stay[] {
    const stays: Stay[] = [];
    for (const { fromUs, toUs, placement, path } of this.document.histories[id]?.segments ?? []) {
      if (placement === undefined || path !== undefined || placement.hidden) continue;
      const looks = this.looksAt(id).filter(
        ({ trueUs }) => trueUs >= fromUs && (toUs === null || trueUs < toUs),
      );
      const last = stays.at(-1);
      if (last && last.toUs === fromUs && distance(last.placement.centre, placement.centre) <= MOVED_M) {
        stays[stays.length - 1] = { ...last, toUs, looks: [...last.looks, ...looks] };
      } else stays.push({ fromUs, toUs, placement, looks });
    }
    return stays;
  }

  /** The first time after `sinceUs` at which a thing is no longer where it was then; undefined if it stays. */
  leavesUs(id: string, sinceUs: number): number | undefined {
    const was = this.placementAt(id, sinceUs)?.placement;
    if (was === undefined) return sinceUs;
    for (const segment of this.document.histories[id]?.segments ?? []) {
      if (segment.fromUs <= sinceUs) continue;
      const { placement, path } = segment;
      const stays =
        placement !== undefined &&
        path === undefined &&
        !placement.hidden &&
        distance(placement.centre, was.centre) <= MOVED_M;
      if (!stays) return segment.fromUs;
    }
    return undefined;
  }

  /** The room of a point, including its walls, floor and ceiling: the nearest within 0.35 m. */
  roomAt(point: Vec3): string | undefined {
    let best: string | undefined;
    let bestM = WALL_M;
    for (const { id, polygon } of this.document.house.rooms) {
      const flat = { ...point, z: polygon.minZ };
      const besideM = polygonContains(polygon, flat) ? 0 : distanceToRing(polygon.points, point);
      const awayM = besideM + Math.max(0, polygon.minZ - point.z, point.z - polygon.maxZ);
      if (awayM < bestM) [best, bestM] = [id, awayM];
    }
    return best;
  }

  #segmentAt(id: string, timeUs: number): TruthSegment | undefined {
    return this.document.histories[id]?.segments.find(
      ({ fromUs, toUs }) => fromUs <= timeUs && (toUs === null || timeUs < toUs),
    );
  }
}

export function parseTruth(value: unknown, what = "truth", inWorld?: Iterable<string>): Truth {
  return new Truth(parseOrThrow(truthSchema, value, what), inWorld);
}

export async function readTruth(path: string, inWorld?: Iterable<string>): Promise<Truth> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    throw new LociError("invalid-input", `${path}: expected the truth of a simulated recording, found none`, {
      cause: error,
    });
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new LociError("invalid-input", `${path} is not JSON`, { cause: error });
  }
  return parseTruth(value, path, inWorld);
}

/** The axis-aligned bounds of a placement, which may be turned about the vertical. */
export function boundsOf({ centre, extent, yawRad }: TruthPlacement): Box {
  const [cos, sin] = [Math.abs(Math.cos(yawRad)), Math.abs(Math.sin(yawRad))];
  return boxFromCentre(centre, {
    x: extent.x * cos + extent.y * sin,
    y: extent.x * sin + extent.y * cos,
    z: extent.z,
  });
}

function alongPath(path: readonly { timeUs: number; position: Vec3 }[], timeUs: number): Vec3 {
  const after = path.findIndex((point) => point.timeUs >= timeUs);
  if (after < 0) return path.at(-1)!.position;
  if (after === 0) return path[0]!.position;
  const [a, b] = [path[after - 1]!, path[after]!];
  return lerp(a.position, b.position, (timeUs - a.timeUs) / (b.timeUs - a.timeUs));
}

function distanceToRing(ring: readonly { x: number; y: number }[], { x, y }: Vec3): number {
  let best = Infinity;
  ring.forEach((a, i) => {
    const b = ring[(i + 1) % ring.length]!;
    const [dx, dy] = [b.x - a.x, b.y - a.y];
    const squared = dx * dx + dy * dy;
    const t = squared > 0 ? Math.min(1, Math.max(0, ((x - a.x) * dx + (y - a.y) * dy) / squared)) : 0;
    best = Math.min(best, Math.hypot(x - a.x - t * dx, y - a.y - t * dy));
  });
  return best;
}
