import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pictured } from "../bench/pictures.ts";
import { ingestInto, type Memory, openMemory, simulate } from "../src/compose.ts";
import { openRecording, type RecordingItem, type RecordingReader } from "../src/sensors/index.ts";

const base = mkdtempSync(join(tmpdir(), "loci-pictures-"));
const recording = join(base, "recording");
const items: RecordingItem[] = [];
const open: Memory[] = [];
let source: RecordingReader;

beforeAll(async () => {
  await simulate({
    family: "house",
    seed: 29,
    minutes: 1,
    fps: 2,
    noise: 0.5,
    rooms: 4,
    people: 1,
    out: recording,
  });
  source = await openRecording(recording);
  for await (const item of source.items()) items.push(item);
}, 120_000);

afterAll(async () => {
  for (const memory of open) await memory.close();
  rmSync(base, { recursive: true, force: true });
});

/** A memory of the first so many frames. */
async function memoryOf(frames: number): Promise<Memory> {
  const memory = await openMemory(join(base, `memory-${open.length}`));
  open.push(memory);
  let left = frames;
  const taken = items.filter((item) => item.kind !== "frame" || left-- > 0);
  await ingestInto(memory, {
    ...source,
    close: () => source.close(),
    async *items() {
      yield* taken;
    },
  });
  return memory;
}

describe("what was seen can be looked at", () => {
  it("shows a picture of nearly every state of a house, and every state names its views", async () => {
    const { states, named, shown, missing } = await pictured(await memoryOf(Infinity));
    expect(states).toBeGreaterThan(30);
    expect(missing).toEqual([]);
    expect(shown / states).toBeGreaterThanOrEqual(0.95);
    expect(named / states).toBeGreaterThanOrEqual(0.95);
  }, 120_000);

  it.each([2, 3, 5])(
    "has pictures of what %i frames showed",
    async (frames) => {
      const { states, shown, views } = await pictured(await memoryOf(frames));
      expect(states).toBeGreaterThan(0);
      expect(views).toBeGreaterThan(0);
      expect(shown).toBe(states);
    },
    60_000,
  );
});
