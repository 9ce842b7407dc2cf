import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import type { RgbImage } from "../../schema/index.ts";
import { FLOAT, field, model, node, numbers, shape, value } from "../onnx-message.ts";
import { findPackage } from "../optional-package.ts";
import { thingsIn } from "./boxes.ts";
import { metadataOf, namesIn } from "./metadata.ts";
import { openYoloOnnx } from "./yolo-onnx.ts";

const packagesFrom = process.env.LOCI_PACKAGES;
const installed = findPackage("onnxruntime-node", packagesFrom) !== null;
const root = await mkdtemp(join(tmpdir(), "loci-yolo-"));
afterAll(() => rm(root, { recursive: true }));

const SIDE = 16;
const NAMES = ["mug", "teacher's desk"];
const entry = (key: string, text: string) => field(14, Buffer.concat([field(1, key), field(2, text)]));

/** A network that says the same boxes whatever it sees, times how bright the picture's first pixel is. */
function writeYolo(
  name: string,
  dims: readonly number[],
  said: readonly number[],
  names = `{0: 'mug', 1: "teacher's desk"}`,
) {
  const graph = [
    node("Slice", ["images", "from", "to"], "pixel"),
    node("Reshape", ["pixel", "one"], "bright"),
    node("Mul", ["boxes", "bright"], "output0"),
    shape("from", [0, 0, 6, 0]),
    shape("to", [1, 1, 7, 1]),
    shape("one", [1]),
    numbers("boxes", dims, (i) => said[i]!),
    field(11, value("images", FLOAT, [1, 3, SIDE, SIDE])),
    field(12, value("output0", FLOAT, [...dims])),
  ];
  const file = join(root, `${name}.onnx`);
  const bytes = Buffer.concat([
    model(name, graph),
    entry("imgsz", `[${SIDE}, ${SIDE}]`),
    entry("names", names),
  ]);
  return writeFile(file, bytes).then(() => file);
}

const white = (width: number, height: number): RgbImage => ({
  width,
  height,
  data: new Uint8Array(3 * width * height).fill(255),
});

/** A picture of 32×16 lies in the middle rows of the square input, at half its size. */
const FITTED = { scale: 0.5, left: 0, top: 4, width: 32, height: 16 };
const MUG = { label: "mug", score: expect.closeTo(0.9, 5), bbox: [4, 0, 12, 8] };
const DESK = { label: "teacher's desk", score: expect.closeTo(0.3, 5), bbox: [16, 4, 32, 16], faint: true };

/** The two things in each layout: columns with scores, rows with one score more, rows of corners. */
const LAYOUTS = {
  columns: { dims: [1, 6, 3], data: [4, 12, 4, 6, 9, 6, 4, 8, 4, 4, 6, 4, 0.9, 0.1, 0.8, 0.1, 0.3, 0.1] },
  rows: { dims: [1, 2, 7], data: [4, 6, 4, 4, 0.9, 1, 0.2, 12, 9, 8, 6, 0.5, 0.1, 0.6] },
  corners: { dims: [1, 3, 6], data: [2, 4, 6, 8, 0.9, 0, 8, 6, 16, 12, 0.3, 1, 0, 0, 9, 9, 0.1, 0] },
} as const;

describe("boxes of a network of YOLO shape", () => {
  it.each(["columns", "rows", "corners"] as const)(
    "are read as %s, without doubles and what is hardly there",
    (name) => {
      expect(thingsIn(LAYOUTS[name], NAMES, FITTED, 0.4)).toEqual([MUG, DESK]);
    },
  );

  it("are refused in another shape, with the shapes that are read", () => {
    expect(() => thingsIn({ dims: [1, 9, 3], data: [] }, NAMES, FITTED, 0.4)).toThrow(
      /with 2 classes \(1×6×n, 1×n×7 or 1×n×6\), got 1×9×3/,
    );
  });
});

describe("metadata of an ONNX file", () => {
  it("gives the names of the classes, quoted either way, as list or by number", () => {
    expect(namesIn(`{0: 'mug', 1: "teacher's desk"}`)).toEqual(NAMES);
    expect(namesIn('{"1": "desk", "0": "mug"}')).toEqual(["mug", "desk"]);
    expect(namesIn("['mug', 'desk']")).toEqual(["mug", "desk"]);
    expect(namesIn("nothing")).toEqual([]);
  });

  it("is read without the graph, and a damaged file is an error in one line", async () => {
    const bytes = Buffer.concat([model("x", []), entry("names", "{0: 'mug'}")]);
    expect(metadataOf(bytes)).toEqual(new Map([["names", "{0: 'mug'}"]]));
    expect(() => metadataOf(bytes.subarray(0, bytes.length - 3))).toThrow(/expected an ONNX model/);
  });
});

describe.skipIf(!installed)("a detector of YOLO shape in the real runtime", () => {
  it("finds things in pixels of the picture, whatever its shape", async () => {
    const { dims, data } = LAYOUTS.columns;
    const eye = await openYoloOnnx(await writeYolo("two", dims, data), { packagesFrom, minScore: 0.4 });
    try {
      expect(await eye.detect(white(32, 16))).toEqual([MUG, DESK]);
      expect(await eye.detect({ ...white(32, 16), data: new Uint8Array(3 * 32 * 16) })).toEqual([]);
      expect(eye.id).toBe("yolo:two.onnx");
    } finally {
      await eye.close();
    }
  });

  it("looks for some of its classes only, and refuses what it does not know", async () => {
    const { dims, data } = LAYOUTS.corners;
    const file = await writeYolo("some", dims, data);
    const eye = await openYoloOnnx(file, { packagesFrom, minScore: 0.4, classes: ["teacher's desk"] });
    expect((await eye.detect(white(32, 16))).map(({ label }) => label)).toEqual(["teacher's desk"]);
    await eye.close();
    await expect(openYoloOnnx(file, { packagesFrom, classes: ["sofa"] })).rejects.toThrow(
      /does not know "sofa", only mug, teacher's desk/,
    );
  });

  it("needs names in the file", async () => {
    const { dims, data } = LAYOUTS.rows;
    const file = await writeYolo("nameless", dims, data, "");
    await expect(openYoloOnnx(file, { packagesFrom })).rejects.toThrow(/does not name its classes/);
    await expect(openYoloOnnx(join(root, "none.onnx"), { packagesFrom })).rejects.toThrow(/no model at/);
  });
});
