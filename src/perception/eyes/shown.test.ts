import { describe, expect, test } from "vitest";
import { surfaceOf } from "./links.ts";
import { regionOfMembers } from "./pieces.ts";
import { type Candidate, isShown, shownAmong } from "./shown.ts";
import { boardOf, type KnownVoxel, mapOf } from "./testing/known-map.ts";

/** Ten voxels, some of which are continued by wall. */
const MEMBERS = Array.from({ length: 10 }, (_, n) => n);
const seen = (flush: number, boundary: number) => ({
  flush: Uint8Array.from(MEMBERS, (n) => (n < flush ? 1 : 0)),
  boundary: new Float32Array(10).fill(boundary),
});
const FREE = seen(0, 0);

/** What varies in such a region: the share of rim, of voxels beside a wall, and of wall votes. */
const candidate = ({
  rim = 0.3,
  beside = 0,
  wall = 0.2,
  level = 0,
  ...rest
}: Partial<Candidate> & { rim?: number; beside?: number; wall?: number; level?: number }) => ({
  label: undefined,
  score: 0.9,
  longM: 0.3,
  wideM: 0.05,
  highM: 0.2,
  loudest: 0.4,
  loudestTwo: 0.6,
  looks: 3,
  closeness: 12,
  region: {
    members: MEMBERS,
    normal: Float32Array.of(0, 0, 10 * level),
    edges: Float32Array.of(10 * rim, 10 * beside, 0),
    surface: Float32Array.of(10 * wall, 0, 10 - 10 * wall),
  },
  ...rest,
});

test("what has no name must be a thing more likely than what has one, however few looks there were", () => {
  const score = 0.5;
  expect(isShown(FREE, candidate({ label: "mug", score }))).toBe(true);
  expect(isShown(FREE, candidate({ score }))).toBe(false);
  expect(isShown(FREE, candidate({ label: "mug", score: 0.35 }))).toBe(false);
  expect(isShown(FREE, candidate({ score: 0.65 }))).toBe(true);
});

test("what carries something on its level top is believed as what has a name", () => {
  const { region, ...rest } = candidate({ score: 0.45 });
  expect(isShown(FREE, { ...rest, region })).toBe(false);
  expect(isShown(FREE, { ...rest, region: { ...region, carries: true } })).toBe(true);
});

test("specks are none by any name, and what is large, has no ends in it or lies as a sheet is no specks", () => {
  const specks = { label: "book", longM: 0.19, closeness: 6.4, rim: 0.68 };
  expect(isShown(FREE, candidate(specks))).toBe(false);
  expect(isShown(FREE, candidate({ ...specks, closeness: 7.5 }))).toBe(true);
  expect(isShown(FREE, candidate({ ...specks, highM: 0.4 }))).toBe(true);
  expect(isShown(FREE, candidate({ ...specks, rim: 0.3 }))).toBe(true);
  expect(isShown(FREE, candidate({ ...specks, looks: 1 }))).toBe(true);
  expect(isShown(FREE, candidate({ ...specks, loudest: 0.57 }))).toBe(true);
  expect(isShown(FREE, candidate({ ...specks, loudestTwo: 0.85 }))).toBe(true);
  expect(isShown(FREE, candidate({ ...specks, level: 0.8 }))).toBe(false);
  expect(isShown(FREE, candidate({ ...specks, level: 0.99 }))).toBe(true);
});

