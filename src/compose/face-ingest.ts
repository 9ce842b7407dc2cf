import type { LiveOutcome } from "../ingest/index.ts";
import type { CallOptions, Commit } from "../memory/port.ts";
import { momentUs } from "../memory/query.ts";
import {
  type CaptionsInput,
  contentId,
  type DetectionsInput,
  mapInTurns,
  type RecordInput,
  WORLD_FRAME,
} from "../schema/core.ts";
import { type FacePart, stampOf } from "./face-part.ts";
import type { LiveFrames, SentFrame } from "./live-frames.ts";
import { linesOf, type Memory } from "./memory.ts";

/** What robots send while they run. Idempotent: ids are hashes of what was sent. */
export interface IngestFace {
  /** Runs a posed frame through the whole pipeline: things, map, views. Resolves once it is durable. */
  ingestFrame(frame: SentFrame): Promise<LiveOutcome>;
  ingestDetections(input: DetectionsInput, call?: CallOptions): Promise<Commit>;
  ingestCaptions(input: CaptionsInput, call?: CallOptions): Promise<Commit>;
}

/** The implementation for a memory in this process. */
export function ingestFace(part: FacePart): IngestFace {
  const { memory } = part;
  return {
    ingestFrame: async (frame) => {
      const stamp = stampOf(part);
      const filing = {
        sceneId: stamp.scene ?? frame.scene ?? "default",
        labels: stamp.labels(frame.labels),
        author: stamp.author,
      };
      return (await liveFramesOf(memory)).take(frame, filing, part);
    },
    ingestDetections: async (input, call) => {
      const stamp = stampOf(part);
      if (input.track) return trackedLooks(part, input);
      const sceneId = stamp.scene ?? input.scene ?? "default";
      const labels = stamp.labels(input.labels);
      const made = await mapInTurns(
        input.looks,
        (look) =>
          lookRecords(look, { sceneId, labels, author: stamp.author ?? look.agent ?? "local" }, stamp.space),
        part.actor.grant,
      );
      return memory.write({ records: made.flat() }, call);
    },
    ingestCaptions: async (input, call) => {
      const stamp = stampOf(part);
      const sceneId = stamp.scene ?? input.scene ?? "default";
      const labels = stamp.labels(input.labels);
      const records = await mapInTurns(
        input.captions,
        (caption) =>
          captionRecord(
            caption,
            { sceneId, labels, author: stamp.author ?? caption.agent ?? "local" },
            stamp.space,
          ),
        part.actor.grant,
      );
      return memory.write({ records }, call);
    },
  };
}

const live = new WeakMap<Memory, Promise<LiveFrames>>();

/** The open ingests of a memory, shared by all senders. */
export function liveFramesOf(memory: Memory): Promise<LiveFrames> {
  let frames = live.get(memory);
  if (frames === undefined) {
    frames = import("./live-frames.ts").then(({ LiveFrames }) => new LiveFrames(memory));
    live.set(memory, frames);
  }
  return frames;
}

/** Finishes all open ingests; call it before the memory is closed. */
export async function finishFrames(memory: Memory): Promise<void> {
  await (await live.get(memory))?.finish();
}

/** Runs detections as frames without pictures through the whole pipeline; each is durable before the next. */
async function trackedLooks(part: FacePart, { looks, scene, labels }: DetectionsInput): Promise<Commit> {
  const stamp = stampOf(part);
  const filing = {
    sceneId: stamp.scene ?? scene ?? "default",
    labels: stamp.labels(labels),
    author: stamp.author,
  };
  const frames = await liveFramesOf(part.memory);
  const { frameOfLook } = await import("./live-frames.ts");
  let written = 0;
  for (const look of looks) {
    const { reason } = await frames.take(frameOfLook(look), filing, part);
    if (reason === undefined) written++;
  }
  return { commitUs: frames.commitUs, written, unchanged: looks.length - written, versions: [] };
}

interface Filing {
  readonly sceneId: string;
  readonly labels: string[];
  readonly author: string;
}

/** The observation record and one detection record for each thing seen. */
function lookRecords(
  look: DetectionsInput["looks"][number],
  filing: Filing,
  space: readonly string[],
): RecordInput[] {
  const { sensor = "detector", frame = WORLD_FRAME, pose } = look;
  const atUs = momentUs(look.time);
  const common = { ...filing, validFromUs: atUs, validToUs: atUs + 1 };
  const observationId = contentId("obs", filing.sceneId, filing.author, sensor, atUs, ...space);
  return [
    {
      ...common,
      kind: "observation",
      id: observationId,
      sensorId: sensor,
      ...(pose && { anchor: { submap: frame, ...pose } }),
    },
    ...look.detections.map(
      ({ category, position, extent, score = 1, text, bbox }, n): RecordInput => ({
        ...common,
        kind: "detection",
        id: contentId("det", observationId, n),
        observationId,
        category,
        score,
        text: [text ?? category],
        anchor: { submap: frame, p: position },
        ...(extent && { extent }),
        ...(bbox && { bbox }),
      }),
    ),
  ];
}

function captionRecord(
  caption: CaptionsInput["captions"][number],
  filing: Filing,
  space: readonly string[],
): RecordInput {
  const atUs = momentUs(caption.time);
  const { text, until, position, frame = WORLD_FRAME } = caption;
  return {
    ...filing,
    kind: "caption",
    source: "vlm",
    id: contentId("caption", filing.sceneId, filing.author, atUs, text, ...space),
    validFromUs: atUs,
    validToUs: until === undefined ? atUs + 1 : momentUs(until),
    text: linesOf(text),
    ...(position && { anchor: { submap: frame, p: position } }),
  };
}
