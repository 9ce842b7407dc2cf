import { compose, type Transform, yawOf } from "../../geometry/index.ts";
import { isLociError, LociError } from "../../schema/index.ts";
import type { RosTopic } from "../ros/message-source.ts";
import { microsecondsOf, type RosHeader, type RosPose, type RosTransformStamped } from "../ros/messages.ts";
import { frameName, isPoseTopic } from "../ros/robot-poses.ts";
import { parseLive } from "../ros/ros-json.ts";
import { BODY_FRAMES, WORLD_FRAMES } from "../ros/viewpoint.ts";
import { RosbridgeLink, rosbridgeAddress } from "./link.ts";
import { topicsOf } from "./live-source.ts";

export interface PoseWatchOptions {
  /** rosbridge://HOST:PORT or ws://HOST:PORT */
  readonly url: string;
  /** The robot's name for our world; default: the first of map, world, odom that its base is connected to. */
  readonly worldFrame?: string | undefined;
  /** Its base frame; default base_link or base_footprint. */
  readonly baseFrame?: string | undefined;
  readonly tries?: number | undefined;
  readonly pauseMs?: number | undefined;
}

/** The robot's base pose, by its own TF and clock. */
export interface BasePose {
  readonly timeUs: number;
  readonly worldFrame: string;
  readonly worldFromBase: Transform;
  readonly yawRad: number;
  /** From the last pose with a covariance in the same frame (AMCL, SLAM Toolbox); 0 if none. */
  readonly sdM: number;
  readonly yawSdRad: number;
}

const MAX_FRAMES = 1_024;
/** A smaller step back in time is a late packet; a larger one is a clock reset. */
const CLOCK_JUMP_US = 5_000_000;
/** Indices in the 6×6 covariance that matter to a robot on a floor: x, y and the rotation about z. */
const [COV_X, COV_Y, COV_YAW] = [0, 7, 35];

/**
 * Follows a robot's pose on its own connection: pictures queued on another one must not delay a stop. Only the newest
 * of everything is kept.
 */
export class PoseWatch {
  readonly #options: PoseWatchOptions;
  readonly #stop = new AbortController();
  readonly #listeners = new Set<(pose: BasePose) => void>();
  readonly #latest: LatestFrames;
  #pose: BasePose | undefined;
  #failure: unknown;

  private constructor(options: PoseWatchOptions) {
    this.#options = options;
    this.#latest = new LatestFrames(options.worldFrame, options.baseFrame);
  }

  /** Follows a robot that publishes its pose; invalid-input if none of its topics does. */
  static async open(options: PoseWatchOptions): Promise<PoseWatch> {
    const url = rosbridgeAddress(options.url);
    const topics = (await topicsOf(url)).filter(isPoseTopic);
    if (topics.length === 0)
      throw new LociError(
        "invalid-input",
        "the robot says nowhere where it is: expected TF, odometry or a pose topic",
      );
    const watch = new PoseWatch(options);
    void watch.#follow(url, topics);
    return watch;
  }

  get latest(): BasePose | undefined {
    return this.#pose;
  }

  /** Calls the listener with every new pose until unsubscribed. */
  listen(listener: (pose: BasePose) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** The newest pose, or the first one to arrive within this time. */
  async known(withinMs: number, signal?: AbortSignal): Promise<BasePose> {
    return this.#pose ?? this.next(withinMs, signal);
  }

  /** The next pose to arrive within this time. */
  async next(withinMs: number, signal?: AbortSignal): Promise<BasePose> {
    const { promise, resolve, reject } = Promise.withResolvers<BasePose>();
    const off = this.listen(resolve);
    const fail = () =>
      reject(
        this.#failure ??
          new LociError(
            "source-unavailable",
            `the robot did not say where it is within ${withinMs / 1000} s`,
          ),
      );
    const timer = setTimeout(fail, withinMs);
    const onAbort = () => reject(new LociError("aborted", "nobody waits for the robot any more"));
    signal?.addEventListener("abort", onAbort, { once: true });
    try {
      return await promise;
    } finally {
      off();
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
    }
  }

  async close(): Promise<void> {
    this.#stop.abort();
    this.#listeners.clear();
  }

  async #follow(url: string, topics: readonly RosTopic[]): Promise<void> {
    const { tries, pauseMs } = this.#options;
    const { signal } = this.#stop;
    const link = new RosbridgeLink({ url, tries, pauseMs, signal });
    const known = new Map(topics.map((topic) => [topic.name, topic]));
    const subscriptions = topics.map(({ name, type }) => ({ topic: name, type, everyMs: 0 }));
    try {
      for await (const { topic, message } of link.listen(subscriptions))
        this.#take(known.get(topic), message);
    } catch (error) {
      // Waiting callers get no pose any more; their next request throws the reason.
      this.#failure = error;
    } finally {
      await link.close();
    }
  }

