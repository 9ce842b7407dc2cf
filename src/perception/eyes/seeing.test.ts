import { describe, expect, test } from "vitest";
import { fromAxisAngle, multiply, type Transform, type Vec3 } from "../../geometry/index.ts";
import type { Eyes } from "../../models/eyes/index.ts";
import type { Frame } from "../../schema/core.ts";
import { type SyntheticBox, syntheticFrame } from "../testing/synthetic-frame.ts";
import { seeThrough } from "./see-through.ts";
import { Seeing } from "./seeing.ts";
import { truthEyes } from "./testing/truth-eyes.ts";

const INTRINSICS = { fx: 140, fy: 140, cx: 80, cy: 60, width: 160, height: 120 };
const RED = [200, 30, 30] as const;
const BROWN = [120, 80, 40] as const;
/** A room of floor and walls, a table, and a mug and a box on it. */
const ROOM: readonly SyntheticBox[] = [
  { min: { x: -4, y: -4, z: -0.1 }, max: { x: 4, y: 4, z: 0 } },
  { min: { x: -4, y: 3, z: 0 }, max: { x: 4, y: 3.1, z: 3 } },
  { name: "table", colour: BROWN, min: { x: -0.7, y: 1.2, z: 0.68 }, max: { x: 0.7, y: 2, z: 0.75 } },
  { name: "mug", colour: RED, min: { x: -0.35, y: 1.4, z: 0.75 }, max: { x: -0.25, y: 1.5, z: 0.87 } },
  {
    name: "box",
    colour: [210, 200, 160],
    min: { x: 0.2, y: 1.5, z: 0.75 },
    max: { x: 0.45, y: 1.7, z: 0.95 },
  },
];

/** A camera at a point, looking north and `downRad` below the horizon, rotated by `yawRad`. */
function cameraAt(p: Vec3, yawRad: number, downRad = 0.35, rollRad = 0): Transform {
  const level = { w: Math.SQRT1_2, x: -Math.SQRT1_2, y: 0, z: 0 };
  const turn = multiply(fromAxisAngle({ x: 0, y: 0, z: 1 }, yawRad), level);
  const tilted = multiply(turn, fromAxisAngle({ x: 1, y: 0, z: 0 }, -downRad));
  return { p, q: multiply(tilted, fromAxisAngle({ x: 0, y: 0, z: 1 }, rollRad)) };
}

function framesOf(boxes: readonly SyntheticBox[], count = 9, rollRad = 0): Frame[] {
  return Array.from({ length: count }, (_, n) => {
    const x = -0.6 + (1.2 * n) / Math.max(1, count - 1);
    const worldFromCamera = cameraAt({ x, y: 0, z: 1.3 }, x * 0.35, 0.35, rollRad);
    const frame = syntheticFrame({ intrinsics: INTRINSICS, submapFromCamera: worldFromCamera }, boxes);
    return { ...frame, index: n, timeUs: 1_000_000 * (n + 1), worldFromCamera };
  });
}

const bare = ({ masks: _masks, detections: _detections, ...rest }: Frame): Frame => rest;

/** All frames, processed with a fake network that knows the truth and reports it with errors. */
async function seen(frames: readonly Frame[], eyes: Eyes = truthEyes(frames)): Promise<Frame[]> {
  const seeing = new Seeing(async () => eyes);
  const out: Frame[] = [];
  for (const frame of frames) out.push(...(await seeing.take(bare(frame))));
  for await (const frame of seeing.finish()) out.push(frame);
  return out;
}

/** For each true thing in a frame, the detection with most of its pixels, and their agreement. */
function agreement(truth: Frame, found: Frame) {
  return (truth.detections ?? []).map(({ mask, label }) => {
    const shared = new Map<number, number>();
    let own = 0;
    truth.masks!.data.forEach((number, at) => {
      if (number !== mask) return;
      own++;
      const other = found.masks?.data[at] ?? 0;
      if (other > 0) shared.set(other, (shared.get(other) ?? 0) + 1);
    });
    const [best, both] = [...shared].sort((a, b) => b[1] - a[1])[0] ?? [0, 0];
    const all = found.masks?.data.filter((number) => number === best).length ?? 0;
    const detection = found.detections?.find((one) => one.mask === best);
    return { label, found: detection, iou: both / (own + all - both || 1) };
  });
}

