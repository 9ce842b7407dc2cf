import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SqliteEngine } from "../memory/index.ts";
import { openHashing } from "../models/hashing/hashing.ts";
import type { AnswerRecord } from "../schema/index.ts";
import { ask } from "./ask.ts";
import { NOW_US, smallHouse } from "./testing/small-house.ts";

let folder: string;
let house: Awaited<ReturnType<typeof smallHouse>>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "loci-ask-"));
  house = await smallHouse(folder);
});

afterAll(async () => {
  await house.engine.close();
  await rm(folder, { recursive: true, force: true });
});

function asked(question: string, options?: readonly string[]): Promise<AnswerRecord> {
  return ask(question, {
    reader: house.reader,
    embedder: house.embedder,
    nowUs: NOW_US,
    agentId: "robot",
    ...(options && { options }),
  });
}

/** Each kind of question with a required part of its answer. */
const SAYS: readonly (readonly [string, RegExp])[] = [
  ["Where is the red mug?", /on the dining table in the kitchen/],
  ["In which room is the sofa?", /^living room$/],
  ["Can you tell me where the bookcase is?", /living room/],
  ["Which room has the double bed?", /bedroom/],
  ["What colour is the bowl?", /^blue$/],
  ["What is the mug made of?", /^ceramic$/],
  ["What is the bookcase made of?", /^probably wood, as such things mostly are$/],
  ["What is written on the moving box?", /^“BOOKS”$/],
  ["What object has “BOOKS” written on it?", /moving box/],
  ["What says “BOOKS”?", /moving box/],
  ["What is on the dining table?", /mug|bowl/],
  ["Is the television on or off right now?", /^off$/],
  ["Is the bed made or unmade?", /^unmade$/],
  ["Is there a floor lamp that is on?", /^yes/],
  ["Is there a television that is on?", /^no, .* is off/],
  ["Which is bigger, the sofa or the mug?", /sofa/],
  ["Which room is larger, the kitchen or the living room?", /kitchen/],
  ["I am cold. What can I do? Any advice?", /^turn on the radiator$/],
  ["Where can I sleep?", /double bed/],
  ["Find me a quiet and private place.", /bedroom/],
  ["Describe the living room.", /sofa.*bookcase|bookcase.*sofa/],
  ["Where was the vase before it was moved?", /on the bookcase in the living room/],
  ["Which room did you go to after your first visit to the kitchen?", /living room/],
  ["Where were you 6 minutes and 30 seconds ago?", /living room|bedroom/],
  [
    "Standing at the sofa and looking at the television, where is the bookcase: left, right or behind?",
    /right/,
  ],
  ["How tall is the floor lamp?", /1\.6 m/],
  ["Which rooms are there?", /^the bedroom, the kitchen and the living room$/],
  ["List all rooms of the house.", /^the bedroom, the kitchen and the living room$/],
  ["Take me to the kitchen.", /to the kitchen/],
  ["Where is the bedroom?", /^the bedroom/],
  ["I am shivering. Got a tip for me?", /radiator/],
  ["What is the mug's material?", /^ceramic$/],
  ["What's the location of the red mug?", /on the dining table in the kitchen/],
  ["It's freezing in here. How do I fix that?", /^turn on the radiator$/],
  ["Where is the crimson mug?", /on the dining table in the kitchen/],
];

describe("what a question asks for is said", () => {
  test.each(SAYS)("%s", async (question, says) => {
    const answer = await asked(question);
    expect(answer.status).toBe("answered");
    expect(answer.text).toMatch(says);
  });
});

