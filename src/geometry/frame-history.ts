import type { TimeUs } from "./interval.ts";
import { normalizeQuat } from "./quat.ts";
import type { Transform } from "./transform.ts";
import { interpolate } from "./transform.ts";
import { isFiniteVec3 } from "./vec3.ts";

/** A coordinate frame's name: "world", a robot's odometry, a submap, a camera. */
export type FrameId = string;

/**
 * One statement about where a frame is (docs/formulas.md#frames). With `stampUs` null, or of kind "static" (ROS stamps those
 * too), it holds at all times; otherwise it is one sample of a trajectory. A later revision replaces it without
 * erasing it.
 */
export interface FrameEdge {
  readonly parent: FrameId;
  readonly child: FrameId;
  readonly stampUs: TimeUs | null;
  /** parentFromChild */
  readonly transform: Transform;
  readonly kind: "static" | "odom" | "submap" | "alignment" | "loop" | "geodetic";
  readonly revision: number;
}

/** A child's link to its parent at one revision: samples in time order, or one fixed transform. */
export interface FrameLink {
  readonly revision: number;
  readonly parent: FrameId;
  readonly fixed: Transform | undefined;
  readonly samples: readonly FrameEdge[];
}

/** All links a child ever had, with ascending revisions, and the edges they came from. */
export interface FrameHistory {
  readonly edges: readonly FrameEdge[];
  readonly links: readonly FrameLink[];
}

/**
 * Sorts one child's edges into links. Throws a RangeError when two edges of one revision contradict each other:
 * two parents, two transforms at one time, or both fixed and moving. Exact repetitions are harmless, since logs
 * are replayed.
 */
export function buildHistory(edges: readonly FrameEdge[]): FrameHistory {
  const byRevision = Map.groupBy(edges, (edge) => edge.revision);
  const revisions = [...byRevision.keys()].sort((a, b) => a - b);
  return { edges, links: revisions.map((revision) => buildLink(revision, byRevision.get(revision)!)) };
}

/** The link that counts at a revision: the last one not newer. */
export function linkAt(history: FrameHistory, revision: number): FrameLink | undefined {
  return history.links.findLast((link) => link.revision <= revision);
}

/**
 * parentFromChild at a time. A moving link has no pose before its first sample, after its last, or without a time:
 * extrapolated poses would place objects where nothing was observed.
 */
export function poseOf(link: FrameLink, timeUs: TimeUs | undefined): Transform | undefined {
  if (link.fixed !== undefined) return link.fixed;
  if (timeUs === undefined) return undefined;
  const { samples } = link;
  let low = 0;
  let high = samples.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (samples[middle]!.stampUs! < timeUs) low = middle + 1;
    else high = middle;
  }
  const after = samples[low];
  if (after === undefined) return undefined;
  if (after.stampUs === timeUs) return after.transform;
  const before = samples[low - 1];
  if (before === undefined) return undefined;
  const t = (timeUs - before.stampUs!) / (after.stampUs! - before.stampUs!);
  return interpolate(before.transform, after.transform, t);
}

/**
 * Refuses what would corrupt every pose behind it: NaN, a zero quaternion, a fractional stamp or revision, a frame
 * that is its own parent. A quaternion in single precision is normalised.
 */
export function checkEdge(edge: FrameEdge): FrameEdge {
  const { parent, child, stampUs, transform, revision } = edge;
  const fail = (reason: string): never => {
    throw new RangeError(`frame edge ${parent} → ${child} at revision ${revision}: ${reason}`);
  };
  if (parent === child) fail("a frame cannot be its own parent");
  if (!Number.isSafeInteger(revision) || revision < 0) fail("the revision must be a whole number from 0");
  if (stampUs !== null && !Number.isSafeInteger(stampUs))
    fail(`the stamp ${stampUs} must be whole microseconds`);
  const { w, x, y, z } = transform.q;
  const squared = w * w + x * x + y * y + z * z;
  if (!isFiniteVec3(transform.p) || !(squared > 0 && squared < Infinity))
    fail("the transform must be finite");
  if (Math.abs(squared - 1) <= 1e-12) return edge;
  return { ...edge, transform: { p: transform.p, q: normalizeQuat(transform.q) } };
}

/**
 * Throws a RangeError when frames form a cycle at any of the (ascending) revisions. A cycle can only close where a
 * parent changed, so only those children are walked, each frame once per revision.
 */
export function assertNoCycle(
  histories: ReadonlyMap<FrameId, FrameHistory>,
  revisions: readonly number[],
): void {
  const changes = new Map<number, { child: FrameId; parent: FrameId }[]>();
  for (const [child, { links }] of histories) {
    links.forEach((link, i) => {
      if (link.parent === links[i - 1]?.parent) return;
      const list = changes.get(link.revision);
      if (list === undefined) changes.set(link.revision, [{ child, parent: link.parent }]);
      else list.push({ child, parent: link.parent });
    });
  }
  const parents = new Map<FrameId, FrameId>();
  for (const revision of revisions) {
    const changed = changes.get(revision) ?? [];
    for (const { child, parent } of changed) parents.set(child, parent);
    const safe = new Set<FrameId>();
    for (const { child } of changed) {
      const path = new Set<FrameId>();
      for (let at: FrameId | undefined = child; at !== undefined && !safe.has(at); at = parents.get(at)) {
        if (path.has(at)) throw new RangeError(`frames form a cycle through ${at} at revision ${revision}`);
        path.add(at);
      }
      for (const frame of path) safe.add(frame);
    }
  }
}

function buildLink(revision: number, edges: readonly FrameEdge[]): FrameLink {
  const { parent, child, transform } = edges[0]!;
  const fail = (reason: string): never => {
    throw new RangeError(
      `frame ${child} at revision ${revision}: ${reason}; write the newer one as revision + 1`,
    );
  };
  const other = edges.find((edge) => edge.parent !== parent);
  if (other !== undefined) fail(`two parents, ${parent} and ${other.parent}`);
  const fixed = edges.filter((edge) => edge.stampUs === null || edge.kind === "static");
  if (fixed.length > 0) {
    if (fixed.length < edges.length) fail("both fixed and moving edges");
    if (!fixed.every((edge) => sameTransform(edge.transform, transform))) fail("two fixed transforms");
    return { revision, parent, fixed: transform, samples: [] };
  }
  const samples: FrameEdge[] = [];
  for (const edge of [...edges].sort((a, b) => a.stampUs! - b.stampUs!)) {
    const last = samples.at(-1);
    if (last?.stampUs !== edge.stampUs) samples.push(edge);
    else if (!sameTransform(last.transform, edge.transform)) fail(`two transforms at ${edge.stampUs} µs`);
  }
  return { revision, parent, fixed: undefined, samples };
}

function sameTransform(a: Transform, b: Transform): boolean {
  return (
    a.p.x === b.p.x &&
    a.p.y === b.p.y &&
    a.p.z === b.p.z &&
    a.q.w === b.q.w &&
    a.q.x === b.q.x &&
    a.q.y === b.q.y &&
    a.q.z === b.q.z
  );
}
