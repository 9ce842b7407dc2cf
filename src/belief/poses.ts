import {
  apply,
  applyDirection,
  type FrameGraph,
  IDENTITY,
  type Interval,
  type Vec3,
} from "../geometry/index.ts";
import type { Hit, MemoryReader, SearchRequest } from "../memory/index.ts";
import { type Anchor, LIMITS, WORLD_FRAME } from "../schema/core.ts";
import { LOOKS } from "./settings/looks.ts";

/** Where an agent was and which way it looked. */
export interface AgentPose {
  readonly agentId: string;
  readonly timeUs: number;
  readonly position: Vec3;
  readonly yawRad: number;
  readonly observationId: string;
}

/** One look of an agent: when, and from where. */
interface Look {
  readonly timeUs: number;
  readonly position: Vec3;
}

/** The part of a memory that finding poses needs. */
interface Looks {
  readonly options: { readonly reader: Pick<MemoryReader, "frames"> };
  search(request: SearchRequest): Promise<Hit[]>;
}

/** The viewing direction of a camera, in its own frame. */
const OPTICAL_AXIS: Vec3 = { x: 0, y: 0, z: 1 };

/**
 * An anchored point in the world, by the latest estimate of its frame; undefined where that frame has no place in the
 * world.
 */
export function inWorld(frames: FrameGraph, { submap, p }: Pick<Anchor, "submap" | "p">): Vec3 | undefined {
  const worldFromSubmap = submap === WORLD_FRAME ? IDENTITY : frames.resolve(WORLD_FRAME, submap);
  return worldFromSubmap && apply(worldFromSubmap, p);
}

/** The viewing direction of an anchored camera, as a yaw in the world; 0 where it has none. */
function headingOf(frames: FrameGraph, { submap, p, q }: Anchor): number {
  if (!q) return 0;
  const worldFromSubmap =
    (submap === WORLD_FRAME ? undefined : frames.resolve(WORLD_FRAME, submap)) ?? IDENTITY;
  const { x, y } = applyDirection(worldFromSubmap, applyDirection({ p, q }, OPTICAL_AXIS));
  return Math.atan2(y, x);
}

/** The agent's pose at a time: that of its nearest observation, within ten seconds. */
export async function poseAt(
  memory: Looks,
  timeUs: number,
  agentId?: string,
): Promise<AgentPose | undefined> {
  const nearest = (fromUs: number, toUs: number, rank: "earliest" | "latest") =>
    memory.search({ ...looksOf(agentId), time: { overlaps: { fromUs, toUs } }, rank, limit: 1 });
  const found = (
    await Promise.all([
      nearest(timeUs - LOOKS.nearUs, timeUs + 1, "latest"),
      nearest(timeUs, timeUs + LOOKS.nearUs, "earliest"),
    ])
  )
    .flat()
    .flatMap(({ record, position }) =>
      position && record.anchor ? [{ record, position, anchor: record.anchor }] : [],
    )
    .sort((a, b) => Math.abs(a.record.validFromUs - timeUs) - Math.abs(b.record.validFromUs - timeUs))[0];
  return found && poseFrom(memory, found);
}

/** The agent's pose at its last observation before a time. */
export async function lastPose(
  memory: Looks,
  nowUs: number,
  agentId?: string,
): Promise<AgentPose | undefined> {
  const time = { overlaps: { fromUs: -LIMITS.timeUs, toUs: nowUs + 1 } };
  const [last] = await memory.search({ ...looksOf(agentId), time, rank: "latest", limit: 1 });
  if (!last) return undefined;
  const { record, position } = last;
  // An observation without a known place takes the pose of those around it.
  return position && record.anchor
    ? poseFrom(memory, { record, position, anchor: record.anchor })
    : poseAt(memory, record.validFromUs, agentId);
}

/** From where a view was taken, and which way; undefined where its place is not known. */
export async function poseOfRecord(memory: Looks, record: Hit["record"]): Promise<AgentPose | undefined> {
  const { anchor } = record;
  const position = anchor && inWorld(await memory.options.reader.frames(), anchor);
  return anchor && position && poseFrom(memory, { record, position, anchor });
}

async function poseFrom(
  memory: Looks,
  {
    record,
    position,
    anchor,
  }: { readonly record: Hit["record"]; readonly position: Vec3; readonly anchor: Anchor },
): Promise<AgentPose> {
  return {
    agentId: record.author,
    timeUs: record.validFromUs,
    position,
    yawRad: headingOf(await memory.options.reader.frames(), anchor),
    observationId: record.id,
  };
}

/** The poses from which an agent observed in a span of time, earliest first. */
export async function looksDuring(memory: Looks, span: Interval, agentId?: string): Promise<Look[]> {
  const hits = await memory.search({
    ...looksOf(agentId),
    time: { overlaps: span },
    rank: "earliest",
    limit: LOOKS.mostLooks,
  });
  return hits.flatMap(({ record, position }) => (position ? [{ timeUs: record.validFromUs, position }] : []));
}

function looksOf(agentId: string | undefined): Pick<SearchRequest, "kinds" | "where"> {
  return { kinds: ["observation"], where: agentId === undefined ? {} : { author: [agentId] } };
}
