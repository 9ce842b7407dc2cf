import { z } from "zod";
import { LociError, parseOrThrow } from "../../schema/index.ts";
import type { ReadOptions } from "../options.ts";
import { infoOf, type SourcePlan } from "../plan.ts";
import type { RecordingItem } from "../recording.ts";
import { type CameraTopics, findCameras } from "../ros/cameras.ts";
import {
  type Decode,
  type MessageSource,
  type RosMessage,
  type RosTopic,
  topicOf,
} from "../ros/message-source.ts";
import { microsecondsOf, type RosHeader } from "../ros/messages.ts";
import { developShot, planOfRos } from "../ros/reader.ts";
import { frameName, isPoseTopic, readRobotPoses } from "../ros/robot-poses.ts";
import { Shutter, type Waiting } from "../ros/shutter.ts";
import { viewpointOf } from "../ros/viewpoint.ts";
import type { OpenSource } from "../source.ts";
import { RosbridgeLink, rosbridgeAddress, type Subscription } from "./link.ts";
import { headerOf, isLiveType, parseLive } from "./ros-json.ts";

/** Pictures requested per second, by default. */
const RATE_HZ = 2;
/** Poses come faster than pictures and are small. */
const POSE_EVERY_MS = 20;
/** Older poses are of no use for the current picture. */
const WINDOW_US = 10_000_000;
const WINDOW_MESSAGES = 4_096;
/** How long a picture waits for the pose of its moment, by the robot's own clock. */
const WAIT_US = 500_000;
const MAX_WAITING = 8;
const MAX_FIXED = 4_096;
const SYNC_TOLERANCE_US = 50_000;

const topicsSchema = z.object({
  topics: z.array(z.string()).max(65_536),
  types: z.array(z.string()).max(65_536),
});

/**
 * A robot that publishes through rosbridge, as a recording that continues until it is stopped. Cameras are found by
 * the types and names of topics as in a bag; pictures are requested at a bounded rate and paired with the poses of
 * the last seconds. What arrives faster than it is processed is dropped, never queued without bound.
 */
export async function openLive(source: string, options: ReadOptions): Promise<OpenSource> {
  const url = rosbridgeAddress(source);
  const topics = await topicsOf(url);
  const decode: Decode = () => {
    throw new LociError("invalid-input", "a plan has no messages to decode");
  };
  const empty = sourceOf(url, topics, []);
  const cameras = await findCameras(empty, decode, options);
  const poses = await readRobotPoses(empty, decode, options);
  const plan: SourcePlan = {
    ...planOfRos(
      source,
      empty,
      cameras.map((camera) => ({
        topics: camera,
        main: (camera.colour ?? camera.depth)!,
        viewpoint: undefined,
      })),
      poses,
      options,
    ),
    poses: topics.some(isPoseTopic)
      ? {
          from: topics
            .filter(isPoseTopic)
            .map(({ name }) => name)
            .join(", "),
          count: 0,
        }
      : null,
    missing: missingOf(cameras, topics),
    conventions: ["Frames come as long as the robot publishes; stop with Ctrl-C."],
  };
  const agentId = options.agentId ?? "robot";
  async function* items({
    signal: stop,
  }: {
    signal?: AbortSignal | undefined;
  } = {}): AsyncGenerator<RecordingItem> {
    if (cameras.length === 0) return;
    const link = new RosbridgeLink({ url, signal: stop });
    const live = new LiveFrames(topics, cameras, { ...options, agentId });
    try {
      for await (const { topic, message } of link.listen(subscriptionsFor(topics, cameras, options))) {
        for await (const item of live.take(topic, message)) {
          yield item;
          if (live.frames >= (options.maxFrames ?? Infinity)) return;
        }
      }
    } finally {
      if (link.dropped > 0)
        options.onSkip?.({
          what: `${link.dropped} messages`,
          why: "they came faster than they were taken in",
        });
      await link.close();
    }
  }
  return { plan, info: infoOf(plan, [agentId]), items, close: async () => {} };
}