/** Yes-or-no questions. */
const YES_NO: readonly (readonly [string, boolean])[] = [
  ["Is the fridge closed?", true],
  ["Is the moving box empty?", false],
  ["Is there a sofa in the living room?", true],
  ["Is there a sofa in the kitchen?", false],
  ["Is the mug on the dining table?", true],
  ["Is the mug on the sofa?", false],
  ["Is anything standing on the dining table?", true],
  ["Are the mug and the bowl in the same room?", true],
  ["Is the bed in the same room as the sofa?", false],
  ["Do the mug and the bowl have the same colour?", false],
  ["Is the bookcase taller than the sofa?", true],
  ["Is the mug closer to the bowl than to the fridge?", true],
  ["Did you see the fridge before the sofa?", true],
  ["Was the vase moved?", true],
  ["Was the bookcase moved?", false],
  ["Has the television been switched on or off in the last five minutes?", true],
  ["Has the lamp been switched on or off in the last five minutes?", false],
  ["Was the floor lamp on the last time you saw it?", true],
  ["Are any of the chairs in the kitchen free?", true],
  ["Did Anna walk towards the television?", true],
  ["Did Anna walk towards the sofa?", false],
];

test.each(YES_NO)("%s %s", async (question, yes) => {
  expect((await asked(question)).binary).toBe(yes);
});

describe("numbers", () => {
  const COUNTS: readonly (readonly [string, number])[] = [
    ["How many chairs are there in the kitchen?", 2],
    ["How many rooms are there?", 3],
    ["How many rooms contain a chair?", 1],
    ["How many objects are on the dining table?", 2],
    ["How many people can sleep in this house?", 2],
    ["How many people can sit down in the living room?", 2],
    ["How many free seats are there in the kitchen?", 1],
  ];
  test.each(COUNTS)("%s %d", async (question, count) => {
    expect((await asked(question)).count).toBe(count);
  });

  test("distances are between middles, said with what is free between, and gaps between surfaces", async () => {
    const far = await asked("What is the distance between the sofa and the floor lamp?");
    expect(far.quantity?.value).toBeCloseTo(1.7, 1);
    expect(far.text).toBe("1.7 m from middle to middle, 55 cm between them");
    const gap = await asked("How wide is the gap between the sofa and the floor lamp?");
    expect(gap.quantity?.value).toBeCloseTo(0.55, 1);
  });

  test("times and spans", async () => {
    expect((await asked("When was the first time you saw the sofa?")).time?.agoS).toBeCloseTo(500, 0);
    expect(
      (await asked("How long after you first saw the fridge did you see the sofa?")).durationS,
    ).toBeCloseTo(88, 0);
    expect((await asked("How long were you in the bedroom?")).durationS).toBeCloseTo(100, -1);
  });

  test("how far the agent went, by where it looked from", async () => {
    const { quantity } = await asked("How far did you travel in the last 9 minutes?");
    expect(quantity?.value).toBeCloseTo(5.59 + 5.17 + 5.17, 1);
  });

  test("what is on a side of somebody who comes in, by the way the agent itself came in", async () => {
    const entering = (side: string) =>
      asked(`If I enter the living room from the kitchen and look to my ${side}, what do I see?`);
    expect((await entering("left")).text).toMatch(/tv/);
    expect((await entering("right")).text).toMatch(/lamp|sofa/);
  });

  test("whether a thing still fits on a top, by the places that are left on it", async () => {
    expect((await asked("Is there still room on the dining table for the vase?")).binary).toBe(true);
    expect((await asked("Is there still room on the dining table for the sofa?")).binary).toBe(false);
  });

  test("which way the agent turned, and who moved how fast", async () => {
    expect((await asked("Which way were you turning 5 minutes and 50 seconds ago?")).motion?.turn).toBe(
      "counter-clockwise",
    );
    expect((await asked("How fast was Anna walking?")).motion?.speedMps).toBeCloseTo(0.3, 1);
  });
});

test("who is there are people, not things", async () => {
  expect((await asked("Who is in the living room?")).text).toBe("Anna");
  expect(await asked("Who is in the bedroom?")).toMatchObject({ status: "looked-absent" });
});

test("a thing that was not seen stays asked about, however else the question could be read", async () => {
  expect((await asked("Is the sofa taller than the ladder?")).status).toBe("not-seen");
});

