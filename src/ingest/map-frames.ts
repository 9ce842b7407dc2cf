import {
  compose,
  type FrameGraph,
  IDENTITY,
  invert,
  normalizeQuat,
  type Transform,
  transformDelta,
} from "../geometry/index.ts";
import {
  type FrameEdgeInput,
  frameEdgeSchema,
  LociError,
  parseOrThrow,
  WORLD_FRAME,
} from "../schema/index.ts";

/** A submap that moved by less than this has not moved. */
const STILL_M = 1e-3;
const STILL_RAD = 1e-3;

/** Suffix of the frames that we create, and their first revision. */
const UPRIGHT = ".upright";
const FIRST_USE = 0;

/**
 * The frame graph as it grows during an ingest: the pose of each submap by the latest revision, and its map. Frames
 * without a known parent form a separate map until they are aligned.
 */
export class MapFrames {
  #graph: FrameGraph;

  constructor(graph: FrameGraph) {
    this.#graph = graph;
  }

  /** Adds edges; returns whether a known submap moved. */
  add(edges: readonly FrameEdgeInput[]): boolean {
    const parsed = edges.map((edge) => parseOrThrow(frameEdgeSchema, edge, "frame edge"));
    const before = new Map(
      parsed.map(({ child }) => [child, this.#graph.resolve(this.rootOf(child), child)]),
    );
    try {
      this.#graph = this.#graph.withEdges(parsed);
    } catch (cause) {
      throw new LociError(
        "invalid-input",
        `the recording's frames contradict each other or the memory: ${(cause as Error).message}`,
        { cause },
      );
    }
    return [...before].some(([child, was]) => {
      const is = this.rootFrom(child);
      if (was === undefined || is === undefined) return false;
      return !isSamePlace(was, is);
    });
  }

  /** The edges that are not in it yet. */
  news(edges: readonly FrameEdgeInput[]): FrameEdgeInput[] {
    return edges.filter((edge) => !this.#graph.holds(parseOrThrow(frameEdgeSchema, edge, "frame edge")));
  }

  /** Whether a frame's pose is known: it has a parent, or is the world itself. */
  knows(frame: string): boolean {
    return frame === WORLD_FRAME || this.#graph.topOf(frame) !== frame;
  }

  /** The map of a frame: the topmost frame above it, which is "world" once aligned. */
  rootOf(frame: string): string {
    return this.#graph.topOf(frame);
  }

  /**
   * A frame at a submap's position but along the axes of its map, by the revision of its first use. Boxes are stored
   * along the axes of their frame: along those of a robot's momentary heading, a curtain would become a square. Later
   * corrections rotate it only by what they correct, which is little.
   */
  uprightOf(
    submap: string,
    rootFromSubmap: Transform,
  ): { frame: string; submapFromUpright: Transform; edges: FrameEdgeInput[] } {
    const { w, x, y, z } = rootFromSubmap.q;
    if (Math.abs(w) > 1 - 1e-9 && x === 0 && y === 0 && z === 0)
      return { frame: submap, submapFromUpright: IDENTITY, edges: [] };
    const frame = `${submap}${UPRIGHT}`;
    const known = this.#graph.resolve(submap, frame, { revision: FIRST_USE });
    if (known) return { frame, submapFromUpright: known, edges: [] };
    const submapFromUpright = { p: { x: 0, y: 0, z: 0 }, q: { w, x: -x, y: -y, z: -z } };
    const edge = { parent: submap, child: frame, transform: submapFromUpright, kind: "submap" as const };
    this.add([edge]);
    return { frame, submapFromUpright, edges: [edge] };
  }

  /** Moves upright frames away from where their submaps put them, because their surfaces fit the others only there. */
  shift(
    moved: readonly { readonly submap: string; readonly worldFromSubmap: Transform }[],
  ): FrameEdgeInput[] {
    const revision = this.#graph.revision + 1;
    const edges = moved.map(({ submap: child, worldFromSubmap }) => {
      const parent = child.slice(0, -UPRIGHT.length);
      const { p, q } = compose(invert(this.rootFrom(parent)!), worldFromSubmap);
      return { parent, child, transform: { p, q: normalizeQuat(q) }, kind: "submap" as const, revision };
    });
    if (edges.length > 0) this.add(edges);
    return edges;
  }

  /** Reverts every such shift, because the map was corrected. */
  takeBackShifts(): FrameEdgeInput[] {
    const revision = this.#graph.revision + 1;
    const edges = this.#graph.frames().flatMap((child) => {
      if (!child.endsWith(UPRIGHT)) return [];
      const parent = child.slice(0, -UPRIGHT.length);
      const first = this.#graph.resolve(parent, child, { revision: FIRST_USE });
      const now = this.#graph.resolve(parent, child);
      if (!first || !now || isSamePlace(first, now)) return [];
      return [{ parent, child, transform: first, kind: "submap" as const, revision }];
    });
    if (edges.length > 0) this.add(edges);
    return edges;
  }

  /** The pose of a submap in its map, by the latest revision. */
  rootFrom(frame: string): Transform | undefined {
    const root = this.rootOf(frame);
    return root === frame ? IDENTITY : this.#graph.resolve(root, frame);
  }
}

function isSamePlace(a: Transform, b: Transform): boolean {
  const { translationM, rotationRad } = transformDelta(a, b);
  return translationM <= STILL_M && rotationRad <= STILL_RAD;
}
