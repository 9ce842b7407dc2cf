import type { ReadOptions } from "../options.ts";
import type { CameraTopics } from "../ros/cameras.ts";
import type { Decode, RosMessage, RosTopic } from "../ros/message-source.ts";
import { microsecondsOf, type RosHeader } from "../ros/messages.ts";
import { partnerOf, poseToleranceUs, type Shot } from "../ros/reader.ts";
import { frameName, isPoseTopic, RobotPoseReader, type RobotPoses } from "../ros/robot-poses.ts";
import { headerOf } from "../ros/ros-json.ts";
import { Shutter, type Waiting } from "../ros/shutter.ts";
import { poseAt, viewpointOf } from "../ros/viewpoint.ts";

/** Older poses are of no use for the current picture. */
const WINDOW_US = 10_000_000;
const WINDOW_MESSAGES = 4_096;
/** How long a picture waits for the pose of its moment, by the robot's own clock. */
const WAIT_US = 500_000;
/** A picture that waits is tried again after so much of the robot's time. */
const RETRY_US = 20_000;
const MAX_WAITING = 8;
const MAX_FIXED = 4_096;
/** A smaller step back in time is a late packet; a larger one is a clock that began anew. */
const CLOCK_JUMP_US = 5_000_000;
/** Stamps by which a message that a bridge repeats is recognised. */
const STAMPS = 256;
/** A picture may come this share of a period early and still be the next one. */
const EARLY = 0.1;

/** A picture with its depth and the poses around it, not decoded yet. */
export interface LiveShot {
  readonly shot: Shot;
  readonly poses: RobotPoses;
}

interface Held {
  readonly camera: CameraTopics;
  readonly main: RosTopic;
  readonly picture: Waiting;
  readonly depth: Waiting | undefined;
  triedUs: number;
}

/**
 * Pairs published messages to shots: pictures with the nearest depth, and with the poses of the last seconds. Fixed
 * transforms and camera infos are kept, everything else is a sliding window; nothing grows without bound.
 */
