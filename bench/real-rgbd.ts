/**
 * A real RGB-D recording through the detector and into a memory, measured without any truth: even frames first and
 * then the odd ones, which must find the same things again; where detections were lifted to, against the depth in
 * their boxes; how many tracks stand for one thing. With --out a picture of the map and of frames with boxes.
 *
 * node bench/real-rgbd.ts RECORDING [--detector coco] [--classes a,b] [--out FOLDER] [--detections FILE] [--keep FOLDER]
 * FILE keeps what the detector found, so that it runs once. With "--detector eyes" things are seen with masks by our own
 * eyes; --keep writes what they saw as a recording, which "--detector none" takes as it is: another version of the
 * code, or a second run, then begins with the same masks. LOCI_PACKAGES names the folder of the optional packages.
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { drawMemory, ingestInto, type Memory, openEyes, openMemory } from "../src/compose.ts";
import { apply, distance, invert, type Vec3 } from "../src/geometry/index.ts";
import { openDetector } from "../src/models/index.ts";
import { detectIn } from "../src/perception/index.ts";
import {
  createRecording,
  type Frame,
  framesOf,
  openRecording,
  type RecordingReader,
} from "../src/sensors/index.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    detector: { type: "string", default: "coco" },
    classes: { type: "string", default: "" },
    out: { type: "string" },
    detections: { type: "string" },
    keep: { type: "string" },
  },
});
const [path] = positionals;
if (path === undefined) throw new Error("usage: node bench/real-rgbd.ts RECORDING [--detector coco]");
const wanted = values.classes.split(",").filter((word) => word !== "");
/** Two tracks of a kind with centres closer than this may well be one thing. */
const TWIN_M = 0.35;
const NEAR_M = 0.15;

const recording = await openRecording(path);
const frames = await detected(recording);
const reader: RecordingReader = {
  ...recording,
  async *items() {
    for (const frame of frames) yield { kind: "frame", frame };
  },
};
const folder = mkdtempSync(join(tmpdir(), "loci-real-"));
const memory = await openMemory(join(folder, "memory"));
try {
  const cpu = process.cpuUsage();
  await ingestInto(memory, reader, { only: ({ index }) => index % 2 === 0 });
  const even = await tracksOf(memory);
  await ingestInto(memory, reader, { only: ({ index }) => index % 2 === 1 });
  const odd = await tracksOf(memory);
  const { user, system } = process.cpuUsage(cpu);
  const lifted = await liftsOf(memory);
  const twins = twinsOf(odd);
  const near = lifted.filter(({ offM }) => offM <= NEAR_M).length;
  const nearCut = lifted.filter(({ offCutM }) => offCutM <= NEAR_M).length;
  const report = {
    recording: path,
    detector: values.detector,
    frames: frames.length,
    detections: frames.reduce((sum, { detections = [] }) => sum + detections.length, 0),
    faint: frames.reduce(
      (sum, { detections = [] }) => sum + detections.filter(({ faint }) => faint === true).length,
      0,
    ),
    ingestCpuS: Math.round((user + system) / 1e5) / 10,
    framesPerCpuS: Math.round((1e7 * frames.length) / (user + system)) / 10,
    tracksAfterEven: even.length,
    tracksAfterOdd: odd.length,
    newTracks: odd.filter(({ id }) => !even.some((one) => one.id === id)).length,
    growthPercent: Math.round((1000 * (odd.length - even.length)) / even.length) / 10,
    sightings: lifted.length,
    withinOfMedianPercent: percent(near, lifted.length),
    withinOfInnerMedianPercent: percent(nearCut, lifted.length),
    byCategory: Object.fromEntries(
      [...Map.groupBy(lifted, ({ category }) => category)].map(([category, all]) => [
        category,
        `${all.filter(({ offM }) => offM <= NEAR_M).length} of ${all.length}`,
      ]),
    ),
    tracksByCategory: countsOf(odd.map(({ category }) => category)),
    seenOnce: odd.filter(({ seen }) => seen === 1).length,
    twins: twins.length,
    gone: odd.filter(({ isGone }) => isGone).length,
  };
  console.log(JSON.stringify(report, null, 1));
  for (const { category, seen, p, extent, isGone } of odd)
    console.error(
      `${category.padEnd(14)} seen ${String(seen).padStart(3)} at ${p.x.toFixed(2)},${p.y.toFixed(2)},${p.z.toFixed(2)} size ${extent ? `${extent.x.toFixed(2)}×${extent.y.toFixed(2)}×${extent.z.toFixed(2)}` : "?"}${isGone ? ", gone" : ""}`,
    );
  if (values.out !== undefined) {
    mkdirSync(values.out, { recursive: true });
    await draw(memory, values.out);
  }
} finally {
  await memory.close();
  rmSync(folder, { recursive: true });
}

async function detected(from: RecordingReader): Promise<Frame[]> {
  if (values.detector === "eyes") return seen(from);
  const file = values.detections;
  const known: Record<string, Frame["detections"]> | undefined =
    file !== undefined && existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined;
  const detector = known ? null : await openDetector(values.detector, process.env, wanted);
  const out: Frame[] = [];
  for await (const frame of framesOf(from)) {
    if (known) out.push({ ...frame, detections: known[frame.index] ?? [] });
    else out.push(detector ? await detectIn(frame, detector) : frame);
  }
  await detector?.close();
  if (file !== undefined && !known)
    writeFileSync(file, JSON.stringify(Object.fromEntries(out.map((f) => [f.index, f.detections ?? []]))));
  return out;
}

