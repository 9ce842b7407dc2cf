import {
  ecefFromEnu,
  enuFromGeodetic,
  fromYaw,
  type Geodetic,
  type Transform,
} from "../../geometry/index.ts";
import type { ReadOptions } from "../options.ts";
import { PoseCollector, type PoseTree } from "../pose-track.ts";
import type { TimedEdge } from "../recording.ts";
import type { Decode, MessageSource, RosMessage, RosTopic } from "./message-source.ts";
import type {
  RosCameraInfo,
  RosHeader,
  RosNavSatFix,
  RosOdometry,
  RosPose,
  RosTransformStamped,
} from "./messages.ts";
import { microsecondsOf } from "./messages.ts";

/** Everything small that is read before the pictures: poses and camera infos. */
export interface RobotPoses {
  readonly tree: PoseTree;
  readonly infos: ReadonlyMap<string, RosCameraInfo>;
  /** Frames that can stand for the robot if its camera is attached to none, best first. */
  readonly bodies: readonly Body[];
  /** Where on Earth the map lies, if satellite fixes say so. */
  readonly geodetic: TimedEdge | undefined;
  readonly refused: number;
  readonly damaged: number;
}

export interface Body {
  readonly frame: string;
  readonly topic: string;
  /** A PoseStamped beside a camera's own topics is the camera's pose; any other is the robot's. */
  readonly kind: "odometry" | "pose" | "satellite";
}

const POSE_TYPES: ReadonlySet<string> = new Set([
  "tf2_msgs/msg/TFMessage",
  "geometry_msgs/msg/TransformStamped",
  "geometry_msgs/msg/PoseStamped",
  "geometry_msgs/msg/PoseWithCovarianceStamped",
  "nav_msgs/msg/Odometry",
  "sensor_msgs/msg/NavSatFix",
]);
/** The frame of satellite positions: east, north, up around the first of them. */
const EARTH_TANGENT = "earth-tangent";
/** Below this distance the direction between two fixes is noise. */
const COURSE_M = 1;
const FIXES = 200_000;

/** Whether a topic carries poses. */
export function isPoseTopic(topic: RosTopic): boolean {
  return topic.known !== undefined && topic.encoding !== "other" && POSE_TYPES.has(topic.known);
}

/** Reads all poses and the first camera info of each topic; none of it is large. */
export async function readRobotPoses(
  source: MessageSource,
  decode: Decode,
  options: ReadOptions,
  signal?: AbortSignal,
): Promise<RobotPoses> {
  const reader = new RobotPoseReader(source.topics, decode, options);
  if (reader.topics.size > 0)
    for await (const message of source.messages({ topics: reader.topics, signal })) reader.take(message);
  return reader.poses();
}

/** The same, message by message. */
export class RobotPoseReader {
  /** The names of the topics that it reads. */
  readonly topics: ReadonlySet<string>;
  readonly #topics: ReadonlyMap<string, RosTopic>;
  readonly #decode: Decode;
  readonly #options: ReadOptions;
  readonly #collector = new PoseCollector();
  readonly #infos = new Map<string, RosCameraInfo>();
  readonly #bodies = new Map<string, Body>();
  readonly #fixes: { timeUs: number; place: Geodetic; topic: string }[] = [];
  #damaged = 0;

  constructor(topics: readonly RosTopic[], decode: Decode, options: ReadOptions) {
    this.#topics = new Map(
      topics
        .filter((topic) => isPoseTopic(topic) || topic.known === "sensor_msgs/msg/CameraInfo")
        .map((topic) => [topic.name, topic]),
    );
    this.topics = new Set(this.#topics.keys());
    this.#decode = decode;
    this.#options = options;
  }

  /** Takes a message of any topic; others and damaged ones are skipped. */
  take(message: RosMessage): void {
    const topic = this.#topics.get(message.topic);
    if (!topic) return;
    try {
      this.#read(topic, message);
    } catch (error) {
      this.#damaged++;
      this.#options.onSkip?.({ what: `a message on ${topic.name}`, why: (error as Error).message });
    }
  }

