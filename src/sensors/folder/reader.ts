import { join } from "node:path";
import { parseOrThrow, throwIfAborted } from "../../schema/index.ts";
import { lines, optionalBytes, optionalGrey, parseJson, readText } from "../files.ts";
import { frameLineSchema, frameOf } from "../frame.ts";
import { decodeColour } from "../images.ts";
import { ownPoses, rateOf, type SourcePlan } from "../plan.ts";
import {
  type RecordingInfo,
  type RecordingItem,
  recordingInfoSchema,
  type TimedEdge,
  timedEdgeSchema,
} from "../recording.ts";
import type { OpenSource } from "../source.ts";
import { EDGES_FILE, FRAMES_FILE, frameStem, INFO_FILE } from "./layout.ts";

/** What `FolderWriter` wrote; undefined in a folder that it did not. */
export async function openOwnFolder(folder: string): Promise<OpenSource | undefined> {
  const own = await readText(join(folder, INFO_FILE));
  if (own === undefined) return undefined;
  return ownFolder(folder, parseOrThrow(recordingInfoSchema, parseJson(own, INFO_FILE), INFO_FILE));
}

function ownFolder(folder: string, info: RecordingInfo): OpenSource {
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
  const { frames, startUs, endUs } = info;
  const rateHz = rateOf(frames, startUs, endUs);
  const plan: SourcePlan = {
    path: folder,
    format: "folder",
    streams: [{ name: FRAMES_FILE, type: "frames of Loci", count: frames, rateHz, use: "frames" }],
    frames,
    captions: 0,
    graphs: 0,
    startUs,
    endUs,
    conventions: ["Written by Loci: every field is read back as it was."],
    ...ownPoses(info),
  };
  return { plan, info, items, close: async () => {} };
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