  #take(topic: RosTopic | undefined, said: unknown): void {
    if (!topic?.known) return;
    try {
      this.#latest.put(topic, parseLive(topic.known, said));
    } catch (error) {
      if (isLociError(error, "invalid-input")) return;
      throw error;
    }
    const pose = this.#latest.basePose();
    if (!pose || (this.#pose && isOvertaken(pose.timeUs, this.#pose.timeUs))) return;
    this.#pose = pose;
    for (const listener of [...this.#listeners]) listener(pose);
  }
}

interface Link {
  readonly parent: string;
  readonly parentFromChild: Transform;
  /** Null: valid at all times. */
  readonly timeUs: number | null;
}

/** The newest transform of every frame. */
class LatestFrames {
  readonly #links = new Map<string, Link>();
  readonly #doubts = new Map<string, { sdM: number; yawSdRad: number }>();
  readonly #worlds: readonly string[];
  readonly #bases: readonly string[];

  constructor(worldFrame: string | undefined, baseFrame: string | undefined) {
    this.#worlds = worldFrame === undefined ? WORLD_FRAMES : [worldFrame];
    this.#bases = baseFrame === undefined ? [...BODY_FRAMES, "base"] : [baseFrame];
  }

  put(topic: RosTopic, message: unknown): void {
    if (topic.known === "tf2_msgs/msg/TFMessage") {
      const isStatic = topic.name.endsWith("tf_static");
      for (const one of (message as { transforms: RosTransformStamped[] }).transforms) {
        const { translation: p, rotation: q } = one.transform;
        this.#link(one.header, one.child_frame_id, { p, q }, isStatic);
      }
    } else if (topic.known === "nav_msgs/msg/Odometry") {
      const { header, child_frame_id, pose } = message as Posed & { child_frame_id: string };
      const child = frameName(child_frame_id) || "base_link";
      // TF takes precedence for a frame that both sources give.
      if (!this.#links.has(child) || this.#links.get(child)!.parent === frameName(header.frame_id))
        this.#link(header, child, transformOf(pose.pose), false);
    } else if (topic.known === "geometry_msgs/msg/PoseWithCovarianceStamped") {
      const { header, pose } = message as Posed;
      const cov = pose.covariance;
      if (cov?.length === 36)
        this.#doubts.set(frameName(header.frame_id), {
          sdM: Math.sqrt(Math.max(cov[COV_X!]!, cov[COV_Y!]!, 0)),
          yawSdRad: Math.sqrt(Math.max(cov[COV_YAW!]!, 0)),
        });
    }
  }

  /**
   * Chained from the base up to the world; its time is that of the nearest moving link, since AMCL dates its own
   * transform ahead.
   */
  basePose(): BasePose | undefined {
    for (const base of this.#bases) {
      let pose: Transform | undefined;
      let timeUs: number | undefined;
      const reached = new Map<string, Transform>();
      for (let at = base, link = this.#links.get(at); link && !reached.has(link.parent); ) {
        pose = pose ? compose(link.parentFromChild, pose) : link.parentFromChild;
        timeUs ??= link.timeUs ?? undefined;
        reached.set(link.parent, pose);
        at = link.parent;
        link = this.#links.get(at);
      }
      const worldFrame = this.#worlds.find((name) => reached.has(name));
      if (worldFrame === undefined || timeUs === undefined) continue;
      const worldFromBase = reached.get(worldFrame)!;
      const doubt = this.#doubts.get(worldFrame) ?? { sdM: 0, yawSdRad: 0 };
      return { timeUs, worldFrame, worldFromBase, yawRad: yawOf(worldFromBase.q), ...doubt };
    }
    return undefined;
  }

  #link({ frame_id, stamp }: RosHeader, child: string, parentFromChild: Transform, isStatic: boolean): void {
    const [parent, name] = [frameName(frame_id), frameName(child)];
    const timeUs = isStatic ? null : (microsecondsOf(stamp) ?? null);
    const known = this.#links.get(name);
    if (known?.timeUs != null && timeUs !== null && isOvertaken(timeUs, known.timeUs)) return;
    if (!known && this.#links.size >= MAX_FRAMES) return;
    this.#links.set(name, { parent, parentFromChild, timeUs });
  }
}

function isOvertaken(timeUs: number, lastUs: number): boolean {
  return timeUs <= lastUs && lastUs - timeUs < CLOCK_JUMP_US;
}

interface Posed {
  readonly header: RosHeader;
  readonly pose: { readonly pose: RosPose; readonly covariance?: readonly number[] };
}

function transformOf({ position, orientation }: RosPose): Transform {
  return { p: position, q: orientation };
}
