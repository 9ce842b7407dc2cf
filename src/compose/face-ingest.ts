import type { CallOptions, Commit } from "../memory/port.ts";
import { momentUs } from "../memory/query.ts";
import {
  type CaptionsInput,
  contentId,
  type DetectionsInput,
  type RecordInput,
  WORLD_FRAME,
} from "../schema/core.ts";
import { type FacePart, stampOf } from "./face-part.ts";
import { linesOf } from "./memory.ts";

/** What robots send while they run. The same again changes nothing: ids are made of what was sent. */
export interface IngestFace {
  ingestDetections(input: DetectionsInput, call?: CallOptions): Promise<Commit>;
  ingestCaptions(input: CaptionsInput, call?: CallOptions): Promise<Commit>;
}

/** The local half. */
export function ingestFace(part: FacePart): IngestFace {
  const { memory } = part;
  return {
    ingestDetections: async (input, call) => {
      const stamp = stampOf(part);
      const sceneId = stamp.scene ?? input.scene ?? "default";
      const labels = stamp.labels(input.labels);
      const records = input.looks.flatMap((look) =>
        lookRecords(look, { sceneId, labels, author: stamp.author ?? look.agent ?? "local" }),
      );
      return memory.write({ records }, call);
    },
    ingestCaptions: async (input, call) => {
      const stamp = stampOf(part);
      const sceneId = stamp.scene ?? input.scene ?? "default";
      const labels = stamp.labels(input.labels);
      const records = input.captions.map((caption) =>
        captionRecord(caption, { sceneId, labels, author: stamp.author ?? caption.agent ?? "local" }),
      );
      return memory.write({ records }, call);
    },
  };
}

interface Filing {
  readonly sceneId: string;
  readonly labels: string[];
  readonly author: string;
}

/** That somebody looked, and what he saw. */
function lookRecords(look: DetectionsInput["looks"][number], filing: Filing): RecordInput[] {
  const { sensor = "detector", frame = WORLD_FRAME, pose } = look;
  const atUs = momentUs(look.time);
  const common = { ...filing, validFromUs: atUs, validToUs: atUs + 1 };
  const observationId = contentId("obs", filing.sceneId, filing.author, sensor, atUs);
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

function captionRecord(caption: CaptionsInput["captions"][number], filing: Filing): RecordInput {
  const atUs = momentUs(caption.time);
  const { text, until, position, frame = WORLD_FRAME } = caption;
  return {
    ...filing,
    kind: "caption",
    source: "vlm",
    id: contentId("caption", filing.sceneId, filing.author, atUs, text),
    validFromUs: atUs,
    validToUs: until === undefined ? atUs + 1 : momentUs(until),
    text: linesOf(text),
    ...(position && { anchor: { submap: frame, p: position } }),
  };
}
