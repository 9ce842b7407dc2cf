import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { loadDataset } from "./load-dataset.ts";
import { formOf, namedIn, whyNot } from "./sqa3d-form.ts";

const LABELS = { all: ["chair", "table", "window", "door", "sofa"], here: ["chair", "table", "door"] };

describe("what labelled boxes can answer, by the form", () => {
  test.each([
    ["two", "count"],
    ["3", "count"],
    ["odd", "parity"],
    ["behind", "side"],
    ["backwards", "side"],
    ["yes", "truth"],
    ["trash can", "thing"],
    ["brown", "other"],
    ["to the place where I cook", "other"],
  ])("%s is of the form %s", (answer, form) => expect(formOf(answer)).toBe(form));

  test.each([
    ["How many chairs are behind me?", "two", undefined],
    ["Are there any windows?", "no", undefined],
    ["What is to my left?", "table", undefined],
    ["Which way do I turn to leave?", "left", undefined],
    ["What color is the chair behind me?", "brown", "its answer is no number, side, yes or no, or thing"],
    ["What is to my left?", "printer", "its answer has no box"],
    [
      "Is the chair the same color as the table?",
      "no",
      "it is about looks, materials or states, which boxes do not have",
    ],
    ["How many slippers are to my left?", "one", "it names things that are never labelled"],
    ["Can I go straight?", "yes", "it names nothing that could have a box"],
    ["Which way is the sofa?", "left", "what it asks the way to has no box"],
  ])("%s %s", (question, answer, reason) => expect(whyNot(question, answer, LABELS)).toBe(reason));

  test("names what a question names, and no clocks or cans", () => {
    expect(namedIn("Can I see the couch at my 4 o'clock?")).toEqual(["sofa"]);
  });
});

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "loci-sqa3d-"));
  await mkdir(join(folder, "sqa3d"));
  await mkdir(join(folder, "vsi-bench-meta"));
  const box = (x: number, y: number) => ({
    centroid: [x, y, 0],
    axesLengths: [1, 1, 1],
    normalizedAxes: [1, 0, 0, 0, 1, 0, 0, 0, 1],
    min: [x - 0.5, y - 0.5, -0.5],
    max: [x + 0.5, y + 0.5, 0.5],
  });
  const room = {
    room_size: 12,
    object_counts: { chair: 1, door: 1 },
    object_bbox: { chair: [box(2, 1)], door: [box(-2, 1)] },
    room_center: [0.5, 1, 0],
  };
  await writeFile(join(folder, "vsi-bench-meta", "scannet.json"), JSON.stringify({ scene1: room }));
  const question = (n: number, text: string, scene = "scene1") => ({
    scene_id: scene,
    situation: "I am facing the chair",
    question: text,
    question_id: n,
  });
  const annotation = (n: number, answer: string) => ({
    question_id: n,
    answers: [{ answer }],
    rotation: { _z: 1, _w: 0 },
    position: { x: 0, y: 0 },
  });
  await writeFile(
    join(folder, "sqa3d", "questions.json"),
    JSON.stringify({
      questions: [
        question(1, "How many chairs are in front of me?"),
        question(2, "What color is it?"),
        question(3, "Which way is the door?"),
        question(4, "Is it?", "scene2"),
      ],
    }),
  );
  await writeFile(
    join(folder, "sqa3d", "annotations.json"),
    JSON.stringify({
      annotations: [annotation(1, "one"), annotation(2, "red"), annotation(3, "behind"), annotation(4, "no")],
    }),
  );
});

afterAll(() => rm(folder, { recursive: true, force: true }));

describe("SQA3D over rooms that have boxes", () => {
  test("asks with the situation in words, of the rooms with boxes, and lists what boxes cannot answer", () => {
    const { scenes, excluded, notes } = loadDataset("sqa3d", folder);
    expect(scenes.map(({ questions }) => questions.map(({ text }) => text))).toEqual([
      [
        "I am facing the chair. How many chairs are in front of me?",
        "I am facing the chair. What color is it?",
        "I am facing the chair. Which way is the door?",
      ],
    ]);
    expect(excluded).toEqual([
      { questionId: "sqa3d-2", reason: "its answer is no number, side, yes or no, or thing" },
    ]);
    expect(scenes[0]!.questions[0]!.answer).toMatchObject({ type: "count", count: 1 });
    expect(scenes[0]!.questions[2]!.extra).toContain("back");
    expect(notes.join(" ")).toMatch(/Chance on these: 62\.5 %/);
    expect(scenes[0]!.questions[0]!.start).toBeUndefined();
  });

  test("or with the annotated pose, in the frame of the boxes, looking along −x at rotation 0", () => {
    const { scenes } = loadDataset("sqa3d-posed", folder);
    const { text, start } = scenes[0]!.questions[0]!;
    expect(text).toBe("How many chairs are in front of me?");
    expect(start!.position).toEqual({ x: 0.5, y: 1, z: 1 });
    // Turned by half: along +x, where the chair is.
    expect(start!.yawRad).toBeCloseTo(0, 9);
  });

  test("says in one line what is missing", () => {
    expect(() => loadDataset("sqa3d", tmpdir())).toThrow(/sqa3d: expected questions\.json in/);
  });
});
