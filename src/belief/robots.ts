import { contentId, type RecordOf, type Stored, WORLD_FRAME } from "../schema/core.ts";
import type { Belief } from "./belief.ts";
import { type AgentPose, lastPose } from "./poses.ts";
import type { KnownThing } from "./thing.ts";

/** "First" is the first of the names in order. */
const ORDINALS = "first second third fourth fifth sixth seventh eighth".split(" ");

/**
 * The robots whose observations the memory holds, as things: each at its place at a time, with its last observation as
 * its only record.
 */
export async function robotsOf(memory: Belief, atUs = memory.nowUs): Promise<KnownThing[]> {
  const robots: KnownThing[] = [];
  for (const agentId of await memory.agents()) {
    const isNow = atUs >= memory.nowUs;
    const pose = isNow ? await lastPose(memory, atUs, agentId) : await memory.poseAt(atUs, agentId);
    const look = pose ?? (await lastPose(memory, memory.nowUs, agentId));
    const [record] = look ? await memory.options.reader.get([look.observationId]) : [];
    if (!look || record?.kind !== "observation") continue;
    robots.push(robotFrom(record, agentId, pose, pose && (await memory.roomAt(pose.position))?.id));
  }
  return robots;
}

function robotFrom(
  { intrinsics: _, ...common }: Stored<RecordOf<"observation">>,
  agentId: string,
  pose: AgentPose | undefined,
  roomId: string | undefined,
): KnownThing {
  const trackId = contentId("robot", agentId);
  const { anchor: _anchor, ...rest } = common;
  const state = {
    ...rest,
    kind: "state",
    trackId,
    name: agentId,
    category: "robot",
    text: [agentId],
    attributes: {},
    views: [],
    ...(pose && { anchor: { submap: WORLD_FRAME, p: pose.position } }),
  } as unknown as Stored<RecordOf<"state">>;
  return {
    state,
    trackId,
    name: agentId,
    category: "robot",
    position: pose?.position,
    box: undefined,
    worldFromSubmap: undefined,
    roomId,
    heldBy: undefined,
    fit: 1,
    agentId,
  };
}

/** The ids that a robot of this name may have: "robot 2" is robot-2. */
function idsOf(name: string): string[] {
  const parts = name
    .toLowerCase()
    .replace(/(\p{L})(\d)/gu, "$1 $2")
    .split(/[^\p{L}\d]+/u)
    .filter(Boolean);
  const last = parts.at(-1) ?? name;
  return [
    ...new Set([name, ...["-", " ", "_", ""].map((between) => parts.join(between)), `robot-${last}`, last]),
  ];
}

/** The robot of this name: by its id, by its number ("the second robot"), or of two as the other one. */
export async function robotCalled(name: string, memory: Belief, than?: string): Promise<string | undefined> {
  const agents = await memory.agents();
  const words = name.toLowerCase().split(/[\s-]+/);
  if (words.includes("other")) {
    const others = agents.filter((id) => id !== than);
    return than !== undefined && others.length === 1 ? others[0] : undefined;
  }
  const nth = ORDINALS.findIndex((word) => words.includes(word));
  return nth < 0 ? idsOf(name).find((id) => agents.includes(id)) : agents[nth];
}
