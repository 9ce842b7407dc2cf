import { setImmediate as breathe } from "node:timers/promises";
import { apply, compose, distance, type FrameGraph, type Interval, type Vec3 } from "../../geometry/index.ts";
import { type CallOptions, eachHit, type MemoryReader } from "../../memory/index.ts";
import { movesItself, namesFor } from "../../ontology/index.ts";
import { type Anchor, LIMITS, throwIfAborted, WORLD_FRAME } from "../../schema/core.ts";
import { encodeBlock } from "./block.ts";
import { FEED_FORMAT, type WaysBlock } from "./decode.ts";
import { placeIn } from "./pieces.ts";
import { Table } from "./table.ts";

export interface WaysQuery extends CallOptions {
  readonly sceneId?: string | undefined;
  readonly during?: Interval | undefined;
  /** Distance between points; in addition at least one point every few seconds; default 0.15. */
  readonly stepM?: number | undefined;
}

const STEP_M = 0.15;
/** An agent standing still may look around: at least one point per interval. */
const STEP_US = 2_000_000;
/** Most points of one block; the trajectory continues in the next. */
const MAX_POINTS = 50_000;
/** Most records read for one block. */
const MAX_READ = 200_000;
const MAX_MOVERS = 500;

interface Step {
  readonly timeUs: number;
  readonly map: string;
  readonly position: Vec3;
  /** x, y, z, w; zeros if unknown. */
  readonly rotation: readonly [number, number, number, number];
}

interface Walk {
  readonly id: string;
  readonly name: string;
  readonly type: WaysBlock["ways"][number]["type"];
  readonly steps: Step[];
  view?: { readonly across: number; readonly down: number } | undefined;
}

const NO_ROTATION = [0, 0, 0, 0] as const;

/** The trajectories of agents by their observations, with their cameras, and those of people and other movers. */
export async function waysBlock(
  reader: MemoryReader,
  query: WaysQuery = {},
): Promise<Uint8Array<ArrayBuffer>> {
  const frames = await reader.frames();
  const gathering = new Gathering(frames, query.stepM ?? STEP_M);
  const next = await agentSteps(reader, query, gathering);
  const until = next === null ? query.during : { fromUs: query.during?.fromUs ?? -LIMITS.timeUs, toUs: next };
  await moverSteps(reader, { ...query, ...(until && { during: until }) }, gathering);
  return encodeWays(gathering.walks(), next);
}

/** Observations of agents in order of time; returns the time at which the block is full. */
async function agentSteps(
  reader: MemoryReader,
  { sceneId, during, signal }: WaysQuery,
  gathering: Gathering,
): Promise<number | null> {
  const conditions = {
    ...(sceneId !== undefined && { where: { sceneId: [sceneId] } }),
    ...(during && { time: { after: during.fromUs } }),
  };
  let read = 0;
  for await (const { record } of eachHit(reader, "observation", conditions)) {
    const { validFromUs, anchor, author, intrinsics } = record;
    if (during?.toUs != null && validFromUs >= during.toUs) break;
    if (anchor === undefined) continue;
    if (gathering.points >= MAX_POINTS || read >= MAX_READ) return validFromUs;
    if (read++ % 1_024 === 1_023) {
      throwIfAborted(signal);
      await breathe();
    }
    const walk = gathering.walk(author, author, "agent");
    walk.view ??= intrinsics && {
      across: 2 * Math.atan(intrinsics.width / 2 / intrinsics.fx),
      down: 2 * Math.atan(intrinsics.height / 2 / intrinsics.fy),
    };
    gathering.step(walk, validFromUs, anchor);
  }
  return null;
}