describe("a rim", () => {
  test("along a wall must be a thing more likely than others, by whatever name", () => {
    const posts = { label: "bookcase", longM: 1.5, rim: 0.79, beside: 0.7 };
    expect(isShown(FREE, candidate({ ...posts, score: 0.65 }))).toBe(false);
    expect(isShown(FREE, candidate({ ...posts, score: 0.65, rim: 0.6 }))).toBe(true);
    expect(isShown(FREE, candidate({ ...posts, score: 0.65, beside: 0.1 }))).toBe(true);
    expect(isShown(FREE, candidate({ ...posts, score: 0.75 }))).toBe(true);
  });

  test("is left over without a name or where it is small, and a thing is none", () => {
    expect(isShown(FREE, candidate({ label: "bottle", longM: 0.1, rim: 0.86 }))).toBe(false);
    expect(isShown(FREE, candidate({ longM: 1.2, rim: 0.86 }))).toBe(false);
    expect(isShown(FREE, candidate({ label: "curtain", longM: 1.2, rim: 0.86 }))).toBe(true);
    expect(isShown(FREE, candidate({ label: "bottle", longM: 0.1, rim: 0.6 }))).toBe(true);
    const called = { label: "bottle", longM: 0.1, rim: 0.86, loudest: 0.65 };
    expect(isShown(FREE, candidate(called))).toBe(true);
    expect(isShown(FREE, candidate({ ...called, score: 0.5 }))).toBe(false);
  });
});

describe("a region in the plane of a wall", () => {
  test("is a patch of it where it goes on without an outline", () => {
    expect(isShown(seen(3, 0.1), candidate({}))).toBe(false);
    expect(isShown(seen(3, 0.4), candidate({}))).toBe(true);
    expect(isShown(seen(0, 0), candidate({}))).toBe(true);
    expect(isShown(seen(3, 0.1), candidate({ wall: 0 }))).toBe(true);
  });

  test("is furniture before it where it stands out of the wall", () => {
    expect(isShown(seen(3, 0.1), candidate({ wideM: 0.2 }))).toBe(true);
  });

  test("is a door where it is surely called so and as high as one", () => {
    const door = { label: "front door", longM: 0.8, highM: 1.3, loudest: 0.7 };
    expect(isShown(seen(3, 0.1), candidate(door))).toBe(true);
    expect(isShown(seen(3, 0.1), candidate({ ...door, loudest: 0.5 }))).toBe(false);
    expect(isShown(seen(3, 0.1), candidate({ ...door, highM: 0.6 }))).toBe(false);
    expect(isShown(seen(3, 0.1), candidate({ ...door, label: "whiteboard" }))).toBe(false);
  });

  test("is the end of a wall and no door where it is narrow and nothing goes on beside it", () => {
    expect(isShown(FREE, candidate({ label: "door" }))).toBe(false);
    expect(isShown(FREE, candidate({ label: "curtain" }))).toBe(true);
    expect(isShown(seen(2, 0.4), candidate({ label: "door" }))).toBe(true);
    expect(isShown(FREE, candidate({ label: "door", longM: 0.8 }))).toBe(true);
    expect(isShown(seen(2, 0.4), candidate({ label: "door", longM: 0.1 }))).toBe(false);
  });
});

test("a doubtful thing is shown where one that is shown stands on it", () => {
  const sizeM = 0.025;
  const shownOver = (gapM: number) => {
    const plinth = Array.from({ length: 16 * 8 }, (_, n): KnownVoxel => {
      const at = [((n % 16) + 0.5) * sizeM, 2 + (Math.floor(n / 16) + 0.5) * sizeM, 0.9] as const;
      return { at, normal: [0, 0, 1], surface: [0, 0, 1], boundary: 0.1 };
    });
    const model = boardOf(sizeM, [0.1, 2.09, 0.93 + gapM], 6, 8, () => ({
      surface: [0, 0, 1],
      boundary: 0.1,
    }));
    const map = mapOf(sizeM, [...plinth, ...model]);
    const seen = surfaceOf(map, 1);
    const regions = [true, false].map((isPlinth) => {
      const isOwn = (n: number) => seen.voxels[n]! < plinth.length === isPlinth;
      return regionOfMembers(map, seen, [...seen.voxels.keys()].filter(isOwn), 2);
    });
    const [below, above] = regions.map((region, n) => ({ ...candidate({ score: [0.5, 0.9][n]! }), region }));
    return shownAmong(map, seen, [below!, above!]).length;
  };
  expect(shownOver(0)).toBe(2);
  expect(shownOver(0.3)).toBe(1);
});
