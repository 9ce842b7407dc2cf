import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { START_US, thing } from "../exchange/testing/small-house.ts";
import { exportMemory } from "./export.ts";
import { type Memory, openMemory } from "./memory.ts";

let folder: string;
let memory: Memory;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "loci-export-"));
  memory = await openMemory(join(folder, "memory"), { embedder: "hashing:64" });
  const frame = { parent: "world", child: "sub-0", kind: "submap" as const };
  await memory.write({
    frames: [{ ...frame, transform: { p: { x: 0, y: 0, z: 0 }, q: { w: 1, x: 0, y: 0, z: 0 } } }],
    records: [
      ...thing("mug", { x: 1, y: 1, z: 1 }, { toS: 10, state: "mug-before" }),
      ...thing("mug", { x: 2, y: 1, z: 1 }, { fromS: 12, state: "mug-after" }).slice(1),
    ],
  });
});
afterAll(async () => {
  await memory?.close();
  rmSync(folder, { recursive: true, force: true });
});

describe("exporting a memory as it was", () => {
  it("shows that moment, whether asked of the view or of the export", async () => {
    const path = join(folder, "house.json");
    const asThen = memory.as({ asOfWorldUs: START_US + 5e6 });
    for (const [view, request] of [
      [asThen, {}],
      [memory, { atUs: START_US + 5e6 }],
    ] as const) {
      expect(await exportMemory(view, path, request)).toMatchObject({
        format: "rooms",
        counts: { things: 1 },
      });
      expect(readFileSync(path, "utf8")).toContain("mug-before");
    }
    await exportMemory(memory, path);
    expect(readFileSync(path, "utf8")).toContain("mug-after");
    await expect(exportMemory(asThen, join(folder, "then.jsonl"))).resolves.toMatchObject({
      format: "jsonl",
    });
    await asThen.close();
  });
});
