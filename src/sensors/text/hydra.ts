import { z } from "zod";
import { type Box, boxFromCentre, type Vec3 } from "../../geometry/index.ts";
import { LIMITS, parseOrThrow } from "../../schema/index.ts";
import type { ReadOptions } from "../options.ts";
import { infoOf, type SourcePlan } from "../plan.ts";
import { usable } from "../pose-track.ts";
import type { RecordingItem } from "../recording.ts";
import type { OpenSource } from "../source.ts";
import type { GraphObject, GraphPlace, GraphPose, GraphRoom, RecordedGraph } from "../statements.ts";

const NODES = 1_000_000;
/**
 * Node ids have 64 bits: a letter in the top byte, a count below. JSON numbers keep 53 bits, so ids are read as text.
 */
const nodeId = z.union([z.string().regex(/^\d{1,20}$/), z.int().min(0)]).transform(symbolOf);
const triple = z.tuple([z.number(), z.number(), z.number()]);
const quaternion = z.object({ w: z.number(), x: z.number(), y: z.number(), z: z.number() });
const attributesSchema = z.looseObject({
  type: z.string().max(256),
  position: triple,
  name: z.string().max(LIMITS.nameChars).nullish(),
  semantic_label: z.number().nullish(),
  distance: z.number().nullish(),
  bounding_box: z
    .looseObject({
      type: z.union([z.string(), z.number()]).optional(),
      min: triple.optional(),
      max: triple.optional(),
      dimensions: triple.optional(),
      world_P_center: triple.optional(),
    })
    .nullish(),
  world_R_body: quaternion.nullish(),
  last_update_time_ns: z.union([z.number(), z.string()]).nullish(),
});
const graphSchema = z.looseObject({
  nodes: z
    .array(
      z.looseObject({
        id: nodeId,
        layer: z.number(),
        timestamp: z.union([z.number(), z.string()]).optional(),
        attributes: attributesSchema,
      }),
    )
    .max(NODES),
  edges: z
    .array(
      z.looseObject({
        source: nodeId,
        target: nodeId,
        info: z.looseObject({ weight: z.number().optional() }).optional(),
      }),
    )
    .max(4 * NODES),
  metadata: z
    .looseObject({ labelspaces: z.record(z.string(), z.array(z.tuple([z.number(), z.string()]))).optional() })
    .nullish(),
});

type Node = z.infer<typeof graphSchema>["nodes"][number];

/** Whether parsed JSON looks like a scene graph of Hydra (Spark-DSG). */
export function isSceneGraph(value: unknown): boolean {
  return (
    typeof value === "object" &&
    value !== null &&
    "nodes" in value &&
    "edges" in value &&
    ("layer_ids" in value || "SPARK_DSG_header" in value)
  );
}

/** Parses JSON with integers beyond 2^53 kept exact, as text. */
export function parseWithLongIntegers(text: string): unknown {
  type Reviver = (key: string, value: unknown, context: { source?: string }) => unknown;
  const parse = JSON.parse as (text: string, reviver: Reviver) => unknown;
  return parse(text, (_key, value, { source }) =>
    typeof value === "number" && !Number.isSafeInteger(value) && source !== undefined && /^\d+$/.test(source)
      ? source
      : value,
  );
}

/** A graph of objects, places and rooms as Hydra saves it: one item. */
export function hydraSource(path: string, value: unknown, options: ReadOptions): OpenSource {
  const parsed = parseOrThrow(graphSchema, value, path);
  const graph = graphOf(parsed, options);
  const { objects, places, rooms, path: way } = graph;
  const stream = (name: string, count: number) => ({
    name,
    type: "graph nodes",
    count,
    rateHz: null,
    use: "graph" as const,
  });
  const named = objects.some(({ category }) => !category.startsWith("label "));
  const plan: SourcePlan = {
    path,
    format: "graph",
    streams: [
      stream("objects", objects.length),
      stream("places", places.length),
      stream("rooms", rooms.length),
      stream("path", way.length),
    ],
    frames: 0,
    captions: 0,
    graphs: 1,
    startUs: graph.timeUs,
    endUs: graph.timeUs,
    poses: way.length > 0 ? { from: "the graph's agent nodes", count: way.length } : null,
    conventions: [
      options.startUs === undefined
        ? "Times count from 1970, since nobody said when the run began (--start); the graph is as of its latest update."
        : "The graph is as of its latest update, counted from the start that was given.",
    ],
    missing:
      named || objects.length === 0
        ? []
        : ["The labels of objects are numbers: their names are not in the file."],
  };
  async function* items(): AsyncGenerator<RecordingItem> {
    yield { kind: "graph", graph };
  }
  return { plan, info: infoOf(plan, [graph.agentId]), items, close: async () => {} };
}

