import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import type { RgbImage } from "../../schema/index.ts";
import { openSegmenter } from "../detectors.ts";
import { FLOAT, field, int, ints, model, node, numbers, shape, value } from "../onnx-message.ts";
import { findPackage } from "../optional-package.ts";
import { findSamPair } from "./sam-pair.ts";

const packages = process.env.LOCI_PACKAGES;
const installed = findPackage("onnxruntime-node", packages) !== null;
const environment = packages === undefined ? {} : { LOCI_PACKAGES: packages };
const root = await mkdtemp(join(tmpdir(), "loci-sam-pair-"));
afterAll(() => rm(root, { recursive: true }));

const CELLS = 16;

/** Two graphs with the inputs of SAM 2: the mask of any box is what is bright in the whole picture. */
async function writePair(name: string, points = "point_coords"): Promise<string> {
  const folder = join(root, name);
  await mkdir(folder);
  const features = value("image_embed", FLOAT, [1, 1, CELLS, CELLS]);
  const cell = 1_024 / CELLS;
  await writeFile(
    join(folder, "tiny.encoder.onnx"),
    model("encoder", [
      node("ReduceMean", ["image"], "grey", [ints("axes", [1]), int("keepdims", 1)]),
      node("AveragePool", ["grey"], "image_embed", [
        ints("kernel_shape", [cell, cell]),
        ints("strides", [cell, cell]),
      ]),
      field(11, value("image", FLOAT, [1, 3, 1_024, 1_024])),
      field(12, features),
    ]),
  );
  await writeFile(
    join(folder, "tiny.decoder.onnx"),
    model("decoder", [
      node("ReduceMean", [points], "middle", [ints("axes", [0, 1, 2]), int("keepdims", 0)]),
      node("Mul", ["middle", "nothing"], "none"),
      node("ReduceMean", ["point_labels"], "label", [ints("axes", [0, 1]), int("keepdims", 0)]),
      node("Mul", ["label", "nothing"], "unused"),
      node("Add", ["image_embed", "none"], "some"),
      node("Add", ["some", "unused"], "all"),
      node("Reshape", ["all", "images"], "masks"),
      numbers("nothing", [1], () => 0),
      shape("images", [1, 1, CELLS, CELLS]),
      field(11, features),
      field(11, value(points, FLOAT, [1, "points", 2])),
      field(11, value("point_labels", FLOAT, [1, "points"])),
      field(12, value("masks", FLOAT, [1, 1, CELLS, CELLS])),
    ]),
  );
  return folder;
}

/** A wide black picture with a white rectangle. */
function scene(): RgbImage {
  const [width, height] = [64, 32];
  const data = new Uint8Array(3 * width * height);
  for (let row = 8; row < 24; row++) data.fill(255, 3 * (row * width + 16), 3 * (row * width + 48));
  return { width, height, data };
}

it("a pair is found by its names, and other folders are not one", async () => {
  const folder = await writePair("found");
  expect(await findSamPair(folder)).toEqual({
    encoder: join(folder, "tiny.encoder.onnx"),
    decoder: join(folder, "tiny.decoder.onnx"),
  });
  expect(await findSamPair(root)).toBeUndefined();
  expect(await findSamPair(join(root, "nowhere"))).toBeUndefined();
});

describe.skipIf(!installed)("SAM 2 as a pair of files, in the real runtime", () => {
  it("cuts a thing out of its box, in pixels of the picture, and nothing out of an empty one", async () => {
    const sam = (await openSegmenter(`sam:${await writePair("real")}`, environment))!;
    try {
      const { width, data } = await sam.segment(scene(), [
        [0, 0, 10, 32],
        [14, 6, 50, 26],
      ]);
      expect(sam.id).toBe("sam:tiny");
      expect([8 * width + 30, 20 * width + 44, 2 * width + 4, 8 * width + 60].map((at) => data[at])).toEqual([
        2, 2, 0, 0,
      ]);
      const size = data.reduce((sum, number) => sum + Number(number === 2), 0);
      expect(Math.abs(size - 32 * 16)).toBeLessThan(100);
      expect((await sam.segment(scene(), [])).data.some((number) => number > 0)).toBe(false);
    } finally {
      await sam.close();
    }
  });

  it("says what a decoder of another kind lacks", async () => {
    const folder = await writePair("other", "input_points");
    await expect(openSegmenter(`sam:${folder}`, environment)).rejects.toThrow(
      /expected a decoder of SAM 2 with the input point_coords, got image_embed, input_points, point_labels/,
    );
  });
});
