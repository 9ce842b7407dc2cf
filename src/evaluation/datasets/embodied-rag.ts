import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Vec3 } from "../../geometry/index.ts";
import { contentId, LIMITS, LociError, type QuestionRecord, type RecordInput } from "../../schema/index.ts";
import { captionLines } from "../encoder/probes.ts";
import { type GmlNode, metric, readGml } from "../retrieval/gml.ts";
import { FIRST_FOUND } from "../runner/first-found.ts";
import { retrievalStrategy } from "../runner/retrieval-strategy.ts";
import { AFTER_ALL_US, type Dataset, makeQuestion, SOME_TIME_US } from "./dataset.ts";
import { fetchLine } from "./sources.ts";

const FILES = ["graph.gml", "reference-forest.gml", "queries.txt"] as const;
const SCENE = "embodied-rag";
/** Street views lie ten metres apart; a place is visible from the next but one. */
const REACHED_M = 30;
/** Number of places asked for by the names that the authors' model gave them, evenly chosen. */
const NAMED = 100;
const MOST_PLACES = 256;
const ASKING =
  /^(?:where (?:is|are|can i (?:find|get|buy))|find(?: me)?|locate|show me|lead me to)\s+(?:the |an? )?(?:nearest |closest |nearby )?|\s+(?:nearby|to sit on|for kids)$|[?.!]+$/gi;

/**
 * Embodied-RAG's graph of captioned places as questions: the authors' queries, where captions name the target, and
 * places by name. The memory holds the captions and the authors' own forest over them, so that the search methods are
 * compared.
 */
export function loadEmbodiedRag(folder: string): Dataset {
  const missing = FILES.find((file) => !existsSync(join(folder, file)));
  if (missing !== undefined)
    throw new LociError(
      "invalid-input",
      `embodied-rag: expected ${missing} in ${folder}, which does not have it${fetchLine("embodied-rag")}`,
    );
  const { nodes } = readGml(join(folder, "graph.gml"));
  const places = metric(nodes);
  const queries = readFileSync(join(folder, "queries.txt"), "utf8")
    .split("\n")
    .map((line) => line.trim());
  const excluded: { questionId: string; reason: string }[] = [];
  const asked = queries
    .filter((query) => query !== "")
    .map((query) => {
      const { question, isNamed } = queryOf(query, nodes, places);
      if (!isNamed) excluded.push({ questionId: question.id, reason: "no caption names what they look for" });
      return question;
    });
  const { nodes: forest, edges } = readGml(join(folder, "reference-forest.gml"));
  const records = [
    ...nodes.flatMap((node, n) => placeOf(node, places[n]!, n)),
    ...regionsOf(forest, edges, nodes.length),
  ];
  const questions = [...asked, ...namedPlaces(nodes, places)];
  const found = { answerer: FIRST_FOUND, output: "navigate" } as const;
  return {
    name: "embodied-rag",
    scenes: [{ id: SCENE, questions, records, sightings: [] }],
    excluded,
    compareWith: [
      retrievalStrategy("semantic-match", { ...found, id: "semantic match, first found" }),
      retrievalStrategy("flat-rag", { ...found, id: "flat, first found" }),
      retrievalStrategy("embodied-rag", { ...found, id: "forest, first found" }),
      retrievalStrategy("embodied-rag", { ...found, mode: "paper", id: "forest, paper, first found" }),
    ],
    notes: [
      `${nodes.length} captioned places and the authors' forest over them. Right is a place within ${REACHED_M} m of one that is meant.`,
      "The queries came without answers: a place is meant if its caption has the words, so that words find it more easily than they would for a person's judgement.",
      "Named places: the name that the authors' model gave a place, which its caption does not hold, has to lead to that place.",
      "First found: the place that was retrieved first is the answer; nobody reads.",
    ],
  };
}

function queryOf(query: string, nodes: readonly GmlNode[], places: readonly Vec3[]) {
  const thing = query.replace(ASKING, "").replace(ASKING, "").trim().toLowerCase();
  const words = new RegExp(`\\b${thing.replace(/[^a-z0-9é -]/g, "").replace(/s$/, "")}(?:e?s)?\\b`, "i");
  const meant = nodes.flatMap(({ caption }, n) => (thing !== "" && words.test(caption) ? [places[n]!] : []));
  return { question: questionOf("query", query, meant, thing), isNamed: meant.length > 0 };
}

