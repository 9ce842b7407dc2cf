import { join } from "node:path";
import type { Vec3 } from "../../geometry/index.ts";
import { buildForest } from "../../map/index.ts";
import type { TextEmbedder } from "../../models/embedder.ts";
import { meanOf } from "../statistics.ts";
import { metric, readGml } from "./gml.ts";

/** A forest reduced to what can be compared: for each level above the leaves, the leaves of each cluster. */
interface Levels {
  readonly name: string;
  readonly buildMs?: number;
  readonly levels: ReadonlyMap<number, readonly (readonly number[])[]>;
  /** Steps from each leaf to the top. */
  readonly depths: readonly number[];
}

export interface ForestLevelRow {
  readonly level: number;
  readonly clusters: number;
  readonly medianLeaves: number;
  /** Mean distance of a leaf from its cluster's centre. */
  readonly radiusM: number;
  /** Mean cosine of a caption with its cluster's mean; that of all captions with their mean is the floor. */
  readonly coherence: number;
}

export interface ForestReport {
  readonly leaves: number;
  readonly floor: number;
  readonly forests: readonly {
    readonly name: string;
    readonly buildMs: number | null;
    readonly meanDepth: number;
    readonly maxDepth: number;
    readonly levels: readonly ForestLevelRow[];
  }[];
}

/**
 * Our forest over captioned places beside the one by Embodied-RAG's authors over the same places: depth, size, and
 * coherence of clusters. `graph.gml` holds the places in degrees, `reference-forest.gml` the authors' nodes with an
 * edge from each child to its parent.
 */
export async function compareForests(folder: string, embedder: TextEmbedder): Promise<ForestReport> {
  const { nodes } = readGml(join(folder, "graph.gml"));
  const places = metric(nodes);
  const vectors = await embedder.embed(nodes.map(({ caption }) => caption || "place"));
  const all = nodes.map((_, i) => i);
  const forests: Levels[] = [
    theirs(join(folder, "reference-forest.gml"), nodes.length),
    ours("ours, by distance", places, vectors, 1),
    ours("ours, distance and meaning", places, vectors, 0.4),
  ];
  return {
    leaves: nodes.length,
    floor: coherenceOf(all, vectors),
    forests: forests.map(({ name, buildMs, levels, depths }) => ({
      name,
      buildMs: buildMs ?? null,
      meanDepth: meanOf(depths),
      maxDepth: depths.reduce((most, depth) => Math.max(most, depth), 0),
      levels: [...levels]
        .sort(([a], [b]) => a - b)
        .map(([level, clusters]) => ({
          level,
          clusters: clusters.length,
          medianLeaves: clusters.map(({ length }) => length).sort((a, b) => a - b)[clusters.length >>> 1]!,
          radiusM: weighted(clusters, (cluster) => radiusOf(cluster, places)),
          coherence: weighted(clusters, (cluster) => coherenceOf(cluster, vectors)),
        })),
    })),
  };
}

/** The report as a table. */
export function formatForestReport({ leaves, floor, forests }: ForestReport): string {
  const lines = [`${leaves} captioned places; coherence of all of them together ${floor.toFixed(3)}`];
  for (const { name, buildMs, meanDepth, maxDepth, levels } of forests) {
    const built = buildMs === null ? "" : `, built in ${(buildMs / 1_000).toFixed(2)} s of processor time`;
    lines.push("", `${name}: depth ${meanDepth.toFixed(1)} on average, at most ${maxDepth}${built}`);
    lines.push("level  clusters  median leaves  radius m  coherence");
    for (const row of levels)
      lines.push(
        `${String(row.level).padEnd(7)}${String(row.clusters).padEnd(10)}${String(row.medianLeaves).padEnd(15)}` +
          `${row.radiusM.toFixed(1).padEnd(10)}${row.coherence.toFixed(3)}`,
      );
  }
  return lines.join("\n");
}

function ours(
  name: string,
  places: readonly Vec3[],
  vectors: readonly (Float32Array | null)[],
  distanceShare: number,
): Levels {
  const leaves = places.map((position, i) => ({
    id: String(i),
    position,
    ...(vectors[i] && { vector: vectors[i] }),
  }));
  const before = process.cpuUsage();
  const forest = buildForest(leaves, { distanceShare });
  const { user, system } = process.cpuUsage(before);
  const levels = new Map<number, number[][]>();
  const depths: number[] = [];
  const visit = (node: number, depth: number): void => {
    const children = forest.childrenOf(node);
    if (children.length === 0) depths.push(depth);
    else if (node !== forest.root) {
      const level = forest.levelOf(node);
      const there = levels.get(level) ?? [];
      levels.set(level, there);
      there.push(forest.leavesOf(node).map((leaf) => Number(forest.idOf(leaf))));
    }
    for (const child of children) visit(child, depth + 1);
  };
  visit(forest.root, 0);
  return { name, buildMs: (user + system) / 1_000, levels, depths };
}

function theirs(path: string, leaves: number): Levels {
  const { nodes, edges } = readGml(path);
  const children = new Map<number, number[]>();
  const isChild = new Set<number>();
  for (const [child, parent] of edges) {
    if (nodes[child]!.level >= nodes[parent]!.level) continue;
    const there = children.get(parent) ?? [];
    children.set(parent, there);
    there.push(child);
    isChild.add(child);
  }
  const levels = new Map<number, number[][]>();
  const depths: number[] = [];
  const visit = (node: number, depth: number): number[] => {
    const below = children.get(node);
    if (below === undefined) {
      if (node >= leaves) return [];
      depths.push(depth);
      return [node];
    }
    const held = below.flatMap((child) => visit(child, depth + 1));
    const { level } = nodes[node]!;
    const there = levels.get(level) ?? [];
    levels.set(level, there);
    if (held.length > 0) there.push(held);
    return held;
  };
  for (const node of nodes.keys()) if (!isChild.has(node)) visit(node, 1);
  return { name: "the authors'", levels, depths };
}

function weighted(
  clusters: readonly (readonly number[])[],
  of: (cluster: readonly number[]) => number,
): number {
  let [sum, count] = [0, 0];
  for (const cluster of clusters) {
    sum += cluster.length * of(cluster);
    count += cluster.length;
  }
  return count === 0 ? 0 : sum / count;
}

function radiusOf(cluster: readonly number[], places: readonly Vec3[]): number {
  const [x, y] = [meanOf(cluster.map((i) => places[i]!.x)), meanOf(cluster.map((i) => places[i]!.y))];
  return meanOf(cluster.map((i) => Math.hypot(places[i]!.x - x, places[i]!.y - y)));
}

function coherenceOf(cluster: readonly number[], vectors: readonly (Float32Array | null)[]): number {
  const held = cluster.flatMap((i) => vectors[i] ?? []);
  if (held.length === 0) return 0;
  const mean = new Float64Array(held[0]!.length);
  for (const vector of held) for (const [j, value] of vector.entries()) mean[j]! += value / held.length;
  // The mean cosine of unit vectors with the direction of their mean is the length of the mean.
  return Math.hypot(...mean);
}
