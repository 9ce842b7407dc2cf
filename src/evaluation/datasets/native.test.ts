import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { recordSchema } from "../../schema/index.ts";
import { loadDataset } from "./index.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "loci-native-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function put(file: string, value: unknown): void {
  const path = join(folder, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(
    path,
    value instanceof Uint8Array || typeof value === "string" ? value : JSON.stringify(value),
  );
}

const load = (name: string) => {
  const dataset = loadDataset(name, folder);
  for (const { records } of dataset.scenes) for (const record of records) recordSchema.parse(record);
  return dataset;
};

/** A field of a protobuf message that holds bytes. */
function field(number: number, value: Uint8Array | string): Buffer {
  const bytes = Buffer.from(value);
  const length = bytes.length < 128 ? [bytes.length] : [(bytes.length & 127) | 128, bytes.length >> 7];
  return Buffer.concat([Buffer.from([(number << 3) | 2, ...length]), bytes]);
}

function example(features: Record<string, readonly (string | Uint8Array)[]>): Buffer {
  const entries = Object.entries(features).map(([name, values]) => {
    const list = Buffer.concat(values.map((value) => field(1, value)));
    return field(1, Buffer.concat([field(1, name), field(2, field(1, list))]));
  });
  const record = field(1, Buffer.concat(entries));
  const head = Buffer.alloc(12);
  head.writeBigUInt64LE(BigInt(record.length));
  return Buffer.concat([head, record, Buffer.alloc(4)]);
}

describe("ERQA as it was released", () => {
  const asked =
    "Which cup?  Choices: A. The red one. B. The blue one. Please answer directly with only the letter.";

  it("is questions with options, and pictures that are parts of its file", () => {
    const pictures = [Buffer.from([0xff, 0xd8, 1]), Buffer.from([0xff, 0xd8, 2, 3])];
    const one = example({
      question: [asked],
      answer: ["B"],
      question_type: ["Pointing"],
      "image/encoded": pictures,
    });
    const file = Buffer.concat([one, example({ question: ["How many?"], answer: ["three"] })]);
    put("erqa.tfrecord", file);
    const { scenes } = load("erqa");
    expect(scenes.map(({ questions }) => questions[0])).toMatchObject([
      {
        text: "Which cup?",
        options: ["The red one", "The blue one"],
        answer: { type: "choice", letter: "B" },
        subtype: "Pointing",
      },
      { text: "How many?", answer: { type: "text", text: "three" } },
    ]);
    const parts = (scenes[0]!.pictures ?? []) as readonly { fromByte: number; bytes: number }[];
    expect(parts.map(({ fromByte, bytes }) => file.subarray(fromByte, fromByte + bytes))).toEqual(pictures);
  });

  it("is refused where it is cut off", () => {
    put("erqa.tfrecord", example({ question: [asked], answer: ["A"] }).subarray(0, 40));
    expect(() => load("erqa")).toThrow("is no TFRecord file, or it is cut off at byte 0");
  });
});

describe("VLM4D as it was released", () => {
  const one = {
    id: "v1",
    video: "https://example.org/VLM4D/resolve/main/videos_real/davis/bear.mp4",
    question_type: "direction",
    question: "Which way does the bear go?",
    choices: { A: "left", B: "right" },
    answer: "right",
  };

  it("asks about videos whose frames are there, and says how to make them where none is", () => {
    put("QA/real_mc.json", [one, { ...one, id: "v2", video: "videos_real/davis/fox.mp4" }]);
    expect(() => load("vlm4d")).toThrow(/2 questions, and no frames of any video .* ffmpeg -i/);
    for (const n of [10, 9]) put(`frames/videos_real/davis/bear/${n}.jpg`, "x");
    const { scenes, excluded } = load("vlm4d");
    expect(scenes[0]!.questions[0]).toMatchObject({
      type: "motion",
      subtype: "real/direction",
      answer: { letter: "B" },
    });
    expect(scenes[0]!.pictures).toEqual(
      [9, 10].map((n) => join(folder, `frames/videos_real/davis/bear/${n}.jpg`)),
    );
    expect(excluded.map(({ questionId }) => questionId)).toEqual([scenes[1]!.questions[0]!.id]);
  });
});

describe("OC-NaVQA", () => {
  const segment = (t: number) => ({
    id: `s${t}`,
    position: [t, 0, 0],
    time: t,
    start_time: t - 1.5,
    end_time: t + 1.5,
  });
  const question = (id: string, type: string, answers: object) => ({
    id,
    length_category: "SHORT",
    start_time: 3,
    end_time: 9,
    question: "You started moving at 2023-01-16 00:00:03. Now.\n Where is the tree?",
    type,
    context:
      "At time=2023-01-16 00:00:06, the robot was at an average position of [6, 0, 0]. The robot saw the following: a tree.",
    answers,
  });
  const annotations =
    'UUID,Question,GT Response\nq1,Where is the oak?,"[106.0, 207.0, 1.0]"\nq2,Was there an oak?,\n';

  beforeEach(() => {
    put("0/segments.json", [3, 6, 9].map(segment));
    put("0/questions.json", {
      data: [
        question("q1", "position", { text: ["there"], position: [6, 0, 0] }),
        question("q2", "binary", { text: ["yes"] }),
      ],
    });
    put("oc-navqa_data.csv", annotations);
  });

  it("leaves places out where the global poses are not there", () => {
    const { scenes, excluded } = load("oc-navqa");
    expect(scenes[0]!.questions).toMatchObject([
      { text: "Where is the oak?", answer: { position: { x: 106, y: 207, z: 1 } } },
      { text: "Was there an oak?", answer: { value: true } },
    ]);
    expect(scenes[0]!.questions[0]!.about).not.toHaveProperty("windowFromUs");
    expect(excluded).toMatchObject([{ reason: expect.stringContaining("dense_global.txt is not there") }]);
  });

  it("moves the drive into the global frame, and takes CODa's boxes in as things", () => {
    // Turned by a quarter: ahead of the robot is along y.
    put(
      "0/dense_global.txt",
      "3 103 200 0 0.7071 0 0 0.7071\n6 106 200 0 0.7071 0 0 0.7071\n9 109 200 0 1 0 0 0\n",
    );
    put("0/timestamps.txt", "3\n6\n9\n");
    const box = { classId: "Tree", instanceId: "Tree:1", cX: 7, cY: 0, cZ: 1, l: 1, w: 1, h: 3 };
    put("0/3d_bbox/3d_bbox_os1_0_1.json", { "3dbbox": [box] });
    const { scenes, excluded, notes } = load("oc-navqa");
    expect(excluded).toEqual([]);
    const state = scenes[0]!.records.find(({ kind }) => kind === "state")!;
    expect(state).toMatchObject({ category: "tree", validFromUs: 6_000_000 });
    expect(state).toHaveProperty("anchor.p.x", expect.closeTo(106, 3));
    expect(state).toHaveProperty("anchor.p.y", expect.closeTo(207, 3));
    const caption = scenes[0]!.records.find(({ kind }) => kind === "caption")!;
    expect(caption).toMatchObject({ anchor: { p: { x: 106, y: 200, z: 0 } } });
    expect(notes.join()).toContain("1 stays of annotated things");
  });
});

describe("a graph of Embodied-RAG", () => {
  const node = (id: number, more: string) =>
    `  node [\n    id ${id}\n    label "${id}"\n    position [\n      x ${id / 1000}\n      y 0\n      z 0.0\n    ]\n${more}  ]\n`;
  const leaf = (id: number, name: string, caption: string) =>
    node(id, `    name "${name}"\n    caption "${caption}"\n    level 0\n`);

  it("is captioned places with the authors' forest, queries that captions name, and places by name", () => {
    const leaves = [
      leaf(0, "Quiet Stop", "A bus stop beside a road."),
      leaf(1, "Green Yard", "Trees and a bench."),
    ].join("");
    put("graph.gml", `graph [\n${leaves}]\n`);
    const cluster = node(2, `    name "Roadside"\n    summary "A road with trees."\n    level 1\n`);
    const edges = [0, 1].map((from) => `  edge [\n    source ${from}\n    target 2\n  ]\n`).join("");
    put("reference-forest.gml", `graph [\n${leaves}${cluster}${edges}]\n`);
    put("queries.txt", "Find a bus stop.\nWhere is the nearest hotel?\n");
    const { scenes, excluded, compareWith } = load("embodied-rag");
    const [{ questions, records }] = scenes as [(typeof scenes)[number]];
    expect(questions.map(({ text, subtype }) => [text, subtype])).toEqual([
      ["Find a bus stop.", "query"],
      ["Where is the nearest hotel?", "query"],
      ["Find this place: Quiet Stop", "named place"],
      ["Find this place: Green Yard", "named place"],
    ]);
    expect(excluded.map(({ questionId }) => questionId)).toEqual([questions[1]!.id]);
    expect(questions[0]!.answer).toMatchObject({ type: "position", position: { x: 0, y: 0 } });
    const regions = records.filter(({ kind }) => kind === "region");
    expect(regions).toMatchObject([
      { type: "site", children: ["erag-region-2"], leaves: 2 },
      { type: "cluster", name: "Roadside", children: ["erag-place-0", "erag-place-1"], leaves: 2 },
    ]);
    expect(compareWith?.map(({ id }) => id)).toContain("forest, first found");
  });
});
