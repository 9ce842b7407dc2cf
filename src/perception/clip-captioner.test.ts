import { beforeAll, describe, expect, it } from "vitest";
import { boxFromCentre } from "../geometry/index.ts";
import { openHashing } from "../models/hashing/hashing.ts";
import type { Captioner } from "../models/index.ts";
import { type Percept, recordSchema, type TrackedFrame } from "../schema/index.ts";
import { type CaptionInput, ClipCaptioner, Perception } from "./index.ts";
import { levelCamera, placeOf, syntheticFrame } from "./testing/synthetic-frame.ts";

const camera = levelCamera({ x: 0, y: 0, z: 1 }, { width: 64, height: 48, focalPx: 40 });
const mug = { ...boxFromCentre({ x: 0, y: 2, z: 1 }, { x: 0.5, y: 0.2, z: 0.5 }), name: "mug" };
const wall = boxFromCentre({ x: 0, y: 3, z: 1 }, { x: 20, y: 0.1, z: 20 });
const MUG: TrackedFrame = { stateOf: ["state-1"], changed: [] };
const NOTHING: TrackedFrame = { stateOf: [], changed: [] };
let plain: Percept;
beforeAll(async () => {
  const perception = new Perception({ embedder: openHashing(16), sceneId: "home", labels: ["b", "a"] });
  plain = (await perception.perceive(syntheticFrame(camera, [mug, wall]), placeOf(camera))) as Percept;
});

function at(second: number, change: Partial<Percept> = {}): Percept {
  return { ...plain, timeUs: Math.round(second * 1e6), observationId: `observation-${second}`, ...change };
}
const standing = (x: number) => ({ submapFromCamera: { ...camera.submapFromCamera, p: { x, y: 0, z: 1 } } });

