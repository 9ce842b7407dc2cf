import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { deflateSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Quat, rotate } from "../../geometry/index.ts";
import { decodeExr } from "../exr.ts";
import { describeSource, openRecording } from "../open.ts";
import type { ReadOptions } from "../options.ts";
import { encodePng } from "../png.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "loci-data-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const colour = await encodePng({ width: 4, height: 2, channels: 3, data: new Uint8Array(24).fill(70) });
const depth = await encodePng({ width: 4, height: 2, channels: 1, data: new Uint16Array(8).fill(5_000) });

async function put(files: Record<string, string | Uint8Array>): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), content);
  }
}

async function frames(path = folder, options: ReadOptions = {}) {
  const reader = await openRecording(path, options);
  const found = [];
  for await (const item of reader.items()) if (item.kind === "frame") found.push(item.frame);
  expect(reader.info.frames).toBeGreaterThanOrEqual(found.length);
  await reader.close();
  return found;
}

/** Where the camera looks and where the top of its picture points. */
const forward = (q: Quat) => rounded(rotate(q, { x: 0, y: 0, z: 1 }));
const upward = (q: Quat) => rounded(rotate(q, { x: 0, y: -1, z: 0 }));
const rounded = ({ x, y, z }: { x: number; y: number; z: number }) =>
  [x, y, z].map((v) => Math.round(v * 1e6) / 1e6 + 0);

test("TUM RGB-D: depth by nearest stamp, poses between stamps, 5000 steps a metre", async () => {
  await put({
    "rgb.txt": "# colour\n1305031452.791720 rgb/a.png\n1305031452.900000 rgb/b.png\n",
    "depth.txt": "1305031452.800000 depth/a.png\n1305031453.500000 depth/b.png\n",
    "groundtruth.txt":
      "# t\n1305031452.7 0 0 1 0 0 0 1\n1305031452.9 2 0 1 0 0 0 1\n1305031452.95 nan 0 1 0 0 0 1\n",
    "rgb/a.png": colour,
    "rgb/b.png": colour,
    "depth/a.png": depth,
    "depth/b.png": depth,
    "calibration.txt": "525 525 1.5 0.5\n",
  });
  const [a, b] = await frames();
  expect(a).toMatchObject({ timeUs: 1_305_031_452_791_720, intrinsics: { fx: 525, cx: 2, cy: 1 } });
  expect(a!.worldFromCamera!.p.x).toBeCloseTo(0.9172, 4);
  expect(a!.depth!.data[0]! * a!.depth!.unitM).toBeCloseTo(1, 9);
  expect(b!.depth).toBeUndefined();
  expect(b!.worldFromCamera!.p.x).toBeCloseTo(2, 9);
});

test("TUM RGB-D without a calibration asks for it by the name of the option", async () => {
  await put({ "rgb.txt": "1 rgb/a.png\n", "rgb/a.png": colour });
  await expect(openRecording(folder)).rejects.toThrow(/--intrinsics fx,fy,cx,cy/);
  expect(await frames(folder, { intrinsics: { fx: 2, fy: 2, cx: 1.5, cy: 0.5 } })).toHaveLength(1);
});

test("ScanNet: depth of another size is brought into the colour picture, lost poses stay out", async () => {
  const small = await encodePng({ width: 2, height: 1, channels: 1, data: new Uint16Array(2).fill(1_500) });
  const matrix = (f: number, c: number, d: number) => `${f} 0 ${c} 0\n0 ${f} ${d} 0\n0 0 1 0\n0 0 0 1\n`;
  await put({
    "color/0.png": colour,
    "color/10.png": colour,
    "depth/0.png": small,
    "pose/0.txt": "1 0 0 5\n0 1 0 6\n0 0 1 7\n0 0 0 1\n",
    "pose/10.txt": "-inf -inf -inf -inf\n".repeat(4),
    "intrinsic/intrinsic_color.txt": matrix(4, 1.5, 0.5),
    "intrinsic/intrinsic_depth.txt": matrix(2, 0.5, 0),
  });
  const [a, b] = await frames(folder, { startUs: 1_000 });
  expect(a!.worldFromCamera!.p).toEqual({ x: 5, y: 6, z: 7 });
  expect([...a!.depth!.data]).toEqual(new Array(8).fill(1_500));
  expect(b!.timeUs).toBe(1_000 + 333_330);
  expect(b!.worldFromCamera).toBeUndefined();
  expect((await describeSource(folder)).missing.join(" ")).toMatch(/1 picture has no pose/);
});

