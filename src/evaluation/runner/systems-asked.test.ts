import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { questionsOf, sceneIn } from "../testing/toy-suite.ts";
import { evaluateSuite } from "./index.ts";
import { presetStrategy, systemStrategy } from "./system-strategy.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "loci-systems-asked-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("lets a system answer from what it retrieved alone", async () => {
  const { results, failures } = await evaluateSuite({
    suite: "test",
    commit: "test",
    scenes: [sceneIn(folder, "a", questionsOf(8))],
    strategies: [systemStrategy("r-eqa"), systemStrategy("r-eqa", { settings: { k: 1 }, id: "r-eqa-1" })],
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
  expect(() => presetStrategy("magic")).toThrow("expected a strategy of retrieval (auto, r4");
});
