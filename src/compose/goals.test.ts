import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { simulate } from "../compose.ts";
import { distance, fromYaw } from "../geometry/index.ts";
import { SceneMap } from "../map/index.ts";
import { localFace } from "../operations/face.ts";
import { goalSchema } from "../schema/index.ts";
import { openRecording, type RecordingReader } from "../sensors/index.ts";
import { askMemory } from "./ask.ts";
import { ingestInto } from "./ingest.ts";
import { type Memory, openMemory } from "./memory.ts";

const LONG_MS = 300_000;
const folder = mkdtempSync(join(tmpdir(), "loci-goals-"));
const OWNER = { id: "owner", labels: "*" } as const;
let memory: Memory;

/** The recording as a robot would have told it over TF. */
function inRobotFrame(recording: RecordingReader, name: string): RecordingReader {
  return {
    ...recording,
    async *items(options = {}) {
      for await (const item of recording.items(options))
        yield item.kind === "frame" ? { kind: "frame", frame: { ...item.frame, robotFrame: name } } : item;
    },
  };
}

beforeAll(async () => {
  const out = join(folder, "recording");
  await simulate({
    family: "house",
    seed: "7",
    agents: 2,
    minutes: 1.5,
    fps: 1,
    noise: 0,
    rooms: 4,
    size: { width: 80, height: 60 },
    out,
  });
  memory = await openMemory(join(folder, "memory"), { embedder: "hashing:64" });
  const recording = await openRecording(out);
  await ingestInto(memory, inRobotFrame(recording, "map"), { join: false });
  await recording.close();
}, LONG_MS);
afterAll(async () => {
  await memory?.close();
  rmSync(folder, { recursive: true, force: true });
});

