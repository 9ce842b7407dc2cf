import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { rotate } from "../../geometry/index.ts";
import { SqliteEngine, type WriteBatch } from "../../memory/index.ts";
import { recordSchema } from "../../schema/index.ts";
import { evaluateSuite } from "../runner/index.ts";
import { questionOf } from "../testing/toy-suite.ts";
import { DATASETS, evaluateDataset, loadDataset, readQuestions, scenesOf } from "./index.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "loci-datasets-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function put(file: string, value: unknown): void {
  const path = join(folder, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, typeof value === "string" ? value : JSON.stringify(value));
}

const load = (name: string) => {
  const dataset = loadDataset(name, folder);
  for (const { records } of dataset.scenes) for (const record of records) recordSchema.parse(record);
  return dataset;
};

describe("a wrong folder", () => {
  it.each(DATASETS)("is one clear line for %s", (name) => {
    expect(() => loadDataset(name, folder)).toThrow(new RegExp(`^${name}: expected .* ${folder}`));
    expect(() => loadDataset(name, join(folder, "nowhere"))).toThrow("there is no file or folder");
  });

  it("and so are a wrong name, a wrong file and broken JSON", () => {
    expect(() => loadDataset("imagenet", folder)).toThrow(
      'there is no dataset "imagenet"; there are open-eqa',
    );
    put("open-eqa-v0.json", [{ question: "What?" }]);
    expect(() => load("open-eqa")).toThrow("open-eqa: open-eqa-v0.json at 0.answer");
    put("open-eqa-v0.json", "[");
    expect(() => load("open-eqa")).toThrow("is not JSON");
  });
});

describe("OpenEQA", () => {
  const one = {
    question: "Is the door open?",
    answer: "Yes.",
    category: "object state recognition",
    question_id: "id-1",
    episode_history: "hm3d-v0/000-hm3d-x",
  };

  it("keeps categories, further answers, yes and no, and numbers", () => {
    put("open-eqa-v0.json", [
      one,
      {
        ...one,
        question_id: "id-2",
        question: "How many chairs?",
        answer: "two",
        category: "attribute recognition",
      },
      {
        ...one,
        question_id: "id-3",
        question: "Where is the mirror?",
        answer: "By the stairs",
        category: "object localization",
        extra_answers: ["next to the stairs", ""],
        episode_history: "scannet-v0/001-scannet-y",
      },
    ]);
    const { scenes } = load("open-eqa");
    expect(scenes.map(({ id, questions }) => [id, questions.length])).toEqual([
      ["hm3d-v0-000-hm3d-x", 2],
      ["scannet-v0-001-scannet-y", 1],
    ]);
    const [state, count, place] = scenes.flatMap(({ questions }) => questions);
    expect(state).toMatchObject({
      type: "state",
      scope: "episodic",
      answer: { type: "binary", value: true },
    });
    expect(count).toMatchObject({ type: "attribute", answer: { type: "count", count: 2 } });
    expect(place).toMatchObject({ type: "localisation", extra: ["next to the stairs"] });
  });

  it("turns Habitat's poses to ours and takes the released path as the shortest", () => {
    const half = Math.SQRT1_2;
    put("aeqa_questions-184.json", [
      { ...one, position: [1, 2, 3], rotation: [1, 0, 0, 0], object_id: null },
      { ...one, question_id: "id-2", position: [1, 2, 3], rotation: [half, 0, half, 0] },
    ]);
    put("gt_path_length.json", { "id-1": 5.1 });
    const [first, second] = load("a-eqa").scenes[0]!.questions;
    expect(first).toMatchObject({
      scope: "active",
      start: { position: { x: 1, y: -3, z: 2 } },
      minPath: { m: 5.1, steps: 21, approximate: true },
    });
    // Habitat looks along −z, which is our y; a quarter turn to the left from there is −x.
    expect(first!.start!.yawRad).toBeCloseTo(Math.PI / 2, 9);
    expect(Math.abs(second!.start!.yawRad)).toBeCloseTo(Math.PI, 9);
    expect(second!.minPath).toBeUndefined();
  });
});

