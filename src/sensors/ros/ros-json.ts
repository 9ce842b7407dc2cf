import { z } from "zod";
import { LociError } from "../../schema/index.ts";
import type { RosType } from "./ros-types.ts";

const MAX_NUMBERS = 10_000_000;
const number = z.number();
const name = z.string().max(1_024);

/** ROS 1 bridges say secs and nsecs, ROS 2 sec and nanosec. */
const stamp = z
  .object({
    sec: number.optional(),
    nanosec: number.optional(),
    secs: number.optional(),
    nsecs: number.optional(),
  })
  .transform(({ sec, nanosec, secs, nsecs }) => ({ sec: sec ?? secs ?? 0, nanosec: nanosec ?? nsecs ?? 0 }));
const header = z.object({ stamp, frame_id: name.default("") });
const vector = z.object({ x: number, y: number, z: number });
const quaternion = z.object({ x: number, y: number, z: number, w: number });
const pose = z.object({ position: vector, orientation: quaternion });
const transformStamped = z.object({
  header,
  child_frame_id: name,
  transform: z.object({ translation: vector, rotation: quaternion }),
});
const numbers = z.array(number).max(64);

/** Bytes: raw in CBOR, base64 in JSON, or, with some bridges, a list of numbers. */
const bytes = z
  .union([
    z.custom<Uint8Array>((value) => value instanceof Uint8Array),
    z.string(),
    z.array(z.int().min(0).max(255)).max(MAX_NUMBERS),
  ])
  .transform((value) => (typeof value === "string" ? Buffer.from(value, "base64") : Uint8Array.from(value)));

/** The messages read as JSON and from rosbridge; others are not subscribed to. */
const MESSAGES: Partial<Record<RosType, z.ZodType>> = {
  "sensor_msgs/msg/Image": z.object({
    header,
    width: z.int().min(0),
    height: z.int().min(0),
    encoding: name,
    is_bigendian: z.union([number, z.boolean()]).transform(Number),
    step: z.int().min(0),
    data: bytes,
  }),
  "sensor_msgs/msg/CompressedImage": z.object({ header, format: name, data: bytes }),
  "sensor_msgs/msg/CameraInfo": z.object({
    header,
    width: z.int().min(0),
    height: z.int().min(0),
    distortion_model: name.optional(),
    d: numbers.optional(),
    D: numbers.optional(),
    k: numbers.optional(),
    K: numbers.optional(),
    p: numbers.optional(),
    P: numbers.optional(),
  }),
  "tf2_msgs/msg/TFMessage": z.object({ transforms: z.array(transformStamped).max(4_096) }),
  "geometry_msgs/msg/TransformStamped": transformStamped,
  "nav_msgs/msg/Odometry": z.object({ header, child_frame_id: name, pose: z.object({ pose }) }),
  "geometry_msgs/msg/PoseStamped": z.object({ header, pose }),
  "geometry_msgs/msg/PoseWithCovarianceStamped": z.object({
    header,
    pose: z.object({ pose, covariance: numbers.optional() }),
  }),
};

/** Whether messages of a type are read from a live robot. */
export function isLiveType(type: RosType | undefined): type is RosType {
  return type !== undefined && MESSAGES[type] !== undefined;
}

/** A message in the form of our bag decoders; invalid-input if it does not match its type. */
export function parseLive(type: RosType, message: unknown): unknown {
  const schema = MESSAGES[type];
  if (!schema) throw new LociError("not-supported", `messages of ${type} are not read as JSON`);
  const parsed = schema.safeParse(message);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new LociError("invalid-input", `a message is no ${type}: ${issue?.path.join(".")} ${issue?.message}`);
}

/** The newest stamp in a parsed message; undefined if it has none. */
export function headerOf(message: unknown): { stamp: { sec: number; nanosec: number } } | undefined {
  const { header: own, transforms } = message as {
    header?: { stamp: { sec: number; nanosec: number } };
    transforms?: { header: { stamp: { sec: number; nanosec: number } } }[];
  };
  return own ?? transforms?.at(-1)?.header;
}
