import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { askMemory, buildDemo, listMemory, localFace } from "../src/compose.ts";
import { evaluateConsistency } from "../src/evaluation/index.ts";
import { type Memory, openMemory } from "../src/index.ts";
import { served } from "../src/interfaces/served.ts";

/** A new house every day, so that nobody tunes the memory to the same few. */
const TODAY = Math.floor(Date.now() / 86_400_000);

describe("all faces of a memory say the same", () => {
  it.each([
    { family: "house", seed: 81_001, agents: 2, people: 2 },
    { family: "house", seed: TODAY, agents: 2, people: 2 },
    { family: "warehouse", seed: 81_003, agents: 1, people: 2 },
  ] as const)(
    "$family $seed, $agents robots, $people people",
    async ({ family, seed, agents, people }) => {
      const { reports } = await evaluateConsistency({
        family,
        seeds: [seed],
        agents,
        people,
        minutes: 2,
        serve: served,
      });
      expect(reports[0]!.claims).toBeGreaterThan(1_500);
      expect(reports[0]!.contradictions).toEqual([]);
    },
    600_000,
  );
});

describe("the demo", () => {
  const folder = mkdtempSync(join(tmpdir(), "loci-demo-"));
  let memory: Memory;
  beforeAll(async () => {
    memory = await openMemory(join(folder, "memory"));
    await buildDemo(memory);
  }, 600_000);
  afterAll(async () => {
    await memory.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const ask = async (question: string) => (await askMemory(memory, question, { navigate: false })).text;

  it("does not contradict itself", async () => {
    const { reports } = await evaluateConsistency({ memory: join(folder, "memory"), serve: served });
    expect(reports[0]!.contradictions).toEqual([]);
  }, 300_000);

  it.each(["kettle", "cereal"])("tells of the %s that it is gone, however it is asked", async (thing) => {
    expect(await ask(`Where did I leave the ${thing}?`)).toMatch(/^gone: it was on the /);
    expect(await ask(`Is the ${thing} still there?`)).toMatch(/^no\b/);
    expect(await ask(`Has the ${thing} gone?`)).toMatch(/^yes\b/);
    expect(await ask("What is gone?")).toContain(thing);
    const { rows } = await listMemory(memory, { what: "changes" });
    expect(rows.filter(({ what }) => String(what).includes(thing)).map(({ what }) => what)).toContainEqual(
      expect.stringContaining("went missing"),
    );
    expect((await localFace(memory).life(thing)).isThere).toBe(false);
  });

  it("says the same of a state in a room and without it", async () => {
    const fridge = await ask("Is the fridge open?");
    expect(await ask("Is the fridge in the kitchen open?")).toBe(fridge);
  });

  it("answers from a note where nobody looked, and goes on from the last look", async () => {
    const before = await ask("What has been moved since yesterday?");
    await memory.remember("the ladder is in the garage");
    await memory.remember("The vet comes at ten.");
    await memory.remember("The red mug stands on the kitchen table.");
    expect(await ask("where is the ladder?")).toContain("“the ladder is in the garage”");
    expect(await ask("When does the vet come?")).toContain("“The vet comes at ten.”");
    expect(await ask("Where is the red mug?")).toContain("“The red mug stands on the kitchen table.”");
    expect(await ask("What has been moved since yesterday?")).toBe(before);
  });
});
