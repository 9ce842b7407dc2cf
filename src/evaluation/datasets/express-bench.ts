import { z } from "zod";
import type { QuestionType } from "../../schema/index.ts";
import { AFTER_ALL_US, type Dataset, makeQuestion, readJson, truthInWords } from "./dataset.ts";
import { type AskedIn, scenesThatAreThere } from "./scene-files.ts";

const triple = z.tuple([z.number(), z.number(), z.number()]);
const questionsSchema = z.array(
  z.object({
    question: z.string().min(1),
    answer: z.string().min(1),
    type: z.string().default("other"),
    scene_id: z.string().min(1).max(120),
    start_position: triple,
    /** w, x, y, z. */
    start_rotation: z.tuple([z.number(), z.number(), z.number(), z.number()]),
    goal_position: triple,
  }),
);

/**
 * EXPRESS-Bench (Fine-EQA): open answers with a start pose and the place where the answer is visible. Its
 * exploration–answer consistency asks whether the last view shows the answer; here the goal is kept with each
 * question (`about.goal`), and an answer whose evidence lies around it is grounded.
 */
export function loadExpressBench(folder: string): Dataset {
  const all = readJson("express-bench", folder, "express-bench.json", questionsSchema.max(100_000));
  const asked = all.map((one, n): AskedIn => {
    const [gx, gy, gz] = one.goal_position;
    const goal = { x: gx, y: -gz, z: gy };
    return {
      scene: one.scene_id,
      question: makeQuestion({
        id: `express-${n}`,
        family: "express-bench",
        suite: "express-bench",
        type: TYPES[one.type.trim().toLowerCase()] ?? "recognition",
        subtype: one.type,
        text: one.question.trim(),
        answer: truthInWords(one.answer),
        askedAtUs: AFTER_ALL_US,
        start: startOf(one),
        about: { goal },
      }),
    };
  });
  return {
    name: "express-bench",
    ...scenesThatAreThere("express-bench", folder, asked),
    notes: [
      "Asked of a memory of the scene after its tour (episodic).",
      "Grounded: evidence of the answer lies within 3 m of where the answer is seen; consistent: the mark of grounded answers, 0 for others (the paper has a vision model look at the last view).",
      "Positions are Habitat's turned to Z-up: (x, −z, y).",
    ],
  };
}

const TYPES: Readonly<Record<string, QuestionType>> = {
  state: "state",
  knowledge: "world-knowledge",
  location: "localisation",
  attribute: "attribute",
  counting: "counting",
  existence: "existence",
  object: "recognition",
};

/** Habitat looks along −z with y up; we look along x with z up. */
function startOf({
  start_position: [x, y, z],
  start_rotation: [w, , qy],
}: z.infer<typeof questionsSchema>[number]) {
  const turn = 2 * Math.atan2(qy, w) + Math.PI / 2;
  return { position: { x, y: -z, z: y }, yawRad: Math.atan2(Math.sin(turn), Math.cos(turn)) };
}
