import type { FrameEdge, FrameHistory, FrameId, FrameLink } from "./frame-history.ts";
import { assertNoCycle, buildHistory, checkEdge, linkAt, poseOf } from "./frame-history.ts";
import type { TimeUs } from "./interval.ts";
import type { Transform } from "./transform.ts";
import { compose, IDENTITY, invert, transformDelta } from "./transform.ts";

export type { FrameEdge, FrameId } from "./frame-history.ts";

/** Which state of the graph is asked: a world time for moving frames, a revision for "as it was believed then". */
export interface ResolveOptions {
  readonly timeUs?: TimeUs;
  readonly revision?: number;
}

/** How far a frame may move before what is anchored to it must be indexed again. */
export interface PoseTolerance {
  readonly translationM: number;
  readonly rotationRad: number;
}

/** A frame whose pose in the root differs between two revisions; a side is absent where it had no fixed pose. */
export interface ChangedFrame {
  readonly frame: FrameId;
  readonly before?: Transform;
  readonly after?: Transform;
}

/** The parent of a frame that was separated from its map: from that revision on it is connected to nothing. */
export const NOWHERE: FrameId = "nowhere";
/** 2 cm and 0.5° (docs/formulas.md#frames). */
const REINDEX_TOLERANCE: PoseTolerance = { translationM: 0.02, rotationRad: Math.PI / 360 };
/** Bounds on what is kept for speed alone: views of past revisions, and poses in each. */
const CACHED_REVISIONS = 8;
const CACHED_POSES = 65_536;

/** The graph as of one revision, with the poses already asked for; null marks "no fixed pose". */
interface RevisionView {
  readonly links: ReadonlyMap<FrameId, FrameLink>;
  readonly frames: ReadonlySet<FrameId>;
  readonly fixedPoses: Map<FrameId, Map<FrameId, Transform | null>>;
  cached: number;
}

/**
 * The forest of coordinate frames with all its revisions. Immutable: loop closures and alignments between robots
 * are new edges in a new graph that shares the unchanged frames. A pose that does not depend on time costs three
 * map look-ups after the first ask, so 100k anchors over a few hundred submaps resolve in a tenth of a second.
 */
export class FrameGraph {
  /** The highest revision of any edge; 0 without edges. */
  readonly revision: number;
  readonly #root: FrameId;
  readonly #histories: ReadonlyMap<FrameId, FrameHistory>;
  readonly #revisions: readonly number[];
  readonly #views = new Map<number, RevisionView>();

