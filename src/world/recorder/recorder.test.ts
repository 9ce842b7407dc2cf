import { createHash } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isLociError } from "../../schema/index.ts";
import { type Frame, openRecording, type RecordingItem } from "../../sensors/index.ts";
import { parseRecordOptions } from "./options.ts";
import { recordHouse } from "./record-house.ts";

const HASHES = new URL("../testing/fixtures/hashes.json", import.meta.url);
/** Short and small, but with everything in it: two agents, all noises, masks, captions, scans, late packets. */
const SHORT = { family: "house", agents: 2, minutes: 0.2, fps: 0.5, size: "64x48", workers: 0 } as const;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "loci-recorder-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function itemsOf(path: string): Promise<RecordingItem[]> {
  const reader = await openRecording(path);
  const items: RecordingItem[] = [];
  for await (const item of reader.items()) items.push(item);
  await reader.close();
  return items;
}

/** sha256 of each decoded part over all frames: pixels as they are, numbers as JSON writes them. */
function hashesOf(items: readonly RecordingItem[]): Record<string, string> {
  const frames = items.flatMap((item) => (item.kind === "frame" ? [item.frame] : []));
  const hash = (part: (frame: Frame) => Uint8Array | Uint16Array | string) => {
    const sum = createHash("sha256");
    for (const frame of frames) {
      const data = part(frame);
      // Sixteen-bit samples in little-endian order, whatever this machine has.
      sum.update(
        data instanceof Uint16Array ? Uint8Array.from([...data].flatMap((v) => [v & 255, v >> 8])) : data,
      );
    }
    return sum.digest("hex");
  };
  const json = (part: (frame: Frame) => unknown) => hash((frame) => JSON.stringify(part(frame)));
  return {
    rgb: hash(({ rgb }) => rgb!.data),
    depth: hash(({ depth }) => depth!.data),
    masks: hash(({ masks }) => masks!.data),
    poses: json(({ worldFromCamera, submap, odometry, mapFrame }) => [
      worldFromCamera,
      submap,
      odometry,
      mapFrame,
    ]),
    times: json(({ index, timeUs, receivedAtUs, agentId }) => [index, timeUs, receivedAtUs, agentId]),
    labels: json(({ detections, captions }) => [detections, captions]),
    scans: hash(({ scan }) => scan!.rangesMm),
    edges: createHash("sha256")
      .update(JSON.stringify(items.filter(({ kind }) => kind === "edge")))
      .digest("hex"),
  };
}

