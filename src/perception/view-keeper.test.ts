import sharp from "sharp";
import { beforeAll, describe, expect, it } from "vitest";
import { boxFromCentre, compose, fromYaw, type Transform } from "../geometry/index.ts";
import { openHashing } from "../models/hashing/hashing.ts";
import { blobRefOf, blobsOf, type Percept, recordSchema, type TrackedFrame } from "../schema/index.ts";
import { type KeptView, Perception, ViewKeeper } from "./index.ts";
import { levelCamera, placeOf, type SyntheticBox, syntheticFrame } from "./testing/synthetic-frame.ts";

const SECOND = 1_000_000;
const ORIGIN: Transform = { p: { x: 0, y: 0, z: 0 }, q: { w: 1, x: 0, y: 0, z: 0 } };
const NOTHING: TrackedFrame = { stateOf: [], changed: [] };
const WALL: SyntheticBox = {
  ...boxFromCentre({ x: 0, y: 3, z: 1 }, { x: 20, y: 0.1, z: 6 }),
  colour: [150, 140, 130],
};
const thing = (name: string, x: number, colour: [number, number, number]): SyntheticBox => ({
  ...boxFromCentre({ x, y: 2, z: 1.2 }, { x: 0.6, y: 0.2, z: 0.6 }),
  name,
  colour,
});
const RED = thing("mug", -0.7, [220, 20, 20]);
const BLUE = thing("vase", 0.6, [20, 30, 220]);

const perception = new Perception({ embedder: openHashing(16), sceneId: "home", labels: ["home-only"] });
const camera = levelCamera({ x: 0, y: 0, z: 1.2 }, { width: 80, height: 60, focalPx: 50 });
let plain: Percept;
let changedScene: Percept;
beforeAll(async () => {
  plain = await see([WALL, RED, BLUE]);
  changedScene = await see([WALL, { ...BLUE, colour: [250, 250, 250] }, thing("box", -0.2, [5, 90, 5])]);
});

async function see(boxes: readonly SyntheticBox[]): Promise<Percept> {
  return (await perception.perceive(syntheticFrame(camera, boxes), placeOf(camera))) as Percept;
}

/** The same frame at another time or place; only the fields that the keeper reads change. */
function at(
  second: number,
  {
    from = plain,
    x = 0,
    yaw = 0,
    agentId = "robot",
    ...rest
  }: { from?: Percept; x?: number; yaw?: number } & Partial<Percept> = {},
): Percept {
  const move = { p: { x, y: 0, z: 0 }, q: fromYaw(yaw) };
  return {
    ...from,
    timeUs: second * SECOND,
    agentId,
    observationId: `observation-${agentId}-${second}-${x}`,
    submapFromCamera: compose(move, camera.submapFromCamera),
    ...rest,
  };
}
const seeing = (...stateOf: string[]): TrackedFrame => ({ stateOf, changed: [] });

async function kept(keeper: ViewKeeper, ...args: Parameters<ViewKeeper["keep"]>): Promise<KeptView> {
  const view = await keeper.keep(...args);
  expect(view).toBeDefined();
  return view!;
}

