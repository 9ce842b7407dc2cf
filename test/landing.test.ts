import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  ingestRecording,
  localFace,
  type Memory,
  openMemory,
  openReplay,
  type SourceStatus,
} from "../src/compose.ts";
import {
  compose,
  fromAxisAngle,
  IDENTITY,
  multiply,
  type Transform,
  transformDelta,
} from "../src/geometry/index.ts";
import { startReplay } from "../src/interfaces/live/replay-server.ts";
import { type SyntheticBox, syntheticFrame } from "../src/perception/testing/synthetic-frame.ts";
import { type Frame, RobotBagWriter } from "../src/sensors/index.ts";

const INTRINSICS = { fx: 70, fy: 70, cx: 48, cy: 36, width: 96, height: 72 };
const PINHOLE = { model: "plumb_bob", coefficients: [0, 0, 0, 0, 0] } as const;
const START_US = 1_700_000_000_000_000;
const STEP_US = 500_000;
const UP = { x: 0, y: 0, z: 1 };
const ELSEWHERE: Transform = { p: { x: 4, y: -3, z: 0.3 }, q: fromAxisAngle(UP, 2.3) };

const ROOM: readonly SyntheticBox[] = [
  { colour: [120, 100, 90], min: { x: -2.5, y: -2, z: -0.1 }, max: { x: 2.5, y: 2, z: 0 } },
  { colour: [220, 220, 210], min: { x: -2.6, y: -2, z: 0 }, max: { x: -2.5, y: 2, z: 2.4 } },
  { colour: [220, 220, 210], min: { x: 2.5, y: -2, z: 0 }, max: { x: 2.6, y: 2, z: 2.4 } },
  { colour: [220, 220, 210], min: { x: -2.5, y: 2, z: 0 }, max: { x: 2.5, y: 2.1, z: 2.4 } },
  { colour: [220, 220, 210], min: { x: -2.5, y: -2.1, z: 0 }, max: { x: 2.5, y: -2, z: 2.4 } },
  { colour: [110, 60, 30], min: { x: -2.5, y: 0.6, z: 0 }, max: { x: -1.9, y: 2, z: 1.6 } },
  { colour: [60, 60, 160], min: { x: 0.2, y: 1, z: 0 }, max: { x: 2, y: 2, z: 0.5 } },
  { colour: [30, 30, 30], min: { x: 1.7, y: -1.9, z: 0 }, max: { x: 2.4, y: -1, z: 0.9 } },
  { colour: [200, 180, 60], min: { x: -1.4, y: -2, z: 0 }, max: { x: -0.4, y: -1.5, z: 0.75 } },
];
/** Another room: longer, narrower, with a bench and a column. */
const OTHER: readonly SyntheticBox[] = [
  ...ROOM.slice(0, 5).map((box) => ({
    ...box,
    min: { ...box.min, x: box.min.x * 0.7, y: box.min.y * 1.6 },
    max: { ...box.max, x: box.max.x * 0.7, y: box.max.y * 1.6 },
  })),
  { colour: [90, 90, 90], min: { x: -1, y: 1.5, z: 0 }, max: { x: 0.8, y: 2.4, z: 0.7 } },
  { colour: [40, 120, 60], min: { x: 0.6, y: -1.4, z: 0 }, max: { x: 1, y: -1, z: 2.4 } },
];

/** A slow turn near the middle of a room. */
function look(boxes: readonly SyntheticBox[], from: number, count: number, mapFromWorld = IDENTITY): Frame[] {
  return Array.from({ length: count }, (_, n) => {
    const [index, yaw] = [from + n, 0.34 * (from + n)];
    const level = { w: Math.SQRT1_2, x: -Math.SQRT1_2, y: 0, z: 0 };
    const q = multiply(fromAxisAngle(UP, yaw), multiply(level, fromAxisAngle({ x: 1, y: 0, z: 0 }, -0.35)));
    const worldFromCamera = { p: { x: 0.3 * Math.cos(yaw), y: 0.3 * Math.sin(yaw), z: 1.5 }, q };
    const { depth, rgb } = syntheticFrame(
      { intrinsics: INTRINSICS, submapFromCamera: worldFromCamera },
      boxes,
    );
    return {
      index,
      timeUs: START_US + index * STEP_US,
      agentId: "robot",
      sensorId: "camera",
      intrinsics: INTRINSICS,
      mapFrame: "world",
      worldFromCamera: compose(mapFromWorld, worldFromCamera),
      rgb: rgb!,
      depth: depth!,
    };
  });
}

let folder: string;
let memory: Memory;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "loci-landing-"));
  memory = await openMemory(join(folder, "memory"));
});
afterEach(async () => {
  await memory.close();
  rmSync(folder, { recursive: true, force: true });
});

