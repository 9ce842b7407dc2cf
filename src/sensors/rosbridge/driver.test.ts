import { afterEach, describe, expect, test } from "vitest";
import { startToyBridge, type ToyBridge, type ToyRobot } from "../testing/toy-bridge.ts";
import { RobotDriver } from "./driver.ts";

const GOAL = { frame: "world", position: { x: 3, y: 4, z: 0 }, yawRad: Math.PI / 2 };

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});

async function robotThat(hear: ToyRobot["hear"]): Promise<{ bridge: ToyBridge; driver: RobotDriver }> {
  const bridge = await startToyBridge({ topics: {}, publish: () => {}, ...(hear && { hear }) });
  const driver = new RobotDriver({ url: bridge.url, settleMs: 0, tries: 3, pauseMs: 10 });
  open.push(driver, bridge);
  return { bridge, driver };
}

describe("a robot behind rosbridge", () => {
  test("is given a goal as Nav2 wants it, and says when it is there", async () => {
    const { bridge, driver } = await robotThat(({ op, id, action }, reply) => {
      if (op !== "send_action_goal") return;
      reply({ op: "action_feedback", id, action, values: { distance_remaining: 1.5 } });
      reply({ op: "action_result", id, action, values: {}, status: 4, result: true });
    });
    const feedback: unknown[] = [];
    expect(await driver.drive(GOAL, { onFeedback: (said) => feedback.push(said) })).toBe("reached");
    expect(feedback).toEqual([{ distance_remaining: 1.5 }]);
    expect(bridge.asked[0]).toMatchObject({
      op: "send_action_goal",
      action: "/navigate_to_pose",
      action_type: "nav2_msgs/action/NavigateToPose",
      args: {
        behavior_tree: "",
        pose: {
          header: { frame_id: "map" },
          pose: {
            position: { x: 3, y: 4, z: 0 },
            orientation: { x: 0, y: 0, z: expect.closeTo(Math.SQRT1_2), w: expect.closeTo(Math.SQRT1_2) },
          },
        },
      },
    });
  });

  test("may give up, be cancelled, refuse, or be lost on the way", async () => {
    const ends: Record<string, ToyRobot["hear"]> = {
      "given up": ({ op, id }, reply) =>
        void (op === "send_action_goal" && reply({ op: "action_result", id, status: 6, result: false })),
      cancelled: ({ op, id }, reply) =>
        void (op === "send_action_goal" && reply({ op: "action_result", id, status: 5, result: false })),
    };
    for (const [outcome, hear] of Object.entries(ends)) {
      const { driver } = await robotThat(hear);
      expect(await driver.drive(GOAL)).toBe(outcome);
    }
    const words = async (values: string) =>
      (
        await robotThat(
          ({ op, id }, reply) =>
            void (
              op === "send_action_goal" &&
              reply({ op: "action_result", id, values, status: 0, result: false })
            ),
        )
      ).driver;
    expect(await (await words("Action goal was rejected")).drive(GOAL)).toBe("rejected");
    await expect((await words("No action server available")).drive(GOAL)).rejects.toMatchObject({
      code: "not-supported",
      message: "rosbridge has no /navigate_to_pose: No action server available",
    });
    const refusing = await robotThat(({ id }, reply) =>
      reply({ op: "status", level: "error", id, msg: "Unknown operation: send_action_goal." }),
    );
    await expect(refusing.driver.drive(GOAL)).rejects.toThrow(
      /refuses \/navigate_to_pose: Unknown operation/,
    );
    const lost = await robotThat((_said, _reply, hangUp) => hangUp());
    await expect(lost.driver.drive(GOAL)).rejects.toMatchObject({
      code: "source-unavailable",
      message: expect.stringContaining("may still be driving"),
    });
  });

  test("is told to stop when it takes too long, or when nobody wants it any more", async () => {
    for (const how of ["late", "ended"] as const) {
      const stopped = Promise.withResolvers<string | undefined>();
      let began = () => {};
      const begun = new Promise<void>((resolve) => {
        began = resolve;
      });
      let told: (message: object) => void = () => {};
      const { driver } = await robotThat(({ op, id }, reply) => {
        if (op === "send_action_goal") {
          told = reply;
          began();
        }
        if (op !== "cancel_action_goal") return;
        // On another connection than the goal's, which learns of the end.
        expect(reply).not.toBe(told);
        told({ op: "action_result", id, status: 5, result: true });
        stopped.resolve(id);
      });
      const stop = new AbortController();
      const driving = driver.drive(GOAL, how === "late" ? { timeoutMs: 30 } : { signal: stop.signal });
      const ended = expect(driving).rejects.toMatchObject({
        code: how === "late" ? "source-unavailable" : "aborted",
      });
      await begun;
      if (how === "ended") stop.abort();
      await ended;
      expect(await stopped.promise).toMatch(/^loci-/);
    }
  });

  test("hears of a topic once a connection, and of a goal on it after a lost one again", async () => {
    let goals = 0;
    const came = [
      Promise.withResolvers<void>(),
      Promise.withResolvers<void>(),
      Promise.withResolvers<void>(),
    ];
    const { bridge, driver } = await robotThat(({ op }, _reply, hangUp) => {
      if (op !== "publish") return;
      came[goals++]!.resolve();
      if (goals === 2) hangUp();
    });
    await driver.publishGoal(GOAL);
    await driver.publishGoal(GOAL);
    await came[1]!.promise;
    // The other end is gone; messages sent before that is noticed are lost, as on a real robot.
    while (goals < 3) {
      await driver.publishGoal(GOAL);
      await new Promise(setImmediate);
    }
    expect(bridge.asked.filter(({ op }) => op === "advertise")).toHaveLength(2);
    expect(bridge.asked.find(({ op }) => op === "publish")).toMatchObject({
      topic: "/goal_pose",
      msg: { header: { frame_id: "map" } },
    });
  });

  test("that does not answer is given up after a bounded number of tries", async () => {
    const { bridge, driver } = await robotThat(undefined);
    await bridge.close();
    await expect(driver.publishGoal(GOAL)).rejects.toMatchObject({ code: "source-unavailable" });
    expect(() => new RobotDriver({ url: "http://robot" })).toThrow(/expected rosbridge/);
  });
});
