import { readFileSync } from "node:fs";
import type { Vec3 } from "../../geometry/index.ts";
import { LociError } from "../../schema/core.ts";
import { meanOf } from "../statistics.ts";

const MAX_NODES = 1_000_000;
const EARTH_M = 6_371_000;

/** A place of Embodied-RAG's graphs, or a cluster of the authors' forest over them. */
export interface GmlNode {
  readonly position: Vec3;
  readonly name: string;
  /** For a place: its caption. */
  readonly caption: string;
  /** For a cluster: the common content of its places. */
  readonly summary: string;
  /** 0 for places. */
  readonly level: number;
}

/** Degrees of longitude and latitude as metres from the middle: a campus is flat enough. */
export function metric(nodes: readonly GmlNode[]): Vec3[] {
  const latitude = meanOf(nodes.map(({ position }) => position.y)) * (Math.PI / 180);
  const degree = EARTH_M * (Math.PI / 180);
  const [x0, y0] = [nodes[0]!.position.x, nodes[0]!.position.y];
  return nodes.map(({ position: { x, y, z } }) => ({
    x: (x - x0) * degree * Math.cos(latitude),
    y: (y - y0) * degree,
    z,
  }));
}

/** The subset of GML in these files: nodes numbered from 0 in order, a position, a caption, a level; edges. */
export function readGml(path: string): { nodes: GmlNode[]; edges: (readonly [number, number])[] } {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    throw new LociError("invalid-input", `${path} cannot be read`, { cause: error });
  }
  const [, ...parts] = text.split(/^ {2}(?=node \[|edge \[)/m);
  if (parts.length > MAX_NODES) throw new LociError("limit-exceeded", `${path}: at most ${MAX_NODES} parts`);
  const nodes: GmlNode[] = [];
  const edges: (readonly [number, number])[] = [];
  for (const part of parts) {
    const number = (key: string) => Number(new RegExp(`^ *${key} (-?[\\d.eE+-]+)$`, "m").exec(part)?.[1]);
    if (part.startsWith("edge")) {
      edges.push([number("source"), number("target")]);
      continue;
    }
    const position = { x: number("x"), y: number("y"), z: 0 };
    if (number("id") !== nodes.length || !Number.isFinite(position.x) || !Number.isFinite(position.y))
      throw new LociError(
        "invalid-input",
        `${path}: expected node ${nodes.length} with a position, got "${part.slice(0, 60)}"`,
      );
    const text = (key: string) =>
      (new RegExp(`^ {4}${key} "([\\s\\S]*?)"$`, "m").exec(part)?.[1] ?? "").replaceAll("&#34;", '"');
    const [name, caption, summary] = [text("name"), text("caption"), text("summary")];
    nodes.push({ position, name, caption, summary, level: number("level") || 0 });
  }
  const bad = edges.find(([a, b]) => nodes[a] === undefined || nodes[b] === undefined);
  if (nodes.length === 0 || bad) throw new LociError("invalid-input", `${path}: an edge names no node`);
  return { nodes, edges };
}
