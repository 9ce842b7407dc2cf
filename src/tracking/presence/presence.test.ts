import { describe, expect, it } from "vitest";
import { vec3 } from "../../geometry/index.ts";
import { frameOf, KnownScene } from "../testing/known-scene.ts";
import { look, thing } from "../testing/toy-room.ts";
import { watch } from "./presence.ts";

const EYES = [vec3(0, 0, 1), vec3(2, -2, 1), vec3(0.3, -1, 1), vec3(1.2, -1.9, 1)];

/** Observes the place of a chair from several sides, one a second, with these things in the room. */
function watched(known: KnownScene, things: ReturnType<typeof thing>[], frames: number, fromS = 10): void {
  for (let n = 0; n < frames; n++) {
    const percept = look({ timeS: fromS + n, from: EYES[n % EYES.length]!, at: vec3(2, 0, 0.4), things });
    known.scene.latestUs = percept.timeUs;
    watch(known.scene, frameOf(percept), new Map(), known.journal);
  }
}

describe("presence", () => {
  it("ends the stay of what is seen through from several sides, with the event that says so", () => {
    const known = new KnownScene();
    const box = known.thing("box", "box", [2, 0, 0.3], [0.5, 0.5, 0.6], { lastUs: 1 });
    box.shape.surface = {
      submap: "world",
      points: new Float32Array([1.75, 0, 0.4, 1.8, -0.25, 0.3, 1.9, 0, 0.6]),
      weight: 1,
    };
    box.shape.transparency = 0;
    watched(known, [], 12);
    expect(box.identity.endedUs).toBeGreaterThan(1);
    expect(known.scene.things.has(box)).toBe(false);
    const events = known.journal.records.filter((record) => record.kind === "event");
    expect(events.map(({ type }) => type)).toEqual(["disappear"]);
  });

  it("believes nothing of a place that something stands before, or that is still full", () => {
    for (const things of [
      [thing("wall", "wall", [1, -0.5, 1], [0.2, 6, 2])],
      [thing("box", "box", [2, 0, 0.3], [0.5, 0.5, 0.6])],
    ]) {
      const known = new KnownScene();
      const box = known.thing("box", "box", [2, 0, 0.3], [0.5, 0.5, 0.6], { lastUs: 1 });
      box.shape.transparency = 0;
      const percept = look({ timeS: 10, from: EYES[0]!, at: vec3(2, 0, 0.4), things });
      for (let n = 0; n < 12; n++) watch(known.scene, frameOf(percept), new Map(), known.journal);
      expect(box.identity.endedUs).toBeUndefined();
    }
  });

  it("gives up a tentative thing that plain looks do not repeat", () => {
    const known = new KnownScene();
    const ghost = known.thing("ghost", "chair", [2, 0, 0.5], [0.6, 0.6, 1], { looks: 1, isConfirmed: false });
    watched(known, [], 1);
    expect(known.scene.things.has(ghost)).toBe(true);
    watched(known, [], 12, 12);
    expect(known.scene.things.has(ghost)).toBe(false);
    expect(known.scene.tentatives).toBe(0);
  });

  it("keeps one that was seen whole through looks that would hardly show it, and gives up a piece of something", () => {
    const isKept = (wasWhole: boolean) => {
      const known = new KnownScene();
      const mug = known.thing("mug", "mug", [2, 0, 0.1], [0.05, 0.05, 0.08], {
        looks: 1,
        isConfirmed: false,
      });
      mug.shape.fill = 0.1;
      mug.shape.wasWhole = wasWhole;
      watched(known, [thing("mug", "mug", [2, 0, 0.1], [0.05, 0.05, 0.08])], 80);
      return known.scene.things.has(mug);
    };
    expect(isKept(true)).toBe(true);
    expect(isKept(false)).toBe(false);
  });
});