describe("NaVQA", () => {
  // Unix second 1,000,000 is 1970-01-12 13:46:40 UTC; the clock strings are five hours behind.
  const segment = (i: number) => ({
    id: `./drive/${i}.pkl`,
    position: [i, 2 * i, 0],
    theta: 3.14,
    time: 1_000_001.5 + 3 * i,
    start_time: 1_000_000 + 3 * i,
    end_time: 1_000_002.9 + 3 * i,
    caption: "unknown",
  });
  const clock = (unix: number) =>
    new Date((unix - 5 * 3_600) * 1000).toISOString().slice(0, 19).replace("T", " ");
  const ask = (
    id: string,
    type: string,
    text: string,
    answers: object,
    goldAt: number[],
    fromS = 0,
    toS = 60,
  ) => ({
    id,
    type,
    length_category: "SHORT",
    start_time: 1_000_000.4 + fromS,
    end_time: 1_000_000.4 + toS,
    question: `You started moving at ${clock(1_000_000 + fromS)}. The current time is x. \n ${text}`,
    context: goldAt
      .map(
        (i) =>
          `At time=${clock(1_000_001 + 3 * i)}, the robot was at an average position of [1, 2, 0].The robot saw the following: Scene ${i}:\n\n1. **Sign**: it reads EXIT ${i}.\n\n`,
      )
      .join(""),
    answers,
  });

  beforeEach(() => {
    put(
      "3/segments.json",
      Array.from({ length: 30 }, (_, i) => segment(i)),
    );
    put("3/questions.json", {
      version: 0.1,
      data: [
        ask("p", "position", "Where is the nearest exit?", { position: [5, 10, 0] }, [5]),
        ask("t", "time", "When did you turn left?", { text: ["0.5 minutes ago"], time: 0.5 }, [10, 5]),
        ask(
          "d",
          "duration",
          "How long were you in the building?",
          { text: ["1 minutes"], duration: 1 },
          [1, 9],
        ),
        ask("b", "binary", "Did you see a bike?", { text: ["No", "No"] }, [2]),
        ask("x", "text", "What color was the bus?", { text: ["It was red"] }, [28]),
      ],
    });
  });

  it("finds the gold segments by time whatever the time zone, each caption once", () => {
    const { scenes } = load("navqa");
    const { id, questions, records } = scenes[0]!;
    expect([id, questions.length]).toEqual(["coda-3", 5]);
    expect(questions[1]!.evidenceTimesUs).toEqual([1_000_031_500_000, 1_000_016_500_000]);
    const captions = records.filter(({ kind }) => kind === "caption");
    expect(captions).toHaveLength(6);
    expect(captions[0]).toMatchObject({
      text: ["Scene 5:", "Sign: it reads EXIT 5"],
      validFromUs: 1_000_015_000_000,
      anchor: { p: { x: 5, y: 10, z: 0 } },
    });
    expect(records.filter(({ kind }) => kind === "observation")).toHaveLength(30);
  });

  it("keeps types, windows, tolerances and answers in our units", () => {
    const [place, time, duration, binary, text] = load("navqa").scenes[0]!.questions;
    expect(place).toMatchObject({
      type: "nearest",
      text: "Where is the nearest exit?",
      tolerance: { m: 15, s: 120 },
      askedAtUs: 1_000_060_400_000,
      about: { windowFromUs: 1_000_000_400_000 },
      answer: { type: "position", position: { x: 5, y: 10, z: 0 } },
    });
    expect(place!.start!.yawRad).toBeCloseTo(Math.atan2(2, 1), 9);
    expect(time).toMatchObject({ type: "ego", answer: { type: "time", atUs: 1_000_030_400_000, agoS: 30 } });
    expect(duration).toMatchObject({ type: "ego", answer: { durationS: 60 } });
    expect(binary).toMatchObject({ type: "existence", answer: { value: false }, extra: [] });
    expect(text).toMatchObject({ type: "attribute", answer: { type: "text", text: "It was red" } });
  });

  it("lists what lies outside of the window and leaves it out of the suite", () => {
    const dataset = load("navqa");
    expect(dataset.excluded).toEqual([
      {
        questionId: dataset.scenes[0]!.questions[4]!.id,
        reason: "the answer lies outside of the memory window",
      },
    ]);
    const make = () => Promise.reject(new Error("not opened"));
    expect(scenesOf(dataset, make)[0]!.questions).toHaveLength(4);
    expect(scenesOf(dataset, make, { withExcluded: true })[0]!.questions).toHaveLength(5);
    expect(dataset.notes[0]).toContain("Gold-segment captions: only the 6 captions");
  });
});

