import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { PROMPTS } from "../../models/prompts/index.ts";
import { SYSTEMS } from "./index.ts";

const SRC = join(import.meta.dirname, "../..");
/** Where prompts are sent from that no system of answering sends. */
const ELSEWHERE = ["models/roles", "exploration", "evaluation"];

/** Which prompts, by their names in the code, the sources of a folder send. */
function namesIn(folder: string): string {
  return readdirSync(join(SRC, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
    .map((name) => readFileSync(join(SRC, folder, name), "utf8"))
    .join("\n");
}

it("every prompt belongs to a system, a role of ingest, exploration or evaluation", async () => {
  const bySystems = new Set(Object.values(SYSTEMS).flatMap(({ prompts }) => prompts));
  for (const id of bySystems) expect(PROMPTS.has(id), id).toBe(true);
  const elsewhere = ELSEWHERE.map(namesIn).join("\n");
  const papers = await Promise.all(
    ["r4", "memory-eqa", "star", "embodied-rag", "r-eqa", "loci"].map(
      (paper) => import(`../../models/prompts/${paper}.ts`) as Promise<Record<string, { id?: string }>>,
    ),
  );
  const nameOf = new Map(
    papers.flatMap((paper) => Object.entries(paper).map(([name, value]) => [value?.id, name])),
  );
  const orphans = [...PROMPTS.keys()].filter(
    (id) => !bySystems.has(id) && !new RegExp(`\\b${nameOf.get(id) ?? id}\\b`).test(elsewhere),
  );
  expect(orphans).toEqual([]);
});

it("each paper's system sends that paper's prompts only; the baselines are R-EQA's", () => {
  for (const { name, prompts } of Object.values(SYSTEMS)) {
    const papers = new Set(prompts.map((id) => id.split("/")[0]));
    const own = ["blind", "uniform", "whole-history"].includes(name) ? "r-eqa" : name;
    expect([...papers]).toEqual(name === "rules" ? [] : [own]);
  }
});
