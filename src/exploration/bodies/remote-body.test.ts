import { afterEach, expect, it } from "vitest";
import { type WebSocket, WebSocketServer } from "ws";
import { encodeGrey16 } from "../../sensors/images.ts";
import { GuardedBody } from "./guarded-body.ts";
import { openRemoteBody } from "./remote-body.ts";

const MODEL = {
  radiusM: 0.2,
  speedMps: 1,
  turnRadps: 1,
  eyeHeightM: 1,
  horizontalFovRad: 1,
  focalPx: 50,
  sightM: 5,
};
const at = (x: number) => ({ position: { x, y: 0, z: 0 }, yawRad: 0, timeUs: 1 + Math.round(x * 1e6) });
const stand = (x: number) => ({ positionInWorld: { x, y: 0, z: 0 }, yawRad: 0 });
type Said = { id: number; op: string; to?: { position: { x: number } }; version?: number };
type Answer = (said: Said, socket: WebSocket) => object | undefined;

const open: (() => void)[] = [];
afterEach(() => {
  for (const close of open.splice(0)) close();
});

/** A body that answers as told, and otherwise correctly, as a standing robot. */
async function bodyThat(answers: Record<string, Answer>, limits: object = {}) {
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
  await new Promise((resolve) => server.once("listening", resolve));
  const heard: Said[] = [];
  server.on("connection", (socket) => {
    socket.on("message", (data) => {
      const said = JSON.parse(String(data)) as Said;
      heard.push(said);
      const usual: Record<string, object> = {
        hello: { version: 1, agent: "bob", model: MODEL },
        whereabouts: { at: at(0) },
        look: { frames: [] },
      };
      const own = answers[said.op];
      const answer = own ? own(said, socket) : usual[said.op];
      if (answer) socket.send(JSON.stringify({ id: said.id, ok: true, ...answer }));
    });
  });
  open.push(() => {
    for (const client of server.clients) client.terminate();
    server.close();
  });
  const { port } = server.address() as { port: number };
  const url = `ws://127.0.0.1:${port}`;
  return {
    heard,
    opened: () => openRemoteBody({ url, answerMs: 300, lookMs: 300, driveMs: 300, ...limits }),
  };
}

const went = (x: number, more: object = {}) => ({
  outcome: "arrived",
  pathM: x,
  turnRad: 0,
  at: at(x),
  ...more,
});

it("is driven, tells its poses on the way, and hands over its pictures", async () => {
  const data = new Uint16Array([1, 2, 3, 4, 5, 6]);
  const depth = Buffer.from(await encodeGrey16({ width: 3, height: 2, data })).toString("base64");
  const intrinsics = { fx: 2, fy: 2, cx: 1.5, cy: 1, width: 3, height: 2 };
  const worldFromCamera = { p: { x: 0, y: 0, z: 1 }, q: { w: 0.5, x: -0.5, y: 0.5, z: -0.5 } };
  const { opened } = await bodyThat({
    look: () => ({ frames: [{ timeUs: 7, intrinsics, worldFromCamera, depth, depthUnitM: 0.001 }] }),
    go: ({ id, to }, socket) => {
      for (const x of [0.5, 1]) socket.send(JSON.stringify({ id, move: at(x) }));
      return went(to!.position.x);
    },
  });
  const body = await opened();
  expect(body).toMatchObject({ agentId: "bob", model: MODEL });
  const { frames } = await body.look();
  expect(frames).toMatchObject([{ timeUs: 7, agentId: "bob", sensorId: "camera", mapFrame: "world" }]);
  expect([...frames[0]!.depth!.data]).toEqual([...data]);
  const xs: number[] = [];
  const done = await body.go(stand(2), { onMove: ({ positionInWorld }) => xs.push(positionInWorld.x) });
  expect(xs).toEqual([0.5, 1]);
  expect(done).toMatchObject({ outcome: "arrived", pathM: 2, at: { positionInWorld: { x: 2 } } });
});