describe("Replica", () => {
  const identity = "1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1";
  const camera = { w: 4, h: 2, fx: 3, fy: 3, cx: 1.5, cy: 0.5, scale: 2_500 };

  test("poses by line, depths by number, the camera of all scenes from above the folder", async () => {
    await put({
      "cam_params.json": JSON.stringify({ camera }),
      "office0/results/frame000000.png": colour,
      "office0/results/frame000007.png": colour,
      "office0/results/depth000007.png": depth,
      "office0/traj.txt": `${identity}\n1 0 0 2 0 1 0 3 0 0 1 4 0 0 0 1\n`,
    });
    const [a, b] = await frames(join(folder, "office0"), { worldUp: "z" });
    expect(a!.depth).toBeUndefined();
    // A hand does not carry a camera three metres in a thirtieth of a second.
    expect(b).toMatchObject({ timeUs: 3_000_000, intrinsics: { fx: 3, cx: 2, cy: 1 } });
    expect(b!.worldFromCamera!.p).toEqual({ x: 2, y: 3, z: 4 });
    expect(b!.depth!.data[0]! * b!.depth!.unitM).toBeCloseTo(2, 9);
  });

  test("asks for a camera that no file tells, and refuses one that is none", async () => {
    await put({ "results/frame000000.png": colour, "traj.txt": `${identity}\n${identity}\n` });
    await expect(openRecording(folder)).rejects.toThrow(/--intrinsics fx,fy,cx,cy/);
    const plan = await describeSource(folder, { intrinsics: { fx: 2, fy: 2, cx: 1.5, cy: 0.5 } });
    expect(plan).toMatchObject({ format: "replica", frames: 1 });
    expect(plan.missing).toContain("traj.txt has 2 poses for 1 pictures.");
    await put({ "cam_params.json": JSON.stringify({ camera: { ...camera, fx: -1 } }) });
    await expect(openRecording(folder)).rejects.toThrow(/expected camera: \{w, h/);
  });
});

describe("Open3D and Redwood", () => {
  const camera = { width: 4, height: 2, intrinsic_matrix: [3, 0, 0, 0, 3, 0, 1.5, 0.5, 1] };
  /** Cameras a metre apart in a world with y up; the matrix rotates by half a turn about x. */
  const item = (id: number, x = `${id}`) =>
    `${id}\t${id}\t${id + 1}\n 1 0 0 ${x}\n0 -1 0 1.5\n0 0 -1 0.00e+000\n0 0 0 1\n`;
  const pictures = (...numbers: string[]) =>
    Object.fromEntries(
      numbers.flatMap((n) => [[`color/${n}.png`, colour] as const, [`depth/${n}.png`, depth]]),
    );
  const placesX = async () => (await frames()).map(({ worldFromCamera }) => worldFromCamera?.p.x);

  test("poses of trajectory.log, the camera of a JSON of any name, y up", async () => {
    await put({
      ...pictures("00000", "00001"),
      "depth/00007.png": depth,
      "TUM_color.png": colour,
      "any.json": JSON.stringify(camera),
      "config.json": JSON.stringify({ path_intrinsic: "" }),
      "path.json": JSON.stringify({ parameters: [{ intrinsic: camera }] }),
      "trajectory.log": `${item(0)}\n${item(1)}`,
      "odometry.log": item(0, "9"),
      "pairs.log": item(0).replace("0\t0\t1", "0 1 57"),
      "run.log": "started\n",
    });
    const [a, b, ...none] = await frames();
    expect(none).toEqual([]);
    expect(a).toMatchObject({ timeUs: 0, intrinsics: { fx: 3, cx: 2, cy: 1 }, depth: { unitM: 0.001 } });
    expect(b!.timeUs).toBe(2_000_000);
    expect(rounded(b!.worldFromCamera!.p)).toEqual([1, 0, 1.5]);
    expect(forward(b!.worldFromCamera!.q)).toEqual([0, 1, 0]);
    expect(upward(b!.worldFromCamera!.q)).toEqual([0, 0, 1]);
    const plan = await describeSource(folder);
    expect(plan).toMatchObject({
      format: "open3d",
      poses: { from: "trajectory.log", count: 2 },
      missing: [expect.stringMatching(/^Only 2 frames/)],
    });
    expect(plan.conventions).toContain("Poses are those of trajectory.log, not of odometry.log.");
    expect(plan.conventions).toContain("The camera is that of any.json.");
  });

  test("pictures counted from 1, a trajectory of another name, and no camera: a PrimeSense, and said so", async () => {
    await put({
      "image/000001.png": colour,
      "image/000002.png": colour,
      "depth/000001.png": depth,
      "lounge_trajectory.log": item(0) + item(1),
    });
    expect(await placesX()).toEqual([0, 1]);
    const plan = await describeSource(folder);
    expect(plan.missing).toEqual([
      expect.stringMatching(/PrimeSense.*--intrinsics/),
      expect.stringMatching(/^Only 2 frames/),
      "1 picture has no depth.",
    ]);
    const [own] = await frames(folder, { intrinsics: { fx: 2, fy: 2, cx: 1.5, cy: 0.5 } });
    expect(own!.intrinsics.fx).toBe(2);
    await put({ "image/000003.png": colour });
    expect(await placesX()).toEqual([0, 1, undefined]);
  });

  test("where poses are lost or pictures left out, numbers tell which belong together", async () => {
    await put({ ...pictures("00000", "00002", "00003"), "trajectory.log": item(0) + item(3) });
    expect(await placesX()).toEqual([0, undefined, 3]);
    const { missing } = await describeSource(folder);
    expect(missing).toContain("trajectory.log has 2 poses for 3 pictures: they go by number.");
    expect(missing).toContain("1 picture has no pose.");
    await put({
      "trajectory.log": [0, 1, 2, 3].map((id) => item(id, id === 2 ? "nan" : undefined)).join(""),
    });
    expect(await placesX()).toEqual([0, undefined, 3]);
  });

  test("a camera alone is enough for depth, and a finished reconstruction has its poses in scene/", async () => {
    await put({ ...pictures("000000"), "camera_intrinsic.json": JSON.stringify(camera) });
    expect((await frames())[0]).toMatchObject({ intrinsics: { fx: 3 }, depth: { unitM: 0.001 } });
    expect((await describeSource(folder)).poses).toBeNull();
    await put({ "camera_intrinsic.json": JSON.stringify({ ...camera, depth_scale: 4_000 }) });
    expect((await frames())[0]!.depth!.unitM).toBe(0.00025);
    await put({ "scene/trajectory.log": item(0, "4") });
    expect(await placesX()).toEqual([4]);
  });

  test.each([
    [
      "a row of three numbers",
      item(0).replace("0 -1 0 1.5", "0 -1 0"),
      /four rows of four numbers after "0 0 1"/,
    ],
    ["a cell that is no number", item(0, "x1"), /four rows of four numbers after "0 0 1".*got "1 0 0 x1"/],
    ["a matrix cut off", item(0) + item(1).split("\n").slice(0, 3).join("\n"), /after "1 1 2".*got ""/],
    ["a matrix without its numbers", item(0).replace("0\t0\t1\n", ""), /three whole numbers.*got "1 0 0 0"/],
  ])("refuses a trajectory with %s", async (_, log, message) => {
    await put({ ...pictures("00000"), "trajectory.log": log });
    await expect(openRecording(folder)).rejects.toMatchObject({
      code: "invalid-input",
      message: expect.stringMatching(message),
    });
  });

  test("refuses a camera that is written row by row, and JSON that is none", async () => {
    const rows = { ...camera, intrinsic_matrix: [3, 0, 1.5, 0, 3, 0.5, 0, 0, 1] };
    await put({ ...pictures("00000"), "intrinsic.json": JSON.stringify(rows) });
    await expect(openRecording(folder)).rejects.toThrow(/intrinsic_matrix: .*column by column/);
    await put({ "intrinsic.json": '{"intrinsic_matrix": [3,' });
    await expect(openRecording(folder)).rejects.toThrow(/expected JSON in .*intrinsic\.json/);
  });
});

describe("transforms.json", () => {
  const file = (matrix: number[][]) =>
    JSON.stringify({
      fl_x: 4,
      fl_y: 4,
      cx: 2,
      cy: 1,
      w: 4,
      h: 2,
      frames: [{ file_path: "images/a.png", transform_matrix: matrix }],
    });
  const zUp = [
    [1, 0, 0, 1],
    [0, 0, -1, 2],
    [0, 1, 0, 3],
    [0, 0, 0, 1],
  ];

  test("OpenGL cameras in a z-up world look where they looked", async () => {
    await put({ "transforms.json": file(zUp), "images/a.png": colour });
    const [frame] = await frames();
    expect(frame!.intrinsics).toEqual({ fx: 4, fy: 4, cx: 2, cy: 1, width: 4, height: 2 });
    expect(frame!.worldFromCamera!.p).toEqual({ x: 1, y: 2, z: 3 });
    expect(forward(frame!.worldFromCamera!.q)).toEqual([0, 1, 0]);
    expect(upward(frame!.worldFromCamera!.q)).toEqual([0, 0, 1]);
  });

  test("a y-up world, as ARKit has it, is stood upright", async () => {
    const yUp = [
      [1, 0, 0, 1],
      [0, 1, 0, 2],
      [0, 0, 1, 3],
      [0, 0, 0, 1],
    ];
    await put({ "transforms.json": file(yUp), "images/a.png": colour });
    const [frame] = await frames();
    expect(rounded(frame!.worldFromCamera!.p)).toEqual([1, -3, 2]);
    expect(upward(frame!.worldFromCamera!.q)).toEqual([0, 0, 1]);
    expect(forward(frame!.worldFromCamera!.q)).toEqual([0, 1, 0]);
  });

  test("a camera that looks straight down does not tell which way is up: the option is asked for", async () => {
    const s = Math.SQRT1_2;
    await put({
      "transforms.json": file([
        [s, -s, 0, 0],
        [s, s, 0, 0],
        [0, 0, 1, 5],
        [0, 0, 0, 1],
      ]),
      "images/a.png": colour,
    });
    await expect(openRecording(folder)).rejects.toThrow(/--world-up x, y, z/);
    const [frame] = await frames(folder, { worldUp: "z" });
    expect(forward(frame!.worldFromCamera!.q)).toEqual([0, 0, -1]);
  });

  test("world-to-camera poses are turned round when told", async () => {
    await put({
      "transforms.json": file([
        [1, 0, 0, 1],
        [0, 1, 0, 2],
        [0, 0, 1, 3],
        [0, 0, 0, 1],
      ]),
      "images/a.png": colour,
    });
    const [frame] = await frames(folder, { poseConvention: "world-to-camera", worldUp: "z" });
    expect(rounded(frame!.worldFromCamera!.p)).toEqual([-1, -2, -3]);
  });
});

test("KITTI: the right camera of the rig, times from zero, the road below", async () => {
  await put({
    "image_2/000000.png": colour,
    "image_2/000001.png": colour,
    "times.txt": "0.0\n1.036e-01\n",
    "poses.txt": "1 0 0 0 0 1 0 0 0 0 1 0\n1 0 0 0 0 1 0 0 0 0 1 2\n",
    "calib.txt": "P0: 4 0 1.5 0 0 4 0.5 0 0 0 1 0\nP2: 4 0 1.5 -2 0 4 0.5 0 0 0 1 0\n",
  });
  const [a, b] = await frames(folder, { startUs: 10 });
  expect(a!.worldFromCamera!.p.x).toBe(0.5);
  expect(b!.timeUs).toBe(103_610);
  expect(rounded(b!.worldFromCamera!.p)).toEqual([0.5, 2, 0]);
  expect(forward(b!.worldFromCamera!.q)).toEqual([0, 1, 0]);
  expect(upward(b!.worldFromCamera!.q)).toEqual([0, 0, 1]);
});

test("a folder of the 7-Scenes layout in a y-down world is stood upright", async () => {
  await put({
    "frame-000000.color.png": colour,
    "frame-000000.pose.txt": "1 0 0 1\n0 1 0 2\n0 0 1 3\n0 0 0 1\n",
    "camera-intrinsics.txt": "4 0 1.5\n0 4 0.5\n0 0 1\n",
  });
  const [frame] = await frames();
  expect(upward(frame!.worldFromCamera!.q)).toEqual([0, 0, 1]);
  expect(rounded(frame!.worldFromCamera!.p)).toEqual([1, 3, -2]);
});

test("pictures alone have times from their names, no poses, and a plan that says what is missing", async () => {
  await put({ "1700000000.25.png": colour, "1700000001.5.png": colour });
  const found = await frames();
  expect(found.map(({ timeUs }) => timeUs)).toEqual([1_700_000_000_250_000, 1_700_000_001_500_000]);
  expect(found[0]!.worldFromCamera).toBeUndefined();
  expect((await describeSource(folder)).missing.join(" ")).toMatch(/No poses.*No depth.*No calibration/);
});

test("a picture that does not decode is skipped and told, the others are read", async () => {
  await put({ "a1.png": colour, "a2.png": colour.subarray(0, 40), "a10.png": colour });
  const skipped: string[] = [];
  const found = await frames(folder, { onSkip: ({ what }) => skipped.push(what) });
  expect(found.map(({ index, timeUs }) => [index, timeUs])).toEqual([
    [0, 0],
    [1, 66_666],
  ]);
  expect(skipped).toEqual(["a2.png"]);
});

test("COCO detections with poses become frames with boxes, with or without pictures", async () => {
  const pose = [0, 0, 1, 1, -1, 0, 0, 2, 0, -1, 0, 1.5, 0, 0, 0, 1];
  await put({
    "run.json": JSON.stringify({
      camera: { fx: 4, fy: 4, cx: 1.5, cy: 0.5 },
      images: [
        { id: 1, file_name: "a.png", depth_file_name: "a.depth.png", timestamp: 1_700_000_000.5, pose },
        { id: 2, width: 4, height: 2, date_captured: "2024-01-02T03:04:05Z" },
      ],
      annotations: [{ image_id: 1, bbox: [1, 0, 2, 1], category_id: 3, score: 0.5, caption: "a red mug" }],
      categories: [{ id: 3, name: "cup" }],
    }),
    "a.png": colour,
    "a.depth.png": depth,
  });
  const [a, b] = await frames(join(folder, "run.json"));
  expect(a).toMatchObject({
    timeUs: 1_700_000_000_500_000,
    worldFromCamera: { p: { x: 1, y: 2, z: 1.5 } },
    detections: [{ bbox: [1, 0, 3, 1], score: 0.5, label: "cup", text: "a red mug" }],
  });
  expect(b).toMatchObject({ timeUs: Date.UTC(2024, 0, 2, 3, 4, 5) * 1000, detections: [] });
  expect(b!.rgb).toBeUndefined();
});

test("an empty folder and a video say what would be read instead", async () => {
  await expect(openRecording(folder)).rejects.toThrow(/expected a recording/);
  await put({ "film.mp4": Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from("ftypmp42")]) });
  await expect(openRecording(join(folder, "film.mp4"))).rejects.toThrow(/ffmpeg/);
});

