import { linesOf } from "../compose/memory.ts";
import type { Commit } from "../memory/port.ts";
import { momentUs } from "../memory/query.ts";
import {
  type CaptionsInput,
  captionsSchema,
  commitSchema,
  contentId,
  mapInTurns,
  type RecordInput,
  WORLD_FRAME,
} from "../schema/index.ts";
import { stampOf } from "./context.ts";
import { operation } from "./operation.ts";

export const ingestCaptions = operation({
  summary: "Sentences about places and times; the same one again changes nothing",
  scope: "write",
  input: captionsSchema,
  output: commitSchema,
  http: {
    method: "post",
    path: "/v1/captions",
    says: "It is on the disk",
    repeats: true,
    relies: ["commitUs"],
  },
  run: async (context, input, call): Promise<Commit> => {
    const stamp = stampOf(context);
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
      context.actor.grant,
    );
    return context.memory.write({ records }, call);
  },
});

interface Filing {
  readonly sceneId: string;
  readonly labels: string[];
  readonly author: string;
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