/** Turns published messages into frames, with the poses of the last seconds. */
class LiveFrames {
  readonly #topics: ReadonlyMap<string, RosTopic>;
  readonly #options: ReadOptions & { agentId: string };
  readonly #cameras: readonly {
    camera: CameraTopics;
    main: RosTopic;
    company: RosTopic | undefined;
    shutter: Shutter;
  }[];
  readonly #held: { camera: CameraTopics; main: RosTopic; picture: Waiting; depth: Waiting | undefined }[] =
    [];
  /** Fixed transforms and camera infos are published once and kept; everything else is a sliding window. */
  readonly #kept = new Map<string, RosMessage>();
  #window: RosMessage[] = [];
  /** Messages by the token that stands for their bytes; only those still needed. */
  readonly #messages = new WeakMap<Uint8Array, unknown>();
  readonly #decode: Decode = <T>(_: RosTopic, data: Uint8Array) => this.#messages.get(data) as T;
  #newestUs = 0;
  #newestPoseUs = 0;
  frames = 0;

  constructor(
    topics: readonly RosTopic[],
    cameras: readonly CameraTopics[],
    options: ReadOptions & { agentId: string },
  ) {
    this.#topics = new Map(topics.map((topic) => [topic.name, topic]));
    this.#options = options;
    this.#cameras = cameras.map((camera) => {
      const main = (camera.colour ?? camera.depth)!;
      const company = camera.colour ? camera.depth : undefined;
      const shutter = new Shutter(options.syncToleranceUs ?? SYNC_TOLERANCE_US, company !== undefined);
      return { camera, main, company, shutter };
    });
  }

  async *take(name: string, said: unknown): AsyncGenerator<RecordingItem> {
    const topic = this.#topics.get(name);
    if (!topic?.known) return;
    let message: unknown;
    try {
      message = parseLive(topic.known, said);
    } catch (error) {
      this.#options.onSkip?.({ what: `a message on ${name}`, why: (error as Error).message });
      return;
    }
    const header = headerOf(message);
    const timeUs = (header && microsecondsOf(header.stamp)) ?? this.#newestUs;
    this.#newestUs = Math.max(this.#newestUs, timeUs);
    const token = new Uint8Array(0);
    this.#messages.set(token, message);
    this.#file(topic, { topic: name, logTimeUs: this.#newestUs, sequence: 0, data: token }, timeUs);
    const waiting = { timeUs, logTimeUs: this.#newestUs, data: token };
    for (const { camera, main, company, shutter } of this.#cameras) {
      if (main.name === name) shutter.picture(waiting);
      else if (company?.name === name) shutter.depth(waiting);
      for (const taken of shutter.take(this.#newestUs)) this.#held.push({ camera, main, ...taken });
    }
    yield* this.#ready();
  }

  #file(topic: RosTopic, message: RosMessage, timeUs: number): void {
    if (topic.known === "sensor_msgs/msg/CameraInfo") this.#kept.set(topic.name, message);
    else if (topic.name.endsWith("tf_static")) this.#keepFixed(message);
    else if (isPoseTopic(topic)) {
      this.#newestPoseUs = Math.max(this.#newestPoseUs, timeUs);
      this.#window.push(message);
      if (
        this.#window.length > WINDOW_MESSAGES ||
        this.#window[0]!.logTimeUs < this.#newestUs - 2 * WINDOW_US
      )
        this.#window = this.#window
          .filter(({ logTimeUs }) => logTimeUs >= this.#newestUs - WINDOW_US)
          .slice(-WINDOW_MESSAGES / 2);
    }
  }

  /** Stores fixed transforms individually, since bridges repeat them after every reconnection. */
  #keepFixed(message: RosMessage): void {
    const { transforms } = this.#messages.get(message.data) as { transforms: { child_frame_id: string }[] };
    for (const one of transforms) {
      const key = `${message.topic} ${one.child_frame_id}`;
      if (this.#kept.size >= MAX_FIXED && !this.#kept.has(key)) return;
      const data = new Uint8Array(0);
      this.#messages.set(data, { transforms: [one] });
      this.#kept.set(key, { ...message, data });
    }
  }

  /** Pictures whose pose has arrived, or that have waited long enough. */
  async *#ready(): AsyncGenerator<RecordingItem> {
    for (let head = this.#held[0]; head; head = this.#held[0]) {
      const { timeUs } = head.picture;
      const isReady =
        this.#newestPoseUs >= timeUs || this.#newestUs - timeUs > WAIT_US || this.#held.length > MAX_WAITING;
      if (!isReady) return;
      this.#held.shift();
      const around = sourceOf("", [...this.#topics.values()], [...this.#kept.values(), ...this.#window]);
      try {
        const poses = await readRobotPoses(around, this.#decode, this.#options);
        const { header } = this.#messages.get(head.picture.data) as { header: RosHeader };
        const viewpoint = viewpointOf(frameName(header.frame_id), head.main.name, poses, this.#options);
        const shot = { ...head, camera: { topics: head.camera, main: head.main, viewpoint } };
        const frame = await developShot(shot, this.#decode, poses, this.#options, this.frames);
        this.frames++;
        yield { kind: "frame", frame };
      } catch (error) {
        if (!(error instanceof LociError) || error.code === "not-supported") throw error;
        this.#options.onSkip?.({ what: `a picture on ${head.main.name}`, why: error.message });
      }
    }
  }
}

/** Buffered messages in the form that bag readers take. */
function sourceOf(path: string, topics: readonly RosTopic[], messages: readonly RosMessage[]): MessageSource {
  return {
    format: "rosbridge",
    topics,
    startUs: null,
    endUs: null,
    ownInfo: undefined,
    notes: path === "" ? [] : [`A robot at ${path}.`],
    async *messages({ topics: wanted }) {
      for (const message of messages) if (!wanted || wanted.has(message.topic)) yield message;
    },
    close: async () => {},
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

function missingOf(cameras: readonly CameraTopics[], topics: readonly RosTopic[]): string[] {
  if (cameras.length === 0) return ["No camera: the robot publishes no Image or CompressedImage."];
  return [
    ...cameras.flatMap(({ colour, depth, info }) => {
      const name = (colour ?? depth)!.name;
      return [
        ...(depth ? [] : [`No depth for ${name}: nothing in it gets a place.`]),
        ...(info
          ? []
          : [
              `No camera info for ${name}: give it (--intrinsics fx,fy,cx,cy), else its field of view is a guess.`,
            ]),
      ];
    }),
    ...(topics.some(isPoseTopic)
      ? []
      : ["No TF, odometry or pose: pictures are found by text and time only."]),
  ];
}
