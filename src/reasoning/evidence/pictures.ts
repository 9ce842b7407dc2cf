import { poseOfRecord } from "../../belief/poses.ts";
import type { RoomView } from "../../belief/room-names.ts";
import { PLACES } from "../../belief/settings/places.ts";

import type { KnownThing } from "../../belief/thing.ts";
import { boxFromPoints, inflate } from "../../geometry/index.ts";
import { markedJpeg, type Shares } from "../../perception/index.ts";
import { LIMITS, throwIfAborted } from "../../schema/core.ts";
import type { EvidenceContext } from "./context.ts";
import { roomFact, shortOf } from "./facts.ts";
import { timeText } from "./times.ts";
import { bestViewsOf, readViews, type Shown, type ViewRecord } from "./views.ts";

/** A thing in a picture, with the number drawn beside it. */
export interface Visible {
  readonly n: number;
  /** Short. */
  readonly id: string;
  readonly stateId: string;
  readonly trackId: string;
  readonly name: string;
}

/** A picture with its contents in words. */
export interface Picture {
  /** Short. */
  readonly id: string;
  readonly viewId: string;
  readonly atUs: number;
  /** The whole picture, as it was kept or with numbers drawn in; JPEG. */
  readonly bytes: Uint8Array;
  /** The subject and a margin, without marks; JPEG. */
  readonly crop?: Uint8Array | undefined;
  /** "p5 · kitchen · 09:05:23 · looking 93° · 1 = t12 red mug, 2 = t3 table". */
  readonly caption: string;
  readonly visible: readonly Visible[];
}

/** The subject of a picture. */
export type PictureOf =
  | { readonly thing: KnownThing }
  | { readonly room: RoomView }
  | { readonly atUs: number }
  | { readonly viewIds: readonly string[] };

export interface PictureOptions {
  /** The most pictures; default 2. */
  readonly most?: number | undefined;
  /** Whether a crop of the thing is added to the whole picture; default true. */
  readonly crop?: boolean | undefined;
  /** Whether the known things in it are outlined and numbered; default true. */
  readonly numbered?: boolean | undefined;
}

const MOST = 2;
const PICTURE_BYTES = 8_388_608;
/** More numbers than this cover the things. */
const MOST_NUMBERED = 16;
/** The fewest pixels on the longer side for numbers. */
const NUMBERED_PX = 480;
/** The margin of a crop, as a share of the thing's longer side. */
const AROUND = 0.25;
/** The fewest pixels on a crop's longer side; smaller ones are enlarged. */
const CROP_PX = 320;
const MOST_CROP_PX = 768;
/** Views farther from a moment do not show it (µs). */
const NEAR_US = 30_000_000;
const MOST_VIEWS = 200;
/** A camera in a doorway is at most this far beyond the walls of a room (m). */
const DOORWAY_M = 0.3;

/** The best pictures of a thing, a room or a moment; none where none was kept or may be seen. */
export async function picturesOf(
  of: PictureOf,
  context: EvidenceContext,
  options: PictureOptions = {},
): Promise<Picture[]> {
  const { most = MOST } = options;
  throwIfAborted(context.signal);
  if ("thing" in of) {
    const shown = (await bestViewsOf([of.thing], context, most * 2)).get(of.thing.trackId) ?? [];
    return firstOf(shown, most, ({ view, ...look }) => pictureOf(view, context, options, look));
  }
  const views = "room" in of ? await viewsOfRoom(of.room, context, most) : await viewsAt(of, context);
  return firstOf(views, most, (view) => pictureOf(view, context, options));
}

/** The first few that still exist: a picture may have been deleted while its record was kept. */
async function firstOf<T>(
  all: readonly T[],
  most: number,
  make: (one: T) => Promise<Picture | undefined>,
): Promise<Picture[]> {
  const made: Picture[] = [];
  for (const one of all) {
    if (made.length >= most) break;
    const picture = await make(one);
    if (picture) made.push(picture);
  }
  return made;
}

async function viewsAt(
  of: { readonly atUs: number } | { readonly viewIds: readonly string[] },
  context: EvidenceContext,
): Promise<ViewRecord[]> {
  const { memory } = context;
  if ("viewIds" in of) {
    const views = await readViews(of.viewIds, context);
    return of.viewIds.flatMap((id) => views.get(id) ?? []);
  }
  const overlaps = { fromUs: of.atUs - NEAR_US, toUs: Math.min(memory.nowUs, of.atUs + NEAR_US) + 1 };
  if (overlaps.toUs <= overlaps.fromUs) return [];
  const hits = await memory.search({
    kinds: ["view"],
    time: { overlaps },
    rank: "latest",
    limit: MOST_VIEWS,
  });
  return hits
    .flatMap(({ record }) => (record.kind === "view" ? [record] : []))
    .sort(
      (a, b) =>
        Math.abs(a.validFromUs - of.atUs) - Math.abs(b.validFromUs - of.atUs) || (a.id < b.id ? -1 : 1),
    );
}

/**
 * Views from inside a room that together show most of it: the one with most things first, then the one that adds most.
 * Views into a room from outside come second, since walls and doors hide a part.
 */
