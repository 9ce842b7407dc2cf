import { afterAll, beforeAll, expect, it } from "vitest";
import { openTestMemory, type TestMemory } from "../../../retrieval/testing/small-memory.ts";
import { ask } from "../../ask.ts";
import { evidenceMemory } from "./evidence-memory.ts";

let memory: TestMemory;
beforeAll(async () => {
  memory = await openTestMemory();
});
afterAll(() => memory.close());

async function holding(...ids: string[]) {
  const { reader, embedder } = memory;
  const records = (await reader.get(ids)).flatMap((record) => record ?? []);
  return evidenceMemory(records, { reader, embedder });
}

it("holds what it was given, with its sightings and vectors, and nothing else of the memory", async () => {
  const only = await holding("stove", "t-stove");
  const { hits } = await only.search({ rank: "id", limit: 100 });
  expect(hits.map(({ record }) => record.id).sort()).toEqual(["stove", "t-stove"]);
  expect(await only.get(["fridge"])).toEqual([undefined]);
  const sightings = await only.sightings({ stateIds: ["stove", "fridge"], limit: 100 });
  expect(new Set(sightings.map(({ stateId }) => stateId))).toEqual(new Set(["stove"]));
  const [vector] = await memory.embedder.embed(["white stove"]);
  const found = await only.search({ meaning: { vector: vector! }, rank: "meaning", limit: 10 });
  expect(found.hits.map(({ record }) => record.id)).toEqual(["stove"]);
});

it("lets no answer know what it does not hold", async () => {
  const { embedder, nowUs } = memory;
  const asked = async (...ids: string[]) =>
    (await ask("What colour is the mug?", { reader: await holding(...ids), embedder, nowUs })).text;
  expect(await asked("blue", "t-blue")).toContain("blue");
  expect(await asked("stove", "t-stove")).not.toContain("blue");
});

it("can be without looks: when its things were seen is then not known", async () => {
  const { reader } = memory;
  const records = (await reader.get(["stove"])).flatMap((record) => record ?? []);
  const blind = await evidenceMemory(records, { reader, withLooks: false });
  expect(await blind.sightings({ stateIds: ["stove"], limit: 10 })).toEqual([]);
});
