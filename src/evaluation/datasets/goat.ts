import { createHash } from "node:crypto";
import { z } from "zod";
import { typicalSizeM } from "../../ontology/index.ts";
import { contentId, LociError, type RecordInput } from "../../schema/index.ts";
import {
  AFTER_ALL_US,
  type Dataset,
  type DatasetScene,
  makeQuestion,
  readJson,
  SOME_TIME_US,
} from "./dataset.ts";
import { byCategory, byNeighbours } from "./goat-baselines.ts";

/** Objects by scene and name, as GOAT-Bench has them: metres, y up; some with a person's description. */
const goatSchema = z.record(
  z.string().min(1).max(256),
  z.record(
    z.string().min(1).max(256),
    z.object({
      category: z.string().min(1).max(256),
      position: z.tuple([z.number(), z.number(), z.number()]),
      lang_desc: z.string().max(4_096).nullish(),
    }),
  ),
);
type GoatObject = z.infer<typeof goatSchema>[string][string];

/** An object counts as found within this of its middle. */
const FOUND_M = 0.3;
/** Assumed side of an object of unknown size. */
const SOME_SIDE_M = 0.6;

/**
 * GOAT-Bench's descriptions of objects by people: "dresser next to the armchair". Only the goal categories of a scene
 * are known, so most of what a description mentions is missing. Objects are split into two halves by their names: one
 * for development, one that is evaluated once.
 */
export function loadGoat(folder: string, half: "first" | "second"): Dataset {
  const scenes = readJson(half === "first" ? "goat" : "goat-second", folder, "objects.json", goatSchema);
  const wanted = half === "first" ? 0 : 1;
  const made = Object.entries(scenes).map(([id, objects]) => sceneOf(id, objects, wanted));
  if (made.every(({ questions }) => questions.length === 0))
    throw new LociError("invalid-input", `goat: expected objects with a lang_desc in ${folder}/objects.json`);
  const categories = new Map(
    Object.entries(scenes).flatMap(([scene, objects]) =>
      Object.entries(objects).map(([id, { category }]) => [questionId(scene, id), category]),
    ),
  );
  const categoryOf = (id: string) => categories.get(id);
  return {
    name: "goat",
    scenes: made.filter(({ questions }) => questions.length > 0),
    excluded: [],
    compareWith: [byCategory(categoryOf), byNeighbours(categoryOf)],
    notes: [
      `The ${half} half of the descriptions, by the hash of scene and object. Sizes are typical ones of the category.`,
      "chance and nearest are told the category that is meant; whoever is measured is not.",
      `An object is found within ${FOUND_M} m of its middle.`,
    ],
  };
}

function questionId(scene: string, object: string): string {
  return contentId("goat", scene, object);
}

function halfOf(scene: string, id: string): number {
  return createHash("sha256").update(`${scene}/${id}`).digest()[0]! % 2;
}

function sceneOf(scene: string, objects: Readonly<Record<string, GoatObject>>, half: number): DatasetScene {
  const trackOf = (id: string) => contentId("track", scene, id);
  const asked = Object.entries(objects).filter(
    ([id, { lang_desc }]) => (lang_desc ?? "").trim() !== "" && halfOf(scene, id) === half,
  );
  return {
    id: scene,
    questions: asked.map(([id, { lang_desc, position }]) =>
      makeQuestion({
        id: questionId(scene, id),
        family: "goals",
        suite: "goat",
        type: "localisation",
        subtype: "description",
        text: `Find the ${lang_desc!.trim().replace(/^the\s+/i, "")}`,
        answer: { type: "position", text: id, position: inWorld(position) },
        targets: [trackOf(id)],
        tolerance: { m: FOUND_M },
        askedAtUs: AFTER_ALL_US,
      }),
    ),
    records: Object.entries(objects).flatMap(([id, object]) => recordsOf(scene, object, trackOf(id))),
    sightings: [],
  };
}

function recordsOf(scene: string, { category, position }: GoatObject, trackId: string): RecordInput[] {
  const side = typicalSizeM(category) ?? SOME_SIDE_M;
  const common = {
    sceneId: contentId("scene", scene),
    name: category,
    category,
    text: [category],
    validFromUs: SOME_TIME_US,
    validToUs: null,
  };
  return [
    { ...common, kind: "track", id: trackId },
    {
      ...common,
      kind: "state",
      id: trackId.replace(/^track/, "state"),
      trackId,
      anchor: { submap: "world", p: inWorld(position) },
      extent: { x: side, y: side, z: side },
    },
  ];
}

/** From y up to z up. */
function inWorld([x, y, z]: readonly [number, number, number]) {
  return { x, y: -z, z: y };
}