/** What a robot's recorder leaves: every tracker calls its own origin "map". */
async function bagOf(name: string, frames: readonly Frame[]): Promise<string> {
  const place = join(folder, name);
  mkdirSync(place);
  const bag = await RobotBagWriter.create(place);
  for (const { rgb, depth, intrinsics, timeUs, worldFromCamera } of frames) {
    const times = { stampUs: timeUs, receivedUs: timeUs };
    const pose = { parent: "map", child: "camera_color_optical_frame", parentFromChild: worldFromCamera! };
    bag.transforms([pose], false, times);
    await bag.colour(rgb!, intrinsics, PINHOLE, times);
    bag.depth(depth!, intrinsics, PINHOLE, times);
  }
  await bag.finish();
  return place;
}

interface Looks {
  readonly right: number;
  readonly apart: number;
  readonly wrong: number;
}

/** How many frames are where they were really taken, in a map apart, and elsewhere. */
async function looksIn(truth: readonly Frame[]): Promise<Looks> {
  const reader = await memory.reader();
  const graph = await reader.frames();
  const { hits } = await reader.search({ kinds: ["observation"], rank: "latest", limit: 1_000 });
  const looks = { right: 0, apart: 0, wrong: 0 };
  for (const { record } of hits) {
    const frame = truth.find(({ timeUs }) => timeUs === record.validFromUs)!;
    const { submap, p, q } = record.anchor!;
    const world = graph.resolve("world", submap);
    if (world === undefined) looks.apart++;
    else {
      const { translationM, rotationRad } = transformDelta(
        compose(world, { p, q: q! }),
        frame.worldFromCamera!,
      );
      looks[translationM < 0.15 && rotationRad < 0.05 ? "right" : "wrong"]++;
    }
  }
  return looks;
}

const COUNT = 20;
const first = look(ROOM, 0, COUNT);

describe("a robot whose tracker calls another origin by the same name", () => {
  it("is placed where it really is, by a second bag", async () => {
    await ingestRecording(memory, await bagOf("first", first), { detector: "none" });
    const again = await bagOf("second", look(ROOM, COUNT, COUNT, ELSEWHERE));
    const { arrival } = await ingestRecording(memory, again, { detector: "none" });
    expect(arrival).toMatchObject({ into: "world" });
    expect(await looksIn([...first, ...look(ROOM, COUNT, COUNT)])).toEqual({
      right: 2 * COUNT,
      apart: 0,
      wrong: 0,
    });
    const known = await ingestRecording(memory, again, { detector: "none" });
    expect(known.skipped).toMatchObject({ duplicate: COUNT });
  });

  it("has a map of its own by a bag of another place, and that is said", async () => {
    await ingestRecording(memory, await bagOf("first", first), { detector: "none" });
    const other = await bagOf("other", look(OTHER, COUNT, COUNT));
    const { arrival } = await ingestRecording(memory, other, { detector: "none" });
    expect(arrival?.refused).toBeDefined();
    expect(await looksIn(first)).toEqual({ right: COUNT, apart: COUNT, wrong: 0 });
    const face = localFace(memory, { id: "owner", labels: "*" });
    const answer = await face.ask("How many rooms are there?");
    expect(answer.contradictions.join()).toContain("is not joined");
    await expect(
      face.goal({ to: { x: 1, y: 1, z: 0 }, frame: "map", agent: "robot" }),
    ).resolves.toMatchObject({
      goal: { frame: "map" },
    });
  });

  it("is placed anew where its tracker starts again in the middle of a bag", async () => {
    const bag = await bagOf("restart", [...first, ...look(ROOM, COUNT, COUNT, ELSEWHERE)]);
    await ingestRecording(memory, bag, { detector: "none" });
    expect(await looksIn([...first, ...look(ROOM, COUNT, COUNT)])).toMatchObject({
      wrong: 0,
      right: 2 * COUNT,
    });
  });

  it("is placed anew while it is live", async () => {
    const bag = await openReplay(await bagOf("live", [...first, ...look(ROOM, COUNT, COUNT, ELSEWHERE)]));
    const replay = await startReplay(bag, { port: 0, speed: 2, wait: true });
    const face = localFace(memory, { id: "owner", labels: "*" });
    const { id } = await face.startSource({
      source: `foxglove://127.0.0.1:${replay.port}`,
      detector: "none",
      whenBehind: "drop",
      read: { rateHz: 30 },
    });
    const { map, frames } = await ended(face.sources);
    await face.stopSource(id);
    await replay.close();
    await bag.close();
    expect(map).toMatchObject({ into: "world", refused: null });
    expect(frames.taken).toBeGreaterThan(COUNT + COUNT / 2);
    const all = [...first, ...look(ROOM, COUNT, COUNT)];
    expect(await looksIn(all)).toEqual({ right: frames.taken, wrong: 0, apart: 0 });
  });
});

/** The source once its robot has ended and nothing waits any more. */
async function ended(sources: () => Promise<SourceStatus[]>): Promise<SourceStatus> {
  for (;;) {
    const [source] = await sources();
    if (source && source.frames.taken > 0 && source.state !== "running" && source.frames.waiting === 0)
      return source;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
