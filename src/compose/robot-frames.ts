import { type FrameGraph, IDENTITY, type Transform, transformDelta } from "../geometry/index.ts";
import { LIMITS, LociError } from "../schema/core.ts";
import type { Frame, RecordingItem, RecordingReader } from "../sensors/index.ts";

/** REP 105's name for the fixed frame that a robot navigates in. */
export const ROS_MAP = "map";
/** Two robots mean the same frame by a name if their poses agree within this. */
const SAME_M = 0.01;
const SAME_RAD = 0.002;

/** The id under which the graph keeps a robot's own name for a frame: robots share names such as `map`. */
export const ROBOT_FRAMES = "ros:";
const idOf = (agentId: string, name: string) => `${ROBOT_FRAMES}${agentId}:${name}`;
const ID = /^ros:.+:[\w.-]+$/;
const nameIn = (id: string) => id.slice(id.lastIndexOf(":") + 1);

/** Edges that keep what robots call the root of their map, so that goals can be given in a robot's words. */
export class RobotFrames {
  readonly #graph: () => Promise<FrameGraph>;
  /** The map that each name was last told to be in. */
  readonly #told = new Map<string, string>();

  constructor(graph: () => Promise<FrameGraph>) {
    this.#graph = graph;
  }

  /** The edge for the name that a frame's robot has for its map, if that is news: such a frame moves with its map. */
  async edgesFor({
    agentId,
    robotFrame,
    mapFrame: parent,
    timeUs,
    receivedAtUs = timeUs,
  }: Frame): Promise<RecordingItem[]> {
    if (robotFrame === undefined) return [];
    const child = idOf(agentId, robotFrame);
    if (
      this.#told.get(child) === parent ||
      child.length > LIMITS.idChars ||
      !ID.test(child) ||
      child === parent
    )
      return [];
    this.#told.set(child, parent);
    const graph = await this.#graph();
    const known = graph.edgeOf(child);
    if (known?.parent === parent) return [];
    const revision = known === undefined ? 0 : graph.revision + 1;
    const fixed = { transform: IDENTITY, kind: "static", stampUs: null, revision } as const;
    return [{ kind: "edge", edge: { receivedAtUs, edge: { parent, child, ...fixed } } }];
  }
}

/**
 * The recording with such edges. A robot that wakes in another map means that one by the name from then on.
 */
export function namingFrames(recording: RecordingReader, graph: () => Promise<FrameGraph>): RecordingReader {
  return {
    ...recording,
    close: () => recording.close(),
    async *items(options = {}) {
      const names = new RobotFrames(graph);
      for await (const item of recording.items(options)) {
        if (item.kind === "frame") yield* await names.edgesFor(item.frame);
        yield item;
      }
    },
  };
}

/** A frame by a robot's own name, and its transform from the root of the map that it belongs to. */
export interface RobotFrame {
  readonly name: string;
  readonly frameFromRoot: Transform;
}

/** The frame that a robot navigates in, in its own words; undefined where no recording named one in this map. */
export function robotFrameIn(graph: FrameGraph, root: string, agentId: string): RobotFrame | undefined {
  const found = graph.frames().flatMap((frame): RobotFrame[] => {
    if (!ID.test(frame) || frame !== idOf(agentId, nameIn(frame))) return [];
    const frameFromRoot = graph.resolve(frame, root);
    return frameFromRoot ? [{ name: nameIn(frame), frameFromRoot }] : [];
  });
  return found.find(({ name }) => name === ROS_MAP) ?? found[0];
}

/** The name of a frame as a robot knows it. */
export function nameOfFrame(frame: string): string {
  return ID.test(frame) ? nameIn(frame) : frame;
}

/**
 * The graph's frame for a name that a robot uses. A name that several robots use for different places needs the
 * robot; `map`, where no recording said what it is, is the root of the map that is asked for.
 */
export function frameCalled(
  graph: FrameGraph,
  name: string,
  { agentId, root }: { readonly agentId?: string | undefined; readonly root: string },
): string {
  const frames = graph.frames();
  if (frames.includes(name)) return name;
  const own = frames.filter((frame) =>
    agentId === undefined ? ID.test(frame) && nameIn(frame) === name : frame === idOf(agentId, name),
  );
  const [first, ...others] = own;
  if (first === undefined) return name === ROS_MAP ? root : name;
  if (others.some((other) => !isSame(graph.resolve(first, other))))
    throw new LociError(
      "invalid-input",
      `several robots call a frame "${name.slice(0, 64)}": say which by the agent, or ask for one of ${own.slice(0, 8).join(", ")}`,
    );
  return first;
}

function isSame(pose: Transform | undefined): boolean {
  if (pose === undefined) return false;
  const { translationM, rotationRad } = transformDelta(IDENTITY, pose);
  return translationM <= SAME_M && rotationRad <= SAME_RAD;
}
