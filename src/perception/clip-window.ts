import { apply, compose, invert, type Transform, type Vec3 } from "../geometry/index.ts";
import type { Percept, RecordInput, RgbImage, TrackedFrame } from "../schema/core.ts";
import { type SceneThing, sentencesOf } from "./scene-text.ts";

/** What earlier stages know about a frame and the captioner does not. */
export interface ClipContext {
  readonly room?: string | undefined;
  readonly regionId?: string | undefined;
  readonly thingOf?: ((stateId: string) => SceneThing | undefined) | undefined;
  /** The view kept for this frame. */
  readonly viewId?: string | undefined;
}

export type CaptionInput = Extract<RecordInput, { kind: "caption" }>;

const PATH_POINTS = 32;
const CLIP_IMAGES = 4;

/** The data gathered while a window is open. */
export interface Window {
  readonly first: Percept;
  readonly poses: {
    timeUs: number;
    submap: string;
    worldFromSubmap: Transform;
    submapFromCamera: Transform;
  }[];
  readonly states: Map<string, SceneThing>;
  readonly views: Set<string>;
  readonly labels: Set<string>;
  readonly recorded: Map<string, number>;
  readonly rooms: Map<string, number>;
  readonly regions: Map<string, number>;
  readonly images: RgbImage[];
  frames: number;
  fromUs: number;
  toUs: number;
}

/** A window that starts with a frame; the frame itself is not added yet. */
export function emptyWindow(first: Percept): Window {
  return {
    first: { ...first, rgb: undefined, depth: undefined, segments: undefined, detections: [] },
    poses: [],
    states: new Map(),
    views: new Set(),
    labels: new Set(),
    recorded: new Map(),
    rooms: new Map(),
    regions: new Map(),
    images: [],
    frames: 0,
    fromUs: first.timeUs,
    toUs: first.timeUs,
  };
}

/** Adds what one frame shows and says. */
export function addFrame(
  window: Window,
  percept: Percept,
  tracked: TrackedFrame,
  { room, regionId, thingOf, viewId }: ClipContext,
  wantsImages: boolean,
): void {
  const { timeUs, submap, worldFromSubmap, submapFromCamera } = percept;
  window.fromUs = Math.min(window.fromUs, timeUs);
  window.toUs = Math.max(window.toUs, timeUs);
  window.poses.push({ timeUs, submap, worldFromSubmap, submapFromCamera });
  for (const label of percept.labels) window.labels.add(label);
  for (const line of (percept.captions ?? []).flatMap(sentencesOf)) count(window.recorded, line);
  if (viewId !== undefined) window.views.add(viewId);
  if (room !== undefined) count(window.rooms, room);
  if (regionId !== undefined) count(window.regions, regionId);
  percept.detections.forEach((one, n) => {
    const stateId = tracked.stateOf[n];
    if (stateId === undefined) return;
    const own = { category: one.category ?? "thing", phrase: one.phrase, attributes: one.attributes };
    window.states.set(stateId, thingOf?.(stateId) ?? own);
  });
  // The first frame, then ever fewer, so that a handful covers a window at any frame rate.
  const due = window.frames === 0 || 2 ** window.images.length <= window.frames;
  if (wantsImages && percept.rgb && !percept.restricted && due && window.images.length < CLIP_IMAGES) {
    window.images.push(percept.rgb);
  }
  window.frames++;
}

/** The mean position with the rotation of the middle frame, and the path, in that frame's submap. */
export function placesOf({ poses }: Window): { anchor: NonNullable<CaptionInput["anchor"]>; path: Vec3[] } {
  poses.sort((a, b) => a.timeUs - b.timeUs);
  const middle = poses[poses.length >> 1]!;
  const submapFromWorld = invert(middle.worldFromSubmap);
  const points = poses.map((pose) => {
    if (pose.submap === middle.submap) return pose.submapFromCamera.p;
    return apply(compose(submapFromWorld, pose.worldFromSubmap), pose.submapFromCamera.p);
  });
  const mean = (axis: "x" | "y" | "z") => points.reduce((sum, point) => sum + point[axis], 0) / points.length;
  const stops = Math.min(points.length, PATH_POINTS);
  const stride = stops > 1 ? (points.length - 1) / (stops - 1) : 0;
  return {
    anchor: {
      submap: middle.submap,
      p: { x: mean("x"), y: mean("y"), z: mean("z") },
      q: middle.submapFromCamera.q,
    },
    path: Array.from({ length: stops }, (_, n) => points[Math.round(n * stride)]!),
  };
}

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
