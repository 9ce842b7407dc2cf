import { setTimeout as pause } from "node:timers/promises";
import { LiveFeed } from "../live/live-feed.ts";
import { LiveShots } from "../live/live-shots.ts";
import { liveSource, missingOf } from "../live/live-source.ts";
import type { ReadOptions } from "../options.ts";
import type { SourcePlan } from "../plan.ts";
import { type CameraTopics, findCameras } from "../ros/cameras.ts";
import {
  type Decode,
  loadDecoder,
  type MessageSource,
  type RosMessage,
  type RosTopic,
} from "../ros/message-source.ts";
import { camerasOf, planOfRos } from "../ros/reader.ts";
import { isPoseTopic, type RobotPoses, readRobotPoses } from "../ros/robot-poses.ts";
import type { OpenSource } from "../source.ts";
import { FoxgloveLink, foxgloveAddress } from "./link.ts";

/** Pictures a second of each camera that are used, by default: the protocol has no throttle, the rest is dropped. */
const RATE_HZ = 2;
/** How long is listened for the plan: rates, encodings, frames; what is heard is not lost. */
const SAMPLE_MS = 1_500;
/** Beyond this many bytes of the sample its oldest messages are dropped. */
const SAMPLE_BYTES = 256 << 20;
const SKIPS_TOLD = 1_000;

/**
 * A robot that runs foxglove_bridge (or anything else that speaks its protocol), as a recording that goes on until it
 * is stopped. Topics are found by type and name as in a bag, in ROS 1, CDR, Protocol Buffers or JSON; a bridge that
 * starts again is waited for.
 */
export async function openFoxglove(source: string, options: ReadOptions): Promise<OpenSource> {
  const url = foxgloveAddress(source);
  const decode = await loadDecoder();
  const link = await FoxgloveLink.open({ url });
  try {
    const topics = readable(link.topics());
    const sample = await listenAwhile(link, topics);
    const heard = sample.source;
    const cameras = await findCameras(heard, decode, options);
    const poses = await readRobotPoses(heard, decode, options);
    const found = await camerasOf(heard, decode, cameras, poses, options);
    const unreadable = link.topics().filter(({ name }) => !topics.some((topic) => topic.name === name));
    const plan: SourcePlan = {
      ...planOf(source, heard, found, poses, options, sample.ratesHz),
      missing: [...missingOf(cameras, topics), ...unknownEncodings(unreadable)],
      conventions: [
        ...conventionsOf(link),
        ...planOfRos(source, heard, found, poses, options).conventions,
        "Rates are those of the first 1.5 s. The protocol says nothing of QoS: the bridge takes its own.",
        "Frames come as long as the robot publishes; stop with Ctrl-C.",
      ],
    };
    const world = found.find(({ viewpoint }) => viewpoint)?.viewpoint?.world;
    const shots = new LiveShots(topics, cameras, options, { rateHz: options.rateHz ?? RATE_HZ, world });
    const feed = new LiveFeed(shots);
    const hear = listener(feed, decode, options);
    for (const { topic, timeUs, data } of sample.messages) hear.message(topic, timeUs, data);
    link.listen(usedTopics(topics, cameras), hear);
    return liveSource({ plan, options, shots, feed, link, start: () => link.ended });
  } catch (error) {
    await link.close();
    throw error;
  }
}

/** Of a raw picture and its compressed twin only the compressed one: the network is the robot's. */
function readable(topics: readonly RosTopic[]): RosTopic[] {
  const known = topics.filter(({ known, encoding }) => known !== undefined && encoding !== "other");
  const names = new Set(known.map(({ name }) => name));
  return known.filter(
    ({ name, known: type }) =>
      type !== "sensor_msgs/msg/Image" ||
      (!names.has(`${name}/compressed`) && !names.has(`${name}/compressedDepth`)),
  );
}

/** What is left once the cameras are known: their pictures, depths, clouds and infos, and all poses. */
function usedTopics(topics: readonly RosTopic[], cameras: readonly CameraTopics[]): RosTopic[] {
  const used = new Set(
    cameras.flatMap(({ colour, depth, cloud, info, depthInfo }) =>
      [colour, depth, cloud, info, depthInfo].flatMap((topic) => topic?.name ?? []),
    ),
  );
  return topics.filter((topic) => used.has(topic.name) || isPoseTopic(topic));
}

