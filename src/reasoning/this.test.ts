import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { AnswerRecord } from "../schema/index.ts";
import { type AskOptions, ask } from "./ask.ts";
import { LAST_PICTURE_US, NOW_US, smallHouse } from "./testing/small-house.ts";

let folder: string;
let house: Awaited<ReturnType<typeof smallHouse>>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "loci-this-"));
  house = await smallHouse(folder);
});

afterAll(async () => {
  await house.engine.close();
  await rm(folder, { recursive: true, force: true });
});

function asked(question: string, shown: Pick<AskOptions, "pointed" | "inView">): Promise<AnswerRecord> {
  const { reader, embedder } = house;
  return ask(question, { reader, embedder, nowUs: NOW_US, agentId: "robot", navigate: false, ...shown });
}

type Box = readonly [number, number, number, number];
const at = (bbox: Box, timeUs = LAST_PICTURE_US) => ({ pointed: { agentId: "robot", timeUs, bbox } });
const MUG: Box = [60, 45, 70, 58];
const CHAIR: Box = [2, 50, 30, 110];
const VASE: Box = [130, 20, 140, 40];

describe("this, in the picture that an agent took", () => {
  test("is what lies in the box", async () => {
    expect((await asked("What is this?", at(MUG))).text).toMatch(/mug/);
    expect((await asked("What colour is this?", at(MUG))).text).toBe("red");
    expect((await asked("When did you first see this?", at(MUG))).time?.agoS).toBeCloseTo(580, 0);
  });

  test("is the smallest thing around a pixel: the mug, not the table that it stands on", async () => {
    expect((await asked("What is this?", at([65, 50, 65, 50]))).evidence[0]?.ref).toBe("mug");
    expect((await asked("What is this?", at([100, 90, 100, 90]))).evidence[0]?.ref).toBe("table");
  });

  test("is found although the clock of the asker is off", async () => {
    const answer = await asked("What is this?", at(CHAIR, LAST_PICTURE_US - 400_000));
    expect(answer.evidence[0]?.ref).toBe("chair-1");
  });

  test("has others like it elsewhere, or has none", async () => {
    const answer = await asked("Where is another one like this?", at(CHAIR));
    expect(answer.evidence[0]?.ref).toBe("chair-2");
    expect(answer.position?.point.x).toBeCloseTo(3.2);
    expect((await asked("Where is another one like this?", at(MUG))).status).toBe("not-seen");
  });

  test("belongs where it was before it was moved", async () => {
    const answer = await asked("Where does this belong?", at(VASE));
    expect(answer.text).toMatch(/bookcase in the living room/);
  });

  test("is not known where nothing was seen", async () => {
    const answer = await asked("What is this?", at([150, 110, 158, 118]));
    expect(answer.status).toBe("not-seen");
    expect(answer.evidence).toEqual([]);
  });
});

describe("this, in a picture from elsewhere", () => {
  test("is the likeliest of the states that were recognised in it", async () => {
    const states = [
      { stateId: "sofa", score: 0.5 },
      { stateId: "bowl", score: 0.9 },
    ];
    expect((await asked("What colour is this?", { pointed: { states } })).text).toBe("blue");
  });

  test("is not known where none was", async () => {
    const answer = await asked("What colour is this?", { pointed: { states: [] } });
    expect(answer.status).toBe("not-seen");
  });
});

describe("what is in view is tried first (docs/formulas.md#answerable)", () => {
  const inView = { stateIds: ["chair-2", "table"] };

  test("of two chairs the one in view is meant", async () => {
    const answer = await asked("Is the chair free or occupied?", { inView });
    expect(answer.text).toBe("occupied");
    expect(answer.trace.rounds.map(({ strategy }) => strategy)).toEqual(["live/attribute"]);
  });

  test("what is not in view is looked for in the memory", async () => {
    const answer = await asked("Where is the sofa?", { inView });
    expect(answer.text).toMatch(/living room/);
    expect(answer.trace.rounds.map(({ sufficient }) => sufficient)).toEqual([false, true]);
  });

  test("a thing out of view is not denied", async () => {
    expect((await asked("Is there a sofa?", { inView })).binary).toBe(true);
  });
});
