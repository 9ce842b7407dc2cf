import { compose, type FrameEdge, type FrameGraph, invert, normalizeQuat, yawOf } from "../geometry/index.ts";
import { composeLevel, invertLevel, transformOf } from "./align/level.ts";
import { sideOf } from "./align/side.ts";
import type { MapSketch, SketchPiece } from "./align/sketch.ts";
import { straighten } from "./align/straighten.ts";

/**
 * The poses of a joined map's submaps, corrected for drift: an edge for each of them, of the join's revision. A submap
 * without such an edge was drawn, or moved by its robot, since.
 */
export function straightened(
  graph: FrameGraph,
  base: MapSketch,
  pieces: readonly SketchPiece[],
  { child: root, transform: baseFromRoot, revision }: FrameEdge,
): FrameEdge[] {
  const pose = { ...baseFromRoot.p, yawRad: yawOf(baseFromRoot.q) };
  const poses = straighten(sideOf(base), pieces, pose);
  const laid = new Map(
    pieces.map(({ frame, pose: rootFromPiece }, i) => {
      const rootFromFrame = graph.resolve(root, frame)!;
      if (poses === undefined) return [frame, rootFromFrame] as const;
      const by = transformOf(composeLevel(poses[i]!, invertLevel(composeLevel(pose, rootFromPiece))));
      const bent = compose(compose(invert(baseFromRoot), by), baseFromRoot);
      return [frame, compose(bent, rootFromFrame)] as const;
    }),
  );
  return [...laid].map(([child, rootFromFrame]) => {
    const { parent } = graph.edgeOf(child)!;
    const above = parent === root ? undefined : (laid.get(parent) ?? graph.resolve(root, parent)!);
    const { p, q } = above ? compose(invert(above), rootFromFrame) : rootFromFrame;
    return {
      parent,
      child,
      transform: { p, q: normalizeQuat(q) },
      kind: "alignment",
      stampUs: null,
      revision,
    };
  });
}

/**
 * Adds edges for submaps that have none yet. Layers come in order, so the first one that shows a submap decides its
 * pose.
 */
export function addEdges(edges: FrameEdge[], more: readonly FrameEdge[]): void {
  const laid = new Set(edges.map(({ child }) => child));
  edges.push(...more.filter(({ child }) => !laid.has(child)));
}

/** Edges that restore the poses that joined submaps had before the join. */
export function bentAgain(
  graph: FrameGraph,
  before: FrameGraph,
  root: string,
  revision: number,
): FrameEdge[] {
  const joined = graph.edgeOf(root)?.revision;
  return graph.frames().flatMap((frame) => {
    const edge = graph.edgeOf(frame);
    if (frame === root || edge?.kind !== "alignment" || edge.revision !== joined) return [];
    const was = before.edgeOf(frame);
    return was?.parent === edge.parent ? [{ ...was, revision }] : [];
  });
}
