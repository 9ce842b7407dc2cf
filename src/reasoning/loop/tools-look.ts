import { z } from "zod";
import type { EncodedImage } from "../../models/index.ts";
import type { Evidence } from "../../retrieval/index.ts";
import { LociError } from "../../schema/index.ts";
import { type Picture, type PictureOf, picturesOf as picturesBy } from "../evidence/index.ts";
import type { LoopMemory } from "./loop-memory.ts";
import { defineTool, momentUs } from "./tool.ts";

const PICTURES = 2;
/** A moment in words: "09:05", "2026-01-05 09:05:23". */
const CLOCK = /^(?:\d{4}-\d\d-\d\d[T ])?\d\d:\d\d/;

export const look = defineTool(
  "look",
  "Pictures of an id, room or clock time.",
  z.object({ at: z.string().trim().min(1).max(80) }),
  async ({ at }, memory) => {
    const pictures = await picturesBy(await meantBy(at, memory), memory.evidence, { most: PICTURES });
    if (pictures.length === 0) throw new LociError("unknown-id", `no picture was kept of ${at}`);
    return shown(pictures, memory);
  },
);

/** Pictures in the form shown to the model: each image's id in order, its content, and the records for the book. */
async function shown(pictures: readonly Picture[], memory: LoopMemory) {
  const images: EncodedImage[] = [];
  const ids: string[] = [];
  for (const { id, bytes, crop } of pictures) {
    images.push({ bytes });
    ids.push(id);
    if (!crop) continue;
    images.push({ bytes: crop });
    ids.push(`${id} cut out`);
  }
  memory.show(await memory.get(pictures.map(({ viewId }) => viewId)));
  await memory.name(pictures.flatMap(({ visible }) => visible.map(({ trackId }) => trackId)));
  return { facts: { pictures: ids, captions: pictures.map(({ caption }) => caption) }, images };
}

async function meantBy(said: string, memory: LoopMemory): Promise<PictureOf> {
  const { belief, evidence } = memory;
  const atUs = CLOCK.test(said) ? momentUs(memory, said) : undefined;
  if (atUs !== undefined) return { atUs };
  const full = evidence.ids.full(said) ?? said;
  const room = (await belief.rooms()).find(({ id }) => id === full) ?? (await roomNamed(said, memory));
  if (room) return { room };
  const thing = await memory.thingBy(said);
  if (thing) return { thing };
  const [item] = await memory.get([full]);
  if (item) return pictureOfRecord(item, memory);
  throw new LociError(
    "unknown-id",
    `expected the id of a thing, event or picture, a room, or a time such as 09:05:23, got ${JSON.stringify(said)}`,
  );
}

async function roomNamed(said: string, { belief }: LoopMemory) {
  const head = said.toLowerCase().replace(/^the\s+/, "");
  return (await belief.roomsNamed({ head, mods: [], attributes: {}, phrase: head }))[0];
}

/** For an event the thing it happened to, for a caption its views, for other records their moment. */
async function pictureOfRecord({ record }: Evidence, memory: LoopMemory): Promise<PictureOf> {
  if (record.kind === "view") return { viewIds: [record.id] };
  if (record.kind === "caption" || record.kind === "place")
    if (record.views.length > 0) return { viewIds: record.views };
  return { atUs: Math.min(memory.nowUs, record.validToUs ?? record.validFromUs) };
}

/** The pictures that show these records best, with their views; as many as allowed. */
export async function picturesOf(
  memory: LoopMemory,
  of: readonly Evidence[],
  most: number,
): Promise<{ items: Evidence[]; images: EncodedImage[] }> {
  const pictures = new Map<string, Picture>();
  for (const item of of) {
    if (pictures.size >= most) break;
    const { record } = item;
    if (!["view", "state", "caption", "place"].includes(record.kind)) continue;
    const thing = record.kind === "state" ? await memory.thingBy(record.id) : undefined;
    const meant = thing ? { thing } : await pictureOfRecord(item, memory);
    if ("atUs" in meant) continue;
    const found = await picturesBy(meant, memory.evidence, { most: most - pictures.size, crop: false });
    for (const picture of found) if (pictures.size < most) pictures.set(picture.viewId, picture);
  }
  const byId = new Map((await memory.get([...pictures.keys()])).map((item) => [item.id, item]));
  const known = [...pictures.values()].filter(({ viewId }) => byId.has(viewId));
  return {
    items: known.map(({ viewId }) => byId.get(viewId)!),
    images: known.map(({ bytes }) => ({ bytes })),
  };
}
