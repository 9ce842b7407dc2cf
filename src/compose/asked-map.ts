import { apply, compose, fromYaw, invert, type Transform, type Vec3, yawOf } from "../geometry/index.ts";
import type { MemoryReader } from "../memory/port.ts";
import {
  type AnswerRecord,
  LociError,
  type NavGoal,
  type PlaceRef,
  type Route,
  type RouteEnd,
  WORLD_FRAME,
} from "../schema/core.ts";
import type { KnownMap, RobotClock } from "../sharing/index.ts";
import { frameCalled } from "./robot-frames.ts";

/** The map that a question is answered for, and what to report about the others. */
export interface AskedMap {
  /** Reads that map alone. */
  readonly reader: MemoryReader;
  readonly root: string;
  /** The frame for reported places, and its transform from the map's own frame. */
  readonly frame: string;
  readonly frameFromRoot?: Transform | undefined;
  /** One line for each map that is left out. */
  readonly leftOut: readonly string[];
}

interface Asking {
  readonly sceneId?: string | undefined;
  /** Report places in this frame, which also selects its map. */
  readonly frame?: string | undefined;
  readonly agentId?: string | undefined;
}

const KNOWN = new WeakMap<MemoryReader, { readonly revision: string; readonly maps: Promise<KnownMap[]> }>();
const NARROWED = new WeakMap<MemoryReader, Map<string, Promise<MemoryReader>>>();

/** The maps of a scene as a reader sees them, cached per state of the memory. */
export async function mapsSeen(reader: MemoryReader, sceneId = "default"): Promise<KnownMap[]> {
  const { mapsIn } = await import("../sharing/index.ts");
  const revision = reader.revision?.();
  if (revision === undefined) return mapsIn(reader, sceneId);
  const key = `${revision} ${sceneId}`;
  const known = KNOWN.get(reader);
  if (known?.revision === key) return known.maps;
  const maps = mapsIn(reader, sceneId);
  KNOWN.set(reader, { revision: key, maps });
  NARROWED.delete(reader);
  maps.catch(() => KNOWN.delete(reader));
  return maps;
}

/** The clocks of a scene's robots that the reader may see. */
export async function clocksSeen(reader: MemoryReader, sceneId = "default"): Promise<RobotClock[]> {
  const { clocksIn } = await import("../sharing/index.ts");
  return clocksIn(reader, sceneId);
}

/**
 * Chooses the map of a question: that of the frame, else of the robot that is asked, else the first. Counts, rooms
 * and routes cover that map only; maps not joined to it are left out and listed.
 */
export async function askedMap(
  reader: MemoryReader,
  { sceneId, frame, agentId }: Asking = {},
): Promise<AskedMap> {
  const maps = await mapsSeen(reader, sceneId);
  const graph = await reader.frames();
  const usual =
    (agentId !== undefined ? mapOf(maps, agentId)?.root : undefined) ?? maps[0]?.root ?? WORLD_FRAME;
  const meant = frame === undefined ? undefined : frameCalled(graph, frame, { agentId, root: usual });
  const root = meant === undefined ? usual : graph.topOf(meant);
  const frameFromRoot = meant === undefined || meant === root ? undefined : graph.resolve(meant, root);
  if (frame !== undefined && frame !== WORLD_FRAME && !maps.some((map) => map.root === root))
    throw new LociError(
      "unknown-id",
      `there is no frame "${frame.slice(0, 64)}"; maps: ${maps.map((map) => map.root).join(", ") || "none"}`,
    );
  const others = maps.filter((map) => map.root !== root);
  return {
    reader: others.length === 0 && root === WORLD_FRAME ? reader : await narrowed(reader, maps, root),
    root,
    frame: frame ?? root,
    frameFromRoot,
    leftOut: others.map((map) => apartLine(map, root)),
  };
}

