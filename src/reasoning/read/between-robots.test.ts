import { expect, it } from "vitest";
import { betweenRobots } from "./between-robots.ts";
import { sentencesOf } from "./tokens.ts";

it.each([
  ["Who spotted the lamp first, robot 1 or robot 2?", "which of you spotted the lamp first?"],
  ["First one in the hall: robot-1 or robot-2?", "which of you was the first one in the hall?"],
  ["Whose camera caught the cat last, robot-1's or robot-2's?", "which of you caught the cat last?"],
  ["Was it robot-1 or robot-2 that went upstairs first?", "which of you went upstairs first?"],
  ["Did robot 1 or robot 2 see the kettle last?", "which of you see the kettle last?"],
  ["Was robot 1 or robot 2 in the kitchen last?", "which of you was in the kitchen last?"],
  ["Which robot drove further, robot-1 or robot-2?", "which robot drove further?"],
])("asks which of the robots: %s", (question, asked) => {
  expect(betweenRobots(sentencesOf(question))).toBe(asked);
});

it.each([
  "Where is robot 1?",
  "Where was robot-1, and where was robot-2?",
  "Did robot 2 see the cup or the mug?",
  "How far is robot-1 from robot-2?",
])("leaves what names no alternatives: %s", (question) => {
  expect(betweenRobots(sentencesOf(question))).toBeUndefined();
});