describe("VSI-Bench", () => {
  const box = (x: number, y: number, size = 1) => ({
    centroid: [x, y, 0],
    axesLengths: [size, 0.5, 0.5],
    normalizedAxes: [1, 0, 0, 0, 1, 0, 0, 0, 1],
    min: [x - size / 2, y - 0.25, -0.25],
    max: [x + size / 2, y + 0.25, 0.25],
  });
  const room = {
    dataset: "scannet",
    room_size: 36,
    object_counts: { chair: 3, bed: 1, lamp: 1, door: 1, sink: 1, desk: 1, printer: 1 },
    object_bbox: {
      chair: [box(0, 0), box(2, 0), box(4, 0)],
      bed: [box(0, 4, 2)],
      lamp: [box(5, 4)],
      door: [box(-4, 0)],
      sink: [box(0, -5)],
      desk: [box(8, 0)],
      printer: [box(1, 1), box(1, 2)],
    },
  };

  it("makes a track and a state of every box", () => {
    put("scannet.json", { scene0: room });
    const [scene] = load("vsi-bench").scenes;
    expect(scene).toMatchObject({ id: "scannet-scene0", floorAreaM2: 36 });
    const states = scene!.records.filter(({ kind }) => kind === "state");
    expect(states).toHaveLength(10);
    expect(states[3]).toMatchObject({
      name: "bed",
      anchor: { p: { x: 0, y: 0, z: 0 } },
      extent: { x: 2, y: 0.5, z: 0.5 },
    });
    const { anchor } = states[3] as { anchor: { submap: string } };
    const frame = scene!.frames!.find(({ child }) => child === anchor.submap);
    expect(frame).toMatchObject({ parent: "world", transform: { p: { x: 0, y: 4, z: 0 } } });
  });

  it("stands a turned box, also one with left-handed axes, in a turned frame", () => {
    const turned = { ...box(1, 0), normalizedAxes: [0, 1, 0, 1, 0, 0, 0, 0, 1] };
    put("scannet.json", { scene0: { ...room, object_counts: { bed: 1 }, object_bbox: { bed: [turned] } } });
    const [frame] = load("vsi-bench").scenes[0]!.frames!;
    const along = rotate(frame!.transform.q, { x: 1, y: 0, z: 0 });
    expect(Math.abs(along.y)).toBeCloseTo(1, 9);
  });

  it("asks what follows from the boxes, always the same, and not what is disputed", () => {
    put("scannet.json", { scene0: room });
    const dataset = load("vsi-bench");
    const { questions } = dataset.scenes[0]!;
    expect(load("vsi-bench")).toEqual(dataset);
    expect(dataset.notes.at(-1)).toContain("printer has another count than boxes");
    expect(questions.some(({ text }) => text.includes("printer"))).toBe(false);
    const of = (subtype: string) => questions.filter((question) => question.subtype === subtype);
    expect(of("object-count").map(({ answer }) => answer)).toMatchObject([{ count: 3 }]);
    expect(of("object-size")).toHaveLength(4);
    for (const { text, answer } of of("object-size"))
      expect(answer).toMatchObject({ quantity: { value: text.includes("bed") ? 2 : 1, unit: "m" } });
    expect(of("relative-direction").length).toBeGreaterThan(0);
    for (const { text, answer, options } of of("relative-direction")) {
      const named = /by the (\w+) and face the (\w+)\. Is the (\w+)/.exec(text)!.slice(1) as [
        string,
        string,
        string,
      ];
      const [from, to, where] = named.map((name) => placeOf(name)) as [number[], number[], number[]];
      const [ax, ay, bx, by] = [
        to[0]! - from[0]!,
        to[1]! - from[1]!,
        where[0]! - from[0]!,
        where[1]! - from[1]!,
      ];
      const cosine = (ax * bx + ay * by) / (Math.hypot(ax, ay) * Math.hypot(bx, by));
      const side = cosine < -Math.SQRT1_2 ? "behind" : ax * by - ay * bx > 0 ? "left" : "right";
      expect([answer.text, options![(answer as { letter: string }).letter.charCodeAt(0) - 65]]).toEqual([
        side,
        side,
      ]);
    }
  });

  const placeOf = (name: string) => room.object_bbox[name as "bed"][0]!.centroid;
});

