import { type FrameGraph, IDENTITY, type Transform, transformDelta } from "../geometry/index.ts";
import {
  type FrameEdgeInput,
  frameEdgeSchema,
  LociError,
  parseOrThrow,
  WORLD_FRAME,
} from "../schema/index.ts";

/** A piece of map that lies less than this from where it lay has not moved. */
const STILL_M = 1e-3;
const STILL_RAD = 1e-3;

/**
 * The frame graph as an ingest sees it grow: where each piece of map lies by the latest revision, and which map it
 * belongs to. Frames that hang from nothing are a map of their own until somebody aligns them.
 */
export class MapFrames {
  #graph: FrameGraph;

  constructor(graph: FrameGraph) {
    this.#graph = graph;
  }

  /** Takes edges in and says whether a piece of map that was known already now lies elsewhere. */
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
      const { translationM, rotationRad } = transformDelta(was, is);
      return translationM > STILL_M || rotationRad > STILL_RAD;
    });
  }

  /** Whether anything says where a frame is: it hangs from another, or is the world itself. */
  knows(frame: string): boolean {
    return frame === WORLD_FRAME || this.#graph.topOf(frame) !== frame;
  }

  /** The map that a frame belongs to: the topmost frame above it, which is "world" once it was aligned. */
  rootOf(frame: string): string {
    return this.#graph.topOf(frame);
  }

  /** Where a piece of map lies in its map, by the latest revision. */
  rootFrom(frame: string): Transform | undefined {
    const root = this.rootOf(frame);
    return root === frame ? IDENTITY : this.#graph.resolve(root, frame);
  }
}