  poses(): RobotPoses {
    const geodetic = addFixes(this.#collector, this.#bodies, this.#fixes);
    const order = ["odometry", "pose", "satellite"];
    const asked = this.#options.topics?.pose;
    return {
      tree: this.#collector.build(),
      infos: this.#infos,
      bodies: [...this.#bodies.values()]
        .filter(({ topic }) => asked === undefined || topic === asked)
        .sort((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind)),
      geodetic,
      refused: this.#collector.refused,
      damaged: this.#damaged,
    };
  }

  #read(topic: RosTopic, { data, logTimeUs }: RosMessage): void {
    const { name } = topic;
    const stamp = ({ stamp }: RosHeader) => microsecondsOf(stamp) ?? logTimeUs;
    const decoded = <T>() => this.#decode<T>(topic, data);
    switch (topic.known) {
      case "sensor_msgs/msg/CameraInfo":
        if (!this.#infos.has(name)) this.#infos.set(name, copyOf(decoded<RosCameraInfo>()));
        break;
      case "tf2_msgs/msg/TFMessage":
        for (const one of decoded<{ transforms: RosTransformStamped[] }>().transforms)
          this.#transform(one, name, stamp);
        break;
      case "geometry_msgs/msg/TransformStamped":
        this.#transform(decoded<RosTransformStamped>(), name, stamp);
        break;
      case "nav_msgs/msg/Odometry": {
        const { header, child_frame_id, pose } = decoded<RosOdometry>();
        const child = frameName(child_frame_id) || "base_link";
        // The tree takes precedence for a frame; odometry of the same frame is kept beside it.
        const frame =
          this.#collector.has(child) && !this.#bodies.has(name)
            ? `${child} by ${name}`
            : (this.#bodies.get(name)?.frame ?? child);
        if (!this.#bodies.has(name)) this.#bodies.set(name, { frame, topic: name, kind: "odometry" });
        this.#collector.add(frameName(header.frame_id) || "odom", frame, stamp(header), poseOf(pose.pose));
        break;
      }
      case "geometry_msgs/msg/PoseStamped":
      case "geometry_msgs/msg/PoseWithCovarianceStamped": {
        const message = decoded<{ header: RosHeader; pose: RosPose | { pose: RosPose } }>();
        const frame = `pose of ${name}`;
        this.#bodies.set(name, { frame, topic: name, kind: "pose" });
        const pose = "pose" in message.pose ? message.pose.pose : message.pose;
        const parent = frameName(message.header.frame_id) || "map";
        this.#collector.add(parent, frame, stamp(message.header), poseOf(pose));
        break;
      }
      case "sensor_msgs/msg/NavSatFix":
        this.#fix(decoded<RosNavSatFix>(), name, stamp);
        break;
    }
  }

  #transform(
    { header, child_frame_id, transform }: RosTransformStamped,
    topic: string,
    stamp: (header: RosHeader) => number,
  ): void {
    const pose = { p: transform.translation, q: transform.rotation };
    const stampUs = topic.endsWith("tf_static") ? null : stamp(header);
    this.#collector.add(frameName(header.frame_id), frameName(child_frame_id), stampUs, pose);
  }

  #fix(fix: RosNavSatFix, topic: string, stamp: (header: RosHeader) => number): void {
    const place = { latitudeDeg: fix.latitude, longitudeDeg: fix.longitude, altitudeM: fix.altitude || 0 };
    const isFix = fix.status.status >= 0 && Math.abs(fix.latitude) <= 90 && Math.abs(fix.longitude) <= 180;
    if (isFix && this.#fixes.length < FIXES) this.#fixes.push({ timeUs: stamp(fix.header), place, topic });
  }
}

/** Satellite positions, with course over ground as heading: rough, but better than nothing. */
function addFixes(
  collector: PoseCollector,
  bodies: Map<string, Body>,
  fixes: readonly { timeUs: number; place: Geodetic; topic: string }[],
): TimedEdge | undefined {
  const origin = fixes[0];
  if (!origin) return undefined;
  const frame = `fixes of ${origin.topic}`;
  const points = fixes
    .filter(({ topic }) => topic === origin.topic)
    .sort((a, b) => a.timeUs - b.timeUs)
    .map(({ timeUs, place }) => ({ timeUs, p: enuFromGeodetic(origin.place, place) }));
  let anchor = points[0]!.p;
  let yaw: number | undefined;
  const headings = points.map(({ p }) => {
    if (Math.hypot(p.x - anchor.x, p.y - anchor.y) >= COURSE_M) {
      yaw = Math.atan2(p.y - anchor.y, p.x - anchor.x);
      anchor = p;
    }
    return yaw;
  });
  const first = headings.find((heading) => heading !== undefined) ?? 0;
  points.forEach(({ timeUs, p }, i) => {
    collector.add(EARTH_TANGENT, frame, timeUs, { p, q: fromYaw(headings[i] ?? first) });
  });
  bodies.set(origin.topic, { frame, topic: origin.topic, kind: "satellite" });
  const transform = ecefFromEnu(origin.place);
  return {
    receivedAtUs: origin.timeUs,
    edge: { parent: "earth", child: "world", stampUs: null, transform, kind: "geodetic", revision: 0 },
  };
}

/** ROS 1 put a slash before frame names; ROS 2 does not. */
export function frameName(name: string): string {
  return name.replace(/^\/+/, "");
}

function poseOf({ position, orientation }: RosPose): Transform {
  return { p: position, q: orientation };
}

/** A source may reuse its buffers after the next message. */
function copyOf(info: RosCameraInfo): RosCameraInfo {
  const copy = (list: ArrayLike<number> | undefined) => (list ? Array.from(list) : []);
  return { ...info, d: copy(info.d ?? info.D), k: copy(info.k ?? info.K), p: copy(info.p ?? info.P) };
}