describe("HOMER+", () => {
  const day = (...steps: [number, ...string[]][]) => ({
    lines: steps.map(([, ...lines]) => lines),
    timestamps: steps.map(([minute]) => minute),
  });

  it("turns moves into states that follow each other, and days stand by themselves", () => {
    put(
      "000.json",
      day(
        [480, "[OPEN] <cabinet> (17) [1]", "[TELEPORT] <coffee_cup> (1) <kitchen_counter> (18) [2]"],
        [480, "[TELEPORT] <coffee_cup> (1) <sink> (19) [3]"],
        [600, "[TELEPORT] <coffee_cup> (1) <kitchen_cabinet> (17) [4]"],
      ),
    );
    put(
      "001.json",
      day([480, "[WASH] <coffee_cup> (1) [1]"], [500, "[TELEPORT] <coffee_cup> (1) <table> (5) [2]"]),
    );
    const [scene] = load("homer-plus").scenes;
    const states = scene!.records.flatMap((r) => (r.kind === "state" && r.name === "coffee cup" ? [r] : []));
    expect(states.map(({ text }) => text![0])).toEqual([
      "coffee cup on the kitchen counter",
      "coffee cup in the sink",
      "coffee cup in the kitchen cabinet",
      "coffee cup on the table",
    ]);
    const midnight = Date.UTC(2000, 0, 1) * 1000;
    const s = 1_000_000;
    expect(
      states.map(({ validFromUs, validToUs }) => [validFromUs - midnight, validToUs! - midnight]),
    ).toEqual([
      [480 * 60 * s + s, 480 * 60 * s + 2 * s],
      [480 * 60 * s + 2 * s, 600 * 60 * s],
      [600 * 60 * s, 86_400 * s],
      [(1_440 + 500) * 60 * s, 2 * 86_400 * s],
    ]);
    expect(states[1]!.insideOf).toBeDefined();
    expect(states[0]!.supportedBy).toBeDefined();
    const events = scene!.records.filter((record) => record.kind === "event" && record.type !== "move");
    const moves = scene!.records.flatMap((r) => (r.kind === "event" && r.type === "move" ? [r] : []));
    expect(moves.map(({ who, detail }) => [who![0], detail!["trackId"]])).toEqual(
      states.map(({ id, trackId }) => [id, trackId]),
    );
    expect(events).toMatchObject([
      { type: "state-change", text: ["open cabinet"], detail: { attribute: "open", value: true } },
      { type: "interaction", text: ["wash coffee cup"] },
    ]);
    const answers = scene!.questions
      .filter(({ subtype }) => subtype === "moves")
      .map(({ answer }) => answer.text);
    expect(answers).toEqual(["3", "1"]);
  });

  it("takes a folder of households, one scene each", () => {
    put("A/000.json", day([480, "[TELEPORT] <cup> (1) <table> (5) [1]"]));
    put("B/000.json", day([480, "[TELEPORT] <cup> (1) <shelf> (5) [1]"]));
    put("notes/readme.txt", "no days");
    expect(load("homer-plus").scenes.map(({ id }) => id)).toEqual(["homer-plus-A", "homer-plus-B"]);
  });

  it("knows that what something is put on may be moved itself", () => {
    put(
      "000.json",
      day([480, "[TELEPORT] <brush> (1) <sink> (5) [1]"], [490, "[TELEPORT] <paste> (2) <brush> (1) [2]"]),
    );
    const states = load("homer-plus").scenes[0]!.records.flatMap((r) => (r.kind === "state" ? [r] : []));
    expect(states.filter(({ name }) => name === "brush")).toHaveLength(1);
    const [brush, paste] = ["brush", "paste"].map((name) => states.find((state) => state.name === name));
    expect(paste!.supportedBy).toBe(brush!.id);
  });

  it("says which line it does not understand", () => {
    put("000.json", day([480, "TELEPORT cup"]));
    expect(() => load("homer-plus")).toThrow(
      "homer-plus: 000.json, step 0: expected [ACTION] <thing> (id) …, got TELEPORT cup",
    );
    put("000.json", { lines: [[]], timestamps: [] });
    expect(() => load("homer-plus")).toThrow("as many timestamps as lines");
  });
});

