import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Belief } from "../../belief/belief.ts";
import { type Box, boxFromCentre } from "../../geometry/index.ts";
import { scan } from "../algebra/notation.ts";
import type { Scope } from "../algebra/operator.ts";
import { NOW_US, smallHouse } from "../testing/small-house.ts";
import { evaluateFrom, likelyPoses, type SituationRead, situate } from "./index.ts";

const box = (x: number, y: number, w = 0.6, d = 0.6): Box =>
  boxFromCentre({ x, y, z: 0.5 }, { x: w, y: d, z: 1 });
const meant = (...boxes: Box[]) => boxes.map((one) => ({ box: one, weight: 1 }));
const bounds: Box = { min: { x: 0, y: 0, z: 0 }, max: { x: 6, y: 6, z: 2 } };
const deg = (rad: number) => Math.round((rad * 180) / Math.PI);
const apart = (a: number, b: number) => Math.abs(deg(Math.atan2(Math.sin(a - b), Math.cos(a - b))));

describe("poses of a situation", () => {
  test("sitting on the one chair, facing the window", () => {
    const chair = box(2, 3);
    const window = box(6, 3, 0.1, 1.5);
    const [best] = likelyPoses({
      stance: { relation: "on", meant: meant(chair) },
      facing: meant(window),
      sides: [],
      solid: [chair],
      bounds,
    });
    expect(Math.hypot(best!.position.x - 2, best!.position.y - 3)).toBeLessThan(0.3);
    expect(apart(best!.yawRad, 0)).toBeLessThanOrEqual(15);
    expect(best!.p).toBeGreaterThan(0.7);
  });

  test("of two doors the one with the table to the left when it is faced", () => {
    const [west, east] = [box(0, 3, 0.1, 0.9), box(6, 3, 0.1, 0.9)];
    // Facing west, the south is on the left.
    const table = box(1, 1.2, 1, 1);
    const [best] = likelyPoses({
      stance: { relation: "facing", meant: meant(west, east) },
      facing: meant(west, east),
      sides: [{ side: "left", meant: meant(table) }],
      solid: [table],
      bounds,
    });
    expect(apart(best!.yawRad, Math.PI)).toBeLessThanOrEqual(30);
    expect(best!.position.x).toBeLessThan(3);
  });

  test("somebody who enters has the door behind them, who opens it in front", () => {
    const door = box(0, 3, 0.1, 0.9);
    const of = (relation: "entering" | "at") =>
      likelyPoses({ stance: { relation, meant: meant(door) }, sides: [], solid: [], bounds })[0]!;
    expect(apart(of("entering").yawRad, 0)).toBeLessThanOrEqual(30);
    expect(apart(of("at").yawRad, Math.PI)).toBeLessThanOrEqual(30);
  });

  test("between two racks, three o'clock being the right", () => {
    const [a, b, bin] = [box(1, 3), box(5, 3), box(3, 5.5)];
    const [best] = likelyPoses({
      stance: { relation: "between", meant: meant(a, b) },
      sides: [{ side: -Math.PI / 2, meant: meant(bin) }],
      solid: [a, b, bin],
      bounds,
    });
    expect(Math.abs(best!.position.x - 3)).toBeLessThan(1);
    // North on the right means looking west.
    expect(apart(best!.yawRad, Math.PI)).toBeLessThanOrEqual(30);
  });

  test("is undecided where nothing decides, and the same each time", () => {
    const table = box(3, 3, 1, 1);
    const situation = {
      stance: { relation: "beside" as const, meant: meant(table) },
      sides: [],
      solid: [table],
      bounds,
    };
    const poses = likelyPoses(situation);
    expect(poses.length).toBeGreaterThan(3);
    expect(poses[0]!.p).toBeLessThan(0.4);
    expect(poses.reduce((sum, { p }) => sum + p, 0)).toBeLessThanOrEqual(1 + 1e-9);
    expect(likelyPoses(situation)).toEqual(poses);
  });
});

let folder: string;
let house: Awaited<ReturnType<typeof smallHouse>>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "loci-situation-"));
  house = await smallHouse(folder);
});

afterAll(async () => {
  await house.engine.close();
  await rm(folder, { recursive: true, force: true });
});

function scopeOf(): Scope {
  const memory = new Belief({ reader: house.reader, embedder: house.embedder, nowUs: NOW_US });
  return { memory, agentId: "robot", broadened: 0, question: "" };
}

describe("a situation in a memory", () => {
  const onSofa: SituationRead = {
    relation: "on",
    anchor: scan('things(category: "sofa")'),
    facing: scan('things(category: "television")'),
    sides: [],
  };

  test("what is left and right of somebody on the sofa who faces the television", async () => {
    const scope = scopeOf();
    const poses = await situate(onSofa, scope);
    expect(apart(poses[0]!.yawRad, Math.PI / 2)).toBeLessThanOrEqual(20);
    const side = async (thing: string) => {
      const value = await evaluateFrom(scan(`direction(the(things(category: "${thing}")))`), poses, scope);
      return value.kind === "words" ? value.items[0]!.words : value.kind;
    };
    expect(await side("floor lamp")).toBe("left");
    expect(await side("bed")).toBe("right");
    expect(await side("television")).toMatch(/front/);
  });

  test("what nobody knows neither helps nor hinders", async () => {
    const scope = scopeOf();
    const sides = [{ side: "left" as const, thing: scan('things(category: "trombone")') }];
    expect(await situate({ ...onSofa, sides }, scope)).toEqual(await situate(onSofa, scope));
    expect(await situate({ sides }, scope)).toEqual([]);
  });

  test("in a room alone it is undecided, and the question is answered all the same", async () => {
    const scope = scopeOf();
    const poses = await situate({ relation: "in", anchor: scan('rooms(name: "kitchen")'), sides: [] }, scope);
    expect(poses[0]!.p).toBeLessThan(0.4);
    const value = await evaluateFrom(scan('count(things(category: "chair"))'), poses, scope);
    expect(value).toMatchObject({ kind: "number", value: 2 });
  });
});
