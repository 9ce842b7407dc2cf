import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  diffSchema,
  goalSchema,
  lifeSchema,
  type RecordInput,
  routeSchema,
  timelineSchema,
} from "../../schema/index.ts";
import type { Scope } from "../algebra/operator.ts";
import { scopeOf } from "../ask.ts";
import { NOW_US, smallHouse } from "../testing/small-house.ts";
import { diffOf, goalFor, lifeOf, routeBetween, thingMeant, timelineOf } from "./index.ts";

const folder = mkdtempSync(join(tmpdir(), "loci-accounts-"));
let house: Awaited<ReturnType<typeof smallHouse>>;
let scope: Scope;
beforeAll(async () => {
  house = await smallHouse(folder);
  const writer = await house.engine.writer();
  const blob = new Uint8Array([1, 2, 3]);
  await writer.write({ blobs: [blob], records: [picture], sightings: [seen, away, late] });
  await writer.write({ records: [secret, secretState] });
  await writer.close();
  scope = await scopeOf({ reader: house.reader, embedder: house.embedder, nowUs: NOW_US });
});
afterAll(async () => {
  await house.engine.close();
  rmSync(folder, { recursive: true, force: true });
});

const at = (s: number) => NOW_US + (s - 600) * 1_000_000;
const SHA_OF_123 = "039058c6f2c0cb492c533b0a4d14ef77cc0f78abccced5287d84a1a2011cfb81";
const picture: RecordInput = {
  kind: "view",
  id: "view-1",
  observationId: "look-598",
  thumb: SHA_OF_123,
  author: "robot",
  visible: [{ stateId: "vase-2", bbox: [130, 20, 140, 40], depthM: 1, fraction: 1 }],
  validFromUs: at(598),
  validToUs: at(598) + 1,
};
const seen = {
  stateId: "vase-2",
  timeUs: at(598),
  outcome: "seen" as const,
  agentId: "guest",
  observationId: "look-598",
};
const away = { stateId: "vase-1", timeUs: at(240), outcome: "absent" as const, agentId: "robot" };
const late = { stateId: "lamp", timeUs: at(90), outcome: "absent" as const, agentId: "robot" };
const secret: RecordInput = {
  kind: "track",
  id: "track-diary",
  name: "red diary",
  category: "book",
  labels: ["private"],
  validFromUs: at(10),
  validToUs: null,
};
const secretState: RecordInput = {
  kind: "state",
  id: "diary",
  trackId: "track-diary",
  name: "red diary",
  category: "book",
  labels: ["private"],
  validFromUs: at(10),
  validToUs: null,
  anchor: { submap: "world", p: { x: 1, y: 1, z: 1 } },
};

describe("the life of a thing", () => {
  it("is the same by the id of its track, of any of its states, and by words", async () => {
    const told = await Promise.all(
      ["track-vase", "vase-1", "vase-2", "the green vase"].map(async (ref) =>
        lifeOf(await thingMeant(ref, scope), scope.memory),
      ),
    );
    for (const life of told) expect(life).toEqual(told[0]);
    expect(lifeSchema.parse(told[0])).toEqual(told[0]);
  });

  it("has its stays, who saw it, what happened, and its pictures with where it is in them", async () => {
    const life = await lifeOf(await thingMeant("track-vase", scope), scope.memory);
    expect(life).toMatchObject({
      id: "track-vase",
      category: "vase",
      isThere: true,
      firstSeenUs: at(105),
      lastSeenUs: at(598),
      seen: 23,
      stays: [
        { stateId: "vase-1", room: { name: "living room" }, toUs: at(240), absentUs: at(240) },
        { stateId: "vase-2", room: { name: "bedroom" }, toUs: null, absentUs: null, lastSeenUs: at(598) },
      ],
      events: [{ id: "moved", type: "move", by: "robot" }],
      pictures: [{ viewId: "view-1", image: SHA_OF_123, atUs: at(598), by: "robot" }],
    });
    expect(life.seenBy).toEqual([
      { agent: "guest", seen: 1, lastUs: at(598) },
      { agent: "robot", seen: 22, lastUs: at(300) },
    ]);
    expect(life.names).toHaveLength(1);
  });

  it("is told of nothing that is not there", async () => {
    await expect(thingMeant("zeppelin", scope)).rejects.toMatchObject({ code: "unknown-id" });
    await expect(thingMeant("look-598", scope)).rejects.toMatchObject({ code: "unknown-id" });
  });

  it("is told to nobody who may not know of it, in the words for what is not there", async () => {
    expect((await thingMeant("diary", scope)).name).toBe("red diary");
    const reader = await house.engine.reader({ principal: { id: "guest", labels: [] } });
    const theirs = await scopeOf({ reader, embedder: house.embedder, nowUs: NOW_US });
    const words = (ref: string) => thingMeant(ref, theirs).catch((error: Error) => error.message);
    expect(await words("diary")).toBe('there is no "diary" to tell of');
    expect(await words("track-diary")).toBe('there is no "track-diary" to tell of');
    expect((await diffOf(theirs.memory, at(0), at(599))).found.map(({ id }) => id)).not.toContain(
      "track-diary",
    );
    await reader.close();
  });
});

