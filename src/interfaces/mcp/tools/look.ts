import { z } from "zod";
import type { MemoryFace } from "../../../compose.ts";
import { spanText, titleOf } from "../../../operations/telling.ts";
import { quoted, seenJson, WORLD_NOTE } from "../../../operations/world-text.ts";
import { LociError, type Stored } from "../../../schema/core.ts";
import type { ToolAnswer } from "../answer.ts";
import { id, tool } from "../tool.ts";

/** The largest picture sent inline; larger ones are linked and fetched on demand. */
const MAX_INLINE_BYTES = 1_000_000;
const NAMED_IN_VIEW = 20;

export const look = tool({
  name: "look",
  description:
    "The picture behind a record: a view, a thing, a caption or an observation, by its id. Shows what was seen then and says which things are in it.",
  does: "read",
  input: z.strictObject({ id }),
  async run({ id: wanted }, { face, signal }): Promise<ToolAnswer> {
    const { picture, bytes, mimeType } = await pictureOf(face, wanted);
    const inside = picture.kind === "view" ? picture.visible.slice(0, NAMED_IN_VIEW) : [];
    const ids = inside.map(({ stateId }) => stateId);
    const named =
      ids.length === 0 ? [] : (await face.search({ ids, limit: ids.length, rank: "id" }, { signal })).hits;
    const text = [
      `The picture [${picture.id}], ${spanText(picture)}.`,
      ...(named.length > 0
        ? [`In it: ${named.map(({ record }) => `${titleOf(record)} [${record.id}]`).join(", ")}.`]
        : []),
      WORLD_NOTE,
    ].join("\n");
    return {
      content: [
        { type: "text", text },
        bytes.length <= MAX_INLINE_BYTES
          ? { type: "image", data: Buffer.from(bytes).toString("base64"), mimeType }
          : { type: "resource_link", uri: pictureUri(picture.id), name: `picture ${picture.id}`, mimeType },
      ],
      structuredContent: seenJson({
        id: picture.id,
        uri: pictureUri(picture.id),
        mimeType,
        bytes: bytes.length,
        things: named.map(({ record }) => ({ id: record.id, name: "name" in record ? record.name : "" })),
      }),
    };
  },
});

export function pictureUri(recordId: string): string {
  return `loci://picture/${encodeURIComponent(recordId)}`;
}

/** The picture that shows a record: its own, else the best view of it. */
export async function pictureOf(
  face: MemoryFace,
  recordId: string,
): Promise<{ readonly picture: Stored; readonly bytes: Uint8Array; readonly mimeType: string }> {
  const record = await face.record(recordId);
  if (record === undefined) throw new LociError("unknown-id", `there is no record ${quoted(recordId)}`);
  for (const picture of await picturesBehind(face, record)) {
    const ref = blobOf(picture);
    const bytes = ref === undefined ? undefined : await face.blob(ref);
    if (bytes !== undefined) return { picture, bytes, mimeType: typeOf(bytes) };
  }
  throw new LociError(
    "unknown-id",
    `no picture was kept of ${record.kind} ${quoted(recordId)}; try another record`,
  );
}

/** Records that may have a picture of this one, best first. */
async function picturesBehind(face: MemoryFace, record: Stored): Promise<readonly Stored[]> {
  switch (record.kind) {
    case "view":
    case "observation":
      return [record];
    case "detection":
      return get(face, [record.observationId]);
    case "state":
    case "caption":
    case "place":
      return get(face, record.views.slice(0, 8));
    case "track": {
      const { hits } = await face.search({ kinds: ["state"], owner: [record.id], rank: "latest", limit: 4 });
      const views = hits.flatMap(({ record: state }) =>
        state.kind === "state" ? state.views.slice(0, 4) : [],
      );
      return get(face, views);
    }
    default:
      return [];
  }
}

async function get(face: MemoryFace, ids: readonly string[]): Promise<Stored[]> {
  const records = await Promise.all(ids.map((one) => face.record(one)));
  return records.filter((one) => one !== undefined);
}

function blobOf(record: Stored): string | undefined {
  if (record.kind === "view") return record.thumb;
  return record.kind === "observation" ? record.rgb : undefined;
}

function typeOf(bytes: Uint8Array): string {
  return bytes[0] === 0x89 && bytes[1] === 0x50 ? "image/png" : "image/jpeg";
}
