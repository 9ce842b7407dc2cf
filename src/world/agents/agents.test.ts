import { describe, expect, test } from "vitest";
import { Random, type Vec3 } from "../../geometry/index.ts";
import { makeTimeline } from "../dynamics/index.ts";
import { generateHouse, type House } from "../house/index.ts";
import { Navigation } from "../navigation/index.ts";
import { NO_NOISE } from "../noise/index.ts";
import { DEFAULT_CAMERA, RenderPool } from "../sensors/index.ts";
import { Eyes } from "./eyes.ts";
import { lengthOfPath, type Navigator } from "./navigator.ts";
import { SimulatedBody, type SimulatedBodyOptions } from "./simulated-body.ts";
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
  const body = (more: Partial<SimulatedBodyOptions> = {}) =>
    new SimulatedBody({
      agentId: "robot-1",
      eyes: new Eyes(timeline),
      pool,
      navigator,
      startUs: 0,
      start: { positionInWorld: stand, yawRad: 0.3 },
      camera: { ...DEFAULT_CAMERA, width: 40, height: 30 },
      ...more,
    });

  test("drives a known way, counts its metres, and lets time pass", async () => {
    const robot = body();
    const other = world.rooms.at(-1)!.polygon.points;
    const aim = navigator.standNear({ x: other[0]!.x + 1, y: other[0]!.y + 1, z: 0 }, 0)!;
    const went = await robot.go({ positionInWorld: aim, yawRad: 1 });
    expect(went).toMatchObject({ outcome: "arrived" });
    expect(went.pathM).toBeCloseTo(lengthOfPath(navigator.path(stand, aim, 0)!), 3);
    expect(went.at.yawRad).toBeCloseTo(1, 9);
    const leastS = went.pathM / DEFAULT_MOTION.speedMps;
    expect(robot.truth.timeUs / 1e6).toBeGreaterThan(leastS);
    expect(robot.truth.timeUs / 1e6).toBeLessThan(leastS + went.turnRad / DEFAULT_MOTION.turnRadps + 0.01);
  });

  test("looks on the way, and says what it sees from the exact pose", async () => {
    const robot = body();
    const other = world.rooms.at(-1)!.polygon.points;
    const aim = navigator.standNear({ x: other[0]!.x + 1, y: other[0]!.y + 1, z: 0 }, 0)!;
    const { pathM } = await robot.go({ positionInWorld: aim, yawRad: 1 });
    const { frames, edges } = await robot.look();
    expect(edges).toEqual([]);
    expect(frames.length).toBeGreaterThanOrEqual(Math.floor(pathM / 1.6));
    expect(frames.length).toBeLessThanOrEqual(1 + Math.ceil(pathM / 1.5));
    const last = frames.at(-1)!;
    expect(last).toMatchObject({ agentId: "robot-1", mapFrame: "world" });
    expect(last.worldFromCamera!.p).toEqual({ ...robot.truth.positionInWorld, z: 1.5 });
    expect(last.rgb!.data.length).toBe(40 * 30 * 3);
    expect(last.captions![0]).toMatch(/\.$/);
    expect(await body().look()).toEqual(await body().look());
  });

  test("stops when its metres run out or the signal comes, and refuses what no way leads to", async () => {
    const other = world.rooms.at(-1)!.polygon.points;
    const aim = navigator.standNear({ x: other[0]!.x + 1, y: other[0]!.y + 1, z: 0 }, 0)!;
    const short = await body().go({ positionInWorld: aim, yawRad: 0 }, { maxPathM: 0.5 });
    expect(short.outcome).toBe("limit");
    expect(short.pathM).toBeLessThanOrEqual(0.5);
    const nowhere = { x: 500, y: 500, z: 0 };
    expect(await body().go({ positionInWorld: nowhere, yawRad: 0 })).toMatchObject({
      outcome: "refused",
      pathM: 0,
    });
    const cancelled = await body().go({ positionInWorld: aim, yawRad: 0 }, { signal: AbortSignal.abort() });
    expect(cancelled).toMatchObject({ outcome: "cancelled", pathM: 0 });
  });

  test("without a painter it sees the same things and depths, and no colours", async () => {
    const [painted, plain] = [
      (await body().look()).frames[0]!,
      (await body({ pool: undefined }).look()).frames[0]!,
    ];
    expect(plain.rgb).toBeUndefined();
    expect(plain.detections!.map(({ label }) => label).sort()).toEqual(
      painted.detections!.map(({ label }) => label).sort(),
    );
    let off = 0;
    for (const [at, mm] of painted.depth!.data.entries())
      if (Math.abs(mm - plain.depth!.data[at]!) > 5) off++;
    expect(off / painted.depth!.data.length).toBeLessThan(0.02);
  });

  test("with drifting poses it believes to be elsewhere and is still sent where it believes the goal to be", async () => {
    const noise = { random: new Random(3), levels: { ...NO_NOISE, pose: 1 } };
    const robot = body({ noise });
    const other = world.rooms.at(-1)!.polygon.points;
    const aim = navigator.standNear({ x: other[0]!.x + 1, y: other[0]!.y + 1, z: 0 }, 0)!;
    const went = await robot.go({ positionInWorld: aim, yawRad: 1 });
    const offM = lengthOfPath([went.at.positionInWorld, robot.truth.positionInWorld]);
    expect(offM).toBeGreaterThan(0.001);
    expect(went.at.sdM).toBeGreaterThan(0.02);
    const { frames, edges } = await robot.look();
    expect(edges.length).toBeGreaterThan(0);
    expect(frames.every(({ submap }) => submap !== undefined)).toBe(true);
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
