import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { fileFailure, writeWhole } from "../exchange/whole-file.ts";
import type { MemoryReader } from "../memory/index.ts";
import { encodeJpeg } from "../perception/index.ts";
import type { Listed, Row } from "../reasoning/listings.ts";
import type { RgbImage } from "../schema/core.ts";
import { throwIfAborted } from "../schema/index.ts";
import { decodeColour } from "../sensors/images.ts";
import { cropped, keptViews, type PixelBox, type ViewRecord } from "./recognise.ts";

/** What was written: things with a kept view, and things without one. */
export interface ThingPictures {
  readonly page: string;
  readonly pictures: number;
  readonly unseen: number;
}

interface Look {
  readonly view: ViewRecord;
  readonly bbox: PixelBox;
  readonly worth: number;
}

/** Margin shown around a thing, as a share of its sides, with a minimum in pixels. */
const MARGIN = 0.15;
const LEAST_MARGIN_PX = 6;
const SIDE_PX = 480;
/** Penalty for a thing cut off by the picture's edge. */
const TRUNCATED = 0.25;
const EDGE_PX = 2;
const GET = 500;

/**
 * Writes the best kept view of each listed thing as a JPEG into a folder, with a page that shows them beside their
 * names, for people to judge by eye.
 */
export async function writePictures(
  reader: MemoryReader,
  { rows }: Pick<Listed, "rows">,
  folder: string,
  signal?: AbortSignal,
): Promise<ThingPictures> {
  const looks = await bestLooks(reader);
  await mkdir(folder, { recursive: true }).catch((error: unknown) => {
    throw fileFailure(error, folder);
  });
  const figures: string[] = [];
  let pictures = 0;
  for (const [n, row] of rows.entries()) {
    throwIfAborted(signal);
    const look = looks.get(String(row["id"]));
    const picture = look && (await cutOut(reader, look));
    const file = `${String(n + 1).padStart(3, "0")}-${String(row["name"]).replaceAll(/[^\p{L}\p{N}]+/gu, "-")}.jpg`;
    if (picture) await writeWhole(join(folder, file), [await encodeJpeg(picture, SIDE_PX)], signal);
    if (picture) pictures++;
    figures.push(figure(row, picture && file));
  }
  const page = join(folder, "index.html");
  await writeWhole(page, [pageOf(figures)], signal);
  return { page, pictures, unseen: rows.length - pictures };
}

/** For each track the kept view that shows it largest, and whole where possible. */
async function bestLooks(reader: MemoryReader): Promise<Map<string, Look>> {
  const views = await keptViews(reader);
  const ids = [...new Set(views.flatMap(({ visible }) => visible.map(({ stateId }) => stateId)))];
  const trackOf = new Map<string, string>();
  for (let from = 0; from < ids.length; from += GET)
    for (const record of await reader.get(ids.slice(from, from + GET)))
      if (record?.kind === "state") trackOf.set(record.id, record.trackId);
  const best = new Map<string, Look>();
  for (const view of views) {
    const { width, height } = await sizeOf(reader, view);
    for (const { stateId, bbox, fraction } of view.visible) {
      const track = trackOf.get(stateId);
      if (track === undefined) continue;
      const [left, top, right, bottom] = bbox;
      const isWhole = left > EDGE_PX && top > EDGE_PX && right < width - EDGE_PX && bottom < height - EDGE_PX;
      const worth = (right - left) * (bottom - top) * fraction * (isWhole ? 1 : TRUNCATED);
      if (worth > (best.get(track)?.worth ?? 0)) best.set(track, { view, bbox, worth });
    }
  }
  return best;
}

/** The size of the picture that boxes refer to; infinite if unknown, so that no box touches its edge. */
async function sizeOf(reader: MemoryReader, { observationId }: ViewRecord) {
  const [look] = await reader.get([observationId]);
  const size = look?.kind === "observation" ? look.intrinsics : undefined;
  return size ?? { width: Infinity, height: Infinity };
}

async function cutOut(reader: MemoryReader, { view, bbox }: Look): Promise<RgbImage | undefined> {
  const thumb = await reader.blob(view.thumb);
  const shown = thumb && (await decodeColour(thumb));
  if (!shown) return undefined;
  const { width, height } = await sizeOf(reader, view);
  const [sx, sy] = [width, height].map((size, k) =>
    Number.isFinite(size) ? (k === 0 ? shown.width : shown.height) / size : 1,
  ) as [number, number];
  const [left, top, right, bottom] = [bbox[0] * sx, bbox[1] * sy, bbox[2] * sx, bbox[3] * sy];
  const around = Math.max(LEAST_MARGIN_PX, MARGIN * Math.max(right - left, bottom - top));
  return cropped(shown, [left - around, top - around, right + around, bottom + around]);
}

function figure(row: Row, file: string | undefined): string {
  const { name = "", kind = "", room = "", on = "", size = "", at = "", seen = "" } = row;
  const picture =
    file === undefined ? "<p>no view of it was kept</p>" : `<img src="${encodeURI(file)}" alt="">`;
  const lines = [`${kind}`, [room, on].filter(Boolean).join(", "), `${size}`, `at ${at}`, `${seen}`];
  return `<figure>${picture}<figcaption><b>${escaped(String(name))}</b>${lines
    .filter((line) => line !== "")
    .map((line) => `<br>${escaped(line)}`)
    .join("")}</figcaption></figure>`;
}

function pageOf(figures: readonly string[]): string {
  return `<!doctype html><meta charset="utf-8"><title>things</title><style>
body { font: 14px sans-serif; display: flex; flex-wrap: wrap; gap: 12px }
figure { margin: 0; width: 220px } img { width: 220px; height: 180px; object-fit: contain; background: #ddd }
</style>
${figures.join("\n")}
`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
