import { z } from "zod";
import { contentId, LociError, type RecordInput } from "../../schema/index.ts";
import {
  AFTER_ALL_US,
  type Dataset,
  type DatasetScene,
  makeQuestion,
  readJson,
  SOME_TIME_US,
} from "./dataset.ts";

const triple = z.tuple([z.number(), z.number(), z.number()]);
const name = z.string().min(1).max(256);

/**
 * A list of goals as in GOAT-Bench, in our own general format: `goals.json` with scenes, their objects (metres, Z-up)
 * and goals that describe one or more of them. A goal by category accepts any object of it; one by description means
 * the objects it names.
 */
const goalsSchema = z.object({
  toleranceM: z.number().positive().default(1),
  scenes: z
    .array(
      z.object({
        id: name,
        floorAreaM2: z.number().positive().optional(),
        objects: z
          .array(
            z.object({
              id: name,
              category: name,
              description: z.string().min(1).max(4_096).optional(),
              room: name.optional(),
              position: triple,
              extent: triple.optional(),
            }),
          )
          .max(100_000),
        goals: z
          .array(
            z.object({
              id: name,
              kind: z.enum(["category", "description"]),
              text: z.string().min(1).max(4_096),
              targets: z.array(name).min(1).max(256),
              start: z.object({ position: triple, yawRad: z.number() }).optional(),
              pathM: z.number().min(0).optional(),
            }),
          )
          .max(100_000),
      }),
    )
    .min(1)
    .max(10_000),
});
type Goals = z.infer<typeof goalsSchema>;
type GoalScene = Goals["scenes"][number];

const STEP_M = 0.25;

export function loadGoals(folder: string): Dataset {
  const { scenes, toleranceM } = readJson("goals", folder, "goals.json", goalsSchema);
  return {
    name: "goals",
    scenes: scenes.map((scene) => sceneOf(scene, toleranceM)),
    excluded: [],
    notes: [`A goal is reached within ${toleranceM} m of the centre of any object that it means.`],
  };
}

function sceneOf(scene: GoalScene, toleranceM: number): DatasetScene {
  const objectOf = new Map(scene.objects.map((object) => [object.id, object]));
  const trackOf = (id: string) => contentId("track", scene.id, id);
  const questions = scene.goals.map((goal) => {
    const [first, ...rest] = goal.targets.map((id) => {
      const object = objectOf.get(id);
      if (object === undefined)
        throw new LociError("invalid-input", `goals: ${scene.id}, goal ${goal.id}: there is no object ${id}`);
      return vector(object.position);
    });
    return makeQuestion({
      id: contentId("goal", scene.id, goal.id),
      family: "goals",
      suite: "goals",
      type: "localisation",
      subtype: goal.kind,
      text: goal.kind === "category" ? `Take me to the ${goal.text}.` : `Take me to this: ${goal.text}`,
      answer: {
        type: "position",
        text: goal.text,
        position: first!,
        ...(rest.length > 0 ? { accepted: rest } : {}),
      },
      targets: goal.targets.map(trackOf),
      tolerance: { m: toleranceM },
      askedAtUs: AFTER_ALL_US,
      scope: "active",
      ...(goal.start === undefined
        ? {}
        : { start: { position: vector(goal.start.position), yawRad: goal.start.yawRad } }),
      ...(goal.pathM === undefined
        ? {}
        : {
            minPath: {
              m: goal.pathM,
              steps: Math.ceil(goal.pathM / STEP_M),
              viewpoints: [],
              approximate: true,
            },
          }),
    });
  });
  return {
    id: scene.id,
    questions,
    records: scene.objects.flatMap((object) => recordsOf(scene.id, object, trackOf(object.id))),
    sightings: [],
    ...(scene.floorAreaM2 === undefined ? {} : { floorAreaM2: scene.floorAreaM2 }),
  };
}

function recordsOf(scene: string, object: GoalScene["objects"][number], trackId: string): RecordInput[] {
  const { category, description, room, position, extent } = object;
  const line = [description ?? category, ...(room === undefined ? [] : [`in the ${room}`])].join(" ");
  const common = {
    sceneId: contentId("scene", scene),
    name: category,
    category,
    text: [line],
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
      anchor: { submap: "world", p: vector(position) },
      ...(extent === undefined ? {} : { extent: vector(extent) }),
    },
  ];
}

function vector([x, y, z]: readonly [number, number, number]) {
  return { x, y, z };
}