test("Stray Scanner: poses by odometry.csv, depth coarser than colour, y up; rgb.mp4 must be unpacked", async () => {
  const large = await encodePng({ width: 16, height: 8, channels: 3, data: new Uint8Array(384).fill(7) });
  const files = {
    "camera_matrix.csv": "12,0,8\n0,12,4\n0,0,1\n",
    "odometry.csv":
      "timestamp, frame, x, y, z, qx, qy, qz, qw\n10.5, 000000, 0, 1.5, 0, 1, 0, 0, 0\n10.6, 000001, 1, 1.5, 0, 1, 0, 0, 0\n",
    "depth/000000.png": depth,
    "depth/000001.png": depth,
  };
  await put(files);
  await expect(openRecording(folder)).rejects.toThrow(/ffmpeg -i rgb.mp4/);
  await put({ "rgb/000000.png": large, "rgb/000001.png": large });
  const [a, b] = await frames();
  expect(await describeSource(folder)).toMatchObject({ format: "stray", frames: 2, poses: { count: 2 } });
  expect(a).toMatchObject({
    timeUs: 0,
    intrinsics: { width: 4, height: 2, fx: 3 },
    rgb: { width: 16 },
    depth: { width: 4 },
  });
  expect(b!.timeUs).toBe(100_000);
  expect(b!.worldFromCamera!.p).toMatchObject({ x: 1, z: 1.5 });
  // Half a turn about x: the camera looks along the files' -z with their y up, which is our +y with z up.
  expect(forward(a!.worldFromCamera!.q)).toEqual([0, 1, 0]);
  expect(upward(a!.worldFromCamera!.q)).toEqual([0, 0, 1]);
});

