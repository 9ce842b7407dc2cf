import type { Commit } from "../memory/port.ts";
import { momentUs } from "../memory/query.ts";
import {
  commitSchema,
  contentId,
  type DetectionsInput,
  detectionsSchema,
  mapInTurns,
  type RecordInput,
  WORLD_FRAME,
} from "../schema/index.ts";
import { type OperationContext, stampOf } from "./context.ts";
import { liveFramesOf } from "./frames.ts";
import { operation } from "./operation.ts";

export const ingestDetections = operation({
  summary: "What a detector saw, lifted to 3D; the same look again changes nothing",
  scope: "write",
  input: detectionsSchema,
  output: commitSchema,
  http: {
    method: "post",
    path: "/v1/detections",
    says: "It is on the disk",
    repeats: true,
    relies: ["commitUs"],
  },
  run: async (context, input, call): Promise<Commit> => {
    if (input.track) return trackedLooks(context, input);
    const stamp = stampOf(context);
    const sceneId = stamp.scene ?? input.scene ?? "default";
    const labels = stamp.labels(input.labels);
    const made = await mapInTurns(
      input.looks,
      (look) =>
        lookRecords(look, { sceneId, labels, author: stamp.author ?? look.agent ?? "local" }, stamp.space),
      context.actor.grant,
    );
    return context.memory.write({ records: made.flat() }, call);
  },
});

/** Runs detections as frames without pictures through the whole pipeline; each is durable before the next. */
async function trackedLooks(
  context: OperationContext,
  { looks, scene, labels }: DetectionsInput,
): Promise<Commit> {
  const stamp = stampOf(context);
  const filing = {
    sceneId: stamp.scene ?? scene ?? "default",
    labels: stamp.labels(labels),
    author: stamp.author,
  };
  const frames = await liveFramesOf(context.memory);
  const { frameOfLook } = await import("../compose/live-frames.ts");
  let written = 0;
  for (const look of looks) {
    const { reason } = await frames.take(frameOfLook(look), filing, context);
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
