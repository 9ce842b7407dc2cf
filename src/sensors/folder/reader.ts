import { join } from "node:path";
import { isLociError, parseOrThrow, throwIfAborted } from "../../schema/index.ts";
import { begunAhead, PicturesAhead } from "../ahead/ahead.ts";
import { lines, parseJson, readText } from "../files.ts";
import { type Frame, frameLineSchema, frameOf } from "../frame.ts";
import type { ReadOptions, Skip } from "../options.ts";
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

/** Opens what `FolderWriter` wrote; undefined for any other folder. */
export async function openOwnFolder(folder: string, options: ReadOptions): Promise<OpenSource | undefined> {
  const own = await readText(join(folder, INFO_FILE));
  if (own === undefined) return undefined;
  return ownFolder(folder, parseOrThrow(recordingInfoSchema, parseJson(own, INFO_FILE), INFO_FILE), options);
}

function ownFolder(folder: string, info: RecordingInfo, { onSkip }: ReadOptions): OpenSource {
  async function* items({
    signal,
  }: {
    signal?: AbortSignal | undefined;
  } = {}): AsyncGenerator<RecordingItem> {
    const edges: TimedEdge[] = [];
    for await (const line of lines(join(folder, EDGES_FILE))) {
      const edge = readOr(
        () => parseOrThrow(timedEdgeSchema, parseJson(line, EDGES_FILE), EDGES_FILE),
        onSkip,
      );
      if (edge) edges.push(edge);
    }
    let next = 0;
    const pictures = new PicturesAhead(info.frames);
    const begun = begunAhead(lines(join(folder, FRAMES_FILE)), (line) => {
      const skips: Skip[] = [];
      const parsed = readOr(
        () => parseOrThrow(frameLineSchema, parseJson(line, FRAMES_FILE), FRAMES_FILE),
        (skip) => skips.push(skip),
      );
      return { skips, parsed, images: parsed && pictures.own(join(folder, frameStem(parsed.index))) };
    });
    try {
      for await (const { skips, parsed, images } of begun) {
        throwIfAborted(signal);
        for (const skip of skips) onSkip?.(skip);
        if (parsed === undefined) continue;
        const arrivedUs = parsed.receivedAtUs ?? parsed.timeUs;
        while (next < edges.length && edges[next]!.receivedAtUs <= arrivedUs)
          yield { kind: "edge", edge: edges[next++]! };
        let frame: Frame;
        try {
          frame = frameOf(parsed, (await images)!);
        } catch (error) {
          if (!isLociError(error) || error.code === "aborted" || error.code === "not-supported") throw error;
          onSkip?.({ what: frameStem(parsed.index), why: error.message });
          continue;
        }
        yield { kind: "frame", frame };
      }
    } finally {
      await pictures.close();
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

/** The content of a line; a damaged one, such as a truncated last line, is skipped alone. */
function readOr<T>(read: () => T, onSkip: ReadOptions["onSkip"]): T | undefined {
  try {
    return read();
  } catch (error) {
    if (!isLociError(error)) throw error;
    onSkip?.({ what: "a line", why: error.message });
    return undefined;
  }
}
