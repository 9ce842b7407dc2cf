import { type FileHandle, open } from "node:fs/promises";
import { zstdCompressSync } from "node:zlib";
import type { MemoryReader } from "../../memory/index.ts";
import { throwIfAborted } from "../../schema/index.ts";
import { loadMcap } from "../../sensors/mcap/packages.ts";
import type { ExportOptions, ExportReport } from "../formats/format.ts";
import { writeWholeBy } from "../whole-file.ts";
import { historyOf } from "./history.ts";
import { SCHEMAS, type SchemaName, type Told } from "./topics.ts";

const CHUNK_BYTES = 4 << 20;
const PROGRESS_MESSAGES = 1_000;

type Packages = Awaited<ReturnType<typeof loadMcap>>;

/** A memory over world time as an MCAP file: JSON messages with Foxglove's schemas, chunks zstd, indexed. */
export async function exportMcap(
  reader: MemoryReader,
  path: string,
  options: ExportOptions,
): Promise<ExportReport> {
  const packages = await loadMcap();
  const { signal, onProgress, ...what } = options;
  return writeWholeBy(
    path,
    async (partial) => {
      const file = await open(partial, "w");
      try {
        const scene = await SceneFile.start(file, packages);
        for await (const told of historyOf(reader, what)) {
          throwIfAborted(signal);
          await scene.put(told);
          if (scene.messages % PROGRESS_MESSAGES === 0) onProgress?.(`${scene.messages} messages`);
        }
        const bytes = await scene.finish();
        await file.sync();
        return { bytes, counts: { messages: scene.messages, topics: scene.topics }, notes: [] };
      } finally {
        await file.close();
      }
    },
    signal,
  );
}

class SceneFile {
  readonly #writer: InstanceType<Packages["core"]["McapWriter"]>;
  readonly #schemas = new Map<SchemaName, number>();
  readonly #channels = new Map<string, { id: number; sent: number }>();
  #bytes = 0n;
  messages = 0;

  private constructor(file: FileHandle, { core }: Packages) {
    this.#writer = new core.McapWriter({
      writable: {
        position: () => this.#bytes,
        write: async (bytes: Uint8Array) => {
          await file.writeFile(bytes);
          this.#bytes += BigInt(bytes.length);
        },
      },
      chunkSize: CHUNK_BYTES,
      compressChunk: (data) => ({ compression: "zstd", compressedData: zstdCompressSync(data) }),
    });
  }

  static async start(file: FileHandle, packages: Packages): Promise<SceneFile> {
    const made = new SceneFile(file, packages);
    await made.#writer.start({ profile: "", library: "loci" });
    return made;
  }

  get topics(): number {
    return this.#channels.size;
  }

  async put({ topic, schema, timeUs, json }: Told): Promise<void> {
    let channel = this.#channels.get(topic);
    if (channel === undefined) {
      const schemaId = await this.#schema(schema);
      const id = await this.#writer.registerChannel({
        schemaId,
        topic,
        messageEncoding: "json",
        metadata: new Map(),
      });
      channel = { id, sent: 0 };
      this.#channels.set(topic, channel);
    }
    // MCAP times count from 1970; earlier ones are clamped to it.
    const timeNs = BigInt(Math.max(0, timeUs)) * 1_000n;
    this.messages++;
    await this.#writer.addMessage({
      channelId: channel.id,
      sequence: channel.sent++,
      logTime: timeNs,
      publishTime: timeNs,
      data: Buffer.from(json),
    });
  }

  async finish(): Promise<number> {
    await this.#writer.end();
    return Number(this.#bytes);
  }

  async #schema(name: SchemaName): Promise<number> {
    let id = this.#schemas.get(name);
    if (id === undefined) {
      const data = Buffer.from(JSON.stringify(SCHEMAS[name]));
      id = await this.#writer.registerSchema({ name, encoding: "jsonschema", data });
      this.#schemas.set(name, id);
    }
    return id;
  }
}