/** With masks, by our own eyes, kept as a recording where that is asked for. */
async function seen(from: RecordingReader): Promise<Frame[]> {
  const eyes = await openEyes({ detector: "eyes", environment: process.env });
  const out: Frame[] = [];
  for await (const item of eyes!.through!(from.items(), async () => true))
    if (item.kind === "frame") out.push(item.frame);
  await eyes!.close();
  if (values.keep !== undefined) {
    const writer = await createRecording(values.keep, { format: "folder", source: from.info.source });
    for (const frame of out) await writer.writeFrame(frame);
    await writer.finish();
  }
  return out;
}

interface Seen {
  readonly id: string;
  readonly category: string;
  readonly seen: number;
  readonly p: Vec3;
  readonly extent: Vec3 | undefined;
  /** By the memory it is no longer there, though nothing moved in the recording. */
  readonly isGone: boolean;
}

/** One entry for each track that stands, by its latest state. */
async function tracksOf(of: Memory): Promise<Seen[]> {
  const from = await of.reader();
  const tracks = await from.search({ kinds: ["track"], rank: "latest", limit: 10_000 });
  const states = await from.search({ kinds: ["state"], rank: "latest", limit: 10_000 });
  const merged = new Set(
    tracks.hits.flatMap(({ record }) =>
      record.kind === "track" && record.mergedInto !== undefined ? [record.id] : [],
    ),
  );
  const latest = new Map<string, Seen>();
  for (const { record } of states.hits) {
    if (record.kind !== "state" || merged.has(record.trackId) || latest.has(record.trackId)) continue;
    // A record merged into another was closed in the instant it began.
    if (record.validToUs !== null && record.validToUs - record.validFromUs <= 1) continue;
    const [presence] = await from.presence([record.id]);
    latest.set(record.trackId, {
      id: record.trackId,
      category: record.category ?? "thing",
      seen: presence?.seenCount ?? 0,
      p: record.anchor?.p ?? { x: 0, y: 0, z: 0 },
      extent: record.extent,
      isGone: record.validToUs !== null,
    });
  }
  return [...latest.values()].sort((a, b) => a.category.localeCompare(b.category) || b.seen - a.seen);
}

/** Each lifted detection against the depths in its box: how far its centre lies from the median along the view. */
async function liftsOf(of: Memory): Promise<{ category: string; offM: number; offCutM: number }[]> {
  const byTime = new Map(frames.map((frame) => [frame.timeUs, frame]));
  const { hits } = await (await of.reader()).search({ kinds: ["detection"], rank: "latest", limit: 10_000 });
  return hits.flatMap(({ record }) => {
    if (record.kind !== "detection" || !record.anchor || !record.stateId || !record.bbox) return [];
    const frame = byTime.get(record.validFromUs)!;
    const inCamera = apply(invert(frame.worldFromCamera!), record.anchor.p);
    const medianM = medianDepth(frame, record.bbox, 0);
    const innerM = medianDepth(frame, record.bbox, 0.25);
    if (medianM === undefined || innerM === undefined) return [];
    const category = record.category ?? "thing";
    return [{ category, offM: Math.abs(inCamera.z - medianM), offCutM: Math.abs(inCamera.z - innerM) }];
  });
}

function medianDepth(frame: Frame, [l, t, r, b]: readonly number[], margin: number): number | undefined {
  const { depth } = frame;
  if (!depth) return undefined;
  const [mx, my] = [(r! - l!) * margin, (b! - t!) * margin];
  const all: number[] = [];
  for (let v = Math.floor(t! + my); v < Math.ceil(b! - my); v++) {
    for (let u = Math.floor(l! + mx); u < Math.ceil(r! - mx); u++) {
      const raw = depth.data[v * depth.width + u];
      if (raw !== undefined && raw > 0) all.push(raw * depth.unitM);
    }
  }
  return all.sort((a, z) => a - z)[all.length >> 1];
}

function twinsOf(tracks: readonly Seen[]): [Seen, Seen][] {
  return tracks.flatMap((a, i) =>
    tracks
      .slice(i + 1)
      .flatMap((b): [Seen, Seen][] =>
        a.category === b.category && distance(a.p, b.p) < TWIN_M ? [[a, b]] : [],
      ),
  );
}

function countsOf(names: readonly string[]): Record<string, number> {
  return Object.fromEntries([...Map.groupBy(names, (name) => name)].map(([name, all]) => [name, all.length]));
}

function percent(part: number, all: number): number {
  return Math.round((1000 * part) / Math.max(1, all)) / 10;
}

/** The map from above, and six frames with their boxes. */
async function draw(of: Memory, to: string): Promise<void> {
  await drawMemory(of, join(to, "map.png"), { widthPx: 1200 });
  const sharp = (await import("sharp")).default;
  const step = Math.max(1, Math.floor(frames.length / 6));
  for (const frame of frames.filter((_, n) => n % step === 0).slice(0, 6)) {
    const { rgb } = frame;
    if (!rgb) continue;
    const boxes = (frame.detections ?? []).map(
      ({ bbox: [l, t, r, b], label = "", score }) =>
        `<rect x="${l}" y="${t}" width="${r - l}" height="${b - t}" fill="none" stroke="lime" stroke-width="2"/><text x="${l + 2}" y="${t + 14}" font-size="14" fill="yellow">${label} ${score.toFixed(2)}</text>`,
    );
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${rgb.width}" height="${rgb.height}">${boxes.join("")}</svg>`;
    await sharp(rgb.data, { raw: { width: rgb.width, height: rgb.height, channels: 3 } })
      .composite([{ input: Buffer.from(svg) }])
      .png()
      .toFile(join(to, `frame-${frame.index}.png`));
  }
}
