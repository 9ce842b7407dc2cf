import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { openOpenAiChat } from "../language/openai-chat.ts";
import {
  imagesIn,
  refuse,
  type ScriptedServer,
  sayJson,
  startScriptedServer,
  textOf,
} from "../testing/scripted-server.ts";
import { modelDescriber } from "./describer.ts";

const JPEG = { bytes: Uint8Array.from([0xff, 0xd8, 0xff]) };
const image = async () => JPEG;
let server: ScriptedServer;
beforeAll(async () => {
  server = await startScriptedServer();
});
afterAll(() => server.close());
beforeEach(() => {
  server.script = [];
  server.asked.length = 0;
});
const open = () =>
  modelDescriber(openOpenAiChat({ baseUrl: server.baseUrl, model: "tiny", retries: 0, parallel: 1 }));

it("asks for eight things in one call, and leaves out those without a picture", async () => {
  const nine = Array.from({ length: 9 }, (_, n) => ({ label: `thing ${n + 1}`, image }));
  server.script = [
    sayJson({ things: [{ n: 2, phrase: "black printer", kind: "Printer", sure: true }] }),
    sayJson({ things: [{ n: 1, kind: "mug" }] }),
  ];
  const said = await open().describe([{ image: async () => undefined }, ...nine]);
  expect(server.asked.map(imagesIn)).toEqual([8, 1]);
  expect(textOf(server.asked[0]!)).toContain("| 8. thing 8");
  expect(said.map((one) => one?.kind)).toEqual([
    undefined,
    undefined,
    "printer",
    ...new Array(6).fill(undefined),
    "mug",
  ]);
  expect(said[0]).toBeNull();
  expect(said[9]).toEqual({ phrase: "mug", kind: "mug", isSure: true, attributes: {} });
});

it("puts colour, material, state, text and parts into our words", async () => {
  server.script = [
    sayJson({
      things: [
        {
          n: 1,
          phrase: "wooden cupboard",
          kind: "tall cupboard",
          sure: false,
          colour: "dark brown",
          material: "wooden",
          state: "ajar",
          text: "TOOLS",
          parts: ["glass doors"],
        },
      ],
    }),
  ];
  expect(await open().describe([{ image }])).toEqual([
    {
      phrase: "wooden cupboard with glass doors",
      kind: "cupboard",
      isSure: false,
      attributes: { colour: "dark brown", material: "wood", openness: "open" },
      text: "TOOLS",
    },
  ]);
});

it("asks for each alone where several pictures are refused, and says nothing of what fails again", async () => {
  server.script = [
    refuse(400),
    sayJson({ things: [{ n: 1, phrase: "a red mug", kind: "mug" }] }),
    refuse(500),
  ];
  const said = await open().describe([{ image }, { image }]);
  expect(server.asked.map(imagesIn)).toEqual([2, 1, 1]);
  expect(said.map((one) => one?.phrase)).toEqual(["a red mug", undefined]);
});
