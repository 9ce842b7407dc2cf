import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { askInTalk } from "../ask.ts";
import { NOW_US, smallHouse } from "../testing/small-house.ts";
import type { Turn } from "./turn.ts";

let folder: string;
let house: Awaited<ReturnType<typeof smallHouse>>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "loci-talk-"));
  house = await smallHouse(folder);
});

afterAll(async () => {
  await house.engine.close();
  await rm(folder, { recursive: true, force: true });
});

/** The answer to the last of several questions in one conversation. */
async function last(...questions: string[]): Promise<string> {
  const history: Turn[] = [];
  let text = "";
  for (const question of questions) {
    const { reader, embedder } = house;
    const asked = { reader, embedder, nowUs: NOW_US, agentId: "robot", history: [...history] };
    const { answer, turn } = await askInTalk(question, asked);
    history.push(turn);
    text = answer.text;
  }
  return text;
}

describe("a question goes on from the answer before", () => {
  it.each([
    ["what it is on, and what was told", ["Where is the red mug?", "What else is on it?"], /^bowl$/],
    ["what it is on, by its kind", ["Where is the red mug?", "What else is on that table?"], /^bowl$/],
    ["what was told of", ["Where is the red mug?", "What else is on it?", "What colour is it?"], /^blue$/],
    [
      "nothing, where all was told",
      ["What is on the dining table?", "What else is on it?"],
      /not seen anything else on the dining table/,
    ],
    ["the room it is in", ["Where is the red mug?", "How big is that room?"], /m²$/],
    ["a place before", ["Where is the vase?", "And before that?"], /bookcase in the living room/],
    [
      "the place before the one before",
      ["Where is the vase?", "And before that?", "Who put it there?", "Since when is it there?"],
      /ago|since/,
    ],
    ["how long that stay was", ["Where were you at 9:05?", "How long were you in there?"], /second|minute/],
    ["why not", ["Is the fridge open?", "Why not?"], /how that came about/],
    [
      "which of the two that were asked of",
      ["How many chairs are in the kitchen?", "And in the living room?", "Which of the two has more?"],
      /^kitchen/,
    ],
    ["what is on something else", ["What is on the dining table?", "And on the bed?"], /vase/],
    ["whether it was moved", ["Where is the vase?", "Was it always there?"], /^no, the vase was moved/],
    ["or not", ["Where is the bowl?", "Was it always there?"], /^yes/],
    [
      "the same of another room",
      ["How many chairs are in the kitchen?", "Which room is the biggest?", "And the living room?"],
      /^(?:none|0|no)/,
    ],
    [
      "all that were spoken of",
      ["How big is the kitchen?", "And the bedroom?", "Which of those rooms has a bed?"],
      /^bedroom/,
    ],
    ["one that is so", ["Which chair is free?", "And the occupied one?"], /chair/],
    ["of one, by its colour", ["What is on the dining table?", "Where is the red one?"], /dining table/],
    ["one of the kind elsewhere", ["How many mugs are there?", "Is there one in the bedroom too?"], /^no/],
    [
      "what the other is, where one is so",
      ["Which chairs are in the kitchen?", "Which of them is free?", "And the other?"],
      /occupied|in use/,
    ],
    ["since when it is not so", ["Is the fridge open?", "Since when?"], /^since /],
    ["who did it, where the answer was no", ["Is the fridge open?", "Who did that?"], /how that came about/],
    [
      "which of them is so",
      ["What is on the dining table?", "Which of them is red?"],
      /^(?:red )?(?:ceramic )?mug/,
    ],
    [
      "the same of another place, after nothing was found",
      ["Is there a guitar in the kitchen?", "And in the bedroom?"],
      /^no/,
    ],
    ["the same of something else", ["Where is the red mug?", "And the vase?"], /on the bed/],
    ["what it knows that by", ["Where is the red mug?", "How do you know?"], /^I saw the/],
    [
      "of several, the one that bears something",
      ["Which furniture is in the kitchen?", "Which has a mug on it?"],
      /table/,
    ],
    ["none of them", ["What is on the dining table?", "Which of them is yellow?"], /^none of them$/],
    [
      "each from the one before it in one sentence",
      ["Where is the vase and how do you know?"],
      /on the bed.*I saw the/s,
    ],
    [
      "what is asked after a remark",
      ["I need to sit down. What's on the dining table in the kitchen?"],
      /mug/,
    ],
    ["both of those asked back about", ["Where is the chair?", "Both."], /^both are in the kitchen/],
    ["one by its turn", ["Which chairs are in the kitchen?", "Is the second one free?"], /occupied|^no/],
    ["what was meant instead", ["Where is the vase?", "No, I meant the mug."], /on the dining table/],
    ["another place than was meant", ["How many chairs are in the bedroom?", "In the kitchen."], /^2/],
    [
      "the one of the kind that is where it is said to be",
      ["What colour is the bowl?", "I meant the one on the dining table."],
      /^blue$/,
    ],
    [
      "a thing that is elsewhere than the one before",
      ["What colour is the mug on the table?", "And the sofa?"],
      /^grey$/,
    ],
    ["by how much", ["Which is bigger, the kitchen or the bedroom?", "By how much?"], /m²/],
    ["both together", ["How many chairs are in the kitchen?", "And in the bedroom?", "And in all?"], /^2\b/],
    ["what came after the start", ["Which room did you start in?", "And then?"], /^living room$/],
    [
      "the question before the one when that was",
      ["Where is the mug?", "When was that?", "And the vase?"],
      /on the bed/,
    ],
    [
      "what was asked before details of the answer",
      ["Where is the vase?", "Was it always there?", "Who moved it?", "And the mug?"],
      /on the dining table/,
    ],
    [
      "in one room, not in both",
      ["How many mugs are in the bedroom?", "Is there one in the kitchen too?"],
      /^yes/,
    ],
    ["on it, not what it says", ["Where is the dining table?", "What is on it?"], /mug/],
    ["why it is not known", ["What is in the fridge?", "Why not?"], /not looked/],
    ["which one is so", ["Is there anything on the bed?", "Which one?"], /vase/],
    ["whether it was so at first", ["Is the television on?", "Was it like that at first?"], /^yes/],
    [
      "why it came about, asked again",
      ["Where is the vase?", "Why was it moved?", "Who did that?"],
      /how that came about/,
    ],
    ["where else it was", ["Where is the vase?", "Did you see it anywhere else?"], /^yes/],
    ["that it was nowhere else", ["Where is the bowl?", "Did you see it anywhere else?"], /^no/],
    ["what else lies there", ["Where is the red mug?", "What else lies there?"], /^bowl$/],
    ["those of them that are so", ["What is on the dining table?", "Which ones are red?"], /^mug$/],
    [
      "the same of another look",
      ["What is on the dining table?", "Which ones are red?", "And the blue one?"],
      /^bowl$/,
    ],
    ["a room instead of what bears things", ["What is in the fridge?", "And in the kitchen?"], /radiator/],
    [
      "which of two that were mentioned apart",
      ["Is the radiator on?", "And the lamp?", "Which one is on?"],
      /lamp/,
    ],
    ["whether another was moved too", ["Where is the vase?", "Was it moved?", "And the bowl?"], /^no$/],
    ["what is there instead", ["Is there a guitar in the kitchen?", "What is there instead?"], /moving box/],
    [
      "her, who was spoken of before a thing",
      ["Where did you see Anna?", "Where is the mug?", "Where is she now?"],
      /living room/,
    ],
    ["each of them", ["Which chairs are in the kitchen?", "Is either of them free?"], /^yes/],
    [
      "the other, not the one that was meant",
      ["Where is the chair?", "Not that one, the other."],
      /in the kitchen/,
    ],
    ["no room for a person", ["How big is the kitchen?", "What was she carrying?"], /^(?!kitchen)/],
  ])("%s", async (_, questions, right) => {
    expect(await last(...questions)).toMatch(right);
  });

  it("of more of the kind, and of the others", async () => {
    expect(await last("Where is the red mug?", "Are there any more?")).toBe(
      "no, I have not seen another mug",
    );
    expect(await last("Which chair is free?", "Are there any more?")).toMatch(/^yes, a chair/);
    expect(await last("How many chairs are in the kitchen?", "Are there any more?")).toMatch(/^no/);
    expect(await last("Where did you see Anna?", "Who else was in the house?")).not.toMatch(/Anna/);
  });

  it("of nothing, where nothing was spoken of", async () => {
    expect(await last("Is it on?")).toBe("I do not know what “it” stands for; say its name.");
  });

  it("of which there is another", async () => {
    const other = await last(
      "How many chairs are in the kitchen?",
      "Which one is free?",
      "Is the other one occupied?",
    );
    expect(other).toMatch(/^yes/);
  });

  it("of a person, though one that nobody saw was asked for in between", async () => {
    expect(await last("Where did you see Anna?", "And Zoltan?", "When did you last see her?")).toMatch(/ago/);
  });
});

describe("a question that stands for itself", () => {
  it("is not changed by those before", async () => {
    expect(await last("Where is the vase?", "How many chairs are there?")).toMatch(/^2/);
    expect(await last("How many chairs are in the kitchen?", "Did you see Anna?")).toMatch(/^yes/);
    expect(await last("How big is the attic?", "When were you last in the kitchen?")).toMatch(/09:05:00/);
    expect(await last("Where is the mug?", "And the sofa, what colour is it?")).toMatch(/^grey$/);
    expect(await last("What is on the dining table?", "What colour is the mug?")).toMatch(/^red$/);
  });
});
