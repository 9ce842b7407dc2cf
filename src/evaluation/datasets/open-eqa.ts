import { existsSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { QuestionInput, QuestionRecord, QuestionType } from "../../schema/index.ts";
import { numberIn } from "../judge/normalise.ts";
import {
  AFTER_ALL_US,
  type Dataset,
  type DatasetScene,
  makeQuestion,
  readJson,
  truthInWords,
} from "./dataset.ts";
import { type AskedIn, SCENES } from "./scene-files.ts";

const questionSchema = z.object({
  question: z.string().min(1),
  answer: z.string().min(1),
  category: z.string(),
  question_id: z.string().min(1).max(60),
  episode_history: z.string().min(1),
  /** Some are blank in the released file. */
  extra_answers: z.array(z.string()).optional(),
});
const activeSchema = questionSchema.extend({
  position: z.tuple([z.number(), z.number(), z.number()]),
  rotation: z.tuple([z.number(), z.number(), z.number(), z.number()]),
});
type Question = z.infer<typeof questionSchema>;

const TYPES: Readonly<Record<string, QuestionType>> = {
  "object recognition": "recognition",
  "object localization": "localisation",
  "attribute recognition": "attribute",
  "spatial understanding": "spatial",
  "object state recognition": "state",
  "functional reasoning": "functional",
  "world knowledge": "world-knowledge",
};
/** Habitat's forward step, which turns the metres of a path into steps. */
const STEP_M = 0.25;

/** OpenEQA's episodic questions (EM-EQA): the frames need the licences of ScanNet and HM3D, so there are no facts. */
export function loadOpenEqa(folder: string): Dataset {
  const all = readJson("open-eqa", folder, "open-eqa-v0.json", z.array(questionSchema).max(100_000));
  return {
    name: "open-eqa",
    ...byScene(
      folder,
      all.map((one) => ({ scene: sceneOf(one), question: questionOf(one, "em-eqa", {}) })),
    ),
    notes: [
      "Frames of an episode are taken from scenes/EPISODE where they are (ScanNet and HM3D need licences); without them there is nothing to ask.",
    ],
  };
}

/** The 184 questions of A-EQA with the agent's start pose and the length of the released path. */
export function loadActiveEqa(folder: string): Dataset {
  const all = readJson("a-eqa", folder, "aeqa_questions-184.json", z.array(activeSchema).max(100_000));
  const paths = existsSync(join(folder, "gt_path_length.json"))
    ? readJson("a-eqa", folder, "gt_path_length.json", z.record(z.string(), z.number().min(0)))
    : {};
  return {
    name: "a-eqa",
    ...byScene(
      folder,
      all.map((one) => {
        const m = paths[one.question_id];
        const more: Partial<QuestionInput> = {
          scope: "active",
          start: startOf(one),
          ...(m === undefined
            ? {}
            : { minPath: { m, steps: Math.ceil(m / STEP_M), viewpoints: [], approximate: true } }),
        };
        // The recording of this question's path, or a tour of the scene.
        const isOwn = existsSync(join(folder, SCENES, one.question_id));
        return {
          scene: isOwn ? one.question_id : sceneOf(one),
          question: questionOf(one, "a-eqa", more),
        };
      }),
    ),
    notes: [
      "SPL counts the metres of the recording from which the question was answered: its own (scenes/QUESTION_ID) or the tour of the scene (scenes/EPISODE).",
      "Path lengths are those of the released trajectories, one per scene, not the shortest way to each answer.",
      "Positions are Habitat's turned to Z-up: (x, −z, y).",
    ],
  };
}

function questionOf(one: Question, suite: string, more: Partial<QuestionInput>): QuestionRecord {
  return makeQuestion({
    id: `${suite}-${one.question_id}`,
    family: "open-eqa",
    suite,
    type: TYPES[one.category] ?? "world-knowledge",
    subtype: one.category,
    text: one.question.trim(),
    answer: truthOf(one),
    extra: (one.extra_answers ?? []).filter((text) => text.trim() !== ""),
    askedAtUs: AFTER_ALL_US,
    about: { source: one.episode_history.split("/")[0] ?? "" },
    ...more,
  });
}

/** A bare number after "how many" is a count; "yes" and "no" are binary. */
function truthOf({ question, answer }: Question): QuestionInput["answer"] {
  const count =
    /^\s*how many\b/i.test(question) && answer.trim().split(/\s+/).length === 1 ? numberIn(answer) : null;
  return count !== null && Number.isInteger(count)
    ? { type: "count", text: answer, count }
    : truthInWords(answer);
}

function sceneOf({ episode_history }: Question): string {
  return episode_history.replaceAll(/[^A-Za-z0-9_.-]/g, "-").slice(0, 64);
}

/** Habitat looks along −z with y up; we look along x with z up: a turn θ about y is a yaw of θ + 90°. */
function startOf({ position: [x, y, z], rotation: [w, , qy] }: z.infer<typeof activeSchema>) {
  const turn = 2 * Math.atan2(qy, w) + Math.PI / 2;
  return { position: { x, y: -z, z: y }, yawRad: Math.atan2(Math.sin(turn), Math.cos(turn)) };
}

function byScene(folder: string, all: readonly AskedIn[]): Pick<Dataset, "scenes" | "excluded"> {
  const scenes = [...Map.groupBy(all, ({ scene }) => scene)].map(([id, group]): DatasetScene => {
    const recording = join(folder, SCENES, id);
    return {
      id,
      questions: group.map(({ question }) => question),
      records: [],
      sightings: [],
      ...(existsSync(recording) && { recording }),
    };
  });
  const reason = `the frames of their scenes are not in ${SCENES}/`;
  return {
    scenes,
    excluded: scenes.flatMap(({ recording, questions }) =>
      recording === undefined ? questions.map(({ id }) => ({ questionId: id, reason })) : [],
    ),
  };
}
