import { open, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { LociError } from "../schema/index.ts";
import { openShots } from "./datasets/open-shots.ts";
import { checkIsFile } from "./files.ts";
import { openOwnFolder } from "./folder/reader.ts";
import { listFolder } from "./folder-layouts.ts";
import { checkScheme, isLive, openLive } from "./live/open-live.ts";
import type { ReadOptions } from "./options.ts";
import { openBag } from "./ros/bag-source.ts";
import { openDb3 } from "./ros/db3-source.ts";
import { openMcapSource } from "./ros/mcap-source.ts";
import { chained, type MessageSource } from "./ros/message-source.ts";
import { ownSource } from "./ros/own-reader.ts";
import { openRosSource } from "./ros/reader.ts";
import type { OpenSource } from "./source.ts";
import { openText } from "./text/sniff.ts";
import { openVideo } from "./video/video-source.ts";

const BAG_FILES = 1_024;

/** Detects the format by names and first bytes, never by extensions alone, and opens it. */
export async function detectSource(path: string, options: ReadOptions): Promise<OpenSource> {
  if (isLive(path)) return openLive(path, options);
  const found = await stat(path).catch((cause: unknown) => {
    checkScheme(path);
    throw new LociError("invalid-input", `expected a recording, nothing is at ${path}`, { cause });
  });
  return found.isDirectory() ? detectFolder(path, options) : detectFile(path, options);
}

async function detectFile(path: string, options: ReadOptions): Promise<OpenSource> {
  const head = await firstBytes(path);
  const text = Buffer.from(head).toString("latin1");
  if (text.startsWith("\x89MCAP")) return rosSource(path, [path], openMcapSource, options);
  if (text.startsWith("SQLite format 3\0")) return rosSource(path, [path], openDb3, options);
  if (text.startsWith("#ROSBAG V2.0")) return rosSource(path, [path], openBag, options);
  if (head[0] === 0x28 && head[1] === 0xb5 && head[2] === 0x2f && head[3] === 0xfd)
    throw new LociError("not-supported", `${path} is compressed as a whole: unpack it first (zstd -d)`);
  if (text.slice(4, 8) === "ftyp" || text.startsWith("\x1aE\xdf\xa3") || /\.avi$/i.test(path))
    return openVideo(path, options);
  if (/\.(json|jsonl|ndjson|csv|tsv)$/i.test(path) || /^\s*[[{]/.test(text)) return openText(path, options);
  throw new LociError(
    "invalid-input",
    `expected a folder of frames, a bag (.mcap, .db3, .bag), captions (.json, .jsonl, .csv), a scene graph (.json) or a video; could not tell what ${path} is`,
  );
}

async function detectFolder(path: string, options: ReadOptions): Promise<OpenSource> {
  const names = await readdir(path);
  const ending = (end: string) =>
    names
      .filter((name) => name.endsWith(end))
      .sort((a, b) => a.localeCompare(b, "en", { numeric: true }))
      .map((name) => join(path, name));
  const bags = (
    [
      [".mcap", openMcapSource],
      [".db3", openDb3],
      [".bag", openBag],
    ] as const
  ).flatMap(([end, opener]) => {
    const files = ending(end);
    return files.length > 0 ? [{ end, opener, files }] : [];
  });
  const [bag, ...others] = bags;
  // Either one recording in two formats, or two recordings side by side: ambiguous.
  if (bag && others.length > 0)
    throw new LociError(
      "invalid-input",
      `${path} holds ${bags.map(({ end, files }) => `${files.length} ${end}`).join(", ")}: name one of the files`,
    );
  if (bag) return rosSource(path, bag.files, bag.opener, options);
  return (await openOwnFolder(path, options)) ?? openShots(await listFolder(path, names, options), options);
}

async function rosSource(
  path: string,
  files: readonly string[],
  opener: (file: string) => Promise<MessageSource>,
  options: ReadOptions,
): Promise<OpenSource> {
  if (files.length > BAG_FILES)
    throw new LociError("limit-exceeded", `more than ${BAG_FILES} bags in ${path}`);
  const sources: MessageSource[] = [];
  try {
    for (const file of files) sources.push(await opener(file));
    const source = chained(sources);
    return source.ownInfo ? ownSource(path, source) : await openRosSource(path, source, options);
  } catch (error) {
    for (const source of sources) await source.close();
    throw error;
  }
}

async function firstBytes(path: string): Promise<Uint8Array> {
  const found = await stat(path).catch(() => undefined);
  if (found) checkIsFile(found, path);
  const file = await open(path).catch((cause: unknown) => {
    throw new LociError("invalid-input", `expected a file that can be read at ${path}`, { cause });
  });
  try {
    const bytes = new Uint8Array(64);
    const { bytesRead } = await file.read(bytes, 0, bytes.length, 0);
    return bytes.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