test("Polycam: keyframes with a JSON each, corrected ones first", async () => {
  const pose = {
    t_00: 1,
    t_01: 0,
    t_02: 0,
    t_03: 2,
    t_10: 0,
    t_11: 1,
    t_12: 0,
    t_13: 1.4,
    t_20: 0,
    t_21: 0,
    t_22: 1,
    t_23: 0,
  };
  const camera = { fx: 4, fy: 4, cx: 2, cy: 1, width: 4, height: 2, timestamp: 5_000_000, ...pose };
  await put({
    "keyframes/images/100.png": colour,
    "keyframes/images/200.png": colour,
    "keyframes/cameras/100.json": JSON.stringify(camera),
    "keyframes/cameras/200.json": JSON.stringify({ ...camera, timestamp: 5_250_000 }),
    "keyframes/depth/100.png": depth,
  });
  const [a, b] = await frames();
  expect(a).toMatchObject({ timeUs: 0, intrinsics: { fx: 4, cx: 2, cy: 1 }, depth: { unitM: 0.001 } });
  expect(b).toMatchObject({ timeUs: 250_000 });
  expect(b!.depth).toBeUndefined();
  expect(forward(a!.worldFromCamera!.q)).toEqual([0, 1, 0]);
  expect(a!.worldFromCamera!.p.z).toBeCloseTo(1.4, 9);
  await put({
    "keyframes/corrected_images/100.png": colour,
    "keyframes/corrected_cameras/100.json": JSON.stringify({ ...camera, t_03: 3 }),
  });
  const [corrected, ...none] = await frames();
  expect(corrected!.worldFromCamera!.p.x).toBeCloseTo(3, 9);
  expect(none).toEqual([]);
});

