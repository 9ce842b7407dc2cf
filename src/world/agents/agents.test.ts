import { describe, expect, test } from "vitest";
import { Random, type Vec3 } from "../../geometry/index.ts";
import { makeTimeline } from "../dynamics/index.ts";
import { generateHouse, type House } from "../house/index.ts";
import { Navigation } from "../navigation/index.ts";
import { DEFAULT_CAMERA, RenderPool } from "../sensors/index.ts";
import { Eyes } from "./eyes.ts";
import { lengthOfPath, type Navigator } from "./navigator.ts";
import { SimulatedBody } from "./simulated-body.ts";
import { planScript, planTour } from "./tour.ts";
import { DEFAULT_MOTION, Trajectory } from "./trajectory.ts";

const origin = { positionInWorld: { x: 0, y: 0, z: 0 }, yawRad: 0, tiltRad: 0 };
const straight: Navigator = { path: (from, to) => [from, to], standNear: (point) => point };

function room(id: string, x: number, y: number): House["rooms"][number] {
  const points = [
    [x, y],
    [x + 4, y],
    [x + 4, y + 4],
    [x, y + 4],
  ].map(([px, py]) => ({ x: px!, y: py! }));
  return {
    id,
    type: "office",
    name: id,
    floor: 0,
    polygon: { points } as House["rooms"][number]["polygon"],
    floorZM: 0,
    ceilingM: 2.5,
    ambience: [],
    doors: [],
    windows: [],
  };
}

const house = {
  seed: "test",
  rooms: [room("a", 0, 0), room("b", 4, 0), room("c", 0, 4), room("d", 4, 4)],
} as unknown as House;

describe("a trajectory", () => {
  test("drives at its speed, turns the shorter way and rests at its ends", () => {
    const trajectory = new Trajectory(1000, origin);
    trajectory.follow([{ x: 0, y: 3, z: 0 }], DEFAULT_MOTION);
    const turnUs = (Math.PI / 2 / DEFAULT_MOTION.turnRadps) * 1e6;
    expect(trajectory.endUs).toBeCloseTo(1000 + turnUs + (3 / DEFAULT_MOTION.speedMps) * 1e6, -1);
    expect(trajectory.at(0)).toEqual(origin);
    expect(trajectory.at(1000 + turnUs / 2).yawRad).toBeCloseTo(Math.PI / 4, 4);
    const middle = trajectory.at((1000 + turnUs + trajectory.endUs) / 2);
    expect(middle.positionInWorld.y).toBeCloseTo(1.5, 4);
    expect(trajectory.at(1e12).positionInWorld).toEqual({ x: 0, y: 3, z: 0 });
  });

  test("a full turn passes every heading once", () => {
    const trajectory = new Trajectory(0, origin);
    trajectory.turnBy(2 * Math.PI, DEFAULT_MOTION);
    const headings = Array.from({ length: 8 }, (_, n) => trajectory.at((trajectory.endUs * n) / 8).yawRad);
    expect(headings.map((yaw) => (Math.round((yaw * 4) / Math.PI) + 8) % 8)).toEqual([
      0, 1, 2, 3, 4, 5, 6, 7,
    ]);
  });
});

describe("a tour", () => {
  const plan = (seed: number, minutes: number, phase = 0) =>
    planTour({
      house,
      navigator: straight,
      random: new Random(seed),
      startUs: 0,
      endUs: minutes * 60e6,
      tiltRad: -0.5,
      phase,
    });

  test("stands in every room and lasts as long as asked", () => {
    const trajectory = plan(1, 8);
    expect(trajectory.endUs).toBeGreaterThanOrEqual(8 * 60e6);
    const visited = new Set<string>();
    for (let t = 0; t < 8 * 60e6; t += 1e6) {
      const { x, y } = trajectory.at(t).positionInWorld;
      visited.add(
        house.rooms.find(
          ({ polygon: { points: p } }) => x >= p[0]!.x && x < p[2]!.x && y >= p[0]!.y && y < p[2]!.y,
        )?.id ?? "?",
      );
    }
    expect([...visited].sort()).toEqual(["a", "b", "c", "d"]);
  });

  test("depends on the seed and spreads agents by phase", () => {
    expect(plan(1, 2).at(60e6)).toEqual(plan(1, 2).at(60e6));
    expect(plan(1, 2).at(60e6)).not.toEqual(plan(2, 2).at(60e6));
    expect(plan(1, 2).at(0)).not.toEqual(plan(1, 2, 0.5).at(0));
  });

  test("a house with nowhere to stand is an error, unreachable rooms are not", () => {
    const nowhere: Navigator = { path: () => undefined, standNear: () => undefined };
    expect(() =>
      planTour({ house, navigator: nowhere, random: new Random(1), startUs: 0, endUs: 1e6, tiltRad: 0 }),
    ).toThrow(/nowhere/);
    const cutOff: Navigator = { ...straight, path: (from, to) => (to.x > 4 ? undefined : [from, to]) };
    const trajectory = planTour({
      house,
      navigator: cutOff,
      random: new Random(1),
      startUs: 0,
      endUs: 6e8,
      tiltRad: 0,
    });
    for (let t = 0; t < 6e8; t += 1e6) expect(trajectory.at(t).positionInWorld.x).toBeLessThanOrEqual(4);
  });
});