function graphOf(
  { nodes, edges, metadata }: z.infer<typeof graphSchema>,
  options: ReadOptions,
): RecordedGraph {
  const { startUs = 0, agentId = "robot", mapFrame = "world" } = options;
  const labels = new Map(Object.values(metadata?.labelspaces ?? {}).flat());
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const kinds = new Map(nodes.map((node) => [node.id, kindOf(node)]));
  const roomOf = new Map<string, string>();
  const placeOf = new Map<string, string>();
  const parentOf = new Map<string, string>();
  const neighbours = new Map<string, { to: string; costM: number }[]>();
  for (const { source, target, info } of edges) {
    for (const [up, down] of [
      [source, target],
      [target, source],
    ] as const) {
      const [above, below] = [kinds.get(up), kinds.get(down)];
      if (above === "room" && below === "place") roomOf.set(down, up);
      if (above === "place" && below === "object") placeOf.set(down, up);
      if (above === "building" && below === "room") parentOf.set(down, up);
      if (above === "place" && below === "place") {
        const costM = distanceOf(byId.get(up)!, byId.get(down)!, info?.weight);
        const list = neighbours.get(up) ?? [];
        if (list.length < LIMITS.refsPerRecord) list.push({ to: down, costM });
        neighbours.set(up, list);
      }
    }
  }
  const of = (kind: string) => nodes.filter(({ id }) => kinds.get(id) === kind);
  const objects = of("object").map((node): GraphObject => {
    const label = node.attributes.semantic_label;
    const category = labels.get(label ?? -1) ?? (typeof label === "number" ? `label ${label}` : "object");
    const place = placeOf.get(node.id);
    const room = place === undefined ? undefined : roomOf.get(place);
    const box = boxOf(node);
    return {
      id: node.id,
      name: node.attributes.name || node.id,
      category,
      position: vectorOf(node.attributes.position),
      ...(box && { box }),
      ...(room !== undefined && { room }),
      ...(place !== undefined && { place }),
    };
  });
  const places = of("place").map((node): GraphPlace => {
    const room = roomOf.get(node.id);
    const clearanceM = node.attributes.distance ?? 0;
    return {
      id: node.id,
      position: vectorOf(node.attributes.position),
      neighbours: neighbours.get(node.id) ?? [],
      ...(clearanceM > 0 && { clearanceM }),
      ...(room !== undefined && { room }),
    };
  });
  const rooms = of("room").map((node): GraphRoom => {
    const parent = parentOf.get(node.id);
    const box = boxOf(node);
    return {
      id: node.id,
      name: node.attributes.name || node.id,
      position: vectorOf(node.attributes.position),
      places: places.filter(({ room }) => room === node.id).map(({ id }) => id),
      ...(box && { box }),
      ...(parent !== undefined && { parent }),
    };
  });
  const path = of("agent").flatMap((node): GraphPose[] => {
    const pose = node.attributes.world_R_body
      ? usable({ p: vectorOf(node.attributes.position), q: node.attributes.world_R_body })
      : undefined;
    return pose ? [{ timeUs: startUs + nanosToUs(node.timestamp), worldFromBody: pose }] : [];
  });
  const latest = path.reduce((at, { timeUs }) => Math.max(at, timeUs), startUs);
  return { timeUs: latest, agentId, mapFrame, objects, places, rooms, path };
}

/** By the type of its attributes, since layer numbers differ between releases. */
function kindOf({ attributes, layer }: Node): "object" | "place" | "room" | "building" | "agent" | "other" {
  const { type } = attributes;
  if (type.startsWith("Agent")) return "agent";
  if (type.includes("Object")) return "object";
  if (type.includes("Place")) return "place";
  if (type.startsWith("Room")) return "room";
  return layer === 5 ? "building" : "other";
}

/** An id that records accept: the letter and count of a node symbol, "O12". */
function symbolOf(id: string | number): string {
  const value = BigInt(id);
  const letter = Number((value >> 56n) & 255n);
  const isLetter = (letter >= 65 && letter <= 90) || (letter >= 97 && letter <= 122);
  return isLetter ? `${String.fromCharCode(letter)}${value & ((1n << 56n) - 1n)}` : `n${value}`;
}

function boxOf({ attributes: { bounding_box: box } }: Node): Box | undefined {
  if (!box || box.type === "INVALID" || box.type === 0) return undefined;
  if (box.min && box.max?.every((value, i) => value > box.min![i]!))
    return { min: vectorOf(box.min), max: vectorOf(box.max) };
  if (box.dimensions && box.world_P_center && box.dimensions.every((value) => value > 0))
    return boxFromCentre(vectorOf(box.world_P_center), vectorOf(box.dimensions));
  return undefined;
}

function distanceOf(a: Node, b: Node, weight: number | undefined): number {
  const [p, q] = [a.attributes.position, b.attributes.position];
  const straight = Math.hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]);
  return weight !== undefined && weight >= straight ? weight : straight;
}

function nanosToUs(value: number | string | undefined): number {
  const us = Math.round(Number(value ?? 0) / 1000);
  return Number.isSafeInteger(us) ? us : 0;
}

function vectorOf([x, y, z]: readonly [number, number, number]): Vec3 {
  return { x, y, z };
}