describe("goal lists", () => {
  const goals = {
    scenes: [
      {
        id: "house 1",
        objects: [
          {
            id: "o1",
            category: "sofa",
            description: "a red sofa",
            room: "living room",
            position: [1, 2, 0.4],
          },
          { id: "o2", category: "sofa", position: [5, 5, 0.4], extent: [2, 1, 0.8] },
        ],
        goals: [
          { id: "g1", kind: "category", text: "sofa", targets: ["o1", "o2"], pathM: 3 },
          { id: "g2", kind: "description", text: "the red sofa", targets: ["o1"] },
        ],
      },
    ],
  };

  it("become places to go to, any of several where any will do", () => {
    put("goals.json", goals);
    const [scene] = load("goals").scenes;
    expect(scene!.questions).toMatchObject([
      {
        text: "Take me to the sofa.",
        answer: { position: { x: 1 }, accepted: [{ x: 5 }] },
        scope: "active",
        minPath: { m: 3, steps: 12 },
      },
      { text: "Take me to this: the red sofa", tolerance: { m: 1 } },
    ]);
    expect(scene!.questions[0]!.targets).toEqual(
      scene!.records.filter(({ kind }) => kind === "track").map(({ id }) => id),
    );
    expect(scene!.records[1]!.text).toEqual(["a red sofa in the living room"]);
  });

  it("name only objects that are there", () => {
    const broken = structuredClone(goals);
    broken.scenes[0]!.goals[1]!.targets = ["o9"];
    put("goals.json", broken);
    expect(() => load("goals")).toThrow("goals: house 1, goal g2: there is no object o9");
  });

  it("run through the whole suite, from file to report", async () => {
    put("goals.json", goals);
    const makeMemory = async () => {
      let nowUs = 0;
      const engine = await SqliteEngine.open({
        folder: join(folder, "memory"),
        nowUs: () => ++nowUs,
        create: true,
      });
      const writer = await engine.writer();
      return {
        reader: await engine.reader(),
        write: (batch: WriteBatch) => writer.write(batch),
        close: () => engine.close(),
      };
    };
    const { results, failures, notes } = await evaluateDataset({
      dataset: "goals",
      folder,
      strategies: ["flat-rag"],
      makeMemory,
      commit: "test",
    });
    expect(notes).toEqual(["A goal is reached within 1 m of the centre of any object that it means."]);
    expect(results.map(({ strategy }) => strategy)).toContain("flat-rag");
    expect(failures.total).toBe(0);
    expect(results.find(({ strategy }) => strategy === "whole-history")!.overall).toMatchObject({
      n: 2,
      success: { value: 100 },
    });
  });
});