/** An OpenEXR picture of one channel of floats, packed as Record3D may pack it. */
function exr(width: number, values: readonly number[], compression: 0 | 3): Uint8Array {
  const height = values.length / width;
  const attribute = (name: string, type: string, data: Uint8Array) => {
    const size = Buffer.alloc(4);
    size.writeInt32LE(data.length);
    return Buffer.concat([Buffer.from(`${name}\0${type}\0`), size, data]);
  };
  const numbers = (...all: number[]) => Buffer.from(Int32Array.from(all).buffer);
  const channels = Buffer.concat([Buffer.from("R\0"), numbers(2, 0, 1, 1), Buffer.alloc(1)]);
  const head = Buffer.concat([
    numbers(20_000_630, 2),
    attribute("channels", "chlist", channels),
    attribute("compression", "compression", Uint8Array.of(compression)),
    attribute("dataWindow", "box2i", numbers(0, 0, width - 1, height - 1)),
    Buffer.alloc(1),
  ]);
  const raw = Buffer.from(Float32Array.from(values).buffer);
  const lines = compression === 0 ? 1 : 16;
  const chunks: Buffer[] = [];
  for (let y = 0; y < height; y += lines) {
    const part = raw.subarray(4 * width * y, 4 * width * Math.min(height, y + lines));
    const packed = compression === 0 ? part : packedAsZip(part);
    chunks.push(Buffer.concat([numbers(y, packed.length), packed]));
  }
  const table = Buffer.alloc(8 * chunks.length);
  let at = head.length + table.length;
  chunks.forEach((chunk, n) => {
    table.writeBigUInt64LE(BigInt(at), 8 * n);
    at += chunk.length;
  });
  return Buffer.concat([head, table, ...chunks]);
}

