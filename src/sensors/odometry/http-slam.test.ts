import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { decodeColour, decodeGrey16, encodeGrey16 } from "../images.ts";
import type { RecordingReader } from "../recording.ts";
import { HttpSlam, reachPoseService } from "./http-slam.ts";
import { withOdometry } from "./with-odometry.ts";

const intrinsics = { fx: 20, fy: 20, cx: 10, cy: 8, width: 20, height: 16 };
const rgb = { width: 20, height: 16, data: new Uint8Array(20 * 16 * 3).fill(90) };
const still = { p: { x: 0, y: 0, z: 0 }, q: { w: 1, x: 0, y: 0, z: 0 } };
const moved = { p: { x: 0, y: 0, z: 0.5 }, q: still.q };

let stop: (() => void) | undefined;
afterEach(() => stop?.());

/** A service that answers by a script, one entry per request: a status, text, or JSON. */
async function serve(
  answers: readonly unknown[],
): Promise<{ url: string; asked: Record<string, unknown>[] }> {
  const asked: Record<string, unknown>[] = [];
  const server = createServer(async (request: IncomingMessage, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const answer = answers[asked.length];
    asked.push({
      ...JSON.parse(Buffer.concat(parts).toString() || "{}"),
      path: request.url,
      ...request.headers,
    });
    response.statusCode = typeof answer === "number" ? answer : 200;
    response.end(typeof answer === "string" ? answer : JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  stop = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/`, asked };
}

const slamAt = (url: string) => new HttpSlam({ url, session: "robot.eye", apiKey: "secret" });

describe("poses from a service", () => {
  test("a picture goes there whole, a pose comes back, and depth for a camera that has none", async () => {
    const png = await encodeGrey16({ width: 20, height: 16, data: new Uint16Array(320).fill(1_500) });
    const depth = { png: Buffer.from(png).toString("base64"), unitM: 0.001 };
    const { url, asked } = await serve([{ isTracked: true, originFromCamera: moved, depth }]);
    const estimate = await slamAt(url).track({ timeUs: 7, intrinsics, rgb });
    expect(estimate).toMatchObject({ originFromCamera: moved, isTracked: true });
    expect(estimate!.covariance[0]).toBeGreaterThan(0);
    expect(estimate!.depth!.data[5]).toBe(1_500);
    expect(asked[0]).toMatchObject({
      path: "/v1/track",
      session: "robot.eye",
      timeUs: 7,
      intrinsics,
      authorization: "Bearer secret",
    });
    const { jpeg } = asked[0]!["colour"] as { jpeg: string };
    expect((await decodeColour(Buffer.from(jpeg, "base64"))).width).toBe(20);
  });

  test("measured depth is sent and never replaced", async () => {
    const { url, asked } = await serve([{ isTracked: true, originFromCamera: still }]);
    const depth = { width: 20, height: 16, data: new Uint16Array(320).fill(900), unitM: 0.001 };
    const estimate = await slamAt(url).track({ timeUs: 7, intrinsics, depth });
    expect(estimate!.depth).toBeUndefined();
    const sent = asked[0]!["depth"] as { png: string; unitM: number };
    expect((await decodeGrey16(Buffer.from(sent.png, "base64"))).data[0]).toBe(900);
  });

  test("a busy service is asked again, a bounded number of times; one that refuses is not", async () => {
    const busy = await serve([503, { isTracked: false }]);
    expect(await slamAt(busy.url).track({ timeUs: 7, intrinsics, rgb })).toBeUndefined();
    stop?.();
    const refusing = await serve([400, { isTracked: false }]);
    await expect(slamAt(refusing.url).track({ timeUs: 7, intrinsics, rgb })).rejects.toThrow(/status 400/);
    expect(refusing.asked).toHaveLength(1);
  });

  test("one that nobody started is told of at once, and one that does not know the question is there", async () => {
    const { url } = await serve([404]);
    await expect(reachPoseService(url)).resolves.toBeUndefined();
    stop?.();
    stop = undefined;
    const gone = { code: "source-unavailable", message: expect.stringContaining(new URL(url).origin) };
    await expect(reachPoseService(url)).rejects.toMatchObject(gone);
    await expect(slamAt(url).track({ timeUs: 7, intrinsics, rgb })).rejects.toMatchObject(gone);
  });

  test("answers that are none are errors of ours", async () => {
    const bad = [
      "not json",
      { isTracked: true, originFromCamera: { p: { x: Number.MAX_VALUE }, q: 1 } },
      { isTracked: true, originFromCamera: still, depth: { png: "AAAA", unitM: 1 } },
    ];
    const { url } = await serve(bad);
    for (const _ of bad)
      await expect(slamAt(url).track({ timeUs: 7, intrinsics, rgb })).rejects.toMatchObject({
        code: expect.stringMatching(/^(model-failed|invalid-input)$/),
      });
    expect(() => slamAt("ftp://x")).toThrow(/http:\/\//);
  });

  test("frames without pose and depth get both, in a map of their own", async () => {
    const png = await encodeGrey16({ width: 20, height: 16, data: new Uint16Array(320).fill(1_500) });
    const depth = { png: Buffer.from(png).toString("base64"), unitM: 0.001 };
    const { url } = await serve([{ isTracked: true, originFromCamera: still, depth }, { isTracked: false }]);
    const reader: RecordingReader = {
      format: "images",
      info: { version: 1, frames: 2, edges: 0, startUs: 0, endUs: 1, agents: ["r"], source: "" },
      async *items() {
        for (const index of [0, 1])
          yield {
            kind: "frame",
            frame: {
              index,
              timeUs: index,
              agentId: "r",
              sensorId: "eye",
              intrinsics,
              mapFrame: "world",
              rgb,
            },
          };
      },
      close: async () => {},
    };
    const seen = [];
    for await (const item of withOdometry(reader, () => slamAt(url)).items())
      if (item.kind === "frame") seen.push(item.frame);
    expect(seen[0]).toMatchObject({ mapFrame: "r.eye.odom", depth: { unitM: 0.001 } });
    expect(seen[1]!.worldFromCamera).toBeUndefined();
  });
});
