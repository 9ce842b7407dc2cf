import { afterEach, describe, expect, it } from "vitest";
import type { NavGoal } from "../../../schema/index.ts";
import { type TestServer, testServer } from "../../testing/test-server.ts";

describe("the robot behind a server", () => {
  let server: TestServer | undefined;
  afterEach(() => server?.close());

  const post = (as: string, body: object) =>
    server!.fetch("/v1/robot/goal", {
      method: "POST",
      as,
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  const tokens = [
    { name: "guest", scopes: ["read" as const], labels: "*" as const },
    { name: "owner", scopes: ["read" as const, "write" as const], labels: "*" as const },
  ];

  it("is sent where somebody with the scope says, and what was sent is told", async () => {
    const sent: NavGoal[] = [];
    server = await testServer({
      tokens,
      robot: {
        address: "ws://robot:9090",
        topic: "/goal_pose",
        sendGoal: (goal) => {
          sent.push(goal);
          return Promise.resolve();
        },
      },
    });
    expect(await (await server.fetch("/v1/robot", { as: "guest" })).json()).toEqual({
      address: "ws://robot:9090",
      topic: "/goal_pose",
    });
    expect((await post("guest", { to: { x: 1, y: 1, z: 0 } })).status).toBe(403);
    expect(sent).toEqual([]);
    const answer = await post("owner", { to: { x: 1, y: 1, z: 0 } });
    const said = (await answer.json()) as { goal: NavGoal; sentTo: object };
    expect(said).toMatchObject({ sentTo: { address: "ws://robot:9090", topic: "/goal_pose" } });
    expect(sent).toEqual([said.goal]);
    expect(said.goal).toMatchObject({ position: { x: 1, y: 1, z: 0 }, reachable: false });
    expect((await post("owner", { to: "the sofa" })).status).toBe(404);
    for (const body of [{}, { to: 7 }, { to: { x: 1 } }, { to: "" }]) {
      const refused = await post("owner", body);
      expect(refused.status).toBe(400);
      expect(await refused.json()).toMatchObject({
        code: "invalid-input",
        detail: expect.stringMatching(
          /^json at to: expected (a point \{"x", "y", "z"\}|an id or words of 1)/,
        ),
      });
    }
    expect(sent).toHaveLength(1);
  });

  it("that nobody named is not there, and that is said", async () => {
    server = await testServer({ tokens });
    expect(await (await server.fetch("/v1/robot", { as: "guest" })).json()).toEqual({
      address: null,
      topic: null,
    });
    const answer = await post("owner", { to: { x: 1, y: 1, z: 0 } });
    expect(answer.status).toBe(501);
    expect(await answer.json()).toMatchObject({ code: "not-supported" });
  });
});
