import { type FileHandle, open } from "node:fs/promises";
import { zstdCompressSync } from "node:zlib";
import type { Frame } from "../frame.ts";
import type { ColourCodec } from "../images.ts";
import { InfoCounter, type RecordingWriter, type TimedEdge } from "../recording.ts";
import {
  edgeMessage,
  frameMessages,
  type MessageTimes,
  type OutgoingMessage,
  timesOf,
} from "../ros/frame-messages.ts";
import { INFO_METADATA } from "../ros/mcap-source.ts";
import { definitionsOf, type RosType, schemaText } from "../ros/ros-types.ts";
import { loadMcap } from "./packages.ts";

const CHUNK_BYTES = 4 << 20;

type Packages = Awaited<ReturnType<typeof loadMcap>>;

/**
 * Writes ROS 2 messages, so that Foxglove and rosbag2 show the recording: compressed colour, raw 16-bit depth and
 * masks, camera info, poses as TF and PoseStamped, scans. What ROS has no message for is written as JSON beside them
 * (`…/frame`); our reader uses it, so that the round trip is exact. Chunks are zstd.
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
    const times = timesOf(frame.timeUs, frame.receivedAtUs ?? frame.timeUs);
    for (const message of await frameMessages(frame, this.#colour))
      await this.#put(message, frame.index, times);
    this.#counter.frame(frame);
  }

  async writeEdge(edge: TimedEdge): Promise<void> {
    await this.#put(edgeMessage(edge), this.#edges++, timesOf(edge.receivedAtUs, edge.receivedAtUs));
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

  async #put(
    { topic, type, message }: OutgoingMessage,
    sequence: number,
    times: MessageTimes,
  ): Promise<void> {
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