describe("the timeline", () => {
  it("counts every event in its step, and looks beside them", async () => {
    const timeline = await timelineOf(scope.memory, { fromUs: at(0), toUs: at(600), buckets: 6 });
    expect(timelineSchema.parse(timeline)).toEqual(timeline);
    expect(timeline.buckets.map(({ looks }) => looks)).toEqual([50, 50, 50, 50, 50, 50]);
    expect(timeline.buckets.map(({ events }) => events)).toEqual([
      {},
      { enter: 1 },
      { move: 1 },
      {},
      { "state-change": 1 },
      {},
    ]);
    expect(timeline.events.map(({ id }) => id)).toEqual(["entered", "moved", "switched"]);
    expect(timeline.isCut).toBe(false);
  });

  it("keeps to its span, its types and its limit", async () => {
    const of = async (request: Partial<Parameters<typeof timelineOf>[1]>) =>
      (await timelineOf(scope.memory, { fromUs: at(0), toUs: at(600), ...request })).events.map(
        ({ id }) => id,
      );
    expect(await of({ fromUs: at(101) })).toEqual(["moved", "switched"]);
    expect(await of({ toUs: at(240) })).toEqual(["entered"]);
    expect(await of({ types: ["move", "enter"] })).toEqual(["entered", "moved"]);
    expect(await of({ limit: 1 })).toEqual(["switched"]);
    expect(await of({ limit: 0 })).toEqual([]);
  });
});

describe("what differs between two times", () => {
  it("keeps what came, what was only found, what went, what moved and what changed apart", async () => {
    const diff = await diffOf(scope.memory, at(120), at(599));
    expect(diffSchema.parse(diff)).toEqual(diff);
    expect(diff.moved).toMatchObject([
      {
        id: "track-vase",
        stateId: "vase-2",
        room: { name: "bedroom" },
        from: { room: { name: "living room" }, position: { x: 9.8, y: 3, z: 2.1 } },
      },
    ]);
    expect(diff.moved[0]!.distanceM).toBeCloseTo(Math.hypot(3.2, 2, 1.4), 6);
    expect(diff.found.map(({ id }) => id)).toEqual(["track-bed"]);
    expect(diff.appeared).toEqual([]);
    expect(diff.changed).toMatchObject([{ id: "track-tv", attribute: "power", from: "on", to: "off" }]);
    expect(await diffOf(scope.memory, at(599), at(120))).toEqual(diff);
  });

  it("says that a thing appeared only where somebody had looked before", async () => {
    const diff = await diffOf(scope.memory, at(50), at(150));
    expect(diff.appeared.map(({ id }) => id)).toEqual(["track-lamp"]);
    expect(diff.found.map(({ id }) => id)).toContain("track-sofa");
  });

  it("says of what is gone whether anybody looked", async () => {
    const diff = await diffOf(scope.memory, at(505), at(599));
    expect(diff.gone).toMatchObject([{ id: "track-anna", looked: false }]);
    const vase = await diffOf(scope.memory, at(120), at(245));
    expect(vase.gone).toMatchObject([{ id: "track-vase", looked: true }]);
  });

  it("is nothing between a time and itself", async () => {
    const { same, isCut, aUs: _, bUs: __, ...lists } = await diffOf(scope.memory, at(150), at(150));
    expect(Object.values(lists).flat()).toEqual([]);
    expect([same > 5, isCut]).toEqual([true, false]);
  });
});

describe("ways", () => {
  it("lead from and to points, ids and words alike", async () => {
    const byWords = await routeBetween({ from: "kitchen", to: "bed" }, scope);
    expect(routeSchema.parse(byWords)).toEqual(byWords);
    expect(byWords.rooms.map(({ name }) => name)).toEqual(["kitchen", "living room", "bedroom"]);
    expect(byWords.to).toMatchObject({ id: "track-bed", name: "white double bed" });
    const byIds = await routeBetween({ from: "kitchen", to: "track-bed" }, scope);
    expect(byIds).toEqual(byWords);
    const { from, to } = byWords;
    const byPoints = await routeBetween({ from: from.position, to: to.position }, scope);
    expect(byPoints).toMatchObject({ lengthM: byWords.lengthM, points: byWords.points });
    expect(byWords.points.at(-1)).toMatchObject({ x: to.position.x, y: to.position.y });
  });

  it("mean the bed by “the bed”, and the bedroom by “the bedroom”; where no bed is known, its room", async () => {
    const nameOf = async (to: string) => (await goalFor({ to }, scope)).to.id;
    expect(await nameOf("the bed")).toBe("track-bed");
    expect(await nameOf("bed")).toBe("track-bed");
    expect(await nameOf("the bedroom")).toBe("bedroom");
    expect(await nameOf("living")).toBe("living");
    expect(await nameOf("the kitchen")).toBe("kitchen");
  });

  it("begin where the agent stands, unless somebody says from where", async () => {
    const { from } = await routeBetween({ to: "bed" }, scope);
    expect(from.position).toMatchObject({ x: 8, y: 2.5 });
  });

  it("lead nowhere that nobody knows", async () => {
    await expect(routeBetween({ to: "zeppelin" }, scope)).rejects.toMatchObject({ code: "unknown-id" });
    await expect(routeBetween({ to: " " }, scope)).rejects.toMatchObject({ code: "invalid-input" });
  });

  it("have a goal only where a map tells where one can stand", async () => {
    const goal = await goalFor({ to: "bed" }, scope);
    expect(goalSchema.parse(goal)).toEqual(goal);
    expect(goal).toMatchObject({ to: { id: "track-bed" }, goal: null });
  });
});
