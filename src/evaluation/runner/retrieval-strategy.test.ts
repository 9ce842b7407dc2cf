import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { questionsOf, sceneIn } from "../testing/toy-suite.ts";
import { evaluateSuite } from "./index.ts";
import { retrievalStrategy } from "./retrieval-strategy.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "loci-retrieval-strategy-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("lets a preset of retrieval answer, with its plan and its stages in the trace", async () => {
  const { results, failures } = await evaluateSuite({
    suite: "test",
    commit: "test",
    scenes: [sceneIn(folder, "a", questionsOf(8))],
    strategies: [retrievalStrategy("r-eqa"), retrievalStrategy("r-eqa", { k: 1, id: "r-eqa-1" })],
  });
  expect(failures.shown).toEqual([]);
  const of = (id: string) => results.find(({ strategy }) => strategy === id)!.overall;
  expect(of("r-eqa").figures["recall@all"]!.value).toBeGreaterThan(
    of("uniform").figures["recall@all"]!.value,
  );
  expect(of("r-eqa-1").figures["contextTokens"]!.value).toBeLessThan(
    of("r-eqa").figures["contextTokens"]!.value,
  );
});

it("refuses a name that is none", () => {
  expect(() => retrievalStrategy("magic")).toThrow('there is no strategy "magic"; there are auto, r4');
});
