import type { MemoryReader } from "../memory/index.ts";
import { appearanceOf } from "../perception/appearance.ts";
import { signatureOf, ssim } from "../perception/ssim.ts";
import { type RecordOf, type RgbImage, type Stored, throwIfAborted } from "../schema/index.ts";
import { decodeColour } from "../sensors/images.ts";

/** Left, top, right, bottom in pixels of a picture; one pixel is a box without size. */
export type PixelBox = readonly [number, number, number, number];

/** What a picture was recognised as. */
export interface Recognised {
  /** The kept view that shows the same, where there is one. */
  readonly viewId?: string | undefined;
  /** What it shows, or what was pointed at, likeliest first; scores between 0 and 1. */
  readonly states: readonly { readonly stateId: string; readonly score: number }[];
}

/** What a question's pictures mean to the rules: what "this" is, and what is in view. */
export async function shownBy(
  reader: MemoryReader,
  pictures: {
    /** What the question is about; the first one is used. */
    readonly images?: readonly { readonly bytes: Uint8Array }[] | undefined;
    /** Region of the picture that is pointed at. */
    readonly at?: PixelBox | undefined;
    /** What the agent that is asked sees now. */
    readonly inView?: { readonly bytes: Uint8Array } | undefined;
  },
  signal?: AbortSignal,
): Promise<{
  readonly pointed?: { readonly states: Recognised["states"] };
  readonly inView?: { readonly stateIds: readonly string[] };
}> {
  const [image] = pictures.images ?? [];
  const here = pictures.inView && (await recognise(reader, pictures.inView.bytes, { signal }));
  const pointedIn = image ?? (pictures.at && pictures.inView);
  const shown = pointedIn && (await recognise(reader, pointedIn.bytes, { at: pictures.at, signal }));
  return {
    ...(shown && { pointed: { states: shown.states } }),
    // A picture recognised as a whole shows what that view showed; a similar-looking thing may be elsewhere.
    ...(here?.viewId !== undefined && { inView: { stateIds: here.states.map(({ stateId }) => stateId) } }),
  };
}

export type ViewRecord = Stored<RecordOf<"view">>;

/** Most views compared as a whole, and thing by thing; spread over the memory's time span. */
const MAX_VIEWS = 4_000;
const MAX_LOOKED_INTO = 400;
/**
 * From this similarity on, two pictures show the same place from the same side (docs/formulas.md#views replaces views
 * from .75).
 */
const SAME_VIEW = 0.7;
/** Below this similarity of appearance two crops count as different things. */
const MIN_ALIKE = 0.72;
/** Side of the crop around a pixel, as a share of the picture's shorter side. */
const AROUND_PIXEL = 0.3;
const SMALLEST_PX = 6;
const MAX_STATES = 8;

/**
 * Finds what a picture shows from the views that the memory kept. First as a whole (structural similarity of small
 * grey pictures, docs/formulas.md#signature), then the region pointed at. A picture of a single thing is matched by
 * colour and shading against everything in the kept views. No model is used, so only what was seen in a similar view
 * is recognised.
 */
export async function recognise(
  reader: MemoryReader,
  bytes: Uint8Array,
  options: { readonly at?: PixelBox | undefined; readonly signal?: AbortSignal | undefined } = {},
): Promise<Recognised> {
  const picture = await decodeColour(bytes);
  const views = await keptViews(reader);
  const same = await sameView(reader, views, picture, options.signal);
  if (same) return { viewId: same.id, states: await visibleAt(reader, same, picture, options.at) };
  const crop = options.at ? cropped(picture, aroundPixel(options.at, picture)) : picture;
  return crop ? { states: await alikeThings(reader, views, crop, options.signal) } : { states: [] };
}

/** The views that a memory kept, latest first. */
export async function keptViews(reader: MemoryReader): Promise<ViewRecord[]> {
  const { hits } = await reader.search({ kinds: ["view"], rank: "latest", limit: MAX_VIEWS });
  return hits.map(({ record }) => record as ViewRecord);
}

async function sameView(
  reader: MemoryReader,
  views: readonly ViewRecord[],
  picture: RgbImage,
  signal: AbortSignal | undefined,
): Promise<ViewRecord | undefined> {
  const own = signatureOf(picture);
  let best: { readonly view: ViewRecord; readonly score: number } | undefined;
  for (const view of views) {
    throwIfAborted(signal);
    const signature = view.signature === undefined ? undefined : await reader.blob(view.signature);
    if (signature?.length !== own.length) continue;
    const score = ssim(own, signature);
    if (score >= SAME_VIEW && score > (best?.score ?? 0)) best = { view, score };
  }
  return best?.view;
}

