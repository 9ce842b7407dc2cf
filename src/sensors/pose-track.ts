import {
  type FrameEdge,
  FrameGraph,
  interpolate,
  isFiniteVec3,
  normalizeQuat,
  type Transform,
} from "../geometry/index.ts";
import { LIMITS, LociError } from "../schema/index.ts";

/** A day's recording has fewer samples than this. */
const SAMPLES = 2_000_000;
/** Between samples further apart than this the pose is unknown. */
const GAP_US = 2_000_000;

interface Link {
  readonly parent: string;
  fixed: Transform | undefined;
  stampsUs: number[];
  transforms: Transform[];
}

/**
 * Collects transforms between frames, in any order, as a robot publishes them: a later repetition wins; a second
 * parent or a cycle is refused and counted. `build` gives the tree to query.
 */
export class PoseCollector {
  readonly #links = new Map<string, Link>();
  #samples = 0;
  refused = 0;

  /** `stampUs` null: valid at all times. */
  add(parent: string, child: string, stampUs: number | null, parentFromChild: Transform): void {
    const checked = usable(parentFromChild);
    const link = this.#links.get(child) ?? { parent, fixed: undefined, stampsUs: [], transforms: [] };
    if (!checked || parent === child || link.parent !== parent || this.#isAbove(child, parent)) {
      this.refused++;
      return;
    }
    this.#links.set(child, link);
    if (stampUs === null) {
      link.fixed = checked;
      return;
    }
    if (++this.#samples > SAMPLES)
      throw new LociError("limit-exceeded", `more than ${SAMPLES} poses in one recording`);
    link.stampsUs.push(stampUs);
    link.transforms.push(checked);
  }

  has(child: string): boolean {
    return this.#links.has(child);
  }

  build(): PoseTree {
    return new PoseTree(this.#links);
  }

  #isAbove(frame: string, below: string): boolean {
    for (let at: string | undefined = below; at !== undefined; at = this.#links.get(at)?.parent)
      if (at === frame) return true;
    return false;
  }
}

/** Poses of frames at any time between samples. */
export class PoseTree {
  readonly #links = new Map<string, Link>();
  readonly #graph: FrameGraph;

  constructor(links: ReadonlyMap<string, Link>) {
    for (const [child, link] of links) this.#links.set(child, inOrder(link));
    this.#graph = new FrameGraph(
      [...this.#links].flatMap(([child, { parent, fixed, stampsUs, transforms }]): FrameEdge[] =>
        fixed
          ? [{ parent, child, stampUs: null, transform: fixed, kind: "static" as const, revision: 0 }]
          : stampsUs.map((stampUs, i) => ({
              parent,
              child,
              stampUs,
              transform: transforms[i]!,
              kind: "odom" as const,
              revision: 0,
            })),
      ),
    );
  }

  has(frame: string): boolean {
    return this.#links.has(frame) || [...this.#links.values()].some(({ parent }) => parent === frame);
  }

  /** The frames above a frame, nearest first. */
  above(frame: string): string[] {
    const path: string[] = [];
    for (let at = this.#links.get(frame)?.parent; at !== undefined; at = this.#links.get(at)?.parent)
      path.push(at);
    return path;
  }

  /** The most samples on any link from a frame to the root: its number of poses. */
  samplesOf(frame: string): number {
    const counts = [frame, ...this.above(frame)].map((at) => this.#links.get(at)?.stampsUs.length ?? 0);
    return Math.max(...counts);
  }

  /**
   * targetFromSource at a time, interpolated; just outside the samples (by at most `toleranceUs`) the nearest one is
   * used. Undefined if two samples are too far apart.
   */
  at(target: string, source: string, timeUs: number, toleranceUs: number): Transform | undefined {
    let askedUs = timeUs;
    for (const frame of [source, ...this.above(source), target, ...this.above(target)]) {
      const stamps = this.#links.get(frame)?.stampsUs;
      if (!stamps?.length || this.#links.get(frame)?.fixed) continue;
      askedUs = Math.max(stamps[0]!, Math.min(stamps.at(-1)!, askedUs));
      const next = lowerBound(stamps, askedUs);
      const before = stamps[next - 1];
      if (stamps[next] !== askedUs && before !== undefined && stamps[next]! - before > GAP_US)
        return undefined;
    }
    if (Math.abs(askedUs - timeUs) > toleranceUs) return undefined;
    return this.#graph.resolve(target, source, { timeUs: askedUs });
  }

  /** targetFromSource at some time for which it is known, for checking conventions. */
  some(target: string, source: string): Transform | undefined {
    const stamps = [source, ...this.above(source)].flatMap(
      (frame) => this.#links.get(frame)?.stampsUs.slice(0, 3) ?? [],
    );
    return [0, ...stamps]
      .map((timeUs) => this.at(target, source, timeUs, 0))
      .find((found) => found !== undefined);
  }
}

/** Times and poses of one object, for sources that have only a trajectory. */
export class Trajectory {
  readonly stampsUs: readonly number[];
  readonly #poses: readonly Transform[];

  constructor(samples: readonly { readonly timeUs: number; readonly pose: Transform }[]) {
    const sorted = [...samples].sort((a, b) => a.timeUs - b.timeUs);
    this.stampsUs = sorted.map(({ timeUs }) => timeUs);
    this.#poses = sorted.map(({ pose }) => pose);
  }

  /** Interpolated; undefined outside the samples by more than the tolerance, and in long gaps. */
  at(timeUs: number, toleranceUs: number): Transform | undefined {
    const next = lowerBound(this.stampsUs, timeUs);
    const [before, after] = [this.stampsUs[next - 1], this.stampsUs[next]];
    if (before === undefined || after === undefined || after === timeUs) {
      const nearest = after === undefined ? next - 1 : next;
      const stamp = this.stampsUs[nearest];
      return stamp !== undefined && Math.abs(stamp - timeUs) <= toleranceUs
        ? this.#poses[nearest]
        : undefined;
    }
    if (after - before > GAP_US) return undefined;
    return interpolate(this.#poses[next - 1]!, this.#poses[next]!, (timeUs - before) / (after - before));
  }
}

/** The first position whose value is not less. */
export function lowerBound(sorted: readonly number[], value: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** A finite transform of unit rotation, or nothing. */
export function usable({ p, q }: Transform): Transform | undefined {
  const length = Math.hypot(q.w, q.x, q.y, q.z);
  const furthest = Math.max(Math.abs(p.x), Math.abs(p.y), Math.abs(p.z));
  if (!isFiniteVec3(p) || furthest > LIMITS.coordinateM || !(length > 0.5 && length < 2)) return undefined;
  // Copied field by field, because decoders return their own object types.
  return {
    p: { x: p.x, y: p.y, z: p.z },
    q: Math.abs(length - 1) < 1e-9 ? { w: q.w, x: q.x, y: q.y, z: q.z } : normalizeQuat(q),
  };
}

function inOrder({ parent, fixed, stampsUs, transforms }: Link): Link {
  const order = stampsUs.map((_, i) => i).sort((a, b) => stampsUs[a]! - stampsUs[b]! || a - b);
  const kept = order.filter((i, n) => stampsUs[i] !== stampsUs[order[n + 1] ?? -1]);
  return {
    parent,
    fixed,
    stampsUs: kept.map((i) => stampsUs[i]!),
    transforms: kept.map((i) => transforms[i]!),
  };
}
