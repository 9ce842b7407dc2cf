/**
 * `node bench/join/cut.ts RECORDING [--turn 130] [--shift 4,-3,0.3] [--frames 120] [--detector eyes] [--as folder,bag,restart,live]`: a
 * recording cut in two, the second half with a false origin under the same names. Taken in as a folder's frames, as two
 * bags, as one bag whose poses begin anew in the middle, and as a robot whose tracker did: each is placed right, kept
 * apart, or WRONG. Things are counted against the halves taken in as they were.
 */
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import {
  ingestInto,
  ingestRecording,
  listMemory,
  localFace,
  type Memory,
  openMemory,
  openReplay,
} from "../../src/compose.ts";
import { compose, IDENTITY, type Transform, transformDelta } from "../../src/geometry/index.ts";
import { startReplay } from "../../src/interfaces/live/replay-server.ts";
import {
  type Frame,
  framesOf,
  openRecording,
  type RecordingReader,
  RobotBagWriter,
} from "../../src/sensors/index.ts";

/** A place is right within this of the true one. */
const RIGHT_M = 0.25;
const RIGHT_RAD = 0.06;
const PINHOLE = { model: "plumb_bob", coefficients: [0, 0, 0, 0, 0] } as const;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    turn: { type: "string", default: "130" },
    shift: { type: "string", default: "4,-3,0.3" },
    frames: { type: "string", default: "1000" },
    detector: { type: "string", default: "eyes" },
    as: { type: "string", default: "folder,bag,restart,live" },
  },
});
const [path] = positionals;
if (path === undefined) throw new Error("expected a recording: node bench/join/cut.ts RECORDING");
const [x = 0, y = 0, z = 0] = values.shift.split(",").map(Number);
const halfTurn = (Number(values.turn) * Math.PI) / 360;
const falseFromTrue: Transform = {
  p: { x, y, z },
  q: { w: Math.cos(halfTurn), x: 0, y: 0, z: Math.sin(halfTurn) },
};
const { detector } = values;
const source = await openRecording(path);
const all: Frame[] = [];
for await (const frame of framesOf(source)) {
  if (all.length >= Number(values.frames)) break;
  if (frame.worldFromCamera) all.push({ ...frame, index: all.length });
}
const halves = [all.slice(0, all.length / 2), all.slice(all.length / 2)] as const;
const moved = (frames: readonly Frame[]) =>
  frames.map((frame) => ({ ...frame, worldFromCamera: compose(falseFromTrue, frame.worldFromCamera!) }));
let made = 0;
const scratch = await mkdtemp(join(tmpdir(), "loci-cut-"));

const ways: Readonly<Record<string, (memory: Memory) => Promise<void>>> = {
  async "as it was"(memory) {
    for (const half of halves) await ingestInto(memory, reading(half), { map: "world", detector });
  },
  async folder(memory) {
    await ingestInto(memory, reading(halves[0]), { detector });
    await ingestInto(memory, reading(moved(halves[1])), { detector });
  },
  async bag(memory) {
    await ingestRecording(memory, await bagOf("first", halves[0]), { detector });
    await ingestRecording(memory, await bagOf("second", moved(halves[1])), { detector });
  },
  async restart(memory) {
    await ingestRecording(memory, await bagOf("restart", [...halves[0], ...moved(halves[1])]), { detector });
  },
  async live(memory) {
    const bag = await bagOf("restart", [...halves[0], ...moved(halves[1])]);
    const recorded = await openReplay(bag);
    const replay = await startReplay(recorded, { port: 0, speed: 0.25, wait: true });
    const face = localFace(memory, { id: "owner", labels: "*" });
    const { id } = await face.startSource({
      source: `foxglove://127.0.0.1:${replay.port}`,
      detector,
      read: { rateHz: 30 },
      whenBehind: "keyframes",
    });
    for (;;) {
      const [status] = await face.sources();
      if (status && status.frames.came > 0 && status.state !== "running" && status.frames.waiting === 0)
        break;
      await pause(500);
    }
    console.log(JSON.stringify((await face.stopSource(id)).frames));
    await replay.close();
    await recorded.close();
  },
};

try {
  for (const way of ["as it was", ...values.as.split(",")]) {
    const memory = await openMemory(join(scratch, way.replaceAll(" ", "-")));
    try {
      await ways[way]!(memory);
      console.log(way, JSON.stringify(await resultOf(memory)));
    } finally {
      await memory.close();
    }
  }
} finally {
  await source.close();
  await rm(scratch, { recursive: true, force: true });
}

/** Frames as a recording with an origin of its own. */
function reading(frames: readonly Frame[]): RecordingReader {
  return {
    ...source,
    world: "own",
    times: undefined,
    info: { ...source.info, frames: frames.length, source: `${source.info.source}-${frames[0]!.index}` },
    async *items() {
      for (const frame of frames) yield { kind: "frame", frame };
    },
    close: async () => undefined,
  };
}

async function bagOf(name: string, frames: readonly Frame[]): Promise<string> {
  const folder = join(scratch, `bag-${name}-${made++}`);
  await mkdir(folder);
  const bag = await RobotBagWriter.create(folder);
  for (const { rgb, depth, intrinsics, timeUs, worldFromCamera } of frames) {
    const times = { stampUs: timeUs, receivedUs: timeUs };
    const pose = { parent: "map", child: "camera_color_optical_frame", parentFromChild: worldFromCamera! };
    bag.transforms([pose], false, times);
    if (rgb) await bag.colour(rgb, intrinsics, PINHOLE, times);
    if (depth) bag.depth(depth, intrinsics, PINHOLE, times);
    await bag.flush(timeUs);
  }
  await bag.finish();
  return folder;
}

async function resultOf(memory: Memory) {
  const reader = await memory.reader();
  const graph = await reader.frames();
  const { hits } = await reader.search({ kinds: ["observation"], rank: "latest", limit: 10_000 });
  let [right, apart, wrong] = [0, 0, 0];
  const byTime = new Map(all.map((frame) => [frame.timeUs, frame]));
  for (const { record } of hits) {
    const frame = byTime.get(record.validFromUs);
    if (!frame || record.anchor?.q === undefined) continue;
    const inWorld = graph.topOf(record.anchor.submap) === "world";
    if (!inWorld) {
      apart++;
      continue;
    }
    const pose = compose(graph.resolve("world", record.anchor.submap) ?? IDENTITY, {
      p: record.anchor.p,
      q: record.anchor.q,
    });
    const { translationM, rotationRad } = transformDelta(pose, frame.worldFromCamera!);
    if (translationM <= RIGHT_M && rotationRad <= RIGHT_RAD) right++;
    else wrong++;
  }
  const { rows, notes } = await listMemory(memory, { what: "things" });
  const names = rows.map(({ name }) => name);
  return { frames: hits.length, right, apart, WRONG: wrong, things: names.length, notes: notes ?? [] };
}
