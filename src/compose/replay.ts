import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { LociError } from "../schema/core.ts";

/** One topic of a recorded file, as its bytes are described there. */
export interface ReplayChannel {
  readonly topic: string;
  readonly type: string;
  readonly encoding: string;
  readonly schemaEncoding: string;
  readonly schema: Uint8Array;
}

/** The raw messages of an MCAP recording, any number of times, in order of log time. */
export interface Replay {
  readonly channels: readonly ReplayChannel[];
  readonly startUs: number;
  readonly endUs: number;
  messages(signal?: AbortSignal): AsyncIterable<{ topic: string; timeUs: number; data: Uint8Array }>;
  close(): Promise<void>;
}

/** An MCAP file, or a folder of them that are one recording, for playing it back byte by byte. */
export async function openReplay(path: string): Promise<Replay> {
  const { chained } = await import("../sensors/ros/message-source.ts");
  const { openMcapSource } = await import("../sensors/ros/mcap-source.ts");
  const files = await filesAt(path);
  const sources: Awaited<ReturnType<typeof openMcapSource>>[] = [];
  const close = async () => {
    for (const source of sources) await source.close();
  };
  try {
    for (const file of files) sources.push(await openMcapSource(file));
    const { topics, startUs, endUs, messages } = chained(sources);
    if (startUs === null || endUs === null)
      throw new LociError("invalid-input", `expected an MCAP recording, found no message in ${path}`);
    const channels = topics.map(({ name, type, wire }): ReplayChannel => {
      return { topic: name, type, encoding: "", schemaEncoding: "", schema: NOTHING, ...wire };
    });
    return {
      channels,
      startUs,
      endUs,
      async *messages(signal) {
        for await (const { topic, logTimeUs, data } of messages({ signal }))
          yield { topic, timeUs: logTimeUs, data };
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

const NOTHING = new Uint8Array(0);

async function filesAt(path: string): Promise<string[]> {
  const found = await stat(path).catch((cause: unknown) => {
    throw new LociError("invalid-input", `expected an MCAP file, nothing is at ${path}`, { cause });
  });
  if (!found.isDirectory()) return [path];
  const files = (await readdir(path))
    .filter((name) => name.endsWith(".mcap"))
    .sort((a, b) => a.localeCompare(b, "en", { numeric: true }))
    .map((name) => join(path, name));
  if (files.length === 0) throw new LociError("invalid-input", `expected an MCAP file in ${path}, got none`);
  return files;
}