it("is refused in one line when it is silent, of another version, not JSON, or not there", async () => {
  const silent = await bodyThat({ hello: () => undefined });
  await expect(silent.opened()).rejects.toThrow(/said nothing about "hello" for 0.3 s$/);
  const old = await bodyThat({ hello: () => ({ version: 2, agent: "bob", model: MODEL }) });
  await expect(old.opened()).rejects.toThrow("expected a body of protocol version 1");
  const noise = await bodyThat({ hello: (_, socket) => void socket.send("<html>") });
  await expect(noise.opened()).rejects.toThrow("sent something that is not JSON");
  await expect(openRemoteBody({ url: "ws://127.0.0.1:9", answerMs: 500 })).rejects.toThrow("no body answers");
  await expect(openRemoteBody({ url: "http://x" })).rejects.toThrow("expected a body at ws://");
});

it("fails in one line with poses that are no numbers and pictures that are too large or not what they say", async () => {
  const lost = await bodyThat({
    whereabouts: () => ({ at: { ...at(0), position: { x: null, y: 0, z: 0 } } }),
  });
  await expect((await lost.opened()).whereabouts()).rejects.toMatchObject({
    code: "source-unavailable",
    message: expect.stringMatching(/^[^\n]*whereabouts[^\n]*$/),
  });
  const intrinsics = { fx: 2, fy: 2, cx: 1.5, cy: 1, width: 60_000, height: 60_000 };
  const frame = {
    timeUs: 7,
    intrinsics,
    worldFromCamera: { p: at(0).position, q: { w: 1, x: 0, y: 0, z: 0 } },
  };
  const huge = await bodyThat({ look: () => ({ frames: [frame] }) });
  await expect((await huge.opened()).look()).rejects.toMatchObject({ code: expect.any(String) });
  const small = { ...intrinsics, width: 3, height: 2 };
  const wrong = await bodyThat({
    look: () => ({
      frames: [{ ...frame, intrinsics: small, rgb: Buffer.from("no picture").toString("base64") }],
    }),
  });
  await expect((await wrong.opened()).look()).rejects.toThrow("expected a JPEG or PNG of 3×2");
});

it("that leaves while it drives fails that call and every later one", async () => {
  const { opened } = await bodyThat({ go: (_, socket) => void socket.close() });
  const body = await opened();
  await expect(body.go(stand(1))).rejects.toThrow("closed the connection");
  await expect(body.whereabouts()).rejects.toMatchObject({ code: "source-unavailable" });
});

it("does not arrive by saying so, and has driven at least what its poses say", async () => {
  const { opened } = await bodyThat({ go: () => ({ ...went(0.1), at: at(3), pathM: 0 }) });
  const done = await (await opened()).go(stand(9));
  expect(done).toMatchObject({
    outcome: "stuck",
    pathM: 3,
    why: expect.stringContaining("6.0 m from its goal"),
  });
});

it("under guard keeps to its fence, its speed and its dead man's switch", async () => {
  const asked: Said[] = [];
  const driving = await bodyThat({
    go: ({ id }, socket) => {
      let x = 0;
      const timer = setInterval(() => {
        x += 0.1;
        socket.send(JSON.stringify({ id, move: { ...at(x), timeUs: Math.round(x * 1e6) } }));
      }, 5);
      socket.on("message", (data) => {
        const said = JSON.parse(String(data)) as Said;
        if (said.op !== "stop") return;
        asked.push(said);
        clearInterval(timer);
        socket.send(JSON.stringify({ id, ok: true, ...went(x, { outcome: "cancelled" }) }));
      });
      return undefined;
    },
  });
  const fence = [-1, 2].flatMap((x) => (x < 0 ? [-1, 1] : [1, -1]).map((y) => ({ x, y })));
  const fenced = await new GuardedBody(await driving.opened(), { fence }).go(stand(1.9));
  expect(fenced).toMatchObject({ outcome: "stuck", why: expect.stringContaining("outside the fence") });
  expect(asked).toHaveLength(1);
  expect(fenced.at.positionInWorld.x).toBeLessThan(2.5);
  const mute = await bodyThat(
    {
      go: () => undefined,
      stop: () => undefined,
    },
    { driveMs: 60_000 },
  );
  const guarded = new GuardedBody(await mute.opened(), { deadManMs: 100, stopMs: 200 });
  await expect(guarded.go(stand(1))).rejects.toThrow("told to stop and did not within 0.2 s");
});
