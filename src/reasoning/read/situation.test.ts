import { expect, it } from "vitest";
import { print } from "../algebra/notation.ts";
import { readSituation } from "./situation.ts";
import { sentencesOf, textOf } from "./tokens.ts";

const situated = (text: string) => {
  const read = readSituation(sentencesOf(text));
  if (!read) return undefined;
  const { relation, anchor, facing, sides } = read.situation;
  return [
    `${relation ?? "-"} ${anchor ? print(anchor) : "-"}`,
    `facing ${facing ? print(facing) : "-"}`,
    ...sides.map(({ side, thing, isInReach }) => `${side}${isInReach ? "!" : ""} ${print(thing)}`),
    textOf(read.asking),
  ];
};

it.each([
  [
    "I am sitting on the bed facing the window with the lamp to my left. What is behind me?",
    [
      'on the(things(category: "bed"))',
      'facing the(things(category: "window"))',
      'left the(things(category: "lamp"))',
      "What is behind me?",
    ],
  ],
  [
    "I am washing my hands at the sink and on my right side is a towel. Which way is the door?",
    [
      'at the(things(category: "sink"))',
      "facing -",
      'right things(category: "towel")',
      "Which way is the door?",
    ],
  ],
  [
    "I'm facing a table, while there is a chair on my left within reach. How many chairs are behind me?",
    [
      "- -",
      'facing things(category: "table")',
      'left! things(category: "chair")',
      "How many chairs are behind me?",
    ],
  ],
  [
    "I am walking into the room. Is there a sofa at my three o'clock?",
    ['entering things(category: "door")', "facing -", "Is there a sofa at my three oclock?"],
  ],
])("%s", (text, parts) => expect(situated(text)).toEqual(parts));

it.each([
  "Where is the red mug?",
  "I am hungry. What can I eat?",
  "I left my keys on the desk. Where are they?",
  "Anna is sitting on the sofa. What is next to her?",
])("says nothing of where one is: %s", (text) => expect(situated(text)).toBeUndefined());

it("takes no situation from what is told of something else", () => {
  expect(situated("Something is on the bed in the room with the desk. What is it?")).toBeUndefined();
  expect(situated("Nothing is on the table in the hall. Where is it now?")).toBeUndefined();
});