  /**
   * Throws a RangeError on a malformed edge, on two parents of a child at one revision, and on a cycle at any
   * revision. The root is the frame that `changedFrames` measures in; it may itself have a parent (geodetic).
   */
  constructor(edges: Iterable<FrameEdge>, root: FrameId = "world", base?: FrameGraph) {
    const added = Map.groupBy(Array.from(edges, checkEdge), (edge) => edge.child);
    const histories = new Map(base === undefined ? [] : base.#histories);
    for (const [child, list] of added) {
      histories.set(child, buildHistory([...(histories.get(child)?.edges ?? []), ...list]));
    }
    const revisions = new Set<number>();
    for (const history of histories.values()) for (const link of history.links) revisions.add(link.revision);
    this.#root = root;
    this.#histories = histories;
    this.#revisions = [...revisions].sort((a, b) => a - b);
    this.revision = this.#revisions.at(-1) ?? 0;
    assertNoCycle(histories, this.#revisions);
  }

  /** A new graph with more edges; rebuilding touches only the children they name. */
  withEdges(edges: Iterable<FrameEdge>): FrameGraph {
    return new FrameGraph(edges, this.#root, this);
  }

  /** Whether this very edge is in it: adding it again changes nothing. */
  holds(edge: FrameEdge): boolean {
    const { parent, child, kind, stampUs, revision, transform } = edge;
    const { p, q } = transform;
    return (this.#histories.get(child)?.edges ?? []).some(
      ({ transform: { p: at, q: turned }, ...one }) =>
        one.parent === parent &&
        one.kind === kind &&
        one.stampUs === stampUs &&
        one.revision === revision &&
        at.x === p.x &&
        at.y === p.y &&
        at.z === p.z &&
        turned.w === q.w &&
        turned.x === q.x &&
        turned.y === q.y &&
        turned.z === q.z,
    );
  }

  /** Every frame of every revision, the root included, in code-unit order. */
  frames(): FrameId[] {
    const frames = new Set([this.#root]);
    for (const [child, { links }] of this.#histories) {
      frames.add(child);
      for (const link of links) if (link.parent !== NOWHERE) frames.add(link.parent);
    }
    return [...frames].sort();
  }

  /** The map that a frame belongs to at the latest revision: the topmost frame above it, at most the root. */
  topOf(frame: FrameId): FrameId {
    const { links } = this.#viewAt(this.revision);
    let at = frame;
    for (let up = links.get(at)?.parent; up !== undefined && at !== this.#root; up = links.get(at)?.parent)
      at = up;
    return at;
  }

  /** The latest edge of a frame; for a moving one its first sample. */
  edgeOf(frame: FrameId): FrameEdge | undefined {
    const history = this.#histories.get(frame);
    const link = history && linkAt(history, this.revision);
    return link && history.edges.find(({ revision }) => revision === link.revision);
  }

  /** Whether a frame was separated from its parent, by its latest edge. */
  isTakenOff(frame: FrameId): boolean {
    const history = this.#histories.get(frame);
    return history !== undefined && linkAt(history, this.revision)?.parent === NOWHERE;
  }

  /**
   * targetFromSource through the nearest common ancestor, so that a robot's own cameras resolve even where its
   * odometry has a gap. Undefined when a frame is unknown at the revision, when the two are not connected, or
   * when a moving link on the way has no pose at `timeUs`.
   */
  resolve(target: FrameId, source: FrameId, options: ResolveOptions = {}): Transform | undefined {
    const view = this.#viewAt(options.revision ?? this.revision);
    let poses = view.fixedPoses.get(target);
    let pose = poses?.get(source);
    if (pose === undefined) {
      pose = resolveIn(view, target, source, undefined) ?? null;
      if (view.cached >= CACHED_POSES) {
        view.fixedPoses.clear();
        view.cached = 0;
        poses = undefined;
      }
      if (poses === undefined) {
        poses = new Map();
        view.fixedPoses.set(target, poses);
      }
      poses.set(source, pose);
      view.cached++;
    }
    if (pose !== null) return pose;
    return options.timeUs === undefined ? undefined : resolveIn(view, target, source, options.timeUs);
  }

  /**
   * The frames whose fixed pose in the root moved by more than the tolerance, appeared or went, in code-unit
   * order: what is anchored to any other frame may stay in the index. Frames below a moving link have no single
   * pose and are left out; nothing durable is anchored to them.
   */
  changedFrames(
    fromRevision: number,
    toRevision: number,
    tolerance: PoseTolerance = REINDEX_TOLERANCE,
  ): ChangedFrame[] {
    return this.frames().flatMap((frame): ChangedFrame[] => {
      const before = this.resolve(this.#root, frame, { revision: fromRevision });
      const after = this.resolve(this.#root, frame, { revision: toRevision });
      if (before === undefined) return after === undefined ? [] : [{ frame, after }];
      if (after === undefined) return [{ frame, before }];
      const moved = transformDelta(before, after);
      const within =
        moved.translationM <= tolerance.translationM && moved.rotationRad <= tolerance.rotationRad;
      return within ? [] : [{ frame, before, after }];
    });
  }

  #viewAt(revision: number): RevisionView {
    const known = this.#revisions;
    const effective =
      revision >= this.revision ? this.revision : (known.findLast((r) => r <= revision) ?? -1);
    let view = this.#views.get(effective);
    if (view !== undefined) return view;
    const links = new Map<FrameId, FrameLink>();
    const frames = new Set([this.#root]);
    for (const [child, history] of this.#histories) {
      const link = linkAt(history, effective);
      if (link === undefined) continue;
      if (link.parent === NOWHERE) {
        frames.add(child);
        continue;
      }
      links.set(child, link);
      frames.add(child).add(link.parent);
    }
    view = { links, frames, fixedPoses: new Map(), cached: 0 };
    const oldest = this.#views.keys().next();
    if (this.#views.size >= CACHED_REVISIONS && !oldest.done) this.#views.delete(oldest.value);
    this.#views.set(effective, view);
    return view;
  }
}

function resolveIn(
  view: RevisionView,
  target: FrameId,
  source: FrameId,
  timeUs: TimeUs | undefined,
): Transform | undefined {
  if (!view.frames.has(target) || !view.frames.has(source)) return undefined;
  const targetPath = pathToTop(view.links, target);
  const sourcePath = pathToTop(view.links, source);
  if (targetPath.at(-1) !== sourcePath.at(-1)) return undefined;
  while (targetPath.length > 0 && sourcePath.length > 0 && targetPath.at(-1) === sourcePath.at(-1)) {
    targetPath.pop();
    sourcePath.pop();
  }
  const ancestorFromTarget = composePath(view.links, targetPath, timeUs);
  const ancestorFromSource = composePath(view.links, sourcePath, timeUs);
  if (ancestorFromTarget === undefined || ancestorFromSource === undefined) return undefined;
  return targetPath.length === 0
    ? ancestorFromSource
    : compose(invert(ancestorFromTarget), ancestorFromSource);
}

function pathToTop(links: ReadonlyMap<FrameId, FrameLink>, frame: FrameId): FrameId[] {
  const path: FrameId[] = [];
  for (let at: FrameId | undefined = frame; at !== undefined; at = links.get(at)?.parent) path.push(at);
  return path;
}

function composePath(
  links: ReadonlyMap<FrameId, FrameLink>,
  path: readonly FrameId[],
  timeUs: TimeUs | undefined,
): Transform | undefined {
  let aboveFromFrame: Transform | undefined;
  for (const frame of path) {
    const parentFromFrame = poseOf(links.get(frame)!, timeUs);
    if (parentFromFrame === undefined) return undefined;
    aboveFromFrame =
      aboveFromFrame === undefined ? parentFromFrame : compose(parentFromFrame, aboveFromFrame);
  }
  return aboveFromFrame ?? IDENTITY;
}