it("refuses to ask about facts that a dataset does not have, unless told to", async () => {
  put("open-eqa-v0.json", [
    { question: "Is it?", answer: "yes", category: "x", question_id: "1", episode_history: "a/b" },
  ]);
  const make = async () => {
    let nowUs = 0;
    const engine = await SqliteEngine.open({
      folder: join(folder, "memory"),
      nowUs: () => ++nowUs,
      create: true,
    });
    return { reader: await engine.reader(), write: async () => {}, close: () => engine.close() };
  };
  const run = (withoutFacts: boolean) =>
    evaluateSuite({
      suite: "x",
      commit: "test",
      strategies: [],
      scenes: scenesOf(load("open-eqa"), make, { withoutFacts, withExcluded: true }),
    });
  expect(load("open-eqa").excluded).toMatchObject([
    { reason: "the frames of their scenes are not in scenes/" },
  ]);
  expect((await run(false)).failures.byCode).toEqual({ "memory: not-supported": 3 });
  const blindOnly = await run(true);
  expect(blindOnly.failures.total).toBe(0);
  expect(blindOnly.results.map(({ overall }) => overall.answered)).toEqual([1, 0, 0]);
});

it("reads questions line by line and reports the lines that are none", () => {
  const question = questionOf({ id: "q1", answer: { type: "text", text: "red" } });
  put(
    "questions.jsonl",
    `${[JSON.stringify(question), "", "{", '{"id":"q2"}', JSON.stringify(question)].join("\n")}\n`,
  );
  const { questions, malformed } = readQuestions(join(folder, "questions.jsonl"));
  expect(questions).toEqual([question]);
  expect(malformed.map(({ line }) => line)).toEqual([3, 4, 5]);
  expect(malformed[2]!.reason).toBe("the id q1 was there before");
  expect(() => readQuestions(join(folder, "nothing.jsonl"))).toThrow("cannot be read");
});

describe("GOAT", () => {
  const object = (category: string, x: number, lang_desc: string | null = null) => ({
    category,
    position: [x, 1, 2],
    lang_desc,
  });
  const objects = Object.fromEntries(
    Array.from({ length: 12 }, (_, n) => [`chair_${n}`, object("chair", 3 * n, "chair next to the lamp.")]),
  );

  it("parts the descriptions into halves by name, and makes y up z up", () => {
    put("objects.json", { house: { ...objects, lamp_1: object("lamp", 9.5) } });
    const [first, second] = [load("goat"), load("goat-second")];
    const idsOf = (dataset: typeof first) =>
      dataset.scenes.flatMap((one) => one.questions.map(({ id }) => id));
    expect(new Set([...idsOf(first), ...idsOf(second)]).size).toBe(12);
    expect(idsOf(first).length).toBeGreaterThan(0);
    const [question] = first.scenes[0]!.questions;
    expect(question).toMatchObject({
      text: "Find the chair next to the lamp.",
      answer: { position: { y: -2, z: 1 } },
    });
    expect(first.scenes[0]!.records).toHaveLength(26);
  });

  it("has who guesses, and who takes the nearest to what is mentioned, beside it", async () => {
    put("objects.json", { house: { ...objects, lamp_1: object("lamp", 9.5) } });
    const { results, failures } = await evaluateDataset({
      dataset: "goat",
      folder: join(folder, "objects.json"),
      strategies: [],
      commit: "test",
      makeMemory: async () => {
        let nowUs = 0;
        const engine = await SqliteEngine.open({
          folder: join(folder, "memory"),
          nowUs: () => ++nowUs,
          create: true,
        });
        const writer = await engine.writer();
        return {
          reader: await engine.reader(),
          write: (batch: WriteBatch) => writer.write(batch),
          close: () => engine.close(),
        };
      },
    });
    expect(failures.total).toBe(0);
    // Both give one place per description; all of these mean the chair beside the lamp, which is one of twelve.
    const placesOf = (name: string) => results.find(({ strategy }) => strategy === name)!.overall;
    expect(placesOf("nearest").n).toBe(placesOf("chance").n);
    expect(placesOf("nearest").n).toBeGreaterThan(0);
  });
});
