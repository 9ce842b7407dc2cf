import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LoopMemory } from "../loop/loop-memory.ts";
import { NOW_US, smallHouse } from "../testing/small-house.ts";
import { type ClaimVerdict, verifyClaims } from "./index.ts";

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

function probesOf(file: string): Probe[] {
  return readFileSync(join(import.meta.dirname, "testing", file), "utf8")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line): Probe => {
      const [judgement, question, text, ids] = line.split("\t") as [string, string, string, string];
      return { isTrue: judgement === "right", question, text, ids: ids.split(",") };
    });
}
const PROBES = probesOf("probes.tsv");
/** Fields alone cannot decide most of these; the verdicts that they do give must be right. */
const STRANGERS = probesOf("strangers.tsv");
/** The least share of each side without an opposite verdict, and of the true ones that fields alone support. */
const LEAST = 0.9;
const LEAST_BORNE_OUT = 0.75;

/** The probes with another verdict than these. */
async function wrong(probes: readonly Probe[], fitting: readonly ClaimVerdict[]): Promise<string[]> {
  const { reader, embedder } = house;
  const memory = new LoopMemory({ reader, embedder, nowUs: NOW_US });
  const missed: string[] = [];
  for (const { question, text, ids } of probes) {
    const cited = await memory.get(ids);
    expect(cited).toHaveLength(ids.length);
    const context = { reader, embedder, nowUs: NOW_US, cited, shown: cited };
    const { verdict, claims } = await verifyClaims(question, { text }, context);
    if (!fitting.includes(verdict))
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
    const missed = await wrong(probes, ["contradicted", "cannot-tell"]);
    expect(missed.length / probes.length, missed.join("\n")).toBeLessThanOrEqual(1 - LEAST);
  });

  it("take what is right and shares no word with it, or leave it to who can read more than fields", async () => {
    const probes = PROBES.filter(({ isTrue }) => isTrue);
    expect(probes.length).toBeGreaterThanOrEqual(24);
    const denied = await wrong(probes, ["supported", "cannot-tell"]);
    expect(denied.length / probes.length, denied.join("\n")).toBeLessThanOrEqual(1 - LEAST);
    const open = await wrong(probes, ["supported"]);
    expect(open.length / probes.length, open.join("\n")).toBeLessThanOrEqual(1 - LEAST_BORNE_OUT);
  });

  it("decide nothing wrongly of what strangers said", { timeout: 120_000 }, async () => {
    for (const isTrue of [true, false]) {
      const probes = STRANGERS.filter((one) => one.isTrue === isTrue);
      expect(probes.length).toBeGreaterThanOrEqual(72);
      const turned = await wrong(probes, [isTrue ? "supported" : "contradicted", "cannot-tell"]);
      expect(turned.length / probes.length, turned.join("\n")).toBeLessThanOrEqual(1 - LEAST);
    }
  });

  it("name the floor of wood among the false ones", async () => {
    const floor = PROBES.filter(({ text }) => text === "The floor is wood.");
    expect(floor).toHaveLength(1);
    expect(await wrong(floor, ["contradicted", "cannot-tell"])).toEqual([]);
  });
});
