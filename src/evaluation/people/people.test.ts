import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { AnswerRecord } from "../../schema/index.ts";
import { answerSchema } from "../../schema/index.ts";
import { keyOf, readHouses, recordingOf } from "./houses.ts";
import { KINDS, parseQuestions, VOICES } from "./questions.ts";
import { formatPeopleReport, type PeopleRow, reportOf } from "./report.ts";
import { askHouse, readPeopleData } from "./run.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "loci-people-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const put = (name: string, ...values: unknown[]) =>
  writeFileSync(join(folder, name), values.map((value) => JSON.stringify(value)).join("\n"));

it("accepts every example on the page for writers, and that page names every kind and voice", () => {
  const page = readFileSync(new URL("../../../bench/people/README.md", import.meta.url), "utf8");
  const examples = page.split("\n").filter((line) => line.startsWith('{"id"'));
  const { questions, faults } = parseQuestions(examples.join("\n"));
  expect(faults).toEqual([]);
  expect(questions.length).toBeGreaterThan(10);
  expect([...KINDS, ...VOICES].filter((name) => !page.includes(name))).toEqual([]);
  const forms = [...page.matchAll(/^\| (`\{.*?) \|/gm)].flatMap(([, cell]) => cell!.match(/\{.*?\}(?=`)/g)!);
  const lines = forms.map((form, i) => `{"id":"${i}","question":"${i}?","kind":"list","expect":${form}}`);
  expect(parseQuestions(lines.join("\n")).faults).toEqual([]);
  expect(lines.length).toBeGreaterThan(12);
});

it("names a house by all that made it, and refuses other seeds and doubles", async () => {
  put("houses.json", [
    { seed: 20_101 },
    { seed: 20_102, rooms: 8, floors: 2, rate: 120 },
    { seed: 70_101, agents: 2 },
    { seed: 79_999, family: "warehouse" },
  ]);
  const houses = await readHouses(folder);
  expect(houses.map(keyOf)).toEqual([
    "20101_6min_2fps_noise0.5_rate60",
    "20102_6min_2fps_noise0.5_rate120_rooms8_floors2",
    "70101_6min_2fps_noise0.5_rate60_agents2",
    "warehouse_79999_6min_2fps_noise0.5_rate60",
  ]);
  expect(houses.map((house) => recordingOf(house, "out"))).toMatchObject([
    { family: "house", agents: 1 },
    { family: "house", agents: 1, rooms: 8, floors: 2 },
    { family: "house", agents: 2 },
    { family: "warehouse", agents: 1 },
  ]);
  for (const wrong of [{ agents: 5 }, { family: "campus" }]) {
    put("houses.json", [{ seed: 20_101, ...wrong }]);
    await expect(readHouses(folder)).rejects.toThrow(Object.keys(wrong)[0]);
  }
  put("houses.json", [{ seed: 30_000 }]);
  await expect(readHouses(folder)).rejects.toThrow(/20000 to 29999 or 70000 to 79999/);
  put("houses.json", [{ seed: 7 }]);
  await expect(readHouses(folder)).rejects.toThrow(/seed of 20000 to 29999/);
  put("houses.json", [{ seed: 20_101 }, { seed: 20_101 }]);
  await expect(readHouses(folder)).rejects.toThrow(/twice/);
});

it("reports each faulty line, and a run stops at one", async () => {
  put("houses.json", [{ seed: 20_101 }]);
  put(
    "20101.jsonl",
    { id: "a", kind: "place", question: "Where?", expect: { room: ["kitchen"] } },
    { id: "a", kind: "place", question: "Where now?", expect: { room: ["kitchen"] } },
    { id: "b", kind: "place", question: "where?", expect: { room: ["kitchen"] } },
    { id: "c", kind: "wher", question: "What?", expect: { yes: true } },
    { id: "d", kind: "place", question: "Which?" },
  );
  const { faults } = parseQuestions(readFileSync(join(folder, "20101.jsonl"), "utf8"));
  expect(faults.map(({ line }) => line)).toEqual([2, 3, 4, 5]);
  await expect(readPeopleData(folder)).rejects.toThrow(/20101.jsonl line 2: the id a was there before/);
  await expect(readPeopleData(folder, { houses: [20_999] })).rejects.toThrow(/20999/);
});

const answer = (question: string, more: object): AnswerRecord =>
  answerSchema.parse({
    question,
    askedAtUs: 1_000_000,
    strategy: "rules",
    type: "text",
    status: "answered",
    text: "in the kitchen",
    confidence: 0.9,
    ...more,
  });

it("asks, marks, keeps failures, and counts what is due to be refused", async () => {
  put("houses.json", [{ seed: 20_101 }]);
  put(
    "20101.jsonl",
    { id: "a", kind: "place", question: "mug?", expect: { room: ["kitchen"] } },
    { id: "b", kind: "place", question: "cup?", expect: { room: ["office"] } },
    { id: "c", kind: "unanswerable", question: "keys?", expect: { refuse: "unknown" } },
    { id: "d", kind: "state", question: "oven?", expect: { yes: true } },
    { id: "e", kind: "state", question: "bang", expect: { yes: true } },
  );
  const [house] = await readPeopleData(folder);
  const rows = await askHouse(house!, async (question) => {
    if (question === "bang") throw new Error("no such thing");
    const refused = question === "keys?" || question === "oven?";
    return answer(
      question,
      refused
        ? { status: "not-seen", text: "I have not seen any." }
        : { confidence: question === "mug?" ? 0.9 : 0.4 },
    );
  });
  expect(rows.map(({ verdict }) => verdict)).toEqual([
    "right",
    "wrong",
    "rightly-refused",
    "wrongly-refused",
    "wrong",
  ]);
  expect(rows[4]).toMatchObject({ status: "failed", why: "no such thing" });
  const report = reportOf(rows, { commit: "abc", memoriesBy: ["abc"] });
  expect(report.rightOrRightlyRefused).toMatchObject({ value: 40, n: 5 });
  expect(report.wronglyRefused.value).toBe(20);
  expect(report.falsePremisesAndUnanswerables).toMatchObject({ value: 100, n: 1 });
  expect(report.confidence.gap).toBeCloseTo(0.5);
  expect(report.confidence.auc).toBe(1);
  expect(report.confidence.calibrationError).toBeCloseTo(0.25);
  expect(report.byKind["state"]?.value).toBe(0);
  expect(formatPeopleReport(report)).toContain("right or rightly refused          40.0 %");
});

it("draws houses, not questions, for its intervals", () => {
  const row = (house: number, verdict: PeopleRow["verdict"]): PeopleRow => ({
    house,
    id: "x",
    kind: "place",
    voice: "plain",
    question: "?",
    expect: { yes: true },
    status: "answered",
    text: "",
    fields: {},
    confidence: 1,
    verdict,
  });
  const made = { commit: "abc", memoriesBy: [] };
  const one = Array.from({ length: 50 }, () => row(1, "right"));
  const other = Array.from({ length: 50 }, () => row(2, "wrong"));
  expect(reportOf([...one, ...other], made).rightOrRightlyRefused).toEqual({
    value: 50,
    low: 0,
    high: 100,
    n: 100,
  });
});
