import { type FileHandle, open } from "node:fs/promises";
import { zstdCompressSync } from "node:zlib";
import type { Transform } from "../../geometry/index.ts";
import { LociError } from "../../schema/index.ts";
import { type Frame, lineOf } from "../frame.ts";
import { type ColourCodec, encodeColour } from "../images.ts";
import { InfoCounter, type RecordingWriter, type TimedEdge } from "../recording.ts";
import { loadMcap } from "./packages.ts";
import { definitionsOf, type RosType, schemaText } from "./ros-types.ts";

const CHUNK_BYTES = 4 << 20;
export const EDGES_TOPIC = "/loci/edges";
export const INFO_METADATA = "loci-recording";

type Packages = Awaited<ReturnType<typeof loadMcap>>;
type Times = { readonly logTime: bigint; readonly publishTime: bigint };

/**
 * Writes ROS 2 messages, so that Foxglove and rosbag2 show the recording: compressed colour, raw 16-bit depth and
 * masks, camera info, poses as TF and PoseStamped, scans. What ROS has no message for goes as JSON beside them
 * (`…/frame`), and reading back uses that, so the round trip is exact. Chunks are zstd.
 */
export class McapRecordingWriter implements RecordingWriter {
  readonly #file: FileHandle;
  readonly #writer: InstanceType<Packages["core"]["McapWriter"]>;
  readonly #cdr: Packages["cdr"];
  readonly #colour: ColourCodec;
  readonly #counter: InfoCounter;
  readonly #schemas = new Map<RosType, { id: number; encode: (message: unknown) => Uint8Array }>();
  readonly #channels = new Map<string, number>();
  #edges = 0;

  private constructor(file: FileHandle, packages: Packages, colour: ColourCodec, source: string) {
    this.#file = file;
    this.#cdr = packages.cdr;
    this.#colour = colour;
    this.#counter = new InfoCounter(source);
    let position = 0n;
    const writable = {
      position: () => position,
      write: async (bytes: Uint8Array) => {
        await file.writeFile(bytes);
        position += BigInt(bytes.length);
      },
    };
    this.#writer = new packages.core.McapWriter({
      writable,
      chunkSize: CHUNK_BYTES,
      compressChunk: (data) => ({ compression: "zstd", compressedData: zstdCompressSync(data) }),
    });
  }

  static async create(
    path: string,
    options: { colour?: ColourCodec | undefined; source?: string | undefined } = {},
  ): Promise<McapRecordingWriter> {
    const packages = await loadMcap();
    const file = await open(path, "wx");
    const writer = new McapRecordingWriter(file, packages, options.colour ?? "png", options.source ?? "");
    await writer.#writer.start({ profile: "ros2", library: "loci" });
    return writer;
  }

  async writeFrame(frame: Frame): Promise<void> {
    const { timeUs, agentId, sensorId, index, mapFrame, worldFromCamera, rgb, depth, masks, scan } = frame;
    const times = { logTime: nanoseconds(frame.receivedAtUs ?? timeUs), publishTime: nanoseconds(timeUs) };
    const optical = `${agentId}/${sensorId}`;
    const base = `/${optical}`;
    const header = { stamp: stampOf(timeUs), frame_id: optical };
    if (rgb) {
      const data = await encodeColour(rgb, this.#colour);
      await this.#put(`${base}/color/compressed`, "sensor_msgs/msg/CompressedImage", index, times, {
        header,
        format: this.#colour,
        data,
      });
    }
    if (depth)
      await this.#put(`${base}/depth/image`, "sensor_msgs/msg/Image", index, times, grey16(header, depth));
    if (masks)
      await this.#put(`${base}/masks/image`, "sensor_msgs/msg/Image", index, times, grey16(header, masks));
    await this.#put(
      `${base}/camera_info`,
      "sensor_msgs/msg/CameraInfo",
      index,
      times,
      cameraInfo(header, frame),
    );
    if (worldFromCamera) {
      const map = { stamp: header.stamp, frame_id: mapFrame };
      const { position, orientation } = rosPose(worldFromCamera);
      const transform = { translation: position, rotation: orientation };
      await this.#put("/tf", "tf2_msgs/msg/TFMessage", index, times, {
        transforms: [{ header: map, child_frame_id: optical, transform }],
      });
      await this.#put(`${base}/pose`, "geometry_msgs/msg/PoseStamped", index, times, {
        header: map,
        pose: { position, orientation },
      });
    }
    if (scan)
      await this.#put(
        `/${agentId}/scan`,
        "sensor_msgs/msg/LaserScan",
        index,
        times,
        laserScan(agentId, frame),
      );
    // Last, because its arrival tells a reader that the frame is whole.
    await this.#put(`${base}/frame`, "std_msgs/msg/String", index, times, {
      data: asciiJson(lineOf(frame)),
    });
    this.#counter.frame(frame);
  }

  async writeEdge(edge: TimedEdge): Promise<void> {
    const time = nanoseconds(edge.receivedAtUs);
    const times = { logTime: time, publishTime: time };
    await this.#put(EDGES_TOPIC, "std_msgs/msg/String", this.#edges++, times, { data: asciiJson(edge) });
    this.#counter.edge();
  }

  async finish(): Promise<void> {
    await this.#writer.addMetadata({
      name: INFO_METADATA,
      metadata: new Map([["json", JSON.stringify(this.#counter.info())]]),
    });
    await this.#writer.end();
    await this.#file.close();
  }

  async abort(): Promise<void> {
    await this.#file.close();
  }

  async #put(topic: string, type: RosType, sequence: number, times: Times, message: unknown): Promise<void> {
    const schema = await this.#schema(type);
    let channelId = this.#channels.get(topic);
    if (channelId === undefined) {
      channelId = await this.#writer.registerChannel({
        schemaId: schema.id,
        topic,
        messageEncoding: "cdr",
        metadata: new Map(),
      });
      this.#channels.set(topic, channelId);
    }
    await this.#writer.addMessage({ channelId, sequence, ...times, data: schema.encode(message) });
  }

  async #schema(type: RosType) {
    let schema = this.#schemas.get(type);
    if (!schema) {
      const data = new TextEncoder().encode(schemaText(type));
      const id = await this.#writer.registerSchema({ name: type, encoding: "ros2msg", data });
      const writer = new this.#cdr.MessageWriter(definitionsOf(type));
      schema = { id, encode: (message) => writer.writeMessage(message) };
      this.#schemas.set(type, schema);
    }
    return schema;
  }
}