/** What a view shows in the region pointed at; without one, everything in it, the middle first. */
async function visibleAt(
  reader: MemoryReader,
  view: ViewRecord,
  picture: RgbImage,
  at: PixelBox | undefined,
): Promise<{ stateId: string; score: number }[]> {
  const [look] = await reader.get([view.observationId]);
  const size = (look?.kind === "observation" ? look.intrinsics : undefined) ?? picture;
  const [sx, sy] = [size.width / picture.width, size.height / picture.height];
  const middle: PixelBox = [size.width / 2, size.height / 2, size.width / 2, size.height / 2];
  const place: PixelBox = at ? [at[0] * sx, at[1] * sy, at[2] * sx, at[3] * sy] : middle;
  return view.visible
    .map(({ stateId, bbox }) => ({ stateId, score: held(bbox, place) || (at ? 0 : 0.2) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || (a.stateId < b.stateId ? -1 : 1))
    .slice(0, at ? MAX_STATES : undefined);
}

/** How well a box matches a region: shared area of both, or tightness around a pixel. */
function held(box: PixelBox, place: PixelBox): number {
  const width = Math.min(box[2], place[2]) - Math.max(box[0], place[0]);
  const height = Math.min(box[3], place[3]) - Math.max(box[1], place[1]);
  if (width < 0 || height < 0) return 0;
  const [own, other] = [areaOf(box), areaOf(place)];
  return other === 0 ? 0.5 + 0.5 / (1 + own / 1_000) : (width * height) / (own + other - width * height);
}

function areaOf([left, top, right, bottom]: PixelBox): number {
  return Math.max(0, right - left) * Math.max(0, bottom - top);
}

/** Things in kept views by their similarity to a crop, each with its most similar view. */
async function alikeThings(
  reader: MemoryReader,
  views: readonly ViewRecord[],
  crop: RgbImage,
  signal: AbortSignal | undefined,
): Promise<{ stateId: string; score: number }[]> {
  const [colours, shading] = [coloursOf(crop), signatureOf(crop)];
  if (!colours) return [];
  const best = new Map<string, number>();
  for (const view of evenly(views, MAX_LOOKED_INTO)) {
    throwIfAborted(signal);
    const thumb = await reader.blob(view.thumb);
    if (!thumb) continue;
    const shown = await decodeColour(thumb);
    const [look] = await reader.get([view.observationId]);
    const size = (look?.kind === "observation" ? look.intrinsics : undefined) ?? shown;
    const [sx, sy] = [shown.width / size.width, shown.height / size.height];
    for (const { stateId, bbox } of view.visible) {
      const part = cropped(shown, [bbox[0] * sx, bbox[1] * sy, bbox[2] * sx, bbox[3] * sy]);
      const own = part && coloursOf(part);
      if (!part || !own) continue;
      const score = 0.6 * dot(colours, own) + 0.4 * ssim(shading, signatureOf(part));
      if (score > (best.get(stateId) ?? MIN_ALIKE)) best.set(stateId, score);
    }
  }
  return Array.from(best, ([stateId, score]) => ({ stateId, score }))
    .sort((a, b) => b.score - a.score || (a.stateId < b.stateId ? -1 : 1))
    .slice(0, MAX_STATES);
}

function coloursOf(picture: RgbImage): Float32Array | undefined {
  const pixels = Int32Array.from({ length: picture.width * picture.height }, (_, n) => n);
  return appearanceOf(picture, pixels, picture);
}

function dot(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, n) => sum + value * b[n]!, 0);
}

function aroundPixel(at: PixelBox, { width, height }: RgbImage): PixelBox {
  if (areaOf(at) > 0) return at;
  const half = (AROUND_PIXEL * Math.min(width, height)) / 2;
  return [at[0] - half, at[1] - half, at[0] + half, at[1] + half];
}

/** A part of a picture; undefined if too little of it lies inside. */
export function cropped(
  { width, height, data }: RgbImage,
  [left, top, right, bottom]: PixelBox,
): RgbImage | undefined {
  const [x0, y0] = [Math.max(0, Math.floor(left)), Math.max(0, Math.floor(top))];
  const [x1, y1] = [Math.min(width, Math.ceil(right)), Math.min(height, Math.ceil(bottom))];
  const [w, h] = [x1 - x0, y1 - y0];
  if (w < SMALLEST_PX || h < SMALLEST_PX) return undefined;
  const part = new Uint8Array(w * h * 3);
  for (let row = 0; row < h; row++)
    part.set(data.subarray(3 * ((y0 + row) * width + x0), 3 * ((y0 + row) * width + x1)), 3 * row * w);
  return { width: w, height: h, data: part };
}

/** At most this many items of a list, evenly spaced. */
function evenly<T>(all: readonly T[], most: number): T[] {
  if (all.length <= most) return [...all];
  return Array.from({ length: most }, (_, n) => all[Math.floor((n * all.length) / most)]!);
}
