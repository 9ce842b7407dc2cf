import { z } from "zod";
import { LociError, parseOrThrow } from "../../schema/index.ts";
import { LiveFeed } from "../live/live-feed.ts";
import { LiveShots } from "../live/live-shots.ts";
import { liveSource, missingOf } from "../live/live-source.ts";
import type { ReadOptions } from "../options.ts";
import type { SourcePlan } from "../plan.ts";
import { type CameraTopics, findCameras } from "../ros/cameras.ts";
import { type Decode, type MessageSource, type RosTopic, topicOf } from "../ros/message-source.ts";
import { planOfRos } from "../ros/reader.ts";
import { isPoseTopic, readRobotPoses } from "../ros/robot-poses.ts";
import { isLiveType, parseLive } from "../ros/ros-json.ts";
import type { OpenSource } from "../source.ts";
import { RosbridgeLink, rosbridgeAddress, type Subscription } from "./link.ts";

/** Pictures requested per second, by default. */
const RATE_HZ = 2;
/** Poses come faster than pictures and are small. */
const POSE_EVERY_MS = 20;

const topicsSchema = z.object({
  topics: z.array(z.string()).max(65_536),
  types: z.array(z.string()).max(65_536),
});

/**
 * A robot that publishes through rosbridge, as a recording that continues until it is stopped. Cameras are found by
 * the types and names of topics as in a bag; pictures are requested at a bounded rate and paired with the poses of
 * the last seconds. What arrives faster than it is processed is dropped, never queued without bound.
 */
export async function openRosbridge(source: string, options: ReadOptions): Promise<OpenSource> {
  const url = rosbridgeAddress(source);
  const topics = await topicsOf(url);
  const nothing: MessageSource = {
    format: "rosbridge",
    topics,
    startUs: null,
    endUs: null,
    ownInfo: undefined,
    notes: [],
    async *messages() {},
    close: async () => {},
  };
  const cameras = await findCameras(nothing, decodeNothing, options);
  const plan = await planOf(source, nothing, cameras, options);
  const shots = new LiveShots(topics, cameras, options);
  const feed = new LiveFeed(shots);
  const link = new RosbridgeLink({ url });
  const known = new Map(topics.map((topic) => [topic.name, topic.known!]));
  const listen = async () => {
    if (cameras.length === 0) return;
    for await (const { topic, message } of link.listen(subscriptionsFor(topics, cameras, options))) {
      const type = known.get(topic);
      if (!type) continue;
      let parsed: unknown;
      try {
        parsed = parseLive(type, message);
      } catch (error) {
        feed.damaged++;
        options.onSkip?.({ what: `a message on ${topic}`, why: (error as Error).message });
        continue;
      }
      feed.hear(topic, parsed);
    }
  };
  return liveSource({ plan, options, shots, feed, link, start: listen });
}

const decodeNothing: Decode = () => {
  throw new LociError("invalid-input", "a plan has no messages to decode");
};

/** rosbridge says nothing of rates and QoS, and pictures are not asked for before they are needed. */
async function planOf(
  path: string,
  source: MessageSource,
  cameras: readonly CameraTopics[],
  options: ReadOptions,
): Promise<SourcePlan> {
  const { topics } = source;
  const poses = await readRobotPoses(source, decodeNothing, options);
  const found = cameras.map((camera) => ({
    topics: camera,
    main: (camera.colour ?? camera.depth)!,
    viewpoint: undefined,
  }));
  const poseTopics = topics.filter(isPoseTopic).map(({ name }) => name);
  return {
    ...planOfRos(path, source, found, poses, options),
    poses: poseTopics.length > 0 ? { from: poseTopics.join(", "), count: 0 } : null,
    missing: missingOf(cameras, topics),
    conventions: ["Frames come as long as the robot publishes; stop with Ctrl-C."],
  };
}

/** The robot's current topics that we can read; of raw pictures with compressed twins only the compressed. */
export async function topicsOf(url: string): Promise<RosTopic[]> {
  const link = new RosbridgeLink({ url });
  try {
    const { topics, types } = parseOrThrow(
      topicsSchema,
      await link.call("/rosapi/topics"),
      "what rosapi says about topics",
    );
    const names = new Set(topics);
    return topics
      .filter((name) => !names.has(`${name}/compressed`) && !names.has(`${name}/compressedDepth`))
      .map((name) => topicOf(name, types[topics.indexOf(name)] ?? "", "cdr", null))
      .filter(({ known }) => isLiveType(known));
  } finally {
    await link.close();
  }
}

function subscriptionsFor(
  topics: readonly RosTopic[],
  cameras: readonly CameraTopics[],
  { rateHz = RATE_HZ }: ReadOptions,
): Subscription[] {
  const everyMs = Math.round(1_000 / rateHz);
  const pictures = cameras
    .flatMap(({ colour, depth }) => [colour, depth])
    .filter((topic) => topic !== undefined);
  const infos = cameras
    .flatMap(({ info, depthInfo }) => [info, depthInfo])
    .filter((topic) => topic !== undefined);
  const poses = topics.filter(isPoseTopic);
  return [
    ...poses.map(({ name, type }) => ({
      topic: name,
      type,
      everyMs: name.includes("tf") ? 0 : POSE_EVERY_MS,
    })),
    ...[...new Set(infos)].map(({ name, type }) => ({ topic: name, type, everyMs: 1_000 })),
    // Colour and depth throttled separately would seldom match in time, so depth is not throttled.
    ...[...new Set(pictures)].map((topic) => ({
      topic: topic.name,
      type: topic.type,
      everyMs: cameras.some(({ colour, depth }) => colour && depth === topic) ? 0 : everyMs,
    })),
  ];
}