describe("a recorded house", () => {
  let items: RecordingItem[];
  beforeAll(async () => {
    await recordHouse({ ...SHORT, seed: 7, noise: 0.5, out: join(folder, "seven") });
    items = await itemsOf(join(folder, "seven"));
  });

  test("has the same decoded content on every machine", async () => {
    const hashes = hashesOf(items);
    // After a deliberate change of what is simulated: LOCI_UPDATE_HASHES=1 npx vitest run src/world/recorder
    if (process.env["LOCI_UPDATE_HASHES"]) await writeFile(HASHES, `${JSON.stringify(hashes, null, 2)}\n`);
    expect(hashes).toEqual(JSON.parse(await readFile(HASHES, "utf8")));
  });

  test("is the same as MCAP, through worker threads, and with another seed another", async () => {
    await recordHouse({
      ...SHORT,
      seed: 7,
      noise: 0.5,
      format: "mcap",
      workers: 2,
      out: join(folder, "mcap"),
    });
    expect(await itemsOf(join(folder, "mcap"))).toEqual(items);
    await recordHouse({ ...SHORT, seed: 8, noise: 0.5, out: join(folder, "eight") });
    const [seven, eight] = [hashesOf(items), hashesOf(await itemsOf(join(folder, "eight")))];
    for (const part of ["rgb", "depth", "masks", "poses", "labels", "scans"])
      expect(eight[part]).not.toBe(seven[part]);
  });

  test("keeps the truth apart: frames carry no identities, truth.json knows every segment", async () => {
    const truth = JSON.parse(await readFile(join(folder, "seven", "truth.json"), "utf8"));
    const ids = new Set<string>(truth.house.things.map(({ id }: { id: string }) => id));
    const said = JSON.stringify(
      items.map((item) => (item.kind === "frame" ? { ...item.frame, rgb: 0, depth: 0, masks: 0 } : item)),
    );
    for (const id of ids) expect(said.includes(`"${id}"`)).toBe(false);
    const frames = items.flatMap((item) => (item.kind === "frame" ? [item.frame] : []));
    expect(truth.frames).toHaveLength(frames.length);
    frames.forEach((frame, n) => {
      const known = truth.frames[n];
      expect(known.index).toBe(frame.index);
      expect(known.segments).toHaveLength(frame.detections!.length);
      for (const id of known.segments) expect(id === null || ids.has(id)).toBe(true);
    });
    expect(truth.agents.map(({ mapFrame }: { mapFrame: string }) => mapFrame)).toEqual([
      "world",
      "robot-2.map",
    ]);
  });

  test("without noise the pose is exact and each mask is the thing it names", async () => {
    await recordHouse({ ...SHORT, agents: 1, seed: 7, out: join(folder, "clean") });
    const truth = JSON.parse(await readFile(join(folder, "clean", "truth.json"), "utf8"));
    const categories = new Map(
      truth.house.things.map(({ id, category }: { id: string; category: string }) => [id, category]),
    );
    let masks = 0;
    for (const item of await itemsOf(join(folder, "clean"))) {
      if (item.kind !== "frame") throw new Error("no corrections without drift");
      const known = truth.frames[item.frame.index];
      expect(item.frame.worldFromCamera).toEqual(known.worldFromCamera);
      expect(item.frame.timeUs).toBe(known.trueUs);
      for (const [n, { label, score }] of item.frame.detections!.entries()) {
        expect(label).toBe(categories.get(known.segments[n]));
        expect(score).toBe(1);
        masks++;
      }
    }
    expect(masks).toBeGreaterThan(5);
  });
});

describe("bad parameters", () => {
  test.each([
    [{ agents: 0 }, /agent/],
    [{ agents: 1.5 }, /agent/],
    [{ minutes: -1 }, /minutes/],
    [{ minutes: Number.NaN }, /minutes/],
    [{ fps: 0 }, /frames per second|fps/],
    [{ family: "castle" }, /house.*castle/],
    [{ size: "big" }, /160x120/],
    [{ size: "1x1" }, /16x16/],
    [{ noise: 2 }, /noise/],
    [{ format: "bag" }, /folder, mcap/],
    [{ minutes: 99_999, fps: 100 }, /frames/],
    [{ minutes: 0.001, fps: 0.1 }, /at least one frame/],
  ])("%o are refused in one line and nothing is written", async (bad, message) => {
    const out = join(folder, "never");
    const error = await recordHouse({ ...SHORT, out, ...bad } as never).catch((e: unknown) => e);
    expect(isLociError(error, "invalid-input")).toBe(true);
    expect((error as Error).message).toMatch(message);
    expect((error as Error).message).not.toContain("\n");
    expect(await readdir(folder)).not.toContain("never");
  });

  test("a folder that cannot be written is refused before anything is made", async () => {
    await writeFile(join(folder, "file"), "");
    for (const out of [join(folder, "file", "deep", "out"), join(folder, "file"), "/proc/loci/out"]) {
      const error = await recordHouse({ ...SHORT, out }).catch((e: unknown) => e);
      expect(isLociError(error, "invalid-input")).toBe(true);
    }
  });

  test("the defaults are the documented ones", () => {
    const { fps, size, agents } = parseRecordOptions({ family: "house", out: "x" });
    expect({ fps, size, agents }).toEqual({ fps: 1, size: { width: 160, height: 120 }, agents: 1 });
  });
});

test("an abort half-way leaves nothing, neither the folder nor its shadow", async () => {
  const controller = new AbortController();
  const before = await readdir(folder);
  const out = join(folder, "aborted", "inside");
  const running = recordHouse(
    { ...SHORT, seed: 7, minutes: 1, out },
    { signal: controller.signal, onProgress: ({ frames }) => frames === 3 && controller.abort() },
  );
  await expect(running).rejects.toSatisfy((error) => isLociError(error, "aborted"));
  expect(await readdir(folder)).toEqual(before);
});