describe("clip captions", () => {
  it("closes a window of three seconds with what was visible, from where", async () => {
    const clips = new ClipCaptioner();
    const context = { room: "kitchen", regionId: "region-1" };
    expect(await clips.add(at(3.1, standing(1)), MUG, { ...context, viewId: "view-1" })).toEqual([]);
    expect(await clips.add(at(4, standing(2)), { stateOf: ["state-2"], changed: [] }, context)).toEqual([]);
    expect(await clips.add(at(5.9, standing(6)), MUG, context)).toEqual([]);
    const [caption, ...more] = await clips.add(at(6, standing(9)), NOTHING, context);
    expect(more).toEqual([]);
    expect(recordSchema.parse(caption)).toMatchObject({
      kind: "caption",
      source: "template",
      author: "robot",
      sceneId: "home",
      labels: ["a", "b"],
      validFromUs: 3_100_000,
      validToUs: 5_900_001,
      anchor: { submap: "submap-1", p: { x: 3, y: 0, z: 1 } },
      path: [{ x: 1 }, { x: 2 }, { x: 6 }],
      states: ["state-1", "state-2"],
      views: ["view-1"],
      regionId: "region-1",
      text: ["kitchen: 2 mugs", "a mug"],
    });
  });

  it("flushes what is open, and is then empty", async () => {
    const clips = new ClipCaptioner();
    await clips.add(at(1), MUG);
    await clips.add(at(2, { agentId: "other" }), MUG);
    const captions = await clips.flush();
    expect(captions.map(({ author }) => author)).toEqual(["other", "robot"]);
    expect(await clips.flush()).toEqual([]);
  });

  it("writes nothing about a window in which nothing was seen or said", async () => {
    const clips = new ClipCaptioner();
    await clips.add(at(1), NOTHING);
    expect(await clips.flush()).toEqual([]);
    await clips.add(at(1), NOTHING, { viewId: "view-1" });
    expect(await clips.flush()).toMatchObject([{ text: [], views: ["view-1"] }]);
  });

  it("prefers the words of the recording: a sentence a line, the frequent first, without repeats", async () => {
    const clips = new ClipCaptioner();
    await clips.add(at(1, { captions: ["A hall. There is a door."] }), MUG);
    await clips.add(at(1.5, { captions: ["There is a door. A HALL. There is a dog."] }), MUG);
    const [caption] = await clips.flush();
    expect(caption).toMatchObject({
      source: "vlm",
      text: ["There is a door.", "A hall.", "There is a dog."],
    });
  });

  it("never writes more than twelve lines", async () => {
    const clips = new ClipCaptioner();
    const captions = Array.from({ length: 40 }, (_, n) => `There is thing ${n}. ${"x".repeat(3_000)}.`);
    await clips.add(at(1, { captions }), MUG);
    const [caption] = await clips.flush();
    expect(caption!.text).toHaveLength(12);
    expect(Math.max(...caption!.text!.map((line) => line.length))).toBeLessThanOrEqual(1_000);
  });

  it("gives a frame that comes too late a caption of its own", async () => {
    const clips = new ClipCaptioner();
    await clips.add(at(1), MUG);
    const [first] = await clips.add(at(7), MUG);
    const [late] = await clips.add(at(1.2), MUG);
    expect(late).toMatchObject({ validFromUs: 1_200_000 });
    expect(late!.id).not.toBe(first!.id);
    const again = new ClipCaptioner();
    await again.add(at(1), MUG);
    expect((await again.add(at(7), MUG))[0]!.id).toBe(first!.id);
  });

  it("goes on after the clock was set back", async () => {
    const clips = new ClipCaptioner();
    await clips.add(at(1_000), MUG);
    expect(await clips.add(at(100.5), MUG)).toMatchObject([{ validFromUs: 1_000_000_000 }]);
    expect(await clips.add(at(101), MUG)).toEqual([]);
    expect(await clips.add(at(102.5), MUG)).toMatchObject([
      { validFromUs: 100_500_000, validToUs: 101_000_001 },
    ]);
  });

  it("puts the way through several submaps into one", async () => {
    const clips = new ClipCaptioner();
    const lying = (x: number) => ({
      worldFromSubmap: { p: { x, y: 0, z: 0 }, q: { w: 1, x: 0, y: 0, z: 0 } },
    });
    await clips.add(at(1, { ...standing(1), ...lying(0) }), MUG);
    await clips.add(at(2, { ...standing(1), submap: "submap-2", ...lying(10) }), MUG);
    const [caption] = await clips.flush();
    expect(caption).toMatchObject({
      anchor: { submap: "submap-2", p: { x: -4 } },
      path: [{ x: -9 }, { x: 1 }],
    });
  });

  it("asks a captioner for what nobody said, and falls back when it is silent", async () => {
    const shown: { room: string | undefined; things: readonly string[]; images: number }[] = [];
    const answers: (string | null)[] = ["A kitchen. A mug.", null];
    const captioner: Captioner = {
      id: "scripted",
      caption: async ({ room, things, images }) => {
        shown.push({ room, things, images: (await images()).length });
        return answers.shift() ?? null;
      },
      close: async () => {},
    };
    const clips = new ClipCaptioner({ captioner });
    for (let n = 0; n < 20; n++) await clips.add(at(0.1 * n), MUG, { room: "kitchen" });
    const [seen] = await clips.add(at(3.5), MUG);
    await clips.add(at(4, { captions: ["Said already."] }), MUG);
    const [said] = await clips.add(at(7), MUG);
    const [silent] = await clips.flush();
    expect([seen, said, silent].map((one) => [one!.source, one!.text])).toEqual([
      ["vlm", ["A kitchen.", "A mug."]],
      ["vlm", ["Said already."]],
      ["template", ["mug", "a mug"]],
    ]);
    expect(shown).toEqual([
      { room: "kitchen", things: ["mug"], images: 4 },
      { room: undefined, things: ["mug"], images: 1 },
    ]);
  });

  it("loses no window when it is aborted", async () => {
    let fail = true;
    const captioner: Captioner = {
      id: "aborting",
      caption: async () => {
        if (fail) throw new Error("aborted");
        return "A mug.";
      },
      close: async () => {},
    };
    const clips = new ClipCaptioner({ captioner });
    await clips.add(at(1), MUG);
    await expect(clips.flush()).rejects.toThrow("aborted");
    fail = false;
    const captions: CaptionInput[] = await clips.flush();
    expect(captions).toMatchObject([{ text: ["A mug."] }]);
  });
});
