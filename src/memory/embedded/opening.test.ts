import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { EmbeddedEngine } from "./engine.ts";

const NOTE = { kind: "caption" as const, id: "note", source: "human" as const, text: ["a note"] };

it("takes its first write while others read the past for the first time, and end again", async () => {
  for (let round = 0; round < 20; round++) {
    const folder = mkdtempSync(join(tmpdir(), "loci-opening-"));
    const engine = await EmbeddedEngine.open({ folder });
    const write = async () => {
      const writer = await engine.writer();
      return writer.write({ records: [{ ...NOTE, validFromUs: 1, validToUs: 2 }] });
    };
    const read = async () => {
      for (let n = 0; n < 4; n++) {
        const reader = await engine.reader({ asOfMemoryUs: 1 });
        await reader.search({ kinds: ["caption"], limit: 1 });
        await reader.close();
      }
    };
    const done = await Promise.allSettled([write(), read()]);
    expect(done.filter(({ status }) => status === "rejected")).toEqual([]);
    await engine.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