/** One line saying that a map is separate from another. */
export function apartLine({ root, agents }: KnownMap, from: string): string {
  return `the map "${root}" (of ${agents.join(", ")}) is not joined to "${from}": what is only in it is left out; ask with --frame ${root}, or join them with align`;
}

/** The map is known only if the robot has drawn exactly one map on its own. */
function mapOf(maps: readonly KnownMap[], agentId: string): KnownMap | undefined {
  const own = maps.filter(({ agents }) => agents.includes(agentId));
  return own.length === 1 ? own[0] : undefined;
}

async function narrowed(
  reader: MemoryReader,
  maps: readonly KnownMap[],
  root: string,
): Promise<MemoryReader> {
  const { readerInMap } = await import("../sharing/index.ts");
  const kept = NARROWED.get(reader) ?? new Map<string, Promise<MemoryReader>>();
  NARROWED.set(reader, kept);
  const made = kept.get(root) ?? readerInMap(reader, maps, root);
  kept.set(root, made);
  return made;
}

/** The answer with its places in the requested frame and with the maps that were left out. */
export function toldIn(asked: AskedMap, answer: AnswerRecord): AnswerRecord {
  const { frame, frameFromRoot, leftOut } = asked;
  if (frame === WORLD_FRAME && leftOut.length === 0) return answer;
  const { position, navGoal } = answer;
  return {
    ...answer,
    contradictions: [...answer.contradictions, ...leftOut],
    ...(position && {
      position: { ...position, frame, ...(frameFromRoot && { point: apply(frameFromRoot, position.point) }) },
    }),
    ...(navGoal && { navGoal: goalIn(navGoal, asked) }),
    evidence: answer.evidence.map((one) =>
      one.position && frameFromRoot ? { ...one, position: apply(frameFromRoot, one.position) } : one,
    ),
  };
}

/** Converts an agent's pose from the requested frame to the map frame. */
export function poseFrom(
  { frameFromRoot }: AskedMap,
  pose: { readonly position: Vec3; readonly yawRad: number },
): { readonly position: Vec3; readonly yawRad: number } {
  if (frameFromRoot === undefined) return pose;
  const { p, q } = compose(invert(frameFromRoot), { p: pose.position, q: fromYaw(pose.yawRad) });
  return { position: p, yawRad: yawOf(q) };
}

/** A point that was given in the requested frame, in the map frame; words and ids as they are. */
export function pointFrom({ frameFromRoot }: AskedMap, place: PlaceRef): PlaceRef {
  return typeof place === "string" || frameFromRoot === undefined
    ? place
    : apply(invert(frameFromRoot), place);
}

/** A goal in the frame that the robot requested. */
export function goalIn(goal: NavGoal, { frame, frameFromRoot }: AskedMap): NavGoal {
  if (frameFromRoot === undefined) return { ...goal, frame };
  const turned = compose(frameFromRoot, { p: goal.position, q: fromYaw(goal.yawRad) });
  return {
    ...goal,
    frame,
    position: turned.p,
    yawRad: yawOf(turned.q),
    ...(goal.lookAt && { lookAt: apply(frameFromRoot, goal.lookAt) }),
  };
}

/** A route with its points in the requested frame. */
export function routeIn({ frame, frameFromRoot }: AskedMap, route: Route): Route {
  if (frameFromRoot === undefined) return frame === WORLD_FRAME ? route : { ...route, frame };
  const here = (p: Vec3) => apply(frameFromRoot, p);
  return {
    ...route,
    frame,
    from: { ...route.from, position: here(route.from.position) },
    to: { ...route.to, position: here(route.to.position) },
    doors: route.doors.map((door) => ({ ...door, position: here(door.position) })),
    points: route.points.map(here),
  };
}

/** An end of a way with its place in the requested frame. */
export function placeIn({ frameFromRoot }: AskedMap, end: RouteEnd): RouteEnd {
  return frameFromRoot === undefined ? end : { ...end, position: apply(frameFromRoot, end.position) };
}