export class LiveShots {
  readonly #topics: ReadonlyMap<string, RosTopic>;
  readonly #options: ReadOptions;
  readonly #periodUs: number;
  #cameras: readonly {
    readonly camera: CameraTopics;
    readonly main: RosTopic;
    readonly partner: RosTopic | undefined;
    readonly shutter: Shutter;
  }[] = [];
  readonly #found: readonly CameraTopics[];
  readonly #hasPoses: boolean;
  #held: Held[] = [];
  /** Fixed transforms and camera infos are published once and kept. */
  readonly #kept = new Map<string, RosMessage>();
  #window: RosMessage[] = [];
  /** Messages by the token that stands for their bytes; only those still needed. */
  readonly #messages = new WeakMap<Uint8Array, unknown>();
  readonly #stamps = new Map<string, Set<number>>();
  readonly #dueUs = new Map<string, number>();
  /** The frame that the poses are in, from the first pose on: a robot's map may not change under its pictures. */
  #world: string | undefined;
  #clockUs = 0;
  #newestPoseUs = 0;
  /** Messages that a bridge repeated. */
  repeated = 0;
  /** Pictures for which there was none within the tolerance. */
  withoutDepth = 0;
  withoutPose = 0;

  readonly decode: Decode = <T>(_: RosTopic, data: Uint8Array) => this.#messages.get(data) as T;

  /** `rateHz`: pictures a second of each camera that are used; absent if the robot itself thins them. */
  constructor(
    topics: readonly RosTopic[],
    cameras: readonly CameraTopics[],
    options: ReadOptions,
    { rateHz, world }: { readonly rateHz?: number | undefined; readonly world?: string | undefined } = {},
  ) {
    this.#topics = new Map(topics.map((topic) => [topic.name, topic]));
    this.#options = options;
    this.#found = cameras;
    this.#hasPoses = topics.some(isPoseTopic);
    this.#periodUs = rateHz === undefined ? 0 : 1e6 / rateHz;
    this.#world = world;
    this.#load();
  }

  /** Takes a decoded message; `logTimeUs` is when the bridge received it. Gives the shots that are complete now. */
  take(name: string, message: unknown, logTimeUs?: number): LiveShot[] {
    const topic = this.#topics.get(name);
    if (!topic) return [];
    const header = headerOf(message);
    const stampUs = header && microsecondsOf(header.stamp);
    const timeUs = stampUs ?? logTimeUs ?? this.#clockUs;
    this.#tick(logTimeUs, timeUs);
    const token = new Uint8Array(0);
    this.#messages.set(token, message);
    this.#file(topic, { topic: name, logTimeUs: this.#clockUs, sequence: 0, data: token }, timeUs);
    const waiting = { timeUs, logTimeUs: this.#clockUs, data: token };
    for (const { camera, main, partner, shutter } of this.#cameras) {
      if (main.name === name) {
        if (this.#isDue(name, timeUs) && this.#isNew(name, stampUs)) shutter.picture(waiting);
      } else if (partner?.name === name && this.#isNew(name, stampUs)) shutter.depth(waiting);
      this.#hold(camera, main, shutter.take(this.#clockUs));
    }
    return this.#ready(false);
  }

  /** The bridge's own clock, which goes on while nothing is published. */
  tick(logTimeUs: number): LiveShot[] {
    this.#tick(logTimeUs, logTimeUs);
    for (const { camera, main, shutter } of this.#cameras)
      this.#hold(camera, main, shutter.take(this.#clockUs));
    return this.#ready(false);
  }

  /** What still waits for a depth or a pose that will not come. */
  finish(): LiveShot[] {
    for (const { camera, main, shutter } of this.#cameras) this.#hold(camera, main, shutter.take(Infinity));
    return this.#ready(true);
  }

  #load(): void {
    this.#cameras = this.#found.map((camera) => {
      const main = (camera.colour ?? camera.depth)!;
      const { partner, toleranceUs } = partnerOf(camera, this.#options);
      return { camera, main, partner, shutter: new Shutter(toleranceUs, partner !== undefined) };
    });
  }

  #tick(logTimeUs: number | undefined, timeUs: number): void {
    if (logTimeUs === undefined) this.#clockUs = Math.max(this.#clockUs, timeUs);
    else if (logTimeUs >= this.#clockUs) this.#clockUs = logTimeUs;
    else if (logTimeUs < this.#clockUs - CLOCK_JUMP_US) this.#beginAnew(logTimeUs);
  }

  /** After a step back in time the earlier poses would be mistaken for those of now. */
  #beginAnew(timeUs: number): void {
    this.#clockUs = timeUs;
    this.#newestPoseUs = 0;
    this.#window = [];
    this.#held = [];
    this.#stamps.clear();
    this.#dueUs.clear();
    this.#load();
  }

  #isDue(name: string, timeUs: number): boolean {
    const period = this.#periodUs;
    if (period === 0) return true;
    const due = this.#dueUs.get(name) ?? timeUs;
    // A stamp far before the next due time is one of a clock that was set back.
    if (timeUs < due - EARLY * period && timeUs > due - CLOCK_JUMP_US - period) return false;
    this.#dueUs.set(name, Math.abs(timeUs - due) < period ? due + period : timeUs + period);
    return true;
  }

  #isNew(name: string, stampUs: number | undefined): boolean {
    if (stampUs === undefined) return true;
    const stamps = this.#stamps.get(name) ?? new Set();
    this.#stamps.set(name, stamps);
    if (stamps.has(stampUs)) {
      this.repeated++;
      return false;
    }
    stamps.add(stampUs);
    if (stamps.size > STAMPS) stamps.delete(stamps.values().next().value!);
    return true;
  }

  #hold(
    camera: CameraTopics,
    main: RosTopic,
    taken: readonly { picture: Waiting; depth: Waiting | undefined }[],
  ): void {
    for (const one of taken) this.#held.push({ camera, main, ...one, triedUs: -Infinity });
  }

  #file(topic: RosTopic, message: RosMessage, timeUs: number): void {
    if (topic.known === "sensor_msgs/msg/CameraInfo") this.#kept.set(topic.name, message);
    else if (topic.name.endsWith("tf_static")) this.#keepFixed(message);
    else if (isPoseTopic(topic)) {
      this.#newestPoseUs = Math.max(this.#newestPoseUs, timeUs);
      this.#window.push(message);
      if (this.#window.length > WINDOW_MESSAGES || this.#window[0]!.logTimeUs < this.#clockUs - 2 * WINDOW_US)
        this.#window = this.#window
          .filter(({ logTimeUs }) => logTimeUs >= this.#clockUs - WINDOW_US)
          .slice(-WINDOW_MESSAGES / 2);
    }
  }

  /** Stores fixed transforms individually, since bridges repeat them after every reconnection. */
  #keepFixed(message: RosMessage): void {
    const said = this.#messages.get(message.data) as { transforms?: { child_frame_id: string }[] };
    // One transform without a list is a TransformStamped.
    for (const one of said.transforms ?? [said as { child_frame_id: string }]) {
      const key = `${message.topic} ${one.child_frame_id}`;
      if (this.#kept.size >= MAX_FIXED && !this.#kept.has(key)) return;
      const data = new Uint8Array(0);
      this.#messages.set(data, said.transforms ? { transforms: [one] } : one);
      this.#kept.set(key, { ...message, data });
    }
  }

  /** Pictures whose pose has arrived, or that have waited long enough. */
  #ready(isLast: boolean): LiveShot[] {
    const ready: LiveShot[] = [];
    for (let head = this.#held[0]; head; head = this.#held[0]) {
      const shot = this.#shotOf(head, isLast || this.#isOverdue(head));
      if (!shot) break;
      this.#held.shift();
      if (!head.depth && this.#hasPartner(head.camera)) this.withoutDepth++;
      ready.push(shot);
    }
    return ready;
  }

  #isOverdue({ picture }: Held): boolean {
    return this.#clockUs - picture.logTimeUs > WAIT_US || this.#held.length > MAX_WAITING;
  }

  #hasPartner(camera: CameraTopics): boolean {
    return this.#cameras.some((one) => one.camera === camera && one.partner !== undefined);
  }

  /** With the poses around it; undefined while it waits for them. */
  #shotOf(held: Held, isOverdue: boolean): LiveShot | undefined {
    const { picture, camera, main, depth } = held;
    const { timeUs } = picture;
    if (!isOverdue && this.#hasPoses) {
      if (this.#newestPoseUs < timeUs || this.#clockUs - held.triedUs < RETRY_US) return undefined;
      held.triedUs = this.#clockUs;
    }
    const poses = this.#poses();
    const { header } = this.#messages.get(picture.data) as { header: RosHeader };
    const asked = this.#world === undefined ? this.#options : { ...this.#options, worldFrame: this.#world };
    const found = viewpointOf(frameName(header.frame_id), main.name, poses, asked);
    // Poses in two frames would put one house in two places.
    const viewpoint = this.#world === undefined || found?.world === this.#world ? found : undefined;
    // The nearest pose will do only once no better one can be waited for.
    const toleranceUs = isOverdue ? poseToleranceUs(this.#options) : 0;
    const isPosed = viewpoint && poseAt(poses.tree, viewpoint, timeUs, toleranceUs) !== undefined;
    if (!isOverdue && this.#hasPoses && !isPosed) return undefined;
    if (isPosed) this.#world ??= viewpoint.world;
    else this.withoutPose++;
    return { shot: { camera: { topics: camera, main, viewpoint }, picture, depth }, poses };
  }

  #poses(): RobotPoses {
    const reader = new RobotPoseReader([...this.#topics.values()], this.decode, this.#options);
    for (const message of this.#kept.values()) reader.take(message);
    for (const message of this.#window) reader.take(message);
    return reader.poses();
  }
}
