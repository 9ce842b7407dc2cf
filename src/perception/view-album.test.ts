import { beforeAll, describe, expect, it } from "vitest";
import { boxFromCentre } from "../geometry/index.ts";
import { openHashing } from "../models/hashing/hashing.ts";
import { blobRefOf, type Percept, recordSchema, type TrackedFrame } from "../schema/index.ts";
import { Perception, ViewAlbum, ViewKeeper } from "./index.ts";
import { levelCamera, placeOf, type SyntheticBox, syntheticFrame } from "./testing/synthetic-frame.ts";
import { worthOf } from "./view-worth.ts";

const SECOND = 1_000_000;
const WALL: SyntheticBox = {
  ...boxFromCentre({ x: 0, y: 3, z: 1 }, { x: 20, y: 0.1, z: 6 }),
  colour: [150, 140, 130],
};
const thing = (name: string, x: number, side: number): SyntheticBox => ({
  ...boxFromCentre({ x, y: 2, z: 1.2 }, { x: side, y: 0.2, z: side }),
  name,
  colour: [220, 20, 20],
});
const camera = levelCamera({ x: 0, y: 0, z: 1.2 }, { width: 80, height: 60, focalPx: 50 });
const perception = new Perception({ embedder: openHashing(16), sceneId: "home" });
let small: Percept;
let large: Percept;
beforeAll(async () => {
  small = await see("early", 1, [WALL, thing("mug", 0.9, 0.3)]);
  large = await see("late", 2, [WALL, thing("mug", 0, 0.7)]);
});

async function see(observationId: string, second: number, boxes: readonly SyntheticBox[]) {
  const frame = { ...syntheticFrame(camera, boxes), timeUs: second * SECOND };
  const percept = await perception.perceive(frame, { ...placeOf(camera), observationId });
  return percept as Percept;
}

const as = (...stateOf: (string | undefined)[]): TrackedFrame => ({ stateOf, changed: [] });
const mug = (labels: string[] = []) => ({ id: "state-mug", trackId: "track-mug", labels });

describe("how well a picture shows a thing", () => {
  const size = { width: 640, height: 480 };
  const look = { bbox: [280, 200, 360, 280] as const, fraction: 1 };

  it("is more the larger, the more central, the less hidden, cut off and blurred it is", () => {
    const whole = worthOf(look, size);
    expect(worthOf({ ...look, bbox: [240, 160, 400, 320] }, size)).toBeGreaterThan(whole);
    expect(worthOf({ ...look, bbox: [20, 20, 100, 100] }, size)).toBeLessThan(whole);
    expect(worthOf({ ...look, bbox: [0, 200, 80, 280] }, size)).toBeLessThan(
      worthOf({ ...look, bbox: [4, 200, 84, 280] }, size) * 0.7,
    );
    expect(worthOf({ ...look, fraction: 0.5 }, size)).toBeCloseTo(whole / 2);
    expect(worthOf({ ...look, sharpness: 0.6 }, size)).toBeCloseTo(whole * 0.6);
  });

  it("is nothing where nothing of it is in the picture, and never more than 1", () => {
    expect(worthOf({ ...look, bbox: [700, 10, 800, 90] }, size)).toBe(0);
    expect(
      worthOf({ ...look, bbox: [-900, -900, 1900, 1900], isTruncated: false }, size),
    ).toBeLessThanOrEqual(1);
  });
});

describe("the album", () => {
  it("keeps a frame that shows a state better than any view, once the map is brought up to date", async () => {
    const album = new ViewAlbum();
    const view = (await new ViewKeeper({ album }).keep(small, as("state-mug")))!;
    album.kept(view.record, small, as("state-mug"));
    expect(album.viewsOf(mug())).toEqual([view.record.id]);
    await album.wait(large, as("state-mug"), "kitchen");
    const [kept, ...more] = album.settle({}, false);
    expect(more).toEqual([]);
    const record = recordSchema.parse(kept!.record);
    expect(record).toMatchObject({ kind: "view", observationId: "late", room: "kitchen" });
    expect(record.kind === "view" && kept!.blobs.map(blobRefOf)).toContain(
      record.kind === "view" && record.thumb,
    );
    expect(album.viewsOf(mug())).toEqual([kept!.record.id, view.record.id]);
    expect(album.takeChanged()).toEqual(["state-mug"]);
    // A frame that shows it no better is not kept.
    await album.wait({ ...large, observationId: "again" }, as("state-mug"), undefined);
    expect(album.settle({}, true)).toEqual([]);
  });

  it("gives a thing that is believed later the pictures of earlier frames", async () => {
    const album = new ViewAlbum();
    const view = (await new ViewKeeper({ album }).keep(small, as(undefined)))!;
    album.kept(view.record, small, as(undefined));
    await album.wait(large, as(undefined), undefined);
    expect(album.settle({}, false)).toEqual([]);
    const seen = (percept: Percept) => ({
      stateId: "state-mug",
      timeUs: percept.timeUs,
      outcome: "seen" as const,
      agentId: "robot",
      observationId: percept.observationId,
      detectionId: percept.detections[0]!.id,
      labels: [],
    });
    const [again] = album.hear([seen(small), seen(large)]);
    expect(again).toMatchObject({ id: view.record.id, visible: [{ stateId: "state-mug" }] });
    const [kept] = album.settle({}, true);
    expect(kept?.record).toMatchObject({ observationId: "late", visible: [{ stateId: "state-mug" }] });
    expect(album.viewsOf(mug())).toEqual([kept!.record.id, view.record.id]);
    // Hearing it twice changes nothing.
    expect(album.hear([seen(small)])).toEqual([]);
  });

  it("does not let the only picture of a thing be replaced by one that shows it not", async () => {
    const empty = await see("empty", 60, [WALL]);
    const replaced = async (album: ViewAlbum | undefined) => {
      const keeper = new ViewKeeper({ similar: 0, ...(album && { album }) });
      const first = (await keeper.keep(large, as("state-mug")))!;
      album?.kept(first.record, large, as("state-mug"));
      const next = (await keeper.keep(empty, as()))!;
      return next.record.id === first.record.id;
    };
    expect(await replaced(undefined)).toBe(true);
    expect(await replaced(new ViewAlbum())).toBe(false);
  });

  it("lets a state that all may see name no view that they may not", async () => {
    const album = new ViewAlbum();
    const secret = { ...large, labels: ["secret"] };
    const view = (await new ViewKeeper({ album }).keep(secret, as("state-mug")))!;
    album.kept(view.record, secret, as("state-mug"));
    expect(album.viewsOf(mug())).toEqual([]);
    expect(album.viewsOf(mug(["secret"]))).toEqual([view.record.id]);
  });

  it("holds no more frames and bytes than it may", async () => {
    const waiting = async (options: ConstructorParameters<typeof ViewAlbum>[0]) => {
      const album = new ViewAlbum(options);
      for (let n = 0; n < 4; n++) {
        const frame = { ...large, observationId: `o${n}`, timeUs: n * SECOND };
        await album.wait(frame, as(`state-${n}`), undefined);
      }
      return album.settle({}, true).map(({ record }) => record.observationId);
    };
    expect(await waiting({})).toEqual(["o0", "o1", "o2", "o3"]);
    expect(await waiting({ maxWaiting: 2 })).toEqual(["o2", "o3"]);
    expect(await waiting({ maxBytes: 1 })).toEqual([]);
  });
});
