import {
  type FrameGraph,
  IDENTITY,
  invert,
  type Transform,
  toMatrix,
  transformDelta,
} from "../geometry/index.ts";
import type { ArrivalView, Cloud } from "../localisation/arrival/index.ts";
import type { MemoryReader } from "../memory/port.ts";
import { type FrameEdgeInput, frameEdgeSchema, parseOrThrow } from "../schema/index.ts";
import { settings } from "../schema/settings.ts";
import type { Frame, RecordingItem } from "../sensors/index.ts";
import type { KnownMap } from "../sharing/index.ts";
import { sameLabels } from "../sharing/own-layer.ts";

/** Why frames are not placed in a known map. */
export const REFUSALS = ["nothing-in-common", "not-sure", "ambiguous", "no-depth", "other-labels"] as const;
export type Refusal = (typeof REFUSALS)[number];

export const REFUSAL_TEXT: Readonly<Record<Refusal, string>> = {
  "nothing-in-common": "what it shows has too little in common with what is known",
  "not-sure": "nothing in it is surely a place that is known",
  ambiguous: "it could lie in more than one way in what is known",
  "no-depth": "without depth it cannot be held against what is known",
  "other-labels": "what is known has other access labels",
};

/** Where frames lie in a known map. */
export interface KnownPlace {
  readonly into: string;
  readonly intoFromMap: Transform;
  /** Share of the known surfaces that the frames confirm rather than see through, 0 to 1. */
  readonly agreement: number;
}

const VIEWING = settings("arrival.views", {
  /** A view shows something new after so much of a step … */
  stepM: [0.25, "m", 0.05, 1, "experiment"],
  /** … or of a turn. */
  turnRad: [0.3, "rad", 0.05, 1, "experiment"],
  /** Known maps that are tried, the world first. */
  maps: [3, "maps", 1, 16, "limit"],
  /** An origin found within this of the known one is the known one: surfaces tell it no better in a few views. */
  sameM: [0.15, "m", 0.02, 0.3, "recording"],
  sameRad: [0.03, "rad", 0.005, 0.1, "recording"],
});

/** Finds views in the known maps by what they show of surfaces. */
export async function placeOf(
  memory: MemoryReader,
  {
    sceneId,
    labels,
    maps,
    views,
  }: {
    readonly sceneId: string;
    readonly labels: readonly string[];
    readonly maps: readonly KnownMap[];
    readonly views: readonly ArrivalView[];
  },
): Promise<KnownPlace | { readonly refused: Refusal }> {
  if (views.length === 0) return { refused: "no-depth" };
  const { recogniseBeside } = await import("../localisation/arrival/index.ts");
  const graph = await memory.frames();
  let why: Refusal | undefined;
  for (const { root: into, labels: theirs } of maps.slice(0, VIEWING.maps)) {
    if (!sameLabels(theirs, labels)) {
      why ??= "other-labels";
      continue;
    }
    const cloud = await cloudOf(memory, sceneId, into, graph);
    const { knownFromArriving, refused, best } = await recogniseBeside(cloud, views);
    if (knownFromArriving !== undefined)
      return { into, intoFromMap: knownFromArriving, agreement: best!.met / (best!.met + best!.through + 1) };
    why ??= refused;
  }
  return { refused: why ?? "not-sure" };
}

export function viewOf({ worldFromCamera, intrinsics, depth, rgb }: Frame): ArrivalView[] {
  return worldFromCamera && depth ? [{ worldFromCamera, intrinsics, depth, rgb }] : [];
}

/** Whether a frame is a step or a turn away from the view before it. */
export function isNewView({ worldFromCamera: pose }: Frame, before: Frame | undefined): boolean {
  if (pose === undefined) return false;
  if (before?.worldFromCamera === undefined) return true;
  const { translationM, rotationRad } = transformDelta(before.worldFromCamera, pose);
  return translationM > VIEWING.stepM || rotationRad > VIEWING.turnRad;
}

/** Whether two poses of one origin are too close to be told apart. */
export function isSamePlace(pose: Transform, other: Transform = IDENTITY): boolean {
  const { translationM, rotationRad } = transformDelta(pose, other);
  return translationM <= VIEWING.sameM && rotationRad <= VIEWING.sameRad;
}

/** The edges that place a map in the one where it was recognised. */
export function edgesInto(
  graph: FrameGraph,
  into: string,
  own: string,
  transform: Transform,
): FrameEdgeInput[] {
  const revision = graph.revision + 1;
  const level = { p: { x: 0, y: 0, z: 0 }, q: invert(transform).q };
  return [
    { parent: into, child: own, transform, kind: "alignment", revision },
    // Its only submap is fixed by the join; no other process has to align it.
    { parent: own, child: `${own}.upright`, transform: level, kind: "alignment", revision },
  ];
}

/** Edges as items of a recording. */
export function edgeItems(edges: readonly FrameEdgeInput[], receivedAtUs: number): RecordingItem[] {
  return edges.map((edge) => ({
    kind: "edge",
    edge: { receivedAtUs, edge: parseOrThrow(frameEdgeSchema, edge, "frame edge") },
  }));
}

/** The surface points of a map, thinned. */
async function cloudOf(
  memory: MemoryReader,
  sceneId: string,
  root: string,
  graph: FrameGraph,
): Promise<Cloud> {
  const { ARRIVAL, CloudMaker } = await import("../localisation/arrival/index.ts");
  const { decodeSurface } = await import("../map/index.ts");
  const { eachHit } = await import("../memory/index.ts");
  const maker = new CloudMaker(ARRIVAL.voxelM);
  const where = { sceneId: [sceneId], category: ["map"] };
  for await (const { record } of eachHit(memory, "region", { where })) {
    const submap = record.validToUs === null ? record.anchor?.submap : undefined;
    const place = submap === root ? IDENTITY : submap && graph.resolve(root, submap);
    const bytes = place && record.surface !== undefined ? await memory.blob(record.surface) : undefined;
    if (!place || !bytes) continue;
    const { count, positions, colours, unitM } = decodeSurface(bytes);
    const [m, { p }] = [toMatrix(place.q), place];
    for (let i = 0; i < count; i++) {
      const [x, y, z] = [
        positions[3 * i]! * unitM,
        positions[3 * i + 1]! * unitM,
        positions[3 * i + 2]! * unitM,
      ];
      maker.add(
        m[0] * x + m[1] * y + m[2] * z + p.x,
        m[3] * x + m[4] * y + m[5] * z + p.y,
        m[6] * x + m[7] * y + m[8] * z + p.z,
        0.3 * colours[3 * i]! + 0.59 * colours[3 * i + 1]! + 0.11 * colours[3 * i + 2]!,
      );
    }
  }
  return maker.made();
}