describe("frames without masks", () => {
  test("get the things that stand out, each once and by its name", async () => {
    const frames = framesOf(ROOM);
    const out = await seen(frames);
    expect(out).toHaveLength(frames.length);
    for (const { label, found, iou } of agreement(frames[4]!, out[4]!)) {
      expect(iou, label).toBeGreaterThan(0.6);
      expect(found?.label).toBe(label);
    }
    expect(out[4]!.detections).toHaveLength(3);
  });

  test("are seen as well by a camera that is held upside down or on its side", async () => {
    for (const rollRad of [Math.PI, Math.PI / 2]) {
      const frames = framesOf(ROOM, 2, rollRad);
      const shown: number[] = [];
      const truth = truthEyes(framesOf(ROOM, 2));
      const eyes: Eyes = {
        ...truth,
        look: async (input) => {
          shown.push(input.up[1]);
          return truth.look(input);
        },
      };
      await seen(frames, eyes);
      expect(Math.max(...shown)).toBeLessThan(-0.8);
    }
  });

  test("name nothing that the eyes are not sure of, and say what it looks like instead", async () => {
    const frames = framesOf(ROOM);
    const eyes = truthEyes(frames);
    const unsure: Eyes = {
      ...eyes,
      look: async (input) => {
        const look = await eyes.look(input);
        return { ...look, category: { ...look.category, odds: look.category.odds.map((p) => 0.3 * p) } };
      },
    };
    const found = agreement(frames[4]!, (await seen(frames, unsure))[4]!);
    const [box, table] = ["box", "table"].map((label) => found.find((one) => one.label === label));
    expect(table!.found?.text).toBe("brown flat surface");
    expect(box!.found?.label).toBe("thing");
    expect(box!.found?.text).toMatch(/^beige (\S+ )?thing$/);
    expect(found.find(({ label }) => label === "mug")?.found?.label ?? "thing").toBe("thing");
  });

  test("lose what is carried off and seen through, and keep it until then", async () => {
    const [before, after] = [
      framesOf(ROOM, 8),
      framesOf(
        ROOM.filter(({ name }) => name !== "box"),
        16,
      ),
    ];
    const frames = [...before, ...after];
    const out = await seen(frames, truthEyes(frames, { wrongNames: 0 }));
    const has = (n: number) => out[n]!.detections?.some(({ label }) => label === "box") ?? false;
    expect(has(4)).toBe(true);
    expect(has(20)).toBe(false);
  });

  test("that could not wait are looked at again, and then show what frames do that waited", async () => {
    const frames = framesOf(ROOM);
    const waited = await seen(frames);
    const seeing = new Seeing(async () => truthEyes(frames));
    const at: Frame[] = [];
    for (const frame of frames) at.push(await seeing.look(bare(frame)));
    expect(seeing.again(false)).toBeUndefined();
    const again: Frame[] = [];
    for (let next = seeing.again(true); next; next = seeing.again(true)) again.push(next);
    expect([again.length, seeing.early]).toEqual([frames.length, 0]);
    const labels = (frame: Frame) => (frame.detections ?? []).map(({ label }) => label).sort();
    expect(again.map(labels)).toEqual(waited.map(labels));
    expect(again.flatMap(labels).length).toBeGreaterThan(at.flatMap(labels).length);
  });

  test("give the same every time", async () => {
    const frames = framesOf(ROOM, 5);
    const [one, other] = [await seen(frames), await seen(frames)];
    expect(one).toEqual(other);
  });
});

