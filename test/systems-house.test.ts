import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { askMemory, ingestRecording, type Memory, openMemory, simulate } from "../src/compose.ts";
import { SYSTEM_NAMES, type SystemName } from "../src/reasoning/systems/index.ts";
import type { AnswerRecord, QuestionRecord } from "../src/schema/index.ts";
import { makeQuestions } from "../src/world/questions/index.ts";
import { imagineHouse } from "../src/world/recorder/index.ts";

const QUESTIONS = 60;
/** Systems whose evidence is texts: what they rest on must be one of the texts that they were shown. */
const BY_TEXTS: readonly SystemName[] = ["memory-eqa", "embodied-rag", "r-eqa", "uniform", "whole-history"];
/**
 * Answers of so many questions must differ between any two: the least over pairs was 11 when this was written, between the
 * rules, which read all, and R⁴, which reads the records of the things asked about.
 */
const LEAST_APART = 6;
/** The blind guess is hardly ever what a memory says. */
const LEAST_FROM_BLIND = 45;

const root = mkdtempSync(join(tmpdir(), "loci-systems-house-"));
let memory: Memory;
let questions: readonly QuestionRecord[];
const said = new Map<SystemName, AnswerRecord[]>();

beforeAll(async () => {
  const house = { family: "house", seed: 7, minutes: 1.5, fps: 1, rooms: 4, rate: 120 } as const;
  const out = join(root, "recording");
  await simulate({ ...house, out });
  const { world } = imagineHouse({ ...house, out: "unused" });
  questions = makeQuestions(world, { suite: "openeqa", count: QUESTIONS, seed: 7, wording: "test" });
  memory = await openMemory(join(root, "memory"));
  await ingestRecording(memory, out);
  for (const system of SYSTEM_NAMES) {
    const answers: AnswerRecord[] = [];
    for (const { text, options, askedAtUs } of questions)
      answers.push(
        await askMemory(memory, text, {
          system,
          now: askedAtUs,
          navigate: false,
          ...(options && { options }),
        }),
      );
    said.set(system, answers);
  }
}, 600_000);
afterAll(async () => {
  await memory?.close();
  rmSync(root, { recursive: true, force: true });
});

const apart = (a: SystemName, b: SystemName) =>
  said.get(a)!.filter(({ text }, n) => text !== said.get(b)![n]!.text).length;

it("is asked enough", () => {
  expect(questions.length).toBe(QUESTIONS);
});

it("every two systems answer some questions of a house differently without a model", () => {
  const pairs = SYSTEM_NAMES.flatMap((a, n) => SYSTEM_NAMES.slice(n + 1).map((b) => [a, b] as const));
  const alike = pairs.filter(([a, b]) => apart(a, b) < LEAST_APART);
  expect(alike).toEqual([]);
  for (const name of SYSTEM_NAMES)
    if (name !== "blind") expect(apart(name, "blind"), name).toBeGreaterThanOrEqual(LEAST_FROM_BLIND);
});

it("every trace tells of the system's own searches and of no prompt", () => {
  for (const [name, answers] of said)
    for (const { trace } of answers) {
      const strategies = trace.rounds.flatMap(({ strategy = "" }) => (strategy === "" ? [] : [strategy]));
      // What is not the system's own is the reader's, over the evidence.
      const foreign = strategies.filter(
        (one) => SYSTEM_NAMES.some((other) => one.startsWith(`${other}/`)) && !one.startsWith(`${name}/`),
      );
      expect(foreign, name).toEqual([]);
      expect(JSON.stringify(trace.plan ?? {})).not.toContain("prompts");
    }
});

/** What the whole record of things says beside them: the things that bear or hold their stays. */
async function bearersOf(trackIds: readonly string[]): Promise<Set<string>> {
  if (trackIds.length === 0) return new Set();
  const reader = await memory.reader();
  const { hits } = await reader.search({ kinds: ["state"], where: { owner: trackIds }, limit: 1_000 });
  return new Set(
    hits.flatMap(({ record }) =>
      record.kind === "state" ? [record.supportedBy, record.insideOf].flatMap((id) => id ?? []) : [],
    ),
  );
}

it("no system is shown what began after the question", async () => {
  const reader = await memory.reader();
  for (const [name, answers] of said)
    for (const [n, { trace, question }] of answers.entries()) {
      const shown = await reader.get(trace.shown.map(({ ref }) => ref));
      const late = shown.filter((one) => one && one.validFromUs > questions[n]!.askedAtUs);
      expect(late, `${name}: ${question}`).toEqual([]);
    }
});

it("no answer rests on what its system was not shown", async () => {
  for (const name of BY_TEXTS)
    for (const { question, evidence, trace } of said.get(name)!) {
      const shown = new Set(trace.shown.map(({ ref }) => ref));
      const strange = evidence.filter(({ ref }) => !shown.has(ref)).map(({ ref }) => `${question}: ${ref}`);
      expect(strange, name).toEqual([]);
    }
  for (const { evidence, trace } of said.get("blind")!) expect([evidence, trace.shown]).toEqual([[], []]);
  // The rules read all that was seen until they were asked, and rest on nothing else.
  for (const [n, { question, evidence }] of said.get("rules")!.entries()) {
    const records = await (await memory.reader()).get(evidence.map(({ ref }) => ref));
    const early = records.filter((one) => one && one.validFromUs <= questions[n]!.askedAtUs);
    expect(early.length, question).toBe(evidence.length);
  }
  expect(said.get("rules")!.filter(({ evidence }) => evidence.length > 0).length).toBeGreaterThan(30);
  // Systems of things have the whole record of each: its other stays, what bears it, the room.
  for (const name of ["r4", "star"] as const)
    for (const { question, evidence, trace } of said.get(name)!) {
      const shown = new Set(trace.shown.flatMap(({ ref, trackIds }) => [ref, ...trackIds]));
      const bearers = await bearersOf(trace.shown.flatMap(({ trackIds }) => trackIds));
      const strange = evidence.filter(
        ({ ref, trackId, kind }) =>
          kind !== "region" && !shown.has(ref) && !shown.has(trackId ?? ref) && !bearers.has(ref),
      );
      expect(
        strange.map(({ ref }) => `${question}: ${ref}`),
        name,
      ).toEqual([]);
    }
});
