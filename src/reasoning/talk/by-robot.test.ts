import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { RecordInput } from "../../schema/index.ts";
import { askInTalk } from "../ask.ts";
import { addTo, NOW_US, smallHouse } from "../testing/small-house.ts";
import type { Turn } from "./turn.ts";

const START_US = NOW_US - 600_000_000;
let folder: string;
let house: Awaited<ReturnType<typeof smallHouse>>;

/** A second robot, which stands in the kitchen all the time. */
function looks(): RecordInput[] {
  return Array.from({ length: 300 }, (_, n) => ({
    kind: "observation",
    id: `other-look-${n}`,
    author: "robot-2",
    sensorId: "camera",
    validFromUs: START_US + n * 2_000_000,
    validToUs: START_US + n * 2_000_000 + 1,
    anchor: { submap: "world", p: { x: 3, y: 3, z: 1.5 }, q: { w: 1, x: 0, y: 0, z: 0 } },
  }));
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "loci-by-robot-"));
  house = await smallHouse(folder);
  const mug = { stateId: "mug", outcome: "seen" as const, agentId: "robot-2" };
  await addTo(house, looks(), [{ ...mug, timeUs: START_US + 550_000_000, observationId: "other-look-275" }]);
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

it.each([
  ["the same of another", ["Robot 2, which rooms did you visit?", "And the other robot?"], /bedroom/],
  ["of the other one of two", ["Where is robot 2?", "And the other one?"], /living room/],
  ["to one by its name", ["Where is robot 3?", "And you, robot 2?"], /^in the kitchen$/],
  ["and back", ["Robot 2, which rooms did you visit?", "And the other robot?", "And robot 2?"], /^kitchen$/],
  ["where it is, not where the thing is", ["Where is the mug?", "And robot 2?"], /^in the kitchen$/],
  ["whether it saw what was told", ["Where is the vase?", "Did robot 2 see it too?"], /^no/],
  [
    "each of those that were named",
    ["Which of you saw the mug?", "Where did each of them go?"],
    /robot-2: kitchen/,
  ],
])("a question goes on from one that was asked of a robot: %s", async (_, questions, right) => {
  expect(await last(...questions)).toMatch(right);
});
