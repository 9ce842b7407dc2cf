import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { NOW_US, smallHouse } from "../../testing/small-house.ts";
import { r4 } from "./index.ts";

const folder = mkdtempSync(join(tmpdir(), "loci-r4-"));
let house: Awaited<ReturnType<typeof smallHouse>>;
beforeAll(async () => {
  house = await smallHouse(folder);
});
afterAll(async () => {
  await house.engine.close();
  rmSync(folder, { recursive: true, force: true });
});

const asked = (question: string, keys = {}) =>
  r4.answer(question, { reader: house.reader, embedder: house.embedder, nowUs: NOW_US, keys });

it("finds the thing first and what stands about it next", async () => {
  const answer = await asked("What is on the bed?");
  expect(answer.text).toContain("vase");
  expect(answer.trace.rounds.flatMap(({ cues }) => cues)).toEqual(
    expect.arrayContaining(["bed", "within 2 m of bed"]),
  );
});

it("does not go on from a thing where no place may be searched by", async () => {
  const { trace } = await asked("What is on the bed?", { space: false });
  expect(trace.rounds.flatMap(({ cues }) => cues).filter((cue) => cue.startsWith("within"))).toEqual([]);
});

it("searches once where one thing alone is asked for", async () => {
  const { trace } = await asked("What colour is the bed?");
  const cues = trace.rounds.flatMap((round) => round.cues);
  expect(cues).toContain("bed");
  expect(cues.filter((cue) => cue.startsWith("within"))).toEqual([]);
});
