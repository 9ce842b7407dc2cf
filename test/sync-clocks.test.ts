import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { type Memory, openMemory } from "../src/compose/memory.ts";
import { localPeer } from "../src/compose/sync.ts";
import { clocksIn } from "../src/sharing/index.ts";
import { syncMemories } from "../src/sharing/sync/index.ts";
import { BEGIN_US, robotStep } from "../src/sharing/testing/robots.ts";

const MINUTE_US = 60_000_000;
const base = mkdtempSync(join(tmpdir(), "loci-sync-clocks-"));
afterAll(() => rmSync(base, { recursive: true, force: true }));

/** A memory whose clock runs with the others', and is off by as much as is said. */
async function open(name: string, clock: { us: number }, skewUs: () => number) {
  const nowUs = () => {
    clock.us += 1_000;
    return clock.us + skewUs();
  };
  const memory = await openMemory(join(base, name), { embedder: "hashing:16", nowUs });
  return { memory, peer: await localPeer(memory, name, nowUs) };
}

async function told(memory: Memory, memberOf?: readonly string[]) {
  const reader = await memory.engine.reader(
    memberOf ? { principal: { id: "reader", labels: [...memberOf] } } : {},
  );
  try {
    return await clocksIn(reader, "house");
  } finally {
    await reader.close();
  }
}

test("the clocks of robots ten minutes off are found when they meet, and how they drift; nothing is lost or doubled", async () => {
  const clock = { us: BEGIN_US + 60 * MINUTE_US };
  let gainedUs = 0;
  const server = await open("server", clock, () => 0);
  const early = await open("early", clock, () => -10 * MINUTE_US);
  const late = await open("late", clock, () => 10 * MINUTE_US + gainedUs);
  for (let step = 0; step < 3; step++) {
    await early.memory.write(robotStep("a", 7, step));
    await late.memory.write(robotStep("b", 7, step));
  }
  expect(await told(server.memory)).toEqual([]);
  for (const { peer } of [early, late]) await syncMemories(peer, server.peer);
  const [a, b] = await told(server.memory);
  expect([a?.agentId, b?.agentId]).toEqual(["a", "b"]);
  expect(Math.abs(a!.aheadUs + 10 * MINUTE_US)).toBeLessThan(10_000);
  expect(Math.abs(b!.aheadUs - 10 * MINUTE_US)).toBeLessThan(10_000);
  expect([a!.driftPpm, b!.driftPpm]).toEqual([undefined, undefined]);
  // What it learnt of others' clocks is by its own: they are not told.
  expect(await told(early.memory)).toEqual([]);

  clock.us += 120 * MINUTE_US;
  gainedUs = 720_000;
  await late.memory.write(robotStep("b", 7, 3));
  const report = await syncMemories(late.peer, server.peer);
  expect(Math.abs(report.clock!.aheadUs + 10 * MINUTE_US + gainedUs)).toBeLessThan(10_000);
  const drifted = (await told(server.memory)).find(({ agentId }) => agentId === "b");
  expect(drifted!.driftPpm).toBeGreaterThan(80);
  expect(drifted!.driftPpm).toBeLessThan(120);

  const looks = (await (await server.memory.reader()).stats()).records.observation;
  expect(looks).toBe(7);
  for (const { peer, memory } of [server, early, late]) {
    await peer.close();
    await memory.close();
  }
});

test("a robot's clock is told to whoever holds its labels, and to nobody else", async () => {
  const clock = { us: BEGIN_US };
  const server = await open("guarded", clock, () => 0);
  const robot = await open("secret", clock, () => 10 * MINUTE_US);
  const { records = [], ...rest } = robotStep("a", 7, 0);
  await robot.memory.write({ ...rest, records: records.map((one) => ({ ...one, labels: ["family"] })) });
  await syncMemories(robot.peer, server.peer);
  expect(await told(server.memory, ["family"])).toHaveLength(1);
  expect(await told(server.memory, ["guests"])).toEqual([]);
  for (const { peer, memory } of [server, robot]) {
    await peer.close();
    await memory.close();
  }
});