/** Positions of people and other movers, which their sightings carry. */
async function moverSteps(reader: MemoryReader, query: WaysQuery, gathering: Gathering): Promise<void> {
  const { sceneId, during = { fromUs: -LIMITS.timeUs, toUs: null } } = query;
  const { hits } = await reader.search({
    kinds: ["track"],
    where: { category: moversNames(), ...(sceneId !== undefined && { sceneId: [sceneId] }) },
    rank: "latest",
    limit: MAX_MOVERS,
  });
  for (const { record } of hits) {
    if (record.kind !== "track" || (record.type !== "person" && record.type !== "mover")) continue;
    const states = await reader.search({
      kinds: ["state"],
      where: { owner: [record.id] },
      time: { overlaps: during },
      limit: LIMITS.hitsPerSearch,
    });
    const sightings = await reader.sightings({
      stateIds: states.hits.map((hit) => hit.record.id),
      outcomes: ["seen"],
      during,
      order: "earliest",
    });
    const walk = gathering.walk(record.id, record.name, record.type);
    for (const { timeUs, anchor } of sightings) if (anchor) gathering.step(walk, timeUs, anchor);
    await breathe();
  }
}

/** The categories of things that move by themselves. */
function moversNames(): string[] {
  const names = ["person", "animal", "robot", "vehicle"].flatMap((name) => {
    const { same, kinds } = namesFor(name);
    return [name, ...same, ...kinds];
  });
  return [...new Set(names)].filter(movesItself);
}

/** Trajectories being assembled, thinned. */
class Gathering {
  points = 0;
  readonly #frames: FrameGraph;
  readonly #stepM: number;
  readonly #walks = new Map<string, Walk>();

  constructor(frames: FrameGraph, stepM: number) {
    this.#frames = frames;
    this.#stepM = stepM;
  }

  walk(id: string, name: string, type: Walk["type"]): Walk {
    let walk = this.#walks.get(id);
    if (walk === undefined) {
      walk = { id, name, type, steps: [] };
      this.#walks.set(id, walk);
    }
    return walk;
  }

  step(walk: Walk, timeUs: number, anchor: Pick<Anchor, "submap" | "p" | "q">): void {
    const place = placeIn(this.#frames, anchor);
    if (place === undefined) return;
    const { map, mapFromSubmap } = place;
    const position = apply(mapFromSubmap, anchor.p);
    const last = walk.steps.at(-1);
    const isNear = last?.map === map && distance(last.position, position) < this.#stepM;
    if (last && isNear && timeUs - last.timeUs < STEP_US) return;
    const q = anchor.q && compose(mapFromSubmap, { p: anchor.p, q: anchor.q }).q;
    walk.steps.push({ timeUs, map, position, rotation: q ? [q.x, q.y, q.z, q.w] : NO_ROTATION });
    this.points++;
  }

  walks(): Walk[] {
    return [...this.#walks.values()].filter(({ steps }) => steps.length > 0);
  }
}

function encodeWays(walks: readonly Walk[], nextUs: number | null): Uint8Array<ArrayBuffer> {
  const steps = walks.flatMap((walk) => walk.steps);
  const timeOriginUs = steps.reduce((least, { timeUs }) => Math.min(least, timeUs), Infinity);
  const origin = steps[0]?.position ?? { x: 0, y: 0, z: 0 };
  const maps = new Table([WORLD_FRAME]);
  const position = new Float32Array(steps.length * 3);
  const rotation = new Float32Array(steps.length * 4);
  for (const [n, step] of steps.entries()) {
    const { x, y, z } = step.position;
    position.set([x - origin.x, y - origin.y, z - origin.z], n * 3);
    rotation.set(step.rotation, n * 4);
  }
  let first = 0;
  const ways = walks.map(({ id, name, type, steps: { length }, view }) => {
    first += length;
    return { id, name, type, first: first - length, points: length, ...(view && { view }) };
  });
  const columns = {
    map: Uint16Array.from(steps, ({ map }) => maps.of(map)),
    time: Float32Array.from(steps, ({ timeUs }) => (timeUs - timeOriginUs) / 1e6),
    position,
    rotation,
  };
  const header = {
    format: FEED_FORMAT,
    count: steps.length,
    next: nextUs === null ? null : String(nextUs),
    timeOriginUs: Number.isFinite(timeOriginUs) ? timeOriginUs : 0,
    origin,
    maps: maps.all,
    ways,
  };
  return encodeBlock("ways", header, columns);
}