describe("options", () => {
  test.each([
    ["Which of these is nearest to the mug?", ["the sofa", "the bowl", "the double bed"], "B"],
    ["Which of these is the largest?", ["the mug", "the bowl", "the bookcase"], "C"],
    ["Which of these is in the same room as the sofa?", ["the television", "the mug", "the bed"], "A"],
    ["Which of these has the same colour as the fridge?", ["the mug", "the radiator", "the sofa"], "B"],
    ["What colour is the mug?", ["green", "blue", "red"], "C"],
    ["How many chairs are in the kitchen?", ["1", "2", "3"], "B"],
  ] as const)("%s", async (question, options, letter) => {
    expect((await asked(question, options)).choice).toBe(letter);
  });
});

describe("what cannot be answered is said so", () => {
  test.each([
    ["Where is the chandelier?", "not-seen"],
    ["What colour is the sewing machine?", "not-seen"],
    ["Where is the blue sofa?", "false-premise"],
    ["Where was the bookcase before it was moved?", "false-premise"],
    ["Is the laptop in the kitchen on?", "looked-absent"],
    ["What is on the sofa?", "looked-absent"],
    ["What can I use to iron a shirt?", "not-seen"],
    ["How much did the sofa cost?", "not-seen"],
  ] as const)("%s %s", async (question, status) => {
    expect((await asked(question)).status).toBe(status);
  });

  test("nonsense, other languages and very long questions get a status, never an invented thing", async () => {
    for (const question of [
      "blorb frumious gnarp?",
      "¿Dónde está el perro?",
      "狗在哪里？",
      `where ${"is the ".repeat(900)}dog`,
    ]) {
      const answer = await asked(question);
      expect(answer.status, question.slice(0, 40)).not.toBe("answered");
    }
  });

  test.each(["blorb frumious gnarp?", "Wo ist denn meine Tasse?", "狗在哪里？"])(
    "does not pretend to have read %s",
    async (question) => {
      expect((await asked(question)).status).toBe("insufficient");
    },
  );

  test("too long a question is refused in one line", async () => {
    expect(await asked("x".repeat(20_000))).toMatchObject({
      status: "insufficient",
      text: expect.stringMatching(/at most/),
    });
    await expect(asked("   ")).rejects.toThrow(/at least one word/);
  });

  test("an empty memory knows nothing", async () => {
    const engine = await SqliteEngine.open({ folder: join(folder, "empty"), nowUs: () => NOW_US });
    try {
      await (await engine.writer()).close();
      const reader = await engine.reader();
      for (const question of [
        "Where is the mug?",
        "How many chairs are there?",
        "Is there a dog?",
        "Describe the house.",
      ]) {
        const answer = await ask(question, { reader, embedder: openHashing(64), nowUs: NOW_US });
        expect(answer.status, question).not.toBe("answered");
      }
    } finally {
      await engine.close();
    }
  });

  test("the future is a guess and says how good a one", async () => {
    const answer = await asked("Will the sofa probably be in the living room in an hour?");
    expect(answer.binary).toBe(true);
    expect(answer.confidence).toBeLessThan(0.8);
  });
});

test("the same question twice has the same answer, and names the records it rests on", async () => {
  const [one, two] = [await asked("Where is the red mug?"), await asked("Where is the red mug?")];
  expect({ ...two, trace: null }).toEqual({ ...one, trace: null });
  expect(one.evidence[0]?.ref).toBe("mug");
  expect(one.position?.trackId).toBe("track-mug");
});

test("whether there is one in a state that nobody noticed is neither yes nor no, nor none nor that one", async () => {
  for (const question of [
    "Is there a moving box that is open?",
    "Is there no moving box that is open?",
    "Are any of the moving boxes open?",
    "How many moving boxes are open?",
    "Which moving boxes are open?",
  ]) {
    const { status, text, binary, count, set } = await asked(question);
    expect([status, binary, count, set]).toEqual(["not-seen", undefined, undefined, undefined]);
    expect(text).toMatch(/^I have not noticed whether the moving box is open/);
  }
});
