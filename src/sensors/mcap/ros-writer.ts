import { type FileHandle, open } from "node:fs/promises";
import { zstdCompressSync } from "node:zlib";
import type { MessageTimes, OutgoingMessage } from "../ros/frame-messages.ts";
import { definitionsOf, type RosType, schemaText } from "../ros/ros-types.ts";
import { loadMcap } from "./packages.ts";

const CHUNK_BYTES = 4 << 20;

type Packages = Awaited<ReturnType<typeof loadMcap>>;

/** ROS 2 messages into an MCAP file as `ros2 bag record -s mcap` leaves it: CDR, schemas, chunks in zstd, an index. */
export class RosMcapWriter {
  readonly #file: FileHandle;
  readonly #writer: InstanceType<Packages["core"]["McapWriter"]>;
  readonly #cdr: Packages["cdr"];
  readonly #schemas = new Map<RosType, { id: number; encode: (message: unknown) => Uint8Array }>();
  readonly #channels = new Map<string, number>();

  private constructor(file: FileHandle, packages: Packages) {
    this.#file = file;
    this.#cdr = packages.cdr;
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

  static async create(path: string, library: string): Promise<RosMcapWriter> {
    const packages = await loadMcap();
    const writer = new RosMcapWriter(await open(path, "wx"), packages);
    await writer.#writer.start({ profile: "ros2", library });
    return writer;
  }

  async put({ topic, type, message }: OutgoingMessage, sequence: number, times: MessageTimes): Promise<void> {
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

  async finish(metadata?: { readonly name: string; readonly metadata: Map<string, string> }): Promise<void> {
    if (metadata) await this.#writer.addMetadata(metadata);
    await this.#writer.end();
    await this.#file.close();
  }

  async abort(): Promise<void> {
    await this.#file.close();
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
