import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Random } from "../geometry/index.ts";
import { EmbeddedEngine, type MemoryReader } from "../memory/index.ts";
import { signatureOf } from "../perception/ssim.ts";
import { blobRefOf, type RgbImage } from "../schema/index.ts";
import { decodeColour, encodeColour } from "../sensors/images.ts";
import { recognise, shownBy } from "./recognise.ts";
import { writePictures } from "./thing-pictures.ts";

const [WIDTH, HEIGHT] = [160, 120];
type Box = [number, number, number, number];
const RED: Box = [20, 30, 60, 80];
const BLUE: Box = [90, 40, 140, 90];

/** A shaded wall, and things in front of it as striped patches. */
function picture(things: readonly { box: Box; rgb: readonly number[] }[], seed: string): RgbImage {
  const random = new Random(seed);
  const data = new Uint8Array(WIDTH * HEIGHT * 3);
  for (let y = 0; y < HEIGHT; y++)
    for (let x = 0; x < WIDTH; x++) {
      const on = things.find(({ box: [l, t, r, b] }) => x >= l && x < r && y >= t && y < b);
      const shade = on ? (Math.floor((y - on.box[1]) / 6) % 2 === 0 ? 1 : 0.6) : 0.4 + (0.5 * x) / WIDTH;
      const base = on?.rgb ?? [200, 195, 180];
      base.forEach((value, n) => {
        data[3 * (y * WIDTH + x) + n] = Math.min(255, Math.max(0, value * shade + random.range(-4, 4)));
      });
    }
  return { width: WIDTH, height: HEIGHT, data };
}

const ROOM = [
  { box: RED, rgb: [210, 40, 30] },
  { box: BLUE, rgb: [30, 60, 210] },
];

let folder: string;
let engine: EmbeddedEngine;
let reader: MemoryReader;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "loci-recognise-"));
  engine = await EmbeddedEngine.open({ folder, nowUs: () => 1_000, create: true });
  const kept = picture(ROOM, "kept");
  const [thumb, signature] = [await encodeColour(kept, "jpeg"), signatureOf(kept)];
  const common = { author: "robot", validFromUs: 10, validToUs: 11 };
  const intrinsics = { fx: 100, fy: 100, cx: 80, cy: 60, width: WIDTH, height: HEIGHT };
  const visible = [
    { stateId: "red", bbox: RED, depthM: 2, fraction: 1 },
    { stateId: "blue", bbox: BLUE, depthM: 2, fraction: 1 },
  ];
  const things = ["red", "blue"].flatMap((id) => [
    {
      kind: "track" as const,
      id: `t-${id}`,
      name: `${id} box`,
      category: "box",
      validFromUs: 10,
      validToUs: null,
    },
    {
      kind: "state" as const,
      id,
      trackId: `t-${id}`,
      name: `${id} box`,
      category: "box",
      validFromUs: 10,
      validToUs: null,
    },
  ]);
  const writer = await engine.writer();
  await writer.write({
    blobs: [thumb, signature],
    records: [
      ...things,
      { ...common, kind: "observation", id: "look", sensorId: "camera", intrinsics },
      {
        ...common,
        kind: "view",
        id: "view",
        observationId: "look",
        thumb: blobRefOf(thumb),
        signature: blobRefOf(signature),
        visible,
      },
    ],
  });
  reader = await engine.reader();
});

afterAll(async () => {
  await engine.close();
  await rm(folder, { recursive: true, force: true });
});

const bytesOf = (image: RgbImage) => encodeColour(image, "png");

/** One thing of a picture, cut out. */
function cut({ data }: RgbImage, [left, top, right, bottom]: Box): RgbImage {
  const [width, height] = [right - left, bottom - top];
  const part = new Uint8Array(width * height * 3);
  for (let row = 0; row < height; row++) {
    const from = 3 * ((top + row) * WIDTH + left);
    part.set(data.subarray(from, from + 3 * width), 3 * row * width);
  }
  return { width, height, data: part };
}

describe("a picture that shows what a kept view shows", () => {
  it("is that view, and what is pointed at is what the view has there", async () => {
    const again = await bytesOf(picture(ROOM, "again"));
    const { viewId, states } = await recognise(reader, again, { at: [100, 60, 100, 60] });
    expect(viewId).toBe("view");
    expect(states.map(({ stateId }) => stateId)).toEqual(["blue"]);
    const [best] = (await recognise(reader, again, { at: RED })).states;
    expect(best).toEqual({ stateId: "red", score: 1 });
  });

  it("shows everything that the view shows where nobody points", async () => {
    const { inView } = await shownBy(reader, { inView: { bytes: await bytesOf(picture(ROOM, "live")) } });
    expect(inView?.stateIds.toSorted()).toEqual(["blue", "red"]);
  });
});

describe("a picture of one thing", () => {
  it("is known by its colours and its shading", async () => {
    const crop = await bytesOf(cut(picture(ROOM, "crop"), BLUE));
    const { viewId, states } = await recognise(reader, crop);
    expect(viewId).toBeUndefined();
    expect(states[0]?.stateId).toBe("blue");
    const { pointed, inView } = await shownBy(reader, { images: [{ bytes: crop }] });
    expect(pointed?.states[0]?.stateId).toBe("blue");
    expect(inView).toBeUndefined();
  });

  it("is not known where nothing like it was seen", async () => {
    const green = picture([{ box: [0, 0, WIDTH, HEIGHT], rgb: [20, 190, 60] }], "green");
    expect(await recognise(reader, await bytesOf(green))).toEqual({ states: [] });
  });
});

describe("pictures of things", () => {
  it("are cut out of the views that show them, beside their names; what no view shows has none", async () => {
    const rows = ["red", "blue", "grey"].map((id) => ({ id: `t-${id}`, name: `${id} box <1>`, kind: "box" }));
    const out = join(folder, "pictures");
    const written = await writePictures(reader, { rows }, out);
    expect(written).toEqual({ page: join(out, "index.html"), pictures: 2, unseen: 1 });
    expect((await readdir(out)).sort()).toEqual(["001-red-box-1-.jpg", "002-blue-box-1-.jpg", "index.html"]);
    const blue = await decodeColour(await readFile(join(out, "002-blue-box-1-.jpg")));
    const [left, top, right, bottom] = BLUE;
    expect(blue.width).toBeGreaterThan(right - left);
    expect(blue.width).toBeLessThan(2 * (right - left));
    expect(blue.height).toBeLessThan(2 * (bottom - top));
    const middle = 3 * ((blue.height >> 1) * blue.width + (blue.width >> 1));
    expect(blue.data[middle + 2]! - blue.data[middle]!).toBeGreaterThan(60);
    const page = await readFile(written.page, "utf8");
    expect(page).toContain("blue box &lt;1>");
    expect(page).toContain("no view of it was kept");
  });

  it("go into no folder that cannot be made", async () => {
    await expect(writePictures(reader, { rows: [] }, "/dev/null/x")).rejects.toMatchObject({
      code: "invalid-input",
    });
  });
});