function listener(feed: LiveFeed, decode: Decode, { onSkip }: ReadOptions) {
  let told = 0;
  const skip = (what: string, why: string) => {
    feed.damaged++;
    if (told++ < SKIPS_TOLD) onSkip?.({ what, why });
  };
  return {
    skip,
    time: (timeUs: number) => feed.tick(timeUs),
    message(topic: RosTopic, timeUs: number | undefined, data: Uint8Array) {
      let message: unknown;
      try {
        message = decode(topic, data);
      } catch (error) {
        skip(`a message on ${topic.name}`, (error as Error).message);
        return;
      }
      feed.hear(topic.name, message, timeUs);
    },
  };
}

interface Heard {
  readonly topic: RosTopic;
  readonly timeUs: number | undefined;
  readonly data: Uint8Array;
}

/** The first messages of all topics, as a source that finders can read, and as they came. */
async function listenAwhile(link: FoxgloveLink, topics: readonly RosTopic[]) {
  const messages: Heard[] = [];
  const counts = new Map<string, number>();
  let bytes = 0;
  const startMs = performance.now();
  link.listen(topics, {
    message(topic, timeUs, data) {
      counts.set(topic.name, (counts.get(topic.name) ?? 0) + 1);
      messages.push({ topic, timeUs, data });
      for (bytes += data.length; bytes > SAMPLE_BYTES; ) bytes -= messages.shift()!.data.length;
    },
    time() {},
    skip() {},
  });
  link.askParameters();
  await Promise.race([pause(SAMPLE_MS), link.ended]);
  const spanS = (performance.now() - startMs) / 1_000;
  const ratesHz = new Map(
    [...counts].flatMap(([name, count]) => (count > 1 ? [[name, count / spanS] as const] : [])),
  );
  return { messages, ratesHz, source: sourceOf(topics, messages) };
}

function sourceOf(topics: readonly RosTopic[], messages: readonly Heard[]): MessageSource {
  const all = messages.map(
    ({ topic, timeUs, data }): RosMessage => ({
      topic: topic.name,
      logTimeUs: timeUs ?? 0,
      sequence: 0,
      data,
    }),
  );
  return {
    format: "foxglove",
    topics,
    startUs: null,
    endUs: null,
    ownInfo: undefined,
    notes: [],
    async *messages({ topics: wanted }) {
      for (const message of all) if (!wanted || wanted.has(message.topic)) yield message;
    },
    close: async () => {},
  };
}

function planOf(
  path: string,
  source: MessageSource,
  cameras: Parameters<typeof planOfRos>[2],
  poses: RobotPoses,
  options: ReadOptions,
  ratesHz: ReadonlyMap<string, number>,
): SourcePlan {
  const plan = planOfRos(path, source, cameras, poses, options);
  const poseTopics = source.topics.filter(isPoseTopic).map(({ name }) => name);
  return {
    ...plan,
    streams: plan.streams.map((stream) => ({ ...stream, rateHz: ratesHz.get(stream.name) ?? null })),
    poses: poseTopics.length === 0 ? null : { from: plan.poses?.from ?? poseTopics.join(", "), count: 0 },
  };
}

function conventionsOf({ name, capabilities, parameters }: FoxgloveLink): string[] {
  const offers = [
    ...(capabilities.includes("time") ? ["its clock"] : []),
    ...(parameters.size > 0 ? [`${parameters.size} parameters`] : []),
  ];
  const isSimulated = [...parameters].some(([key, value]) => /use_sim_time$/.test(key) && value === true);
  return [
    `The server calls itself "${name.slice(0, 80)}"${offers.length > 0 ? ` and offers ${offers.join(" and ")}` : ""}.`,
    ...(isSimulated ? ["Its time is simulated (use_sim_time)."] : []),
  ];
}

/** Pictures and poses that are there, in an encoding that is not read. */
function unknownEncodings(topics: readonly RosTopic[]): string[] {
  return topics
    .filter(({ encoding, type }) => encoding === "other" && /Image|Transform|Odometry|CameraInfo/.test(type))
    .slice(0, 8)
    .map(({ name, type, wire }) => `${name} (${type}) is encoded as "${wire?.encoding}", which is not read.`);
}
