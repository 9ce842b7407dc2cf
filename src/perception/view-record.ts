import {
  blobRefOf,
  contentId,
  LIMITS,
  type Percept,
  type RecordInput,
  type RgbImage,
  type TrackedFrame,
} from "../schema/core.ts";
import { drawOverlay } from "./overlay.ts";
import { encodeJpeg } from "./pictures.ts";
import { type SceneThing, sceneLines } from "./scene-text.ts";

/** What earlier stages know about a frame and the keeper does not. */
export interface ViewContext {
  /** The name of the room that the camera is in. */
  readonly room?: string | undefined;
  /** The description of a state; without it that of the detection is used. */
  readonly thingOf?: ((stateId: string) => SceneThing | undefined) | undefined;
  /** An image vector of the frame; without it views are compared by the states they show. */
  readonly feature?: Float32Array | undefined;
}

export type ViewInput = Extract<RecordInput, { kind: "view" }>;

/** One state as a frame shows it. */
export interface Visible {
  readonly detectionId: string;
  readonly bbox: readonly [number, number, number, number];
  readonly depthM: number;
  readonly fraction: number;
  readonly thing: SceneThing;
}

/** The pictures of a view, as they are stored. */
export interface EncodedView {
  readonly thumb: Uint8Array;
  readonly overlay?: Uint8Array;
  readonly signature: Uint8Array;
  readonly blobs: Uint8Array[];
}

/** By state; a state's number in the overlay is its index here plus one. Of two detections the larger one counts. */
export function visibleOf(percept: Percept, tracked: TrackedFrame): Map<string, Visible> {
  const areas = new Map<string, number>();
  const found = new Map<string, Visible>();
  percept.detections.forEach((one, n) => {
    const stateId = tracked.stateOf[n];
    if (stateId === undefined || one.areaPx < (areas.get(stateId) ?? 0)) return;
    if (!found.has(stateId) && found.size >= LIMITS.refsPerRecord) return;
    areas.set(stateId, one.areaPx);
    found.set(stateId, {
      detectionId: one.id,
      bbox: one.bbox,
      depthM: one.solid?.depthM ?? 0,
      fraction: 1 - one.occludedFraction,
      thing: { category: one.category ?? "thing", phrase: one.phrase, attributes: one.attributes },
    });
  });
  return found;
}

/** The id of a frame's view, unless it replaces an older one. */
export function ownIdOf({ sceneId, observationId }: Percept): string {
  return contentId("view", sceneId, observationId);
}

/** The record of a frame that is kept under an id. */
export function viewRecord(
  id: string,
  percept: Percept,
  visible: ReadonlyMap<string, Visible>,
  { thumb, overlay, signature }: EncodedView,
  { room, thingOf }: ViewContext,
): ViewInput {
  const things = Array.from(visible, ([stateId, { thing }]) => thingOf?.(stateId) ?? thing);
  return {
    kind: "view",
    id,
    sceneId: percept.sceneId,
    author: percept.agentId,
    labels: [...percept.labels],
    validFromUs: percept.timeUs,
    validToUs: percept.timeUs + 1,
    anchor: { submap: percept.submap, p: percept.submapFromCamera.p, q: percept.submapFromCamera.q },
    text: sceneLines(things, room),
    observationId: percept.observationId,
    thumb: blobRefOf(thumb),
    ...(overlay && { overlay: blobRefOf(overlay) }),
    visible: Array.from(visible, ([stateId, { bbox, depthM, fraction }]) => ({
      stateId,
      bbox: [...bbox],
      depthM,
      fraction,
    })),
    ...(room !== undefined && { room }),
    signature: blobRefOf(signature),
  };
}

/**
 * Numbers and outlines are legible in smaller pictures than text and material; these take twice the bytes per pixel.
 */
const OVERLAY_PX = 320;

/** The pictures of a view: no side longer than `sidePx`; a smaller one with its states marked; and the signature. */
export async function encodeView(
  { segments }: Percept,
  picture: RgbImage,
  signature: Uint8Array,
  visible: ReadonlyMap<string, Visible>,
  sidePx: number,
): Promise<EncodedView> {
  const encodingThumb = encodeJpeg(picture, sidePx);
  if (!segments || visible.size === 0) {
    const thumb = await encodingThumb;
    return { thumb, signature, blobs: [thumb, signature] };
  }
  const numbers = new Map(Array.from(visible.values(), ({ detectionId }, n) => [detectionId, n + 1]));
  const overlayPx = Math.min(OVERLAY_PX, sidePx);
  const drawn = drawOverlay(picture, segments, numbers, overlayPx);
  const [thumb, overlay] = await Promise.all([encodingThumb, encodeJpeg(drawn, overlayPx, { drawn: true })]);
  return { thumb, overlay, signature, blobs: [thumb, overlay, signature] };
}
