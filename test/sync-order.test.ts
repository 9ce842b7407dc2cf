import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Memory, openMemory } from "../src/compose/memory.ts";
import { type LocalPeer, localPeer } from "../src/compose/sync.ts";
import { isLociError } from "../src/schema/core.ts";
import { nameOf, type Sealed, syncMemories } from "../src/sharing/sync/index.ts";
import { beliefOf } from "../src/sharing/testing/belief.ts";
import { BEGIN_US, robotStep } from "../src/sharing/testing/robots.ts";

const ROBOTS = ["a", "b", "c"] as const;
/** Ten minutes behind, right, ten minutes ahead. */
const SKEWS_US = [-600_000_000, 0, 600_000_000] as const;
const STEPS = 6;
const NOBODY = new Set(["version-conflict", "memory-corrupt", "invalid-input"]);

const base = mkdtempSync(join(tmpdir(), "loci-sync-order-"));
afterAll(() => rmSync(base, { recursive: true, force: true }));

interface End {
  readonly memory: Memory;
  readonly peer: LocalPeer;
  close(): Promise<void>;
}

async function open(folder: string, skewUs: number): Promise<End> {
  let us = BEGIN_US + 3_600_000_000 + skewUs;
  const nowUs = () => (us += 1_000);
  const memory = await openMemory(folder, { embedder: "hashing:16", nowUs });
  const peer = await localPeer(memory, folder, nowUs);
  return {
    memory,
    peer,
    close: async () => {
      await peer.close();
      await memory.close();
    },
  };
}

/** Each robot's log, written once: things, looks, a note that all rewrite, and a name that a person gave. */
beforeAll(async () => {
  for (const [n, robot] of ROBOTS.entries()) {
    const { memory, close } = await open(join(base, robot), SKEWS_US[n]!);
    for (let step = 0; step < STEPS; step++) await memory.write(robotStep(robot, 7, step));
    const [state] = (await memory.states().find(1)).map(({ record }) => record);
    const speaker = { author: "anna", seen: await memory.reader() };
    await memory.corrections.say("name", state!.trackId, `pride of ${robot}`, speaker);
    await close();
  }
});

interface Act {
  readonly robot: number;
  readonly segment: number;
  readonly fate: "whole" | "twice" | "cut";
}

interface Weather {
  readonly acts: readonly Act[];
  /** Before which act something of the first robot is forgotten at the server. */
  readonly forgetAt: number;
  /** In which order the robots come in the end. */
  readonly order: readonly number[];
}

let runs = 0;

/** What server and robots believe when all of it is over. */
async function weathered({ acts, forgetAt, order }: Weather): Promise<string[][]> {
  const folder = join(base, `run-${runs++}`);
  for (const robot of ROBOTS) cpSync(join(base, robot), join(folder, robot), { recursive: true });
  const server = await open(join(folder, "server"), 0);
  const robots: End[] = [];
  for (const [n, robot] of ROBOTS.entries()) robots.push(await open(join(folder, robot), SKEWS_US[n]!));
  try {
    const { told } = await server.peer.status();
    const logs = await Promise.all(robots.map(({ peer }) => pieces(peer, told)));
    for (const [n, { robot, segment, fate }] of acts.entries()) {
      if (n === forgetAt) await server.peer.forget([{ id: "track-a-1", reason: "asked to" }]);
      const log = logs[robot]!;
      const one = log[segment % log.length]!;
      if (fate === "cut") await deliver(server.peer, torn(one));
      else await deliver(server.peer, one);
      if (fate === "twice") await deliver(server.peer, one);
    }
    if (forgetAt >= acts.length) await server.peer.forget([{ id: "track-a-1", reason: "asked to" }]);
    // All meet twice: what the last one brought has to reach the first.
    for (const n of [...order, ...order]) await syncMemories(robots[n]!.peer, server.peer);
    const ends = [server, ...robots];
    for (const { memory } of ends) expect((await memory.verify()).problems).toEqual([]);
    return await Promise.all(ends.map(async ({ memory }) => beliefOf(await memory.reader())));
  } finally {
    for (const one of [server, ...robots]) await one.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A robot's whole log in segments of one batch each. */
async function pieces(peer: LocalPeer, told: string): Promise<Sealed[]> {
  const all: Sealed[] = [];
  const { memory } = await peer.status();
  for (let atUs = -1; ; ) {
    const segment = await peer.give({ heard: { [memory]: atUs }, told, segmentBytes: 1 });
    if (segment === undefined) return all;
    all.push(segment);
    atUs = reachOf(segment);
  }
}

function reachOf({ bytes }: Sealed): number {
  const text = Buffer.from(bytes).toString("latin1");
  return Number(/"reaches":\{"\w+":(\d+)\}/.exec(text)![1]);
}

function torn({ bytes }: Sealed): Sealed {
  const cut = bytes.slice(0, Math.floor(bytes.length * 0.7));
  return { name: nameOf(cut), bytes: cut };
}

/** Over a link that nobody answers for: what the server refuses is lost. */
async function deliver(server: LocalPeer, segment: Sealed): Promise<void> {
  await server.take(segment).catch((error: unknown) => {
    if (!isLociError(error) || !NOBODY.has(error.code)) throw error;
  });
}

const weather: fc.Arbitrary<Weather> = fc.record({
  acts: fc.array(
    fc.record({
      robot: fc.nat(2),
      segment: fc.nat(STEPS),
      fate: fc.constantFrom("whole" as const, "whole" as const, "twice" as const, "cut" as const),
    }),
    { maxLength: 24 },
  ),
  forgetAt: fc.nat(24),
  order: fc.shuffledSubarray([0, 1, 2], { minLength: 3 }),
});

it("believes the same whatever order, doubles, delays and cuts the logs of three robots came in", {
  timeout: 600_000,
}, async () => {
  const [calm] = await weathered({ acts: [], forgetAt: 0, order: [0, 1, 2] });
  const count = (begins: string) => calm!.filter((line) => line.startsWith(begins)).length;
  expect(calm!.filter((line) => line.includes('"kind":"caption"')).length).toBe(3 * STEPS + 1);
  expect(calm!.some((line) => line.includes("pride of c"))).toBe(true);
  expect(count("forgotten ")).toBeGreaterThan(1);
  expect(calm!.some((line) => line.includes('"id":"state-a-1"'))).toBe(false);
  await fc.assert(
    fc.asyncProperty(weather, async (drawn) => {
      for (const belief of await weathered(drawn)) expect(belief).toEqual(calm);
    }),
    { numRuns: 16 },
  );
});
