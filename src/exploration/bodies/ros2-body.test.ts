import { afterEach, describe, expect, it } from "vitest";
import type { Vec3 } from "../../geometry/index.ts";
import type { Stand } from "../../sensors/index.ts";
import { type RobotScript, ScriptedRobot } from "../testing/scripted-robot.ts";
import { openRos2Body, type Ros2Body, type Ros2BodyOptions } from "./ros2-body.ts";

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.close();
});

async function bodyOf(
  script: RobotScript,
  options: Partial<Ros2BodyOptions> = {},
): Promise<{ robot: ScriptedRobot; body: Ros2Body }> {
  const robot = await ScriptedRobot.start(script);
  open.push(robot);
  const body = await openRos2Body({ url: robot.url, agentId: "rob", settleMs: 0, pauseMs: 5, ...options });
  open.push(body);
  return { robot, body };
}

const stand = (x: number, y: number, yawRad = 0): Stand => ({ positionInWorld: { x, y, z: 0 }, yawRad });
const ops = (robot: ScriptedRobot) => robot.told.map(({ op, topic }) => topic ?? op);

describe("a robot behind rosbridge as a body", () => {
  it("knows where it stands in the map and how surely, drives by Nav2's action, and sees", async () => {
    const { robot, body } = await bodyOf({ start: { x: 1, y: 0.5, yawRad: 0 }, sdM: () => 0.2 });
    const at = await body.whereabouts();
    expect(at.positionInWorld).toEqual({ x: expect.closeTo(1), y: expect.closeTo(0.5), z: 0 });
    expect(at.sdM).toBeCloseTo(0.2);
    const moves: number[] = [];
    const went = await body.go(stand(3, 0.5, 1), {
      onMove: ({ positionInWorld }) => moves.push(positionInWorld.x),
    });
    expect(went).toMatchObject({ outcome: "arrived", at: { positionInWorld: { x: expect.closeTo(3) } } });
    expect(went.pathM).toBeCloseTo(2, 1);
    expect(moves.length).toBeGreaterThan(10);
    expect(moves).toEqual(moves.toSorted((a, b) => a - b));
    const { frames } = await body.look();
    const last = frames.at(-1)!;
    expect(last.timeUs).toBeGreaterThanOrEqual(went.at.timeUs);
    expect(last).toMatchObject({ agentId: "rob", mapFrame: "world" });
    expect(last.worldFromCamera!.p).toMatchObject({ x: expect.closeTo(3), y: expect.closeTo(0.5), z: 1 });
    expect(ops(robot)).toEqual(["/speed_limit", "send_action_goal"]);
  });

  it("a goal that is rejected or given up is noticed, and so is an arrival that is none", async () => {
    const fates = ["rejected", "aborted", "elsewhere"] as const;
    const { body } = await bodyOf({ fate: (n) => fates[n]! });
    expect(await body.go(stand(2, 0))).toMatchObject({
      outcome: "refused",
      why: "the robot rejects the goal",
    });
    expect(await body.go(stand(2, 0))).toMatchObject({ outcome: "stuck", why: "the robot says: given up" });
    expect(await body.go(stand(9, 0))).toMatchObject({
      outcome: "stuck",
      why: expect.stringMatching(/^it says that it arrived and stands \d\.\d m off$/),
    });
  });

  for (const fate of ["no-server", "unheard"] as const)
    it(`drives by a goal on a topic where there is no action (${fate}), and does not ask for it again`, async () => {
      const { robot, body } = await bodyOf({ fate: () => fate }, { answerMs: 50 });
      expect(await body.go(stand(1, 0))).toMatchObject({ outcome: "arrived" });
      expect(await body.go(stand(1, 1, Math.PI / 2))).toMatchObject({ outcome: "arrived" });
      expect(robot.at).toMatchObject({ x: 1, y: 1 });
      expect(ops(robot).filter((op) => op === "send_action_goal")).toHaveLength(1);
      expect(ops(robot).filter((op) => op === "/goal_pose")).toHaveLength(2);
    });

  it("is stopped when nobody wants it any more, and when metres or time run out", async () => {
    const { robot, body } = await bodyOf({});
    const stop = new AbortController();
    const cancelled = await body.go(stand(50, 0), {
      signal: stop.signal,
      onMove: ({ positionInWorld }) => positionInWorld.x > 0.2 && stop.abort(),
    });
    expect(robot.isDriving).toBe(false);
    expect(cancelled).toMatchObject({ outcome: "cancelled" });
    const limited = await body.go(stand(50, 0), { maxPathM: 1 });
    expect(limited).toMatchObject({ outcome: "limit", why: "it has driven 1.0 m" });
    expect(limited.pathM).toBeGreaterThanOrEqual(1);
    expect(await body.go(stand(50, 0), { maxTimeS: 2 })).toMatchObject({ outcome: "limit" });
    await expect.poll(() => ops(robot).filter((op) => op === "cancel_action_goal").length).toBe(3);
    await expect.poll(() => robot.isDriving).toBe(false);
  });

  it("is stopped by the name of its goal where its connection is lost, and that is an error", async () => {
    const { robot, body } = await bodyOf({ fate: () => "lost" });
    await expect(body.go(stand(50, 0))).rejects.toMatchObject({ code: "source-unavailable" });
    await expect.poll(() => robot.isDriving).toBe(false);
    const sent = robot.told.find(({ op }) => op === "send_action_goal")!;
    expect(robot.told.find(({ op }) => op === "cancel_action_goal")!.id).toBe(sent.id);
  });

  it("that falls silent on its way is told to stop, and that is an error", async () => {
    const { robot, body } = await bodyOf({}, { silentMs: 1_500, lookMs: 500 });
    const driving = body.go(stand(50, 0), { onMove: () => robot.mute() });
    await expect(driving).rejects.toMatchObject({ code: "source-unavailable" });
    await expect.poll(() => ops(robot)).toContain("cancel_action_goal");
    await expect(body.look()).rejects.toMatchObject({ code: "source-unavailable" });
  });

  it("drives by velocities around what the map shows, and stands at the end", async () => {
    // A wall along x = 1 with a gap above y = 1.5.
    const isOpen = ({ x, y }: Vec3) => !(Math.abs(x - 1) < 0.3 && y < 1.5);
    const corners = [
      { x: 0.4, y: 2, z: 0 },
      { x: 1.6, y: 2, z: 0 },
    ];
    const floor = { isOpen, path: (from: Vec3, to: Vec3) => ({ points: [from, ...corners, to] }) };
    const { robot, body } = await bodyOf({ isLockStep: true }, { by: "velocity", floor: () => floor });
    const places: Vec3[] = [];
    const went = await body.go(stand(2.5, 0, -Math.PI / 2), {
      onMove: (at) => places.push(at.positionInWorld),
    });
    expect(went).toMatchObject({ outcome: "arrived" });
    expect(Math.hypot(robot.at.x - 2.5, robot.at.y)).toBeLessThan(0.2);
    expect(places.every(isOpen)).toBe(true);
    const still = { linear: { x: 0, y: 0, z: 0 }, angular: { x: 0, y: 0, z: 0 } };
    await expect.poll(() => robot.told.at(-1)!.msg).toEqual(still);
  });

  it("says why it does not set out by velocities: no map, no way", async () => {
    const noWay = { isOpen: () => true, path: () => undefined };
    let floor: typeof noWay | undefined;
    const { body } = await bodyOf({ isLockStep: true }, { by: "velocity", floor: () => floor });
    expect(await body.go(stand(1, 0))).toMatchObject({
      outcome: "refused",
      why: expect.stringContaining("map"),
    });
    floor = noWay;
    expect(await body.go(stand(1, 0))).toMatchObject({ outcome: "refused", why: "no way leads there" });
  });
});
