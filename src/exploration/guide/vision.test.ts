import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openOpenAiChat } from "../../models/language/openai-chat.ts";
import {
  imagesIn,
  refuse,
  type ScriptedServer,
  say,
  sayJson,
  startScriptedServer,
  textOf,
} from "../../models/testing/scripted-server.ts";
import type { Frame } from "../../sensors/index.ts";
import type { Frontier } from "../ground/frontiers.ts";
import { visionJudge } from "./vision.ts";

let server: ScriptedServer;
beforeAll(async () => {
  server = await startScriptedServer();
});
afterAll(() => server.close());

/** A camera at the origin that looks along +x: optical axes z forward, x right, y down. */
const frame: Frame = {
  index: 0,
  timeUs: 1,
  agentId: "robot-1",
  sensorId: "camera",
  mapFrame: "world",
  intrinsics: { fx: 40, fy: 40, cx: 40, cy: 30, width: 80, height: 60 },
  worldFromCamera: { p: { x: 0, y: 0, z: 0 }, q: { w: 0.5, x: -0.5, y: 0.5, z: -0.5 } },
  rgb: { width: 80, height: 60, data: new Uint8Array(80 * 60 * 3).fill(90) },
};
function frontier(id: string, x: number, y: number): Frontier {
  const middle = { x, y, z: 0 };
  return {
    id,
    middle,
    lengthM: 1,
    gainM2: 2,
    shownM2: 2,
    stand: { positionInWorld: middle, yawRad: 0 },
    costM: 1,
    isOpening: false,
  };
}
const ahead = frontier("ahead", 3, 0);
const left = frontier("left", 4, 2);
const behind = frontier("behind", -3, 0);
const asked = { question: "Where is the kettle?", memories: "a sofa in the living room" };
const judge = () => visionJudge(openOpenAiChat({ baseUrl: server.baseUrl, model: "tiny", retries: 0 }));

describe("a vision model as judge of directions", () => {
  test("sees the lettered picture and the memory, and its choice counts most", async () => {
    server.asked.length = 0;
    server.script = [sayJson({ letter: "B", reason: "a kitchen lies that way" }), say("yes")];
    const judged = await judge().judge(frame, [ahead, left, behind], asked);
    expect([...judged]).toEqual([
      ["ahead", 0.2],
      ["left", 1],
    ]);
    expect(server.asked.map(imagesIn)).toEqual([1, 1]);
    expect(textOf(server.asked[0]!)).toContain("a sofa in the living room");
    server.script = [sayJson({ letter: "A", reason: "r" }), say("no")];
    expect((await judge().judge(frame, [ahead, left], asked)).get("ahead")).toBeLessThan(0.5);
  });

  test("that fails judges nothing, and is not asked where nothing is in view", async () => {
    server.script = [];
    server.otherwise = refuse(500);
    expect((await judge().judge(frame, [ahead], asked)).size).toBe(0);
    server.asked.length = 0;
    expect((await judge().judge(frame, [behind], asked)).size).toBe(0);
    expect(server.asked).toHaveLength(0);
  });
});
