import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ingestInto } from "../../src/compose/ingest.ts";
import { joinScene, partScene } from "../../src/compose/join.ts";
import { type Memory, openMemory } from "../../src/compose/memory.ts";
import { simulate } from "../../src/index.ts";
import { type Frame, openRecording } from "../../src/sensors/index.ts";

const folder = mkdtempSync(join(tmpdir(), "loci-joined-labels-"));
const recording = join(folder, "recording");
const SECRET = ["secret"];
/** Of each robot, the pieces of map from this one on are under the label. */
const LATE = 6;
/** Two robots' maps of one house: as both saw it openly, and the same with what both saw under a label afterwards. */
let open: Memory;
let mixed: Memory;

beforeAll(async () => {
  await simulate({
    family: "house",
    seed: "30012",
    agents: 2,
    minutes: 4,
    fps: 1,
    noise: 0.3,
    rooms: 4,
    size: { width: 80, height: 60 },
    out: recording,
  });
  // A piece of map is drawn openly or not, as of a robot that is given another task.
  const isLate = ({ submap }: Frame) => Number(/submap-(\d+)$/.exec(submap?.frame ?? "")?.[1]) >= LATE;
  const take = async (memory: Memory, labels: readonly string[], only: (frame: Frame) => boolean) => {
    const reading = await openRecording(recording);
    await ingestInto(memory, reading, { labels, only, join: false });
    await reading.close();
  };
  open = await openMemory(join(folder, "open"));
  mixed = await openMemory(join(folder, "mixed"));
  for (const memory of [open, mixed]) await take(memory, [], (frame) => !isLate(frame));
  await take(mixed, SECRET, isLate);
}, 300_000);
afterAll(async () => {
  await open?.close();
  await mixed?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** What somebody without labels has: every record that is believed, and where the map's frames lie. */
async function seenIn(memory: Memory): Promise<string[]> {
  const reader = await memory.engine.reader({ principal: { id: "guest", labels: [] } });
  const { hits } = await reader.search({ rank: "id", limit: 10_000 });
  const graph = await reader.frames();
  await reader.close();
  const frames = graph.frames().map((frame) => JSON.stringify([frame, graph.resolve("world", frame)]));
  const records = hits.map(({ record: { version, recordedAtUs, ...record } }) => JSON.stringify(record));
  return [...records, ...frames].sort();
}

/** What one has and the other has not, a few of each, cut short. */
async function differences(): Promise<string[]> {
  const [a, b] = [new Set(await seenIn(open)), new Set(await seenIn(mixed))];
  const only = (sign: string, from: Set<string>, to: Set<string>) =>
    [...from]
      .filter((line) => !to.has(line))
      .map((line) => `${sign} ${line.slice(0, 1500)}`)
      .slice(0, 20);
  return [...only("-", a, b), ...only("+", b, a)];
}

async function labelled(memory: Memory, label: string): Promise<number> {
  const { hits } = await (await memory.reader()).search({ kinds: ["region"], limit: 10_000 });
  return hits.filter(({ record }) => record.validToUs === null && record.labels.includes(label)).length;
}

describe("maps that are joined, of which a part is under a label", { timeout: 300_000 }, () => {
  it("were the same to others before", async () => {
    expect(await differences()).toEqual([]);
    expect(await labelled(mixed, "secret")).toBeGreaterThan(0);
  });

  it("are to others what they would be without that part", async () => {
    const [joined] = await joinScene(open);
    expect(joined?.refused).toBeUndefined();
    expect((await joinScene(mixed))[0]?.refused).toBeUndefined();
    expect(await differences()).toEqual([]);
    expect(await labelled(mixed, "secret")).toBeGreaterThan(0);
  });

  it("are so too when the join is taken back", async () => {
    for (const memory of [open, mixed]) await partScene(memory, "robot-2.map");
    expect(await differences()).toEqual([]);
  });
});
