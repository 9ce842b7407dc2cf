import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LoopMemory } from "../loop/loop-memory.ts";
import { NOW_US, smallHouse } from "../testing/small-house.ts";
import { verifyClaims } from "./index.ts";

const folder = mkdtempSync(join(tmpdir(), "loci-claims-"));
let house: Awaited<ReturnType<typeof smallHouse>>;
beforeAll(async () => {
  house = await smallHouse(folder);
});
afterAll(async () => {
  await house.engine.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Probe {
  readonly isTrue: boolean;
  readonly question: string;
  readonly text: string;
  readonly ids: readonly string[];
}

const PROBES = readFileSync(join(import.meta.dirname, "testing", "probes.tsv"), "utf8")
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"))
  .map((line): Probe => {
    const [judgement, question, text, ids] = line.split("\t") as [string, string, string, string];
    return { isTrue: judgement === "right", question, text, ids: ids.split(",") };
  });
/** Share of each side that must be judged right. */
const LEAST = 0.9;

async function wrong(probes: readonly Probe[]): Promise<string[]> {
  const { reader, embedder } = house;
  const memory = new LoopMemory({ reader, embedder, nowUs: NOW_US });
  const missed: string[] = [];
  for (const { isTrue, question, text, ids } of probes) {
    const cited = await memory.get(ids);
    expect(cited).toHaveLength(ids.length);
    const context = { reader, embedder, nowUs: NOW_US, cited, shown: cited };
    const { verdict, claims } = await verifyClaims(question, { text }, context);
    if ((verdict === "supported") !== isTrue)
      missed.push(
        `${question} ${text} → ${verdict}: ${claims.map(({ claim, verdict: own }) => `${claim} ${own}`).join("; ")}`,
      );
  }
  return missed;
}

describe("claims of an answer, held against the fields of what it cites", () => {
  it("refuse what is false and shares words with its citation", async () => {
    const probes = PROBES.filter(({ isTrue }) => !isTrue);
    expect(probes.length).toBeGreaterThanOrEqual(24);
    const missed = await wrong(probes);
    expect(missed.length / probes.length, missed.join("\n")).toBeLessThanOrEqual(1 - LEAST);
  });

  it("take what is right and shares no word with it", async () => {
    const probes = PROBES.filter(({ isTrue }) => isTrue);
    expect(probes.length).toBeGreaterThanOrEqual(24);
    const missed = await wrong(probes);
    expect(missed.length / probes.length, missed.join("\n")).toBeLessThanOrEqual(1 - LEAST);
  });

  it("name the floor of wood among the false ones", async () => {
    const floor = PROBES.filter(({ text }) => text === "The floor is wood.");
    expect(floor).toHaveLength(1);
    expect(await wrong(floor)).toEqual([]);
  });
});
