import type { Intrinsics, Lens, Transform } from "../../geometry/index.ts";
import { LociError } from "../../schema/index.ts";
import { type Frame, lineOf } from "../frame.ts";
import { type ColourCodec, encodeColour } from "../images.ts";
import type { TimedEdge } from "../recording.ts";
import type { RosType } from "./ros-types.ts";

export const EDGES_TOPIC = "/loci/edges";

/** One message to be written, before it is encoded. */
export interface OutgoingMessage {
  readonly topic: string;
  readonly type: RosType;
  readonly message: unknown;
}

/** When a frame or an edge was received by the recorder, and when it was made, in nanoseconds. */
export interface MessageTimes {
  readonly logTime: bigint;
  readonly publishTime: bigint;
}

/**
 * A frame as ROS 2 messages: compressed colour, raw 16-bit depth and masks, camera info, the pose as TF and
 * PoseStamped, a scan; last, the JSON of everything, whose arrival tells a reader that the frame is complete.
 */
export async function frameMessages(frame: Frame, codec: ColourCodec): Promise<OutgoingMessage[]> {
  const { timeUs, agentId, sensorId, mapFrame, worldFromCamera, rgb, depth, masks, scan } = frame;
  const optical = `${agentId}/${sensorId}`;
  const base = `/${optical}`;
  const header = { stamp: stampOf(timeUs), frame_id: optical };
  const out: OutgoingMessage[] = [];
  const put = (topic: string, type: RosType, message: unknown) => out.push({ topic, type, message });
  if (rgb) {
    const data = await encodeColour(rgb, codec);
    put(`${base}/color/compressed`, "sensor_msgs/msg/CompressedImage", { header, format: codec, data });
  }
  if (depth) put(`${base}/depth/image`, "sensor_msgs/msg/Image", grey16(header, depth));
  if (masks) put(`${base}/masks/image`, "sensor_msgs/msg/Image", grey16(header, masks));
  put(`${base}/camera_info`, "sensor_msgs/msg/CameraInfo", cameraInfo(header, frame.intrinsics, PINHOLE));
  if (worldFromCamera) {
    const map = { stamp: header.stamp, frame_id: mapFrame };
    const { position, orientation } = rosPose(worldFromCamera);
    const transform = { translation: position, rotation: orientation };
    put("/tf", "tf2_msgs/msg/TFMessage", {
      transforms: [{ header: map, child_frame_id: optical, transform }],
    });
    put(`${base}/pose`, "geometry_msgs/msg/PoseStamped", { header: map, pose: { position, orientation } });
  }
  if (scan) put(`/${agentId}/scan`, "sensor_msgs/msg/LaserScan", laserScan(agentId, frame));
  put(`${base}/frame`, "std_msgs/msg/String", { data: asciiJson(lineOf(frame)) });
  return out;
}

/** A map correction as a message. */
export function edgeMessage(edge: TimedEdge): OutgoingMessage {
  return { topic: EDGES_TOPIC, type: "std_msgs/msg/String", message: { data: asciiJson(edge) } };
}

/** The log time is when the recorder received it. */
export function timesOf(madeUs: number, receivedUs: number): MessageTimes {
  return { logTime: nanoseconds(receivedUs), publishTime: nanoseconds(madeUs) };
}

/** The CDR writer counts a string's length in UTF-16 units, not bytes: non-ASCII text would be truncated. */
function asciiJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[^\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

function nanoseconds(timeUs: number): bigint {
  if (timeUs < 0)
    throw new LociError("invalid-input", `expected a time after 1970 for ROS, got ${timeUs} µs`);
  return BigInt(timeUs) * 1000n;
}

export function stampOf(timeUs: number): { sec: number; nanosec: number } {
  return { sec: Math.floor(timeUs / 1e6), nanosec: (timeUs % 1e6) * 1000 };
}

/** Sixteen bits a pixel: millimetres, or numbers of masks. */
export function grey16(
  header: unknown,
  { width, height, data }: { width: number; height: number; data: Uint16Array },
) {
  const bytes = new Uint8Array(data.length * 2);
  const view = new DataView(bytes.buffer);
  for (let i = 0; i < data.length; i++) view.setUint16(2 * i, data[i]!, true);
  return { header, height, width, encoding: "16UC1", is_bigendian: 0, step: width * 2, data: bytes };
}

const PINHOLE: Lens = { model: "plumb_bob", coefficients: [0, 0, 0, 0, 0] };

/** Pixel centres at integers, as ROS has them. */
export function cameraInfo(
  header: unknown,
  { fx, fy, cx, cy, width, height }: Intrinsics,
  { model, coefficients }: Lens,
) {
  const u = cx - 0.5;
  const v = cy - 0.5;
  return {
    header,
    height,
    width,
    distortion_model: model,
    d: [...coefficients],
    k: [fx, 0, u, 0, fy, v, 0, 0, 1],
    r: [1, 0, 0, 0, 1, 0, 0, 0, 1],
    p: [fx, 0, u, 0, 0, fy, v, 0, 0, 0, 1, 0],
    binning_x: 0,
    binning_y: 0,
    roi: { x_offset: 0, y_offset: 0, height: 0, width: 0, do_rectify: false },
  };
}

export function rosPose({ p, q }: Transform) {
  return { position: { x: p.x, y: p.y, z: p.z }, orientation: { x: q.x, y: q.y, z: q.z, w: q.w } };
}

function laserScan(agentId: string, { scan, timeUs }: Frame) {
  const { startRad, stepRad, rangesMm } = scan!;
  return {
    header: { stamp: stampOf(timeUs), frame_id: `${agentId}/base` },
    angle_min: startRad,
    angle_max: startRad + stepRad * (rangesMm.length - 1),
    angle_increment: stepRad,
    time_increment: 0,
    scan_time: 0,
    range_min: 0.01,
    range_max: 65.535,
    ranges: Float32Array.from(rangesMm, (mm) => (mm === 0 ? Infinity : mm / 1000)),
    intensities: new Float32Array(0),
  };
}
