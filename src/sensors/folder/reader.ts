import { open, readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { LIMITS, LociError, parseOrThrow, throwIfAborted } from "../../schema/index.ts";
import { type Frame, frameLineSchema, frameOf } from "../frame.ts";
import { decodeColour, decodeGrey16 } from "../images.ts";
import {
  type RecordingInfo,
  type RecordingItem,
  type RecordingReader,
  recordingInfoSchema,
  type TimedEdge,
  timedEdgeSchema,
} from "../recording.ts";
import {
  COLOUR_FILE,
  EDGES_FILE,
  FRAMES_FILE,
  frameStem,
  INFO_FILE,
  INTRINSICS_FILE,
  parseIntrinsics,
  parsePose,
} from "./layout.ts";

/** 7-Scenes marks missing depth so. */
const NO_DEPTH = 65_535;
const TEXT_BYTES = 65_536;

export interface FolderReaderOptions {
  /** For folders without times, such as 7-Scenes: when the first frame was, and the time between two numbers. */
  readonly startUs?: number | undefined;
  readonly frameIntervalUs?: number | undefined;
  readonly agentId?: string | undefined;
}

/** Reads what `FolderWriter` wrote, and plain 7-Scenes / TSDF folders that never heard of us. */
export async function openFolder(
  folder: string,
  options: FolderReaderOptions = {},
): Promise<RecordingReader> {
  const own = await readText(join(folder, INFO_FILE));
  if (own !== undefined)
    return ownFolder(folder, parseOrThrow(recordingInfoSchema, parseJson(own, INFO_FILE), INFO_FILE));
  return foreignFolder(folder, options);
}

function ownFolder(folder: string, info: RecordingInfo): RecordingReader {
  async function* items({
    signal,
  }: {
    signal?: AbortSignal | undefined;
  } = {}): AsyncGenerator<RecordingItem> {
    const edges: TimedEdge[] = [];
    for await (const line of lines(join(folder, EDGES_FILE))) {
      edges.push(parseOrThrow(timedEdgeSchema, parseJson(line, EDGES_FILE), EDGES_FILE));
    }
    let next = 0;
    for await (const line of lines(join(folder, FRAMES_FILE))) {
      throwIfAborted(signal);
      const parsed = parseOrThrow(frameLineSchema, parseJson(line, FRAMES_FILE), FRAMES_FILE);
      const arrivedUs = parsed.receivedAtUs ?? parsed.timeUs;
      while (next < edges.length && edges[next]!.receivedAtUs <= arrivedUs)
        yield { kind: "edge", edge: edges[next++]! };
      yield { kind: "frame", frame: frameOf(parsed, await readImages(folder, parsed.index)) };
    }
    while (next < edges.length) yield { kind: "edge", edge: edges[next++]! };
  }
  return { format: "folder", info, items, close: async () => {} };
}

async function foreignFolder(folder: string, options: FolderReaderOptions): Promise<RecordingReader> {
  const names = await readdir(folder);
  const found = names
    .flatMap((name) => {
      const match = COLOUR_FILE.exec(name);
      return match ? [{ name, stem: name.slice(0, name.indexOf(".")), number: Number(match[1]) }] : [];
    })
    .sort((a, b) => a.number - b.number);
  const first = found[0];
  if (!first) {
    throw new LociError("invalid-input", `expected frame-N.color.png or .jpg files in ${folder}, found none`);
  }
  const matrix = await readText(join(folder, INTRINSICS_FILE));
  if (matrix === undefined) throw new LociError("invalid-input", `expected ${INTRINSICS_FILE} in ${folder}`);
  const { startUs = 0, frameIntervalUs = 33_333, agentId = "camera" } = options;
  const timeOf = (number: number) => startUs + (number - first.number) * frameIntervalUs;
  async function* items({
    signal,
  }: {
    signal?: AbortSignal | undefined;
  } = {}): AsyncGenerator<RecordingItem> {
    for (const [index, { name, stem, number }] of found.entries()) {
      throwIfAborted(signal);
      const rgb = await decodeColour(await readBytes(join(folder, name)));
      const depth = await optionalGrey(join(folder, `${stem}.depth.png`));
      for (let i = 0; depth && i < depth.data.length; i++) if (depth.data[i] === NO_DEPTH) depth.data[i] = 0;
      const pose = await readText(join(folder, `${stem}.pose.txt`));
      const worldFromCamera = pose === undefined ? undefined : parsePose(pose);
      const frame: Frame = {
        index,
        timeUs: timeOf(number),
        agentId,
        sensorId: "camera",
        intrinsics: parseIntrinsics(matrix!, rgb),
        mapFrame: "world",
        rgb,
        ...(worldFromCamera && { worldFromCamera }),
        ...(depth && { depth: { ...depth, unitM: 0.001 } }),
      };
      yield { kind: "frame", frame };
    }
  }
  const info: RecordingInfo = {
    version: 1,
    frames: found.length,
    edges: 0,
    startUs: timeOf(first.number),
    endUs: timeOf(found.at(-1)!.number),
    agents: [agentId],
    source: "7-Scenes / TSDF folder",
  };
  return { format: "folder", info, items, close: async () => {} };
}

async function readImages(folder: string, index: number) {
  const stem = join(folder, frameStem(index));
  const colour = (await optionalBytes(`${stem}.color.png`)) ?? (await optionalBytes(`${stem}.color.jpg`));
  return {
    rgb: colour && (await decodeColour(colour)),
    depth: await optionalGrey(`${stem}.depth.png`),
    masks: await optionalGrey(`${stem}.masks.png`),
  };
}

async function optionalGrey(path: string) {
  const bytes = await optionalBytes(path);
  return bytes && decodeGrey16(bytes);
}

async function optionalBytes(path: string): Promise<Uint8Array | undefined> {
  return readBytes(path).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  });
}

async function readBytes(path: string): Promise<Uint8Array> {
  if ((await stat(path)).size > LIMITS.blobBytes) {
    throw new LociError("limit-exceeded", `expected at most ${LIMITS.blobBytes} bytes in ${path}`);
  }
  return readFile(path);
}

async function readText(path: string): Promise<string | undefined> {
  const bytes = await optionalBytes(path);
  if (bytes && bytes.length > TEXT_BYTES)
    throw new LociError("limit-exceeded", `expected a short text in ${path}`);
  return bytes && new TextDecoder().decode(bytes);
}

async function* lines(path: string): AsyncGenerator<string> {
  const file = await open(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  if (!file) return;
  let rest = "";
  const decoder = new TextDecoder();
  try {
    for await (const part of file.createReadStream({ autoClose: false })) {
      const pieces = (rest + decoder.decode(part as Uint8Array, { stream: true })).split("\n");
      rest = pieces.pop()!;
      if (rest.length > LIMITS.bodyBytes)
        throw new LociError("limit-exceeded", `a line of ${path} is too long`);
      yield* pieces.filter(Boolean);
    }
    if (rest) yield rest;
  } finally {
    await file.close();
  }
}

function parseJson(text: string, what: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new LociError("invalid-input", `expected JSON in ${what}`, { cause });
  }
}
