import { join } from "node:path";
import { z } from "zod";
import { boxFromPoints } from "../../geometry/index.ts";
import type { QuestionInput, QuestionRecord, RecordInput } from "../../schema/index.ts";
import { numberIn } from "../judge/normalise.ts";
import { AFTER_ALL_US, type Dataset, makeQuestion, readJson, SOME_TIME_US, truthInWords } from "./dataset.ts";
import { formOf, type Labels, sideWords, whyNot } from "./sqa3d-form.ts";
import { type BoxedRoom, factsOf, readRooms } from "./vsi-bench.ts";

const id = z.union([z.int(), z.string()]).transform(String);
const questionsSchema = z.object({
  questions: z
    .array(
      z.object({
        scene_id: z.string(),
        situation: z.string().min(1),
        question: z.string().min(1),
        question_id: id,
      }),
    )
    .max(100_000),
});
const annotationsSchema = z.object({
  annotations: z
    .array(
      z.object({
        question_id: id,
        answers: z.array(z.object({ answer: z.string().min(1) })).min(1),
        rotation: z.object({ _z: z.number(), _w: z.number() }),
        position: z.object({ x: z.number(), y: z.number() }),
      }),
    )
    .max(100_000),
});
type Question = z.infer<typeof questionsSchema>["questions"][number];
type Annotation = z.infer<typeof annotationsSchema>["annotations"][number];

/** Eye height of a person above the lowest thing of a room. */
const EYES_M = 1.5;

/**
 * SQA3D: questions by a person who describes where they are, for the rooms whose boxes are in VSI-Bench's meta
 * information; `folder` holds `sqa3d/` and `vsi-bench-meta/`. With `posed` the annotated pose is given instead of the
 * words.
 */
function loadSqa3d(folder: string, posed: boolean): Dataset {
  const dataset = posed ? "sqa3d-posed" : "sqa3d";
  const { questions } = readJson(dataset, join(folder, "sqa3d"), "questions.json", questionsSchema);
  const annotated = readJson(dataset, join(folder, "sqa3d"), "annotations.json", annotationsSchema);
  const annotations = new Map(annotated.annotations.map((one) => [one.question_id, one]));
  const rooms = readRooms(dataset, join(folder, "vsi-bench-meta"), "scannet.json");
  const all = [...new Set(Object.values(rooms).flatMap(({ object_bbox }) => Object.keys(object_bbox)))];
  const excluded: { questionId: string; reason: string }[] = [];
  const asked: { readonly form: string; readonly answer: string; readonly question: string }[] = [];
  const scenes = Object.entries(rooms).flatMap(([name, room]) => {
    const labels: Labels = { all, here: Object.keys(room.object_bbox) };
    const own = questions.flatMap((question) => {
      const annotation = annotations.get(question.question_id);
      if (question.scene_id !== name || !annotation) return [];
      const { answer } = annotation.answers[0]!;
      const record = questionOf(question, annotation, room, posed);
      const reason = whyNot(question.question, answer, labels);
      if (reason === undefined)
        asked.push({ form: formOf(answer), answer: answer.toLowerCase(), question: question.question });
      else excluded.push({ questionId: record.id, reason });
      return [record];
    });
    const facts = factsOf(`sqa3d-${name}`, room);
    const records = [...facts.records, regionOf(`sqa3d-${name}`, room)];
    return own.length > 0 ? [{ id: `sqa3d-${name}`, questions: own, ...facts, records }] : [];
  });
  return {
    name: dataset,
    scenes,
    excluded,
    notes: [
      "What labelled boxes can answer was fixed by the forms of question and answer (sqa3d-form.ts) before anything was asked.",
      `Chance on these: ${percent(chanceOf(asked))} by guessing among the answers of the form, ${percent(commonestOf(asked))} by its commonest answer.`,
      posed
        ? "The annotated position, moved by the room's centre into the frame of the boxes, and its heading are given; the situation is not read."
        : "Who asks says where they are in words; no position is given.",
    ],
  };
}