describe("what is kept", () => {
  it("keeps the first frame whole, as a record that the memory takes", async () => {
    const keeper = new ViewKeeper();
    const context = {
      room: "kitchen",
      thingOf: (id: string) => (id === "state-1" ? { category: "cup" } : undefined),
    };
    const { record, blobs, supersedes } = await kept(keeper, at(1), seeing("state-1", "state-2"), context);
    const parsed = recordSchema.parse(record);
    expect(parsed).toMatchObject({
      kind: "view",
      author: "robot",
      labels: ["home-only"],
      validFromUs: SECOND,
      validToUs: SECOND + 1,
      anchor: { submap: "submap-1", p: { z: 1.2 } },
      room: "kitchen",
      text: ["kitchen: cup, vase", "a cup", "a vase"],
      visible: [
        { stateId: "state-1", depthM: expect.closeTo(1.9, 3), fraction: 1, bbox: plain.detections[0]!.bbox },
        { stateId: "state-2" },
      ],
    });
    expect(new Set(blobsOf(parsed))).toEqual(new Set(blobs.map(blobRefOf)));
    expect(blobs).toHaveLength(3);
    expect(supersedes).toBe(false);
  });

  it("draws the outlines and the numbers of the visible states", async () => {
    const { record, blobs } = await kept(new ViewKeeper(), at(1), seeing("state-1", "state-2"));
    const overlay = blobs.find((bytes) => blobRefOf(bytes) === record.overlay)!;
    const thumb = blobs.find((bytes) => blobRefOf(bytes) === record.thumb)!;
    const [drawn, small] = await Promise.all([pixelsOf(overlay), pixelsOf(thumb)]);
    expect([drawn.width, drawn.height, small.width, small.height]).toEqual([320, 240, 80, 60]);
    // The number's dark plate in the middle of the red thing, and its light digit within.
    const [left, top, right, bottom] = plain.detections[0]!.bbox;
    const [x, y] = [2 * (left + right), 2 * (top + bottom)];
    const around = Array.from({ length: 196 }, (_, n) =>
      drawn.at(x - 7 + (n % 14), y - 7 + Math.floor(n / 14)),
    );
    expect(around.some(([r, g, b]) => r + g + b < 120)).toBe(true);
    expect(around.some(([r, g, b]) => r < 150 && g > 130 && b > 150)).toBe(true);
    // The outline in the colour of its number, where the thing itself is red and the wall grey.
    const [r, , b] = drawn.at(4 * left, y);
    expect(r < 140 && b > 140).toBe(true);
  });

  it("makes a picture of depth when there is no colour, and none of nothing", async () => {
    const { blobs } = await kept(new ViewKeeper(), at(1, { rgb: undefined }), NOTHING);
    expect(blobs).toHaveLength(2);
    const picture = await pixelsOf(blobs[0]!);
    const [near, far] = [picture.at(58, 30)[0], picture.at(40, 5)[0]];
    expect(near).toBeGreaterThan(far);
    expect(await new ViewKeeper().keep(at(1, { rgb: undefined, depth: undefined }), NOTHING)).toBeUndefined();
  });

  it("keeps at most one a second from each sensor, and remembers that something changed meanwhile", async () => {
    const keeper = new ViewKeeper();
    const ids = [];
    for (const second of [1, 1.4, 1.9, 2, 2.5, 3.1])
      ids.push(await keeper.keep(at(second, { x: second * 9 }), NOTHING));
    expect(ids.map((view) => view !== undefined)).toEqual([true, false, false, true, false, true]);
    expect(await keeper.keep(at(3.2, { x: 80, agentId: "other" }), NOTHING)).toBeDefined();

    const parked = new ViewKeeper();
    await kept(parked, at(1), NOTHING);
    expect(await parked.keep(at(1.5), { stateOf: [], changed: ["state-9"] })).toBeUndefined();
    expect((await kept(parked, at(2), NOTHING)).supersedes).toBe(true);
    expect(await parked.keep(at(3), NOTHING)).toBeUndefined();
  });

  it("supersedes a view of the same from the same place, under its id", async () => {
    const keeper = new ViewKeeper();
    const first = await kept(keeper, at(1), seeing("a", "b"));
    expect(await keeper.keep(at(4), seeing("a", "b"))).toBeUndefined();
    const later = await kept(keeper, at(20, { x: 0.4, yaw: 0.1 }), seeing("a", "b"));
    expect(later).toMatchObject({
      supersedes: true,
      record: { id: first.record.id, validFromUs: 20 * SECOND },
    });
    const changed = await kept(keeper, at(22), { stateOf: ["a", "b"], changed: ["a"] });
    expect(changed.record.id).toBe(first.record.id);
  });

  it.each([
    ["a step farther", { x: 1.6 }],
    ["a turn farther", { yaw: 0.4 }],
    ["another agent", { agentId: "other" }],
  ])("keeps its own view from %s", async (_name, change) => {
    const keeper = new ViewKeeper();
    const first = await kept(keeper, at(1), seeing("a", "b"));
    const other = await kept(keeper, at(20, change), seeing("a", "b"));
    expect(other.supersedes).toBe(false);
    expect(other.record.id).not.toBe(first.record.id);
  });

  it("keeps its own view of something else from the same place", async () => {
    const keeper = new ViewKeeper();
    await kept(keeper, at(1), seeing("a", "b"));
    expect((await kept(keeper, at(20, { from: changedScene }), seeing("c", "d"))).supersedes).toBe(false);
    // Picture similarity counts half, content the other half; an image feature takes precedence over ids.
    const byFeature = new ViewKeeper();
    await kept(byFeature, at(1), seeing("a", "b"), { feature: Float32Array.of(1, 0) });
    const unlike = { feature: Float32Array.of(0, 1) };
    expect((await kept(byFeature, at(20), seeing("a", "b"), unlike)).supersedes).toBe(false);
  });

  it("never takes one room for another", async () => {
    const keeper = new ViewKeeper();
    await kept(keeper, at(1), seeing("a"), { room: "kitchen" });
    expect((await kept(keeper, at(20), seeing("a"), { room: "hall" })).supersedes).toBe(false);
    expect((await kept(keeper, at(40), seeing("a"), { room: "hall" })).supersedes).toBe(true);
  });

  it("keeps a black frame only where no view is", async () => {
    const keeper = new ViewKeeper();
    expect(await keeper.keep(at(1, { restricted: true }), NOTHING)).toBeDefined();
    expect(await keeper.keep(at(20, { restricted: true }), NOTHING)).toBeUndefined();
    expect(
      (await kept(new ViewKeeper({ mode: "paper" }), at(1, { restricted: true }), NOTHING)).supersedes,
    ).toBe(false);
  });

  it("takes the paper at its word when asked to", async () => {
    const keeper = new ViewKeeper({ mode: "paper" });
    const first = await kept(keeper, at(1), seeing("a"), { room: "kitchen" });
    const again = await kept(keeper, at(2, { x: 4 }), seeing("a"), { room: "hall" });
    expect(again.record.id).toBe(first.record.id);
    expect((await kept(keeper, at(3, { x: 4, yaw: 0.3 }), seeing("a"))).supersedes).toBe(false);
  });

  it("does not let a late frame replace what came after it", async () => {
    const keeper = new ViewKeeper();
    await kept(keeper, at(50), seeing("a"));
    expect(await keeper.keep(at(20), { stateOf: ["a"], changed: ["a"] })).toBeUndefined();
  });

  it("goes on after the clock was set back", async () => {
    const keeper = new ViewKeeper();
    await kept(keeper, at(5_000), seeing("a"));
    expect((await kept(keeper, at(20), seeing("a"))).supersedes).toBe(false);
    expect((await kept(keeper, at(40), seeing("a"))).supersedes).toBe(true);
  });

  it("finds its views where a correction of the map has moved them", async () => {
    const keeper = new ViewKeeper();
    const ids = [(await kept(keeper, at(1), seeing("a"))).record.id];
    const moved: Transform = { p: { x: 30, y: 0, z: 0 }, q: ORIGIN.q };
    keeper.correct((submap) => (submap === "submap-1" ? moved : undefined));
    const elsewhere = { submap: "submap-2", worldFromSubmap: ORIGIN };
    const second = await kept(keeper, at(20, elsewhere), seeing("a"));
    expect(second.supersedes).toBe(false);
    ids.push(second.record.id);
    const there = await kept(keeper, at(40, { ...elsewhere, worldFromSubmap: moved }), seeing("a"));
    expect(ids).toContain(there.record.id);
  });

  it("goes on from the views of an earlier run", async () => {
    const { record, blobs } = await kept(new ViewKeeper(), at(1), seeing("a"));
    const parsed = recordSchema.parse(record);
    if (parsed.kind !== "view") throw new Error("expected a view");
    const next = new ViewKeeper();
    next.restore(parsed, blobs.at(-1)!);
    next.restore({ ...parsed, id: "broken" }, new Uint8Array(3));
    expect((await kept(next, at(20), seeing("a"))).record.id).toBe(record.id);
  });

  it("compares with no more views than it may", async () => {
    const keeper = new ViewKeeper({ maxViews: 2 });
    for (const second of [1, 2, 3]) await kept(keeper, at(second, { x: 10 * second }), seeing("a"));
    expect((await kept(keeper, at(30, { x: 20 }), seeing("a"))).supersedes).toBe(true);
    expect((await kept(keeper, at(40, { x: 10 }), seeing("a"))).supersedes).toBe(false);
  });
});

async function pixelsOf(bytes: Uint8Array) {
  const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
  const at = (x: number, y: number): [number, number, number] => {
    const from = 3 * (y * info.width + x);
    return [data[from]!, data[from + 1]!, data[from + 2]!];
  };
  return { width: info.width, height: info.height, at };
}
