import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  askMemory,
  ingestInto,
  ingestRecording,
  type Memory,
  openMemory,
  retainWithin,
  simulate,
} from "../src/compose.ts";
import type { Frame, RecordingItem, RecordingReader } from "../src/sensors/index.ts";
import { openRecording } from "../src/sensors/index.ts";

const base = mkdtempSync(join(tmpdir(), "loci-ingest-"));
const recording = join(base, "recording");
const items: RecordingItem[] = [];
let folders = 0;
const open: Memory[] = [];

beforeAll(async () => {
  await simulate({
    family: "house",
    seed: 7,
    minutes: 1,
    fps: 2,
    noise: 0.5,
    rooms: 4,
    objects: 60,
    people: 1,
    out: recording,
  });
  const reader = await openRecording(recording);
  for await (const item of reader.items()) items.push(item);
}, 120_000);

afterAll(async () => {
  for (const memory of open) await memory.close();
  rmSync(base, { recursive: true, force: true });
});

async function newMemory(): Promise<Memory> {
  let now = 1e15;
  const memory = await openMemory(join(base, `memory-${folders++}`), { nowUs: () => now++ });
  open.push(memory);
  return memory;
}

/** The recording with each frame changed, dropped (undefined) or doubled. */
function changed(change: (frame: Frame, n: number) => Frame | Frame[] | undefined): RecordingReader {
  let n = 0;
  const all = items.flatMap((item): RecordingItem[] => {
    if (item.kind !== "frame") return [item];
    const out = change(item.frame, n++);
    return [out ?? []].flat().map((frame) => ({ kind: "frame", frame }));
  });
  const frames = all.filter(({ kind }) => kind === "frame").length;
  return {
    format: "folder",
    info: { version: 1, frames, edges: 0, startUs: null, endUs: null, agents: [], source: "" },
    async *items() {
      yield* all;
    },
    close: async () => {},
  };
}

const frameCount = () => items.filter(({ kind }) => kind === "frame").length;

describe("a recording becomes a memory", () => {
  it("with tracks, states, views, captions, places, rooms and the looks themselves", async () => {
    const memory = await newMemory();
    const summary = await ingestRecording(memory, recording);
    expect(summary).toMatchObject({ frames: frameCount(), written: frameCount(), skipped: {} });
    const { records, sightings } = await memory.stats();
    expect(records.observation).toBe(frameCount());
    expect(records.detection).toBe(summary.detections);
    for (const kind of ["track", "state", "view", "caption", "place", "region"] as const)
      expect(records[kind], kind).toBeGreaterThan(2);
    expect(sightings).toBeGreaterThan(records.state);
    const again = await ingestRecording(memory, recording);
    expect(again).toMatchObject({ written: 0, skipped: { duplicate: frameCount() }, tracks: 0 });
    expect((await memory.stats()).records).toEqual(records);
    expect((await memory.verify()).problems).toEqual([]);
  }, 60_000);

  it("that has given up looks, and still knows them when they come again", async () => {
    const memory = await newMemory();
    await ingestRecording(memory, recording);
    const { bytes, lastUs } = await memory.stats();
    await retainWithin(memory, { nowUs: lastUs!, maxBytes: Math.round(bytes / 20) });
    const { records, versions } = await memory.stats();
    expect(records.observation).toBeLessThan(frameCount() - 20);
    const again = await ingestRecording(memory, recording);
    expect(again).toMatchObject({ written: 0, skipped: { duplicate: frameCount() } });
    expect(await memory.stats()).toMatchObject({ records, versions });
    expect((await memory.verify()).problems).toEqual([]);
  }, 60_000);

  it("the same memory twice from the same recording", async () => {
    const digests = [];
    for (let run = 0; run < 2; run++) {
      const memory = await newMemory();
      await ingestRecording(memory, recording);
      digests.push((await memory.verify({ deep: true })).digest);
    }
    expect(digests[0]).toBe(digests[1]);
  }, 60_000);

  it("nothing more when a recording that is finished is taken in again", async () => {
    const memory = await newMemory();
    await ingestRecording(memory, recording);
    const before = await memory.stats();
    const again = await ingestRecording(memory, recording);
    expect(again.written).toBe(0);
    const { frames, versions, sightings, blobs } = await memory.stats();
    expect({ frames, versions, sightings, blobs }).toEqual({
      ...{ frames: before.frames, versions: before.versions },
      ...{ sightings: before.sightings, blobs: before.blobs },
    });
  }, 60_000);

  it("interrupted and run again, the same memory as in one go; until then it says that it is unfinished", async () => {
    const memory = await newMemory();
    const stop = new AbortController();
    const first = ingestRecording(
      memory,
      recording,
      {},
      {
        signal: stop.signal,
        onProgress: ({ frames }) => frames === 40 && stop.abort(),
      },
    );
    await expect(first).rejects.toMatchObject({ code: "aborted" });
    const before = (await memory.stats()).records.observation;
    expect(before).toBeGreaterThan(30);
    expect(before).toBeLessThan(frameCount());
    expect(await memory.unfinished()).toEqual([expect.stringContaining("is not finished")]);
    const answer = await askMemory(memory, "How many chairs are there?");
    expect(answer.contradictions.at(-1)).toContain("is not finished");
    const second = await ingestRecording(memory, recording);
    expect(second).toMatchObject({ written: frameCount(), skipped: {} });
    expect(await memory.unfinished()).toEqual([]);
    const whole = await newMemory();
    await ingestRecording(whole, recording);
    const digest = async (one: typeof memory) => (await one.verify({ deep: true })).digestWithoutClock;
    expect(await digest(memory)).toBe(await digest(whole));
  }, 60_000);
});

