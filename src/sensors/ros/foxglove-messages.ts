import { LociError } from "../../schema/index.ts";
import { parseLive } from "./ros-json.ts";
import type { RosType } from "./ros-types.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Foxglove's own message types (docs.foxglove.dev/docs/sdk/schemas), each with the ROS message that says the same. */
const TRANSLATIONS: Readonly<Record<string, readonly [RosType, (message: Fields) => unknown]>> = {
  "foxglove.CompressedImage": [
    "sensor_msgs/msg/CompressedImage",
    (m) => ({ header: headerOf(m), format: m["format"], data: m["data"] }),
  ],
  "foxglove.RawImage": [
    "sensor_msgs/msg/Image",
    (m) => ({
      header: headerOf(m),
      width: m["width"],
      height: m["height"],
      encoding: m["encoding"],
      is_bigendian: 0,
      step: m["step"],
      data: m["data"],
    }),
  ],
  "foxglove.CameraCalibration": [
    "sensor_msgs/msg/CameraInfo",
    (m) => ({
      header: headerOf(m),
      width: m["width"],
      height: m["height"],
      distortion_model: m["distortion_model"],
      d: m["D"],
      k: m["K"],
      p: m["P"],
    }),
  ],
  "foxglove.FrameTransform": ["geometry_msgs/msg/TransformStamped", transformOf],
  "foxglove.FrameTransforms": [
    "tf2_msgs/msg/TFMessage",
    (m) => ({ transforms: (m["transforms"] as Fields[]).map(transformOf) }),
  ],
  "foxglove.PoseInFrame": [
    "geometry_msgs/msg/PoseStamped",
    (m) => {
      const pose = m["pose"] as Fields | undefined;
      return {
        header: headerOf(m),
        pose: { position: pose?.["position"] ?? ORIGIN, orientation: pose?.["orientation"] },
      };
    },
  ],
};
const ORIGIN = { x: 0, y: 0, z: 0 };

/** The ROS type that a Foxglove type is read as. */
export function foxgloveType(name: string): RosType | undefined {
  return Object.hasOwn(TRANSLATIONS, name) ? TRANSLATIONS[name]![0] : undefined;
}

/** A Foxglove or ROS message that came as JSON or Protocol Buffers, in the form of our bag decoders. */
export function translated(type: string, known: RosType, message: unknown): unknown {
  if (typeof message !== "object" || message === null)
    throw new LociError("invalid-input", `expected an object for ${type.slice(0, 80)}`);
  const translate = Object.hasOwn(TRANSLATIONS, type) ? TRANSLATIONS[type]![1] : undefined;
  return parseLive(known, translate ? translate(message as Fields) : message);
}

function transformOf(m: Fields) {
  return {
    header: { stamp: stampOf(m["timestamp"]), frame_id: m["parent_frame_id"] },
    child_frame_id: m["child_frame_id"],
    transform: { translation: m["translation"] ?? ORIGIN, rotation: m["rotation"] },
  };
}

function headerOf(m: Fields) {
  return { stamp: stampOf(m["timestamp"]), frame_id: m["frame_id"] ?? "" };
}

/** Protocol Buffers say seconds and nanos, JSON sec and nsec. */
function stampOf(stamp: unknown) {
  const { sec, nsec, seconds, nanos } = (stamp ?? {}) as Readonly<Record<string, number | undefined>>;
  return { sec: sec ?? seconds ?? 0, nanosec: nsec ?? nanos ?? 0 };
}