describe("frames that are left as they are", () => {
  const [frame] = framesOf(ROOM, 1);
  const never: Eyes = { ...truthEyes([]), look: () => Promise.reject(new Error("not to be asked")) };
  const { depth: _depth, ...flat } = bare(frame!);
  const { rgb: _rgb, ...colourless } = bare(frame!);
  const { worldFromCamera: _pose, ...lost } = bare(frame!);
  const { depth, rgb } = frame!;
  test.each([
    ["with masks", frame!],
    ["with no detections, as somebody said", { ...bare(frame!), detections: [] }],
    ["without depth", flat],
    ["without colour", colourless],
    ["without a pose", lost],
    ["of a camera that cannot be", { ...bare(frame!), intrinsics: { ...INTRINSICS, fx: 0 } }],
    ["whose depth has another size", { ...bare(frame!), intrinsics: { ...INTRINSICS, width: 320 } }],
    [
      "from nowhere",
      {
        ...bare(frame!),
        worldFromCamera: { p: { x: Number.NaN, y: 0, z: 0 }, q: { w: 1, x: 0, y: 0, z: 0 } },
      },
    ],
    ["that are black", { ...bare(frame!), rgb: { ...rgb!, data: new Uint8Array(rgb!.data.length) } }],
    [
      "whose depths are all missing",
      { ...bare(frame!), depth: { ...depth!, data: new Uint16Array(depth!.data.length) } },
    ],
  ] as const)("%s", async (_, one) => {
    const seeing = new Seeing(async () => never);
    await seeing.take(one);
    const out: Frame[] = [];
    for await (const frame of seeing.finish()) out.push(frame);
    expect(out).toEqual([one]);
    expect(await seeing.look(one)).toBe(one);
  });
});

test("a picture of 4K is seen on the same grid as a small one, and goes on on it", async () => {
  const [small] = framesOf(ROOM, 1);
  const by = 12;
  const [width, height] = [by * INTRINSICS.width, by * INTRINSICS.height];
  const depth = new Uint16Array(width * height);
  for (let at = 0; at < depth.length; at++)
    depth[at] =
      small!.depth!.data[Math.floor(at / width / by) * INTRINSICS.width + Math.floor((at % width) / by)]!;
  const intrinsics = { fx: 140 * by, fy: 140 * by, cx: 80 * by, cy: 60 * by, width, height };
  const asked: number[] = [];
  const truth = truthEyes([small!]);
  const eyes: Eyes = {
    ...truth,
    look: async (input) => {
      asked.push(input.width);
      return truth.look(input);
    },
  };
  const seeing = new Seeing(async () => eyes);
  const seen4k = await seeing.look({
    ...bare(small!),
    intrinsics,
    depth: { width, height, data: depth, unitM: 0.001 },
  });
  expect(asked).toEqual([320]);
  // Later stages work on the same grid, with its camera; the colour picture is unchanged.
  const onGrid = { width: 320, height: 240 };
  expect(seen4k.masks).toMatchObject(onGrid);
  expect(seen4k.depth).toMatchObject({ ...onGrid, unitM: 0.001 });
  const [cx, cy] = [960, 720].map((middle) => (middle - 3.5) / 6 + 0.5);
  expect(seen4k.intrinsics).toEqual({ fx: 280, fy: 280, cx, cy, ...onGrid });
  expect(seen4k.depth!.data[160 * 320 + 10]).toBe(depth[(160 * 6 + 3) * width + 10 * 6 + 3]);
  expect(seen4k.rgb).toBe(small!.rgb);
  expect(seen4k.detections!.every(({ bbox }) => bbox[2] <= 320 && bbox[3] <= 240)).toBe(true);
});

test("what stands between frames stays between them", async () => {
  const frames = framesOf(ROOM, 3);
  const seeing = new Seeing(async () => truthEyes(frames));
  type Item = Frame | string;
  async function* items(): AsyncGenerator<Item> {
    yield "first";
    yield bare(frames[0]!);
    yield "edge";
    yield* frames.slice(1).map(bare);
    yield "last";
  }
  const out: Item[] = [];
  const through = seeThrough<Item>(
    items(),
    seeing,
    async (item) => (typeof item === "string" ? undefined : item),
    (_, frame) => frame,
  );
  for await (const item of through) out.push(item);
  expect(out.map((item) => (typeof item === "string" ? item : item.index))).toEqual([
    "first",
    0,
    "edge",
    1,
    2,
    "last",
  ]);
  expect(out.every((item) => typeof item === "string" || item.detections!.length > 0)).toBe(true);
});
