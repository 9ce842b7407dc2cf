import { describe, expect, it } from "vitest";
import { boxFromCentre, type Vec3, vec3 } from "../../geometry/index.ts";
import { type RecordInput, recordSchema } from "../../schema/index.ts";
import { look } from "../testing/toy-room.ts";
import type { TrackedThing } from "../tracker.ts";
import { EgoDiary } from "./ego-diary.ts";

const SOFA: TrackedThing = {
  stateId: "state-sofa",
  trackId: "track-sofa",
  type: "object",
  name: "grey sofa",
  category: "sofa",
  boxInWorld: boxFromCentre(vec3(5, 1.5, 0.4), vec3(2, 0.9, 0.8)),
  positionInWorld: vec3(5, 1.5, 0.4),
};

class Walk {
  readonly diary = new EgoDiary({ sceneId: "toy", landmarks: () => [SOFA] });
  readonly events = new Map<string, Extract<RecordInput, { kind: "event" }>>();
  #timeS = 0;

  step(from: Vec3, yawRad: number, regionId?: string, seconds = 0.5) {
    this.#timeS += seconds;
    const at = vec3(from.x + Math.cos(yawRad), from.y + Math.sin(yawRad), from.z - 0.3);
    this.take(this.diary.observe(look({ timeS: this.#timeS, from, at, things: [] }), regionId).records);
  }

  take(records: readonly RecordInput[]) {
    for (const record of records) {
      recordSchema.parse(record);
      if (record.kind === "event") this.events.set(record.id, record);
    }
  }

  of(type: string) {
    return [...this.events.values()].filter((event) => event.type === type);
  }
}

describe("EgoDiary", () => {
  it("tells of a stop with its length, once", () => {
    const walk = new Walk();
    for (let n = 0; n < 4; n++) walk.step(vec3(-9 + n * 0.4, -9, 1.5), 0);
    for (let n = 0; n < 12; n++) walk.step(vec3(-7.8, -9, 1.5), 0);
    for (let n = 0; n < 4; n++) walk.step(vec3(-7.4 + n * 0.4, -9, 1.5), 0);
    const [stop] = walk.of("stop");
    expect(walk.of("stop")).toHaveLength(1);
    expect(stop!.validToUs! - stop!.validFromUs).toBe(6_000_000);
  });

  it("tells left turns from right ones, and turns from bends", () => {
    const walk = new Walk();
    const turn = (steps: number, perStepRad: number, from: number) => {
      for (let n = 0; n <= steps; n++) walk.step(vec3(-9, -9, 1.5), from + n * perStepRad);
      walk.step(vec3(-9, -9, 1.5), from + steps * perStepRad);
    };
    turn(6, Math.PI / 12, 0);
    turn(6, -Math.PI / 12, Math.PI / 2);
    turn(40, 0.04, 0);
    expect(walk.of("turn").map(({ detail }) => detail?.["direction"])).toEqual(["left", "right"]);
    expect(walk.of("turn")[0]!.detail?.["degrees"]).toBe(90);
  });

  it("tells of passing a landmark at its closest, once an approach", () => {
    const walk = new Walk();
    for (let x = 0; x < 10; x += 0.4) walk.step(vec3(x, 0, 1.5), 0);
    for (let x = 10; x > 4; x -= 0.4) walk.step(vec3(x, 0, 1.5), Math.PI);
    walk.take(walk.diary.finish().records);
    expect(walk.of("pass")).toHaveLength(2);
    expect(walk.of("pass")[0]!.detail?.["distanceM"]).toBeCloseTo(1.05, 2);
    expect(walk.of("pass")[0]!.who).toEqual(["state-sofa"]);
  });

  it("tells of rooms entered and left", () => {
    const walk = new Walk();
    for (const [n, room] of ["kitchen", "kitchen", undefined, "hall", "kitchen"].entries()) {
      walk.step(vec3(-9 + n, -9, 1.5), 0, room);
    }
    expect(walk.of("enter").map(({ regionId }) => regionId)).toEqual(["kitchen", "hall", "kitchen"]);
    expect(walk.of("exit").map(({ regionId }) => regionId)).toEqual(["kitchen", "hall"]);
  });

  it("says nothing about gaps and late frames", () => {
    const walk = new Walk();
    walk.step(vec3(-9, -9, 1.5), 0);
    walk.step(vec3(-9, -9, 1.5), 3, undefined, 60);
    const late = look({ timeS: 5, from: vec3(0, 0, 1.5), at: vec3(1, 0, 1), things: [] });
    expect(walk.diary.observe(late).records).toEqual([]);
    expect(walk.events.size).toBe(0);
  });
});
