import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { ingestRecording, type Memory, openMemory, retrieveFrom, simulate } from "../../src/index.ts";

const base = mkdtempSync(join(tmpdir(), "loci-labels-"));
afterAll(() => rmSync(base, { recursive: true, force: true }));

it("a reader without the label learns nothing of a memory that is labelled throughout, and its owner loses nothing", {
  timeout: 180_000,
}, async () => {
  const recording = join(base, "tour");
  await simulate({ family: "house", seed: "9", minutes: 0.15, fps: 2, noise: 0.5, out: recording } as never);
  const [open, secret] = [await openMemory(join(base, "open")), await openMemory(join(base, "secret"))];
  await ingestRecording(open, recording);
  await ingestRecording(secret, recording, { labels: ["secret"] });
  const nobody = secret.as({ principal: { id: "eve", labels: ["other"] } });
  const file = join(base, "export.jsonl");
  await nobody.exportJsonl(file);
  const rows = readFileSync(file, "utf8").trim().split("\n");
  expect(rows.map((row) => JSON.parse(row).type)).toEqual(["memory", "end"]);
  expect(await nobody.stats()).toMatchObject({
    frames: 0,
    mapRevision: 0,
    lastCommitUs: null,
    versions: 0,
    bytes: 0,
  });
  expect((await (await nobody.reader()).frames()).frames()).toEqual(["world"]);
  const changes = [];
  for await (const change of (await nobody.reader()).changes({ live: false })) changes.push(change);
  expect(changes).toEqual([]);
  const known = (await (await secret.reader()).frames()).frames().find((name) => name !== "world")!;
  await expect(
    nobody.search({ space: { type: "radius", centre: { x: 0, y: 0, z: 0 }, radiusM: 1, frame: known } }),
  ).rejects.toThrow();
  await expect(nobody.verify()).rejects.toMatchObject({ code: "not-supported" });
  // Whoever holds the label gets what the owner of an open memory gets.
  const background = await (await secret.embedder()).background;
  expect(await secret.background()).toEqual(background);
  const found = async (memory: Memory) => {
    const { items } = await retrieveFrom(memory, "somewhere to sit", { strategy: "memory-eqa" });
    return items.length;
  };
  expect(await found(open)).toBeGreaterThan(0);
  expect(await found(secret)).toBeGreaterThan(0);
  for (const memory of [open, secret]) await memory.close();
});