describe("a goal", () => {
  it("names its target, its frame, the map's revision and the age of its evidence", async () => {
    const face = localFace(memory, OWNER);
    const { rows } = await face.list({ what: "things" });
    let told = 0;
    for (const { id } of rows.slice(0, 20)) {
      const found = await face.goal({ to: String(id) });
      expect(goalSchema.parse(found)).toEqual(found);
      if (found.goal === null) continue;
      told++;
      const { goal, ros, to } = found;
      expect(goal.name).toBe(to.name);
      expect(goal).toMatchObject({
        mapRevision: expect.any(Number),
        lookedAtUs: expect.any(Number),
        ageS: expect.any(Number),
        sdM: expect.any(Number),
      });
      expect(goal.stale).toBeUndefined();
      expect(ros!.header).toEqual({ stamp: { sec: 0, nanosec: 0 }, frame_id: "map" });
      expect(ros!.pose.pose.position).toEqual(goal.position);
      const { w, z } = fromYaw(goal.yawRad);
      const { orientation } = ros!.pose.pose;
      expect([orientation.w, orientation.z]).toEqual([expect.closeTo(w), expect.closeTo(z)]);
      expect(ros!.pose.covariance[0]).toBeCloseTo(goal.sdM! ** 2);
      expect(ros!.pose.covariance[0]).toBeGreaterThan(0);
    }
    expect(told).toBeGreaterThan(5);
  });

  it("says when its target was not looked at for longer than asked, and so does an answer", async () => {
    const face = localFace(memory, OWNER);
    const { rows } = await face.list({ what: "rooms" });
    const to = String(rows[0]!["name"]);
    const { goal } = await face.goal({ to, staleAfterS: 0 });
    expect(goal!.stale === undefined).toBe(goal!.ageS === 0);
    const things = await face.list({ what: "things" });
    for (const { id, name } of things.rows.slice(0, 8)) {
      const { goal: old } = await face.goal({ to: String(id), staleAfterS: 0 });
      if (old === null || old.ageS === 0) continue;
      expect(old.stale).toMatch(/^not looked at for \d+ minutes?$/);
      const now = old.lookedAtUs! + 9 * 86_400e6;
      const answer = await askMemory(memory, `Where is the ${name}?`, { now });
      if (answer.navGoal === undefined) continue;
      expect(answer.navGoal.stale).toMatch(/^not looked at for 9 days$/);
      return;
    }
    expect.unreachable("no thing was seen before the end");
  });

  it("is in the robot's own frame by its name, for which agents are told apart", async () => {
    const face = localFace(memory, OWNER);
    const { rows } = await face.list({ what: "things" });
    const to = String(rows[0]!["id"]);
    const inWorld = (await face.goal({ to, agent: "robot-1" })).goal!;
    expect(inWorld.frame).toBe("world");
    const inMap = (await face.goal({ to, agent: "robot-1", frame: "map" })).goal!;
    expect(inMap).toMatchObject({ frame: "map", yawRad: inWorld.yawRad });
    expect(distance(inMap.position, inWorld.position)).toBeLessThan(1e-9);
    // The second robot's map is moved: the same name is another frame.
    const graph = await memory.reader().then((reader) => reader.frames());
    const transform = { p: { x: 5, y: 0, z: 0 }, q: fromYaw(Math.PI / 2) };
    const revision = graph.revision + 1;
    const child = "ros:robot-2:map";
    await memory.write({ frames: [{ parent: "world", child, transform, kind: "static", revision }] });
    const { goal: other, ros } = await face.goal({ to, agent: "robot-2", frame: "map" });
    expect(other!.frame).toBe("map");
    const there = await face.goal({ to, agent: "robot-2" });
    // By default the answer is in our world, and the message in the robot's own frame.
    expect(there.goal!.frame).toBe("world");
    expect(there.ros!.header.frame_id).toBe("map");
    expect(distance(there.ros!.pose.pose.position, other!.position)).toBeLessThan(1e-9);
    expect(distance(ros!.pose.pose.position, other!.position)).toBeLessThan(1e-9);
    const { x, y } = there.goal!.position;
    expect(other!.position.x).toBeCloseTo(y);
    expect(other!.position.y).toBeCloseTo(5 - x);
    await expect(face.goal({ to, frame: "map" })).rejects.toThrow("several robots call a frame");
    // A point is given in the frame that is asked for.
    const back = await face.route({ from: other!.position, to, agent: "robot-2", frame: "map" });
    expect(distance(back.from.position, other!.position)).toBeLessThan(1e-9);
    expect(back.lengthM).toBeLessThan(6);
  });

  it("begins at the robot that is asked, else at the nearest", async () => {
    const face = localFace(memory, OWNER);
    const { rows } = await face.list({ what: "things" });
    const agents = new Set<string | undefined>();
    for (const { id } of rows.slice(0, 30)) {
      const to = String(id);
      const one = await face.route({ to, agent: "robot-1" });
      const two = await face.route({ to, agent: "robot-2" });
      expect(one.from.agent).toBe("robot-1");
      expect(two.from.agent).toBe("robot-2");
      const any = await face.route({ to });
      agents.add(any.from.agent);
      const nearer =
        distance(one.from.position, one.to.position) <= distance(two.from.position, two.to.position);
      expect(any.from.agent).toBe(nearer ? "robot-1" : "robot-2");
    }
    expect(agents.size).toBe(2);
  });
});

it("no way passes a room that the shortest path on the free floor does not", {
  timeout: LONG_MS,
}, async () => {
  const face = localFace(memory, OWNER);
  const map = await SceneMap.open(await memory.reader());
  const ids = map.rooms().map(({ id }) => id);
  expect(ids.length).toBeGreaterThan(2);
  for (const from of ids)
    for (const to of ids) {
      if (from === to) continue;
      const way = await face.route({ from, to });
      const [start, goal] = [way.from.position, way.to.position];
      const shortest = map.path(start, map.nearestReachable(goal, start) ?? goal);
      if (!shortest) continue;
      // Fewer rooms may cost half as much again; as many rooms cost nothing.
      expect(way.lengthM).toBeLessThan(1.5 * shortest.lengthM + 1e-6);
      const passed = new Set(
        shortest.points.flatMap((point, n) => {
          const next = shortest.points[n + 1] ?? point;
          return Array.from({ length: 20 }, (_, k) => {
            const share = k / 20;
            const at = { x: point.x + (next.x - point.x) * share, y: point.y + (next.y - point.y) * share };
            return map.roomAt({ ...at, z: point.z })?.id;
          });
        }),
      );
      expect(way.rooms.slice(1, -1).filter(({ id }) => !passed.has(id))).toEqual([]);
    }
});