describe("a body in a house", () => {
  const world = generateHouse(7, { rooms: 4, floors: 1, objects: 60 });
  const timeline = makeTimeline(world, { seed: 7, startUs: 0, durationUs: 60e6, rate: 0, people: 0 });
  const navigator = new Navigation(timeline);
  const pool = new RenderPool({ workers: 0 });
  const { points } = world.rooms[0]!.polygon;
  const stand = navigator.standNear(
    { x: (points[0]!.x + points[2]!.x) / 2, y: (points[0]!.y + points[2]!.y) / 2, z: 0 },
    0,
  )!;
  const body = () =>
    new SimulatedBody({
      agentId: "robot-1",
      eyes: new Eyes(timeline),
      pool,
      navigator,
      startUs: 0,
      start: { positionInWorld: stand, yawRad: 0.3 },
      camera: { ...DEFAULT_CAMERA, width: 40, height: 30 },
    });

  test("drives until something is in the way, and time passes as it drives", async () => {
    const robot = body();
    const free = await robot.step({ type: "forward", distanceM: 50 });
    expect(free.blocked).toBe(true);
    expect(free.distanceM).toBeLessThan(20);
    expect(robot.timeUs).toBeCloseTo((free.distanceM / DEFAULT_MOTION.speedMps) * 1e6, -2);
    const again = await robot.step({ type: "forward", distanceM: 0.5 });
    expect(again).toMatchObject({ blocked: true });
    expect(again.distanceM).toBeLessThan(0.1);
    const stood = navigator.standNear(robot.pose.positionInWorld, 0)!;
    expect(lengthOfPath([stood, robot.pose.positionInWorld])).toBeLessThan(0.07);
  });

  test("goes where it is sent, looks, and says what it sees from the exact pose", async () => {
    const robot = body();
    const other = world.rooms.at(-1)!.polygon.points;
    const aim = navigator.standNear({ x: other[0]!.x + 1, y: other[0]!.y + 1, z: 0 }, 0)!;
    const went = await robot.step({ type: "go-to", positionInWorld: aim, yawRad: 1 });
    expect(went.blocked).toBe(false);
    expect(went.pose.yawRad).toBeCloseTo(1, 9);
    await robot.step({ type: "look", tiltRad: -0.5 });
    const frame = await robot.observe();
    expect(frame).toMatchObject({ index: 0, agentId: "robot-1", mapFrame: "world", timeUs: robot.timeUs });
    expect(frame.worldFromCamera!.p).toEqual({
      ...went.pose.positionInWorld,
      z: went.pose.positionInWorld.z + 1.5,
    });
    expect(frame.rgb!.data.length).toBe(40 * 30 * 3);
    expect(frame.captions![0]).toMatch(/\.$/);
    const again = await body().observe();
    expect(again).toEqual(await body().observe());
  });

  test("says when there is no way", async () => {
    const nowhere = { x: 500, y: 500, z: 0 };
    expect(await body().step({ type: "go-to", positionInWorld: nowhere })).toMatchObject({
      blocked: true,
      distanceM: 0,
    });
  });
});

test("a script goes where it is told and says which step has no way", () => {
  const steps = [
    { to: { x: 1, y: 0, z: 0 }, yawRad: 1 },
    { to: { x: 1, y: 2, z: 0 }, waitS: 2 },
  ];
  const trajectory = planScript(steps, { navigator: straight, start: origin, startUs: 0 });
  expect(trajectory.end.positionInWorld).toEqual({ x: 1, y: 2, z: 0 });
  const walled: Navigator = { ...straight, path: (_, to) => (to.y > 1 ? undefined : [to]) };
  expect(() => planScript(steps, { navigator: walled, start: origin, startUs: 0 })).toThrow(/step 1/);
});

test("the length of a way is the sum of its pieces", () => {
  const path: Vec3[] = [origin.positionInWorld, { x: 3, y: 4, z: 0 }, { x: 3, y: 4, z: 2 }];
  expect(lengthOfPath(path)).toBe(7);
});