async function viewsOfRoom(room: RoomView, context: EvidenceContext, most: number): Promise<ViewRecord[]> {
  const { memory } = context;
  const ground = boxFromPoints(room.record.hull ?? []);
  if (!ground) return [];
  const { min, max } = inflate(ground, DOORWAY_M);
  const hits = await memory.search({
    kinds: ["view"],
    space: { type: "box", min, max: { ...max, z: max.z + PLACES.roomM } },
    time: { overlaps: { fromUs: -LIMITS.timeUs, toUs: memory.nowUs + 1 } },
    rank: "latest",
    limit: MOST_VIEWS,
  });
  const inside: ViewRecord[] = [];
  for (const { record, position } of hits)
    if (record.kind === "view" && position && (await memory.roomAt(position))?.id === room.id)
      inside.push(record);
  const things = await memory.everything({ roomId: room.id, all: true });
  const here = new Set(things.map(({ state }) => state.id));
  const chosen: ViewRecord[] = [];
  const covered = new Set<string>();
  const left = new Set(inside);
  const newIn = (view: ViewRecord) =>
    view.visible.filter(({ stateId }) => here.has(stateId) && !covered.has(stateId)).length;
  while (left.size > 0 && chosen.length < most * 2) {
    let best: ViewRecord | undefined;
    for (const view of left) if (!best || newIn(view) > newIn(best)) best = view;
    left.delete(best!);
    chosen.push(best!);
    for (const { stateId } of best!.visible) covered.add(stateId);
  }
  return chosen;
}

async function pictureOf(
  view: ViewRecord,
  context: EvidenceContext,
  { crop = true, numbered = true }: PictureOptions,
  look?: Omit<Shown, "view">,
): Promise<Picture | undefined> {
  const { memory, ids } = context;
  const stored = await memory.options.reader.blob(view.thumb);
  if (stored === undefined || stored.length === 0 || stored.length > PICTURE_BYTES) return undefined;
  const size = await sizeOf(view, context);
  const { visible, boxes } = await visibleIn(view, look?.stateId, context);
  const shares = size && boxes.map((box) => sharesOf(box, size));
  const marks = shares?.map((box, n) => ({ number: visible[n]!.n, box })) ?? [];
  const marked =
    numbered && marks.length > 0 ? await markedJpeg(stored, { marks, leastPx: NUMBERED_PX }) : undefined;
  const cut =
    crop && look && size
      ? await markedJpeg(stored, {
          crop: around(sharesOf(look.bbox, size)),
          leastPx: CROP_PX,
          mostPx: MOST_CROP_PX,
        })
      : undefined;
  const id = ids.of(view.id, "picture");
  return {
    id,
    viewId: view.id,
    atUs: view.validFromUs,
    // Without a way to draw, the picture is shown unmarked.
    bytes: marked ?? stored,
    ...(cut && { crop: cut }),
    caption: await captionOf(id, view, visible, marked !== undefined, context),
    visible,
  };
}

/** The known things in a view: the subject first, then the largest. */
async function visibleIn(
  view: ViewRecord,
  first: string | undefined,
  context: EvidenceContext,
): Promise<{ visible: Visible[]; boxes: (readonly [number, number, number, number])[] }> {
  const area = ([left, top, right, bottom]: readonly [number, number, number, number]) =>
    (right - left) * (bottom - top);
  const shown = view.visible
    .toSorted(
      (a, b) =>
        Number(b.stateId === first) - Number(a.stateId === first) ||
        area(b.bbox) - area(a.bbox) ||
        (a.stateId < b.stateId ? -1 : 1),
    )
    .slice(0, MOST_NUMBERED);
  const stays = await context.memory.staysById(shown.map(({ stateId }) => stateId));
  const visible: Visible[] = [];
  const boxes: (readonly [number, number, number, number])[] = [];
  for (const { stateId, bbox } of shown) {
    const thing = stays.get(stateId);
    if (!thing) continue;
    const id = shortOf(thing, context);
    visible.push({ n: visible.length + 1, id, stateId, trackId: thing.trackId, name: thing.name });
    boxes.push(bbox);
  }
  return { visible, boxes };
}

async function captionOf(
  id: string,
  view: ViewRecord,
  visible: readonly Visible[],
  isNumbered: boolean,
  context: EvidenceContext,
): Promise<string> {
  const { memory } = context;
  const pose = await poseOfRecord(memory, view);
  const at = pose && (await memory.roomAt(pose.position));
  const room = at ? (await roomFact(at, context)).name : view.room;
  const parts = [id, room === undefined ? "room unknown" : `from the ${room}`];
  parts.push(timeText(view.validFromUs, memory.nowUs));
  if (pose) parts.push(`looking ${Math.round(((pose.yawRad * 180) / Math.PI + 360) % 360)}°`);
  const things = visible.map((one) =>
    isNumbered ? `${one.n} = ${one.id} ${one.name}` : `${one.id} ${one.name}`,
  );
  if (things.length > 0) parts.push(`shows ${things.join(", ")}`);
  const left = view.visible.length - visible.length;
  if (left > 0) parts.push(`${visible.length} of ${view.visible.length} things named`);
  return parts.join(" · ");
}

/** The size of the picture for its boxes; undefined where it is no longer known. */
async function sizeOf({ observationId }: ViewRecord, { memory }: EvidenceContext) {
  const [look] = await memory.options.reader.get([observationId]);
  return look?.kind === "observation" ? look.intrinsics : undefined;
}

function sharesOf(
  [left, top, right, bottom]: readonly [number, number, number, number],
  { width, height }: { readonly width: number; readonly height: number },
): Shares {
  return [left / width, top / height, right / width, bottom / height];
}

function around([left, top, right, bottom]: Shares): Shares {
  const more = AROUND * Math.max(right - left, bottom - top);
  return [left - more, top - more, right + more, bottom + more];
}