export const loadSqa3dInWords = (folder: string): Dataset => loadSqa3d(folder, false);
export const loadSqa3dPosed = (folder: string): Dataset => loadSqa3d(folder, true);

function questionOf(
  question: Question,
  annotation: Annotation,
  room: BoxedRoom,
  posed: boolean,
): QuestionRecord {
  const { answer } = annotation.answers[0]!;
  const text = posed ? question.question : `${sentence(question.situation)} ${question.question}`;
  return makeQuestion({
    id: `sqa3d-${question.question_id}`,
    family: "sqa3d",
    suite: "sqa3d",
    type: "spatial",
    subtype: formOf(answer),
    text: text.trim(),
    answer: truthOf(answer),
    extra: sideWords(answer)?.filter((word) => word !== answer.toLowerCase()) ?? [],
    askedAtUs: AFTER_ALL_US,
    ...(posed && { start: startOf(annotation, room) }),
  });
}

function sentence(text: string): string {
  return /[.!?]$/.test(text.trim()) ? text.trim() : `${text.trim()}.`;
}

function truthOf(answer: string): QuestionInput["answer"] {
  const count = formOf(answer) === "count" ? numberIn(answer) : null;
  return count === null ? truthInWords(answer) : { type: "count", text: answer, count };
}

/** Positions are relative to the middle of the scan; rotation 0 looks along −x. */
function startOf({ position, rotation }: Annotation, room: BoxedRoom): QuestionRecord["start"] {
  const [x, y] = room.room_center ?? [0, 0];
  const turn = 2 * Math.atan2(rotation._z, rotation._w) + Math.PI;
  return {
    position: { x: position.x + x, y: position.y + y, z: floorOf(room) + EYES_M },
    yawRad: Math.atan2(Math.sin(turn), Math.cos(turn)),
  };
}

function cornersOf({ object_bbox }: BoxedRoom) {
  const corners = Object.values(object_bbox).flatMap((boxes) => boxes.flatMap(({ min, max }) => [min, max]));
  return corners.map(([x, y, z]) => ({ x, y, z }));
}

function floorOf(room: BoxedRoom): number {
  return Math.min(...cornersOf(room).map(({ z }) => z));
}

/** The room itself, as the extent of its things. */
function regionOf(sceneId: string, room: BoxedRoom): RecordInput {
  const { min, max } = boxFromPoints(cornersOf(room))!;
  return {
    kind: "region",
    id: `${sceneId}-room`,
    sceneId,
    type: "room",
    level: 2,
    name: "room",
    text: ["room"],
    validFromUs: SOME_TIME_US,
    validToUs: null,
    coverage: 1,
    anchor: { submap: "world", p: { x: (min.x + max.x) / 2, y: (min.y + max.y) / 2, z: min.z } },
    hull: [min, { ...min, x: max.x }, { ...min, x: max.x, y: max.y }, { ...min, y: max.y }],
  };
}

type Asked = { readonly form: string; readonly answer: string; readonly question: string };

/** The chance level: between two offered options, among four sides, or among the answers of that form here. */
function chanceOf(asked: readonly Asked[]): number {
  const answers = (form: string) =>
    new Set(asked.filter((one) => one.form === form).map(({ answer }) => answer)).size;
  const marks = asked.map(({ form, question }) => {
    if (form === "truth" || form === "parity" || /\bor\b/.test(question)) return 1 / 2;
    return 1 / Math.max(1, form === "side" ? 4 : answers(form));
  });
  return meanOf(marks);
}

/** The share of the commonest answer of each form: the level of knowing the questions but no room. */
function commonestOf(asked: readonly Asked[]): number {
  const marks = asked.map((one) => {
    const counts = new Map<string, number>();
    for (const other of asked)
      if (other !== one && other.form === one.form)
        counts.set(other.answer, (counts.get(other.answer) ?? 0) + 1);
    const [best] = [...counts].toSorted((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
    return best?.[0] === one.answer ? 1 : 0;
  });
  return meanOf(marks);
}

function meanOf(marks: readonly number[]): number {
  return marks.reduce((sum, mark) => sum + mark, 0) / Math.max(1, marks.length);
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}