function packedAsZip(part: Uint8Array): Buffer {
  const apart = [...part].filter((_, n) => n % 2 === 0).concat([...part].filter((_, n) => n % 2 === 1));
  const steps = apart.map((value, n) => (n === 0 ? value : value - apart[n - 1]! + 128 + 256) & 255);
  const packed = deflateSync(Uint8Array.from(steps));
  return packed.length < part.length ? packed : Buffer.from(part);
}

test("Record3D: a pose and a camera a frame, depth in metres as OpenEXR", async () => {
  const near = Array.from({ length: 200 }, (_, n) => (n === 0 ? Number.NaN : 1.5));
  const metadata = {
    w: 4,
    h: 2,
    fps: 60,
    K: [4, 0, 0, 0, 4, 0, 1.5, 0.5, 1],
    poses: [
      [0, 0, 0, 1, 0, 1.4, 0],
      [0, 0, 0, 1, 1, 1.4, 0],
    ],
    perFrameIntrinsicCoeffs: [
      [4, 4, 1.5, 0.5],
      [5, 5, 1.5, 0.5],
    ],
    frameTimestamps: [7, 7.25],
  };
  await put({
    "EXR_RGBD/metadata.json": JSON.stringify(metadata),
    "EXR_RGBD/rgb/0.png": colour,
    "EXR_RGBD/rgb/1.png": colour,
    "EXR_RGBD/depth/0.exr": exr(4, [0, 1, 2, 3, 4, 5, 70, -1], 0),
    "EXR_RGBD/depth/1.exr": exr(4, [1, 1, 1, 1, 1, 1, 1, 1], 3),
  });
  const [a, b] = await frames();
  expect(a).toMatchObject({ timeUs: 0, intrinsics: { fx: 4, cx: 2, cy: 1 }, depth: { unitM: 0.001 } });
  expect([...a!.depth!.data]).toEqual([0, 1_000, 2_000, 3_000, 4_000, 5_000, 0, 0]);
  expect(b).toMatchObject({ timeUs: 250_000, intrinsics: { fx: 5 } });
  expect([...b!.depth!.data]).toEqual(Array(8).fill(1_000));
  expect(forward(a!.worldFromCamera!.q)).toEqual([0, 1, 0]);
  expect(b!.worldFromCamera!.p).toMatchObject({ x: 1, z: 1.4 });
  // Packed lines that are smaller than their pixels, over more than one chunk.
  const large = decodeExr(exr(5, near, 3));
  expect(large).toMatchObject({ width: 5, height: 40 });
  expect([...large.data.subarray(1)]).toEqual(near.slice(1));
  expect(() => decodeExr(exr(5, near, 3).subarray(0, 200))).toThrow(/OpenEXR/);
});

test("Record3D: front cameras know no poses, and an unzipped .r3d is told what to export", async () => {
  const still = {
    w: 4,
    h: 2,
    K: [4, 0, 0, 0, 4, 0, 1.5, 0.5, 1],
    poses: [0, 1].map(() => [0, 0, 0, 1, 0, 0, 0]),
  };
  await put({
    "metadata.json": JSON.stringify(still),
    "rgb/0.png": colour,
    "rgb/1.png": colour,
    "depth/x": "",
  });
  const [a, b] = await frames();
  expect(a!.worldFromCamera).toBeUndefined();
  expect(b!.timeUs).toBe(33_333);
  await rm(join(folder, "metadata.json"));
  await put({ metadata: "{}", "rgbd/0.depth": "" });
  await expect(frames()).rejects.toThrow(/EXR \+ JPG/);
});
