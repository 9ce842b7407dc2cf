import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Quat, rotate } from "../../../geometry/index.ts";
import { describeSource, openRecording } from "../../open.ts";
import type { ReadOptions } from "../../options.ts";
import { encodePng } from "../../png.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "loci-posed-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const colour = await encodePng({ width: 8, height: 4, channels: 3, data: new Uint8Array(96).fill(7) });
const upright = await encodePng({ width: 4, height: 8, channels: 3, data: new Uint8Array(96).fill(7) });
const depth = await encodePng({ width: 8, height: 4, channels: 1, data: new Uint16Array(32).fill(2_000) });

async function put(files: Record<string, string | Uint8Array>): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), content);
  }
}

async function frames(options: ReadOptions = {}) {
  const reader = await openRecording(folder, { worldUp: "z", ...options });
  const found = [];
  for await (const item of reader.items()) if (item.kind === "frame") found.push(item.frame);
  await reader.close();
  return found;
}

const forward = (q: Quat) => {
  const { x, y, z } = rotate(q, { x: 0, y: 0, z: 1 });
  return [x, y, z].map((v) => Math.round(v * 1e6) / 1e6 + 0);
};

const K = "6 0 3.5\n0 6 1.5\n0 0 1\n";
/** A camera that looks along +Y of a world with z up, at some place. */
const LOOKS_Y = (x: number) => `1 0 0 ${x}\n0 0 1 0\n0 -1 0 1.5\n0 0 0 1\n`;
const inOneLine = (matrix: string) => matrix.trim().replaceAll("\n", " ");

describe("layouts that nobody standardised", () => {
  test("K.txt, poses.txt, images/ and depth/: a matrix a line, by name", async () => {
    await put({
      "K.txt": K,
      "poses.txt": `# c2w\nb.png ${inOneLine(LOOKS_Y(2))}\na.png ${inOneLine(LOOKS_Y(1))}\n`,
      "images/a.png": colour,
      "images/b.png": colour,
      "depth/a.png": depth,
    });
    const [a, b] = await frames();
    expect(a).toMatchObject({ intrinsics: { fx: 6, cx: 4, cy: 2 }, worldFromCamera: { p: { x: 1 } } });
    expect(forward(a!.worldFromCamera!.q)).toEqual([0, 1, 0]);
    expect(a!.depth!.data[0]! * a!.depth!.unitM).toBeCloseTo(2, 9);
    expect(b!.worldFromCamera!.p.x).toBe(2);
    expect(b!.depth).toBeUndefined();
  });

  test("poses in the order of the pictures: seven numbers, or four rows each", async () => {
    const rows = { "K.txt": K, "images/1.png": colour, "images/10.png": colour };
    await put({ ...rows, "traj.txt": "1 0 1 0 0 0 1\n2 0 1 0 0 0 1\n" });
    expect((await frames()).map(({ worldFromCamera: at }) => at!.p.x)).toEqual([1, 2]);
    await put({ "traj.txt": LOOKS_Y(3) + LOOKS_Y(4) });
    expect((await frames()).map(({ worldFromCamera: at }) => at!.p.x)).toEqual([3, 4]);
  });

  test("OpenEQA's frames: N-rgb.png, N-depth.png, N.txt and the calibrations of ScanNet", async () => {
    const K4 = "6 0 3.5 0\n0 6 1.5 0\n0 0 1 0\n0 0 0 1\n";
    await put({
      ...{ "000000-rgb.png": colour, "000000-depth.png": depth, "000000.txt": LOOKS_Y(1) },
      ...{ "000020-rgb.png": colour, "000020-depth.png": depth, "000020.txt": LOOKS_Y(1.5) },
      ...{ "intrinsic_color.txt": K4, "intrinsic_depth.txt": K4 },
    });
    const found = await frames();
    expect(found.map(({ worldFromCamera: at }) => at!.p.x)).toEqual([1, 1.5]);
    expect(found.every((frame) => frame.depth !== undefined && frame.intrinsics.fx === 6)).toBe(true);
  });

  test("a recorder on ARCore: state.txt, N.mat column by column, N.tms, portrait, depth a tenth", async () => {
    const mat = "1 0 0 0\n0 0 -1 0\n0 1 0 0\n5 6 7 1\n";
    const fine = await encodePng({ width: 40, height: 80, channels: 3, data: new Uint8Array(9_600).fill(9) });
    const coarse = await encodePng({
      width: 4,
      height: 8,
      channels: 1,
      data: new Uint16Array(32).fill(1_500),
    });
    await put({
      "state.txt": "2 40 80 19.5 39.5 60 50\n",
      "distortion.txt": "0\n0\n0\n0\n0\n",
      ...{ "00000000.png": fine, "00000000.mat": mat + mat + mat, "00000000.tms": "6.5" },
      ...{ "00000001.png": fine, "00000001.mat": mat + mat + mat, "00000001.tms": "7.25" },
      ...{ "depth_mm/00000000.png": coarse, "depth_mm/00000001.png": coarse },
    });
    const [a, b] = await frames({ worldUp: "z" });
    expect([a!.timeUs, b!.timeUs]).toEqual([0, 750_000]);
    expect(a!.worldFromCamera!.p).toEqual({ x: 5, y: 6, z: 7 });
    expect(forward(a!.worldFromCamera!.q)).toEqual([0, 1, 0]);
    // Depth keeps its own resolution; the colour is finer.
    expect(a!.intrinsics).toMatchObject({ width: 4, height: 8, fx: 6, fy: 5, cx: 2, cy: 4 });
    expect(a!.rgb!.width).toBe(40);
  });

  test("texts of OpenCV: the world into a camera whose y points up", async () => {
    const yaml = (t: string) =>
      `%YAML:1.0\nTVector: !!opencv-matrix\n   rows: 3\n   cols: 1\n   dt: f\n   data: [ ${t} ]\nRMatrix: !!opencv-matrix\n   rows: 3\n   cols: 3\n   dt: f\n   data: [ 0., -1., 0., 0., 0., 1., 1., 0., 0. ]\nfx: 6.\nfy: 6.\ncx: 3.5\ncy: 1.5\n`;
    await put({
      ...{ "rgb0/1.png": colour, "rgb0/1.txt": yaml("0., 0., 0.") },
      ...{ "rgb0/2.png": colour, "rgb0/2.txt": yaml("0., -1.5, -2.") },
    });
    const [a, b] = await frames();
    expect(a!.intrinsics).toMatchObject({ fx: 6, cx: 4, cy: 2 });
    expect(forward(a!.worldFromCamera!.q)).toEqual([1, 0, 0]);
    expect(b!.worldFromCamera!.p.x).toBeCloseTo(2, 6);
    expect(b!.worldFromCamera!.p.z).toBeCloseTo(1.5, 6);
  });

  test("sequences under the calibration of their camera", async () => {
    await put({
      "camera-intrinsics.txt": K,
      "seq-01/frame-000000.color.png": colour,
      "seq-01/frame-000000.depth.png": depth,
      "seq-01/frame-000000.pose.txt": LOOKS_Y(1),
    });
    expect(await frames()).toMatchObject([{ worldFromCamera: { p: { x: 1 } }, intrinsics: { fx: 6 } }]);
    folder = join(folder, "seq-01");
    expect(await frames()).toMatchObject([{ worldFromCamera: { p: { x: 1 } }, intrinsics: { fx: 6 } }]);
    folder = dirname(folder);
  });
});