describe("bad frames are skipped and counted, never half taken", () => {
  it("no pose, wrong depth scale, a clock that jumps back, empty frames, repeated packets", async () => {
    const memory = await newMemory();
    const summary = await ingestInto(
      memory,
      changed((frame, n) => {
        const { worldFromCamera: _world, submap: _submap, ...bare } = frame;
        if (n === 3) return bare;
        if (n === 4) return { ...frame, depth: { ...frame.depth!, unitM: 1 } };
        if (n === 5) return { ...frame, detections: [], masks: undefined };
        if (n === 6) return [frame, frame];
        if (n === 7) return { ...frame, timeUs: Number.NaN };
        if (n === 8) return { ...frame, intrinsics: { ...frame.intrinsics, fx: 0 } };
        if (n === 9) return { ...frame, masks: { width: 3, height: 3, data: new Uint16Array(9) } };
        if (n === 10)
          return { ...frame, rgb: { ...frame.rgb!, data: new Uint8Array(frame.rgb!.data.length) } };
        if (n === 11)
          return {
            ...frame,
            rgb: undefined,
            depth: undefined,
            masks: undefined,
            detections: [],
            captions: [],
          };
        if (n === 12)
          return { ...frame, depth: { ...frame.depth!, data: new Uint16Array(frame.depth!.data.length) } };
        if (n > 60) return { ...frame, timeUs: frame.timeUs - 3_600_000_000 };
        return frame;
      }),
    );
    expect(summary.skipped).toEqual({
      "no-pose": 1,
      "depth-scale": 1,
      duplicate: 1,
      "bad-time": 1,
      "bad-intrinsics": 1,
      "size-mismatch": 1,
      black: 1,
      "no-image": 1,
    });
    expect(summary.late).toBeGreaterThan(30);
    expect(summary.latestByS).toBeGreaterThan(3500);
    expect((await memory.verify()).problems).toEqual([]);
  }, 60_000);

  it("a pose that is not a number", async () => {
    const memory = await newMemory();
    const nowhere = { p: { x: Number.NaN, y: 0, z: 0 }, q: { w: 1, x: 0, y: 0, z: 0 } };
    const summary = await ingestInto(
      memory,
      changed((frame, n) => (n < 5 ? { ...frame, submap: undefined, worldFromCamera: nowhere } : undefined)),
    );
    expect(summary).toMatchObject({ written: 0, skipped: { "bad-pose": 5 }, tracks: 0 });
  }, 60_000);

  it("a recording without frames says so", async () => {
    await expect(
      ingestInto(
        await newMemory(),
        changed(() => undefined),
      ),
    ).rejects.toThrow(/no frames/);
  });
});

describe("what must not be remembered is not", () => {
  it("redacted categories leave no trace", async () => {
    const memory = await newMemory();
    const summary = await ingestRecording(memory, recording, {
      privacy: { redact: [{ category: "window" }] },
    });
    expect(summary.redacted).toBeGreaterThan(0);
    const states = await memory.records("state", "track", "detection").find(10_000);
    expect(states.length).toBeGreaterThan(10);
    expect(states.filter(({ record }) => record.category === "window")).toEqual([]);
  }, 60_000);

  it("a zone around everything records nothing", async () => {
    const memory = await newMemory();
    const square = [-1000, 1000].flatMap((x) =>
      (x < 0 ? [-1000, 1000] : [1000, -1000]).map((y) => ({ x, y })),
    );
    const summary = await ingestRecording(memory, recording, { privacy: { zones: [{ points: square }] } });
    expect(summary).toMatchObject({ written: 0, skipped: { "no-record-zone": frameCount() } });
  }, 60_000);
});
