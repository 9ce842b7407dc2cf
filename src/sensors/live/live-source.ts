import { isLociError } from "../../schema/index.ts";
import type { ReadOptions } from "../options.ts";
import { infoOf, type SourcePlan } from "../plan.ts";
import type { RecordingItem } from "../recording.ts";
import type { CameraTopics } from "../ros/cameras.ts";
import type { RosTopic } from "../ros/message-source.ts";
import { developShot, tellUnpaired } from "../ros/reader.ts";
import { isPoseTopic } from "../ros/robot-poses.ts";
import type { OpenSource } from "../source.ts";
import type { LiveFeed } from "./live-feed.ts";
import type { LiveShots } from "./live-shots.ts";

/** A connection to a robot, of any protocol. */
export interface LiveLink {
  readonly isConnected: boolean;
  readonly reconnects: number;
  /** Messages that were dropped before they were read. */
  readonly dropped: number;
  close(): Promise<void>;
}

/** Messages of a robot as a recording that goes on until the signal fires, the robot ends or `maxFrames` are there. */
export function liveSource({
  plan,
  options,
  shots,
  feed,
  link,
  start,
}: {
  readonly plan: SourcePlan;
  readonly options: ReadOptions;
  readonly shots: LiveShots;
  readonly feed: LiveFeed;
  readonly link: LiveLink;
  /** Begins to listen; what it throws or rejects with ends the source. */
  readonly start: () => Promise<void>;
}): OpenSource {
  const agentId = options.agentId ?? "robot";
  let isStarted = false;
  async function* items({
    signal,
  }: {
    signal?: AbortSignal | undefined;
  } = {}): AsyncGenerator<RecordingItem> {
    // What was paired until then is still handed on.
    const stop = () => {
      feed.end();
      void link.close();
    };
    signal?.addEventListener("abort", stop, { once: true });
    if (signal?.aborted) stop();
    if (!isStarted) {
      isStarted = true;
      start().then(
        () => feed.end(),
        (error) => feed.end(error),
      );
    }
    try {
      for (let next = await feed.next(); next; next = await feed.next()) {
        const { shot, poses } = next;
        try {
          const how = { ...options, agentId };
          const frame = await developShot(shot, shots.decode, poses, how, feed.frames);
          feed.frames++;
          yield { kind: "frame", frame };
        } catch (error) {
          if (!isLociError(error) || error.code === "not-supported") throw error;
          options.onSkip?.({ what: `a picture on ${shot.camera.main.name}`, why: error.message });
        }
        if (feed.frames >= (options.maxFrames ?? Infinity)) return;
      }
    } finally {
      signal?.removeEventListener("abort", stop);
      tellLosses();
      await link.close();
    }
  }
  const live = () => {
    const counts = feed.counts(link);
    return { ...counts, dropped: counts.dropped + link.dropped };
  };
  /** Once, at the end. */
  const tellLosses = () => {
    const { dropped, ...others } = live();
    if (dropped > 0)
      options.onSkip?.({ what: `${dropped} pictures`, why: "they came faster than they were taken in" });
    tellUnpaired(options, others);
  };
  return { plan, info: infoOf(plan, [agentId]), items, live, close: () => link.close() };
}

/** What a live robot does not publish, for its plan. */
export function missingOf(cameras: readonly CameraTopics[], topics: readonly RosTopic[]): string[] {
  if (cameras.length === 0) return ["No camera: the robot publishes no Image or CompressedImage."];
  return [
    ...cameras.flatMap(({ colour, depth, cloud, info }) => {
      const name = (colour ?? depth)!.name;
      return [
        ...(depth || cloud ? [] : [`No depth for ${name}: nothing in it gets a place.`]),
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