describe("a calibration that is of other pictures", () => {
  test("of the depths' size is scaled, and of pictures on their side turned", async () => {
    const small = await encodePng({ width: 4, height: 2, channels: 1, data: new Uint16Array(8).fill(900) });
    await put({ "K.txt": "3 0 1.5\n0 3 0.5\n0 0 1\n", "rgb/1.png": colour, "depth/1.png": small });
    const plan = await describeSource(folder);
    expect(plan.conventions.join(" ")).toMatch(/calibration is of pictures of 4×2, as the depths/);
    await rm(folder, { recursive: true });
    await put({ "K.txt": K, "rgb/1.png": upright });
    expect((await frames())[0]!.intrinsics).toMatchObject({ width: 4, height: 8, fx: 6, cx: 2, cy: 4 });
    expect((await describeSource(folder)).conventions.join(" ")).toMatch(/lie on their side/);
  });

  test("a bent lens is straightened: what it shows too near the middle goes outwards", async () => {
    const data = new Uint8Array(8 * 4 * 3);
    data.fill(255, 3 * (2 * 8 + 6), 3 * (2 * 8 + 7));
    const dot = await encodePng({ width: 8, height: 4, channels: 3, data });
    await put({ "K.txt": K, "distortion.txt": "5\n-0.8\n0\n0\n0\n0\n", "rgb/1.png": dot });
    const { rgb } = (await frames())[0]!;
    const lit = Array.from({ length: 32 }, (_, at) => rgb!.data[3 * at]!).flatMap((v, at) =>
      v > 0 ? [at] : [],
    );
    expect(lit.length).toBeGreaterThan(0);
    expect(Math.max(...lit.map((at) => at % 8))).toBe(7);
  });
});

test("what lies beside pictures and is no pose is told of, with what would be one", async () => {
  await put({ "K.txt": K, "1.png": colour, "1.txt": "a cat on a mat", "2.png": colour, "2.txt": "a dog" });
  expect((await describeSource(folder)).missing.join(" ")).toMatch(
    /N\.txt.*not understood as poses: 12 or 16/,
  );
});

test("a part of a TUM recording keeps the whole lists, and its camera is known by the bag they name", async () => {
  await put({
    "rgb.txt":
      "# color images\n# file: 'rgbd_dataset_freiburg2_desk.bag'\n1.0 rgb/1.0.png\n2.0 rgb/2.0.png\n",
    "depth.txt": "1.0 depth/1.0.png\n",
    "groundtruth.txt": "1.0 0 0 1 0 0 0 1\n2.0 1 0 1 0 0 0 1\n",
    ...{ "rgb/1.0.png": colour, "depth/1.0.png": depth },
  });
  const plan = await describeSource(folder);
  expect(plan.frames).toBe(1);
  expect(plan.missing.join(" ")).toMatch(/1 of the 2 pictures in rgb\.txt are not there/);
  expect((await frames())[0]!.intrinsics.fx).toBeCloseTo((520.9 * 8) / 640, 6);
});