function namedPlaces(nodes: readonly GmlNode[], places: readonly Vec3[]): QuestionRecord[] {
  const counts = Map.groupBy(nodes, ({ name }) => name);
  const own = nodes.flatMap(({ name }, n) => (name !== "" && counts.get(name)?.length === 1 ? [n] : []));
  const step = Math.max(1, own.length / NAMED);
  return Array.from({ length: Math.min(NAMED, own.length) }, (_, k) => own[Math.floor(k * step)]!).map((n) =>
    questionOf("named place", `Find this place: ${nodes[n]!.name}`, [places[n]!], nodes[n]!.name),
  );
}

function questionOf(subtype: string, text: string, meant: readonly Vec3[], thing: string): QuestionRecord {
  const [first, ...rest] = meant;
  return makeQuestion({
    id: contentId("question", SCENE, subtype, text),
    family: SCENE,
    suite: SCENE,
    type: "localisation",
    subtype,
    text,
    answer: {
      type: "position",
      text: thing || text,
      position: first ?? { x: 0, y: 0, z: 0 },
      ...(rest.length > 0 && { accepted: evenly(rest, MOST_PLACES) }),
    },
    tolerance: { m: REACHED_M },
    askedAtUs: AFTER_ALL_US,
  });
}

function evenly<T>(all: readonly T[], most: number): T[] {
  const step = Math.max(1, all.length / most);
  return Array.from({ length: Math.min(most, all.length) }, (_, k) => all[Math.floor(k * step)]!);
}

const placeId = (n: number) => `erag-place-${n}`;
const regionId = (n: number) => `erag-region-${n}`;

function placeOf({ caption }: GmlNode, p: Vec3, n: number): RecordInput[] {
  const common = {
    sceneId: SCENE,
    author: "robot",
    validFromUs: SOME_TIME_US,
    anchor: { submap: "world", p },
    text: captionLines(caption === "" ? "place" : caption),
  };
  const id = `erag-caption-${n}`;
  return [
    { ...common, kind: "caption", id, source: "vlm", validToUs: SOME_TIME_US + 1_000_000 },
    { ...common, kind: "place", id: placeId(n), validToUs: null, yawRad: 0, captions: [id] },
  ];
}

/**
 * The authors' clusters as regions; each edge is from a child to its parent. Nodes without a parent become children
 * of the site.
 */
function regionsOf(
  forest: readonly GmlNode[],
  edges: readonly (readonly [number, number])[],
  leaves: number,
): RecordInput[] {
  const children = new Map<number, number[]>();
  const parents = new Map<number, number>();
  for (const [child, parent] of edges) {
    if (forest[child]!.level >= forest[parent]!.level || parents.has(child)) continue;
    parents.set(child, parent);
    children.set(parent, [...(children.get(parent) ?? []), child]);
  }
  const idOf = (n: number) => (n < leaves ? placeId(n) : regionId(n));
  const leavesUnder = (n: number): number =>
    n < leaves ? 1 : (children.get(n) ?? []).reduce((sum, child) => sum + leavesUnder(child), 0);
  const clusters = forest.flatMap((_, n) => (n >= leaves ? [n] : []));
  const common = { sceneId: SCENE, validFromUs: SOME_TIME_US, validToUs: null };
  const site: RecordInput = {
    ...common,
    kind: "region",
    id: "erag-site",
    type: "site",
    level: 1 + Math.max(0, ...clusters.map((n) => forest[n]!.level)),
    name: "site",
    text: ["site"],
    anchor: { submap: "world", p: { x: 0, y: 0, z: 0 } },
    children: clusters.filter((n) => !parents.has(n)).map(regionId),
    leaves,
  };
  return [
    site,
    ...clusters.map((n): RecordInput => {
      const { name, summary, level } = forest[n]!;
      const lines = [name, ...captionLines(summary)].filter((line) => line !== "");
      return {
        ...common,
        kind: "region",
        id: regionId(n),
        type: "cluster",
        level,
        name: name.slice(0, 256) || "cluster",
        text: lines.map((line) => line.slice(0, LIMITS.lineChars)),
        parent: parents.has(n) ? regionId(parents.get(n)!) : "erag-site",
        children: (children.get(n) ?? []).map(idOf),
        leaves: leavesUnder(n),
      };
    }),
  ];
}