/** The CDR writer counts a string's length in UTF-16 units, not bytes: anything but ASCII would be cut off. */
function asciiJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[^\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

function nanoseconds(timeUs: number): bigint {
  if (timeUs < 0)
    throw new LociError("invalid-input", `expected a time after 1970 for MCAP, got ${timeUs} µs`);
  return BigInt(timeUs) * 1000n;
}

function stampOf(timeUs: number): { sec: number; nanosec: number } {
  return { sec: Math.floor(timeUs / 1e6), nanosec: (timeUs % 1e6) * 1000 };
}

function grey16(
  header: unknown,
  { width, height, data }: { width: number; height: number; data: Uint16Array },
) {
  const bytes = new Uint8Array(data.length * 2);
  const view = new DataView(bytes.buffer);
  for (let i = 0; i < data.length; i++) view.setUint16(2 * i, data[i]!, true);
  return { header, height, width, encoding: "16UC1", is_bigendian: 0, step: width * 2, data: bytes };
}

function cameraInfo(header: unknown, { intrinsics: { fx, fy, cx, cy, width, height } }: Frame) {
  const u = cx - 0.5;
  const v = cy - 0.5;
  return {
    header,
    height,
    width,
    distortion_model: "plumb_bob",
    d: [0, 0, 0, 0, 0],
    k: [fx, 0, u, 0, fy, v, 0, 0, 1],
    r: [1, 0, 0, 0, 1, 0, 0, 0, 1],
    p: [fx, 0, u, 0, 0, fy, v, 0, 0, 0, 1, 0],
    binning_x: 0,
    binning_y: 0,
    roi: { x_offset: 0, y_offset: 0, height: 0, width: 0, do_rectify: false },
  };
}

function rosPose({ p, q }: Transform) {
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
