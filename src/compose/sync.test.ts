import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { blobRefOf } from "../schema/core.ts";
import { type Peer, syncMemories } from "../sharing/sync/index.ts";
import { nameOf, seal, unseal } from "../sharing/sync/segment.ts";
import { beliefOf } from "../sharing/testing/belief.ts";
import { BEGIN_US, robotStep } from "../sharing/testing/robots.ts";
import { type Memory, openMemory } from "./memory.ts";
import { finishAbandoned, hasAbandoned, type LocalPeer, localPeer } from "./sync.ts";

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

interface End {
  readonly memory: Memory;
  readonly peer: Peer;
}

async function end(name: string, skewUs = 0): Promise<End> {
  const folder = mkdtempSync(join(tmpdir(), `loci-sync-${name}-`));
  let us = BEGIN_US + 3_600_000_000 + skewUs;
  const nowUs = () => (us += 1_000);
  const memory = await openMemory(folder, { embedder: "hashing:16", nowUs });
  const peer = await localPeer(memory, name, nowUs);
  closing.push(async () => {
    await peer.close();
    await memory.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return { memory, peer };
}

const told = async (memory: Memory) => beliefOf(await memory.reader());
const textOf = async (memory: Memory, id: string) => (await (await memory.reader()).get([id]))[0]?.text;

describe("two memories that meet", () => {
  it("believe the same afterwards, once, with pictures, and have nothing more to say", async () => {
    const [a, b] = [await end("a"), await end("b")];
    for (let step = 0; step < 6; step++) {
      await a.memory.write(robotStep("a", 1, step));
      await b.memory.write(robotStep("b", 1, step));
    }
    const first = await syncMemories(a.peer, b.peer, { segmentBytes: 2_000 });
    expect(first.pushed).toMatchObject({ taken: 6, known: 0 });
    expect(first.pulled.segments).toBeGreaterThan(1);
    expect(await told(a.memory)).toEqual(await told(b.memory));
    const picture = Buffer.from("picture of a at 3, 1");
    expect(await (await b.memory.reader()).blob(blobRefOf(picture))).toEqual(new Uint8Array(picture));
    const again = await syncMemories(a.peer, b.peer);
    expect([again.pushed.segments, again.pulled.segments]).toEqual([0, 0]);
    expect(await b.memory.unfinished()).toEqual([]);
    for (const { memory } of [a, b]) expect((await memory.verify()).problems).toEqual([]);
  });

  it("pass on what they heard of others, and get nothing back", async () => {
    const [a, b, c] = [await end("a"), await end("b"), await end("c")];
    await a.memory.write(robotStep("a", 1, 0));
    await syncMemories(a.peer, b.peer);
    await syncMemories(b.peer, c.peer);
    const back = await syncMemories(c.peer, a.peer);
    expect([back.pushed.segments, back.pulled.segments]).toEqual([0, 0]);
    expect(await told(c.memory)).toEqual(await told(a.memory));
  });

  it("keep memory time as their own and the later version, however wrong the clocks", async () => {
    const [slow, quick] = [await end("slow", -600_000_000), await end("quick", 600_000_000)];
    const note = (text: string) => ({
      records: [
        {
          kind: "caption" as const,
          id: "note",
          source: "human" as const,
          text: [text],
          validFromUs: BEGIN_US,
          validToUs: null,
        },
      ],
    });
    await quick.memory.write(note("first"));
    await syncMemories(quick.peer, slow.peer);
    const [heard] = await (await slow.memory.reader()).get(["note"]);
    // By the slow peer's clock, not the fast one's.
    expect(heard!.recordedAtUs).toBeLessThan(BEGIN_US + 3_600_000_000);
    // Written later on a clock that is twenty minutes behind: it still wins as the later one.
    await slow.memory.write(note("second"));
    await syncMemories(quick.peer, slow.peer);
    expect(await textOf(quick.memory, "note")).toEqual(["second"]);
    expect(await textOf(slow.memory, "note")).toEqual(["second"]);
  });
});

describe("what was forgotten", () => {
  it("is forgotten at the other end, with what was derived", async () => {
    const [a, b] = [await end("a"), await end("b")];
    for (let step = 0; step < 4; step++) await a.memory.write(robotStep("a", 1, step));
    await syncMemories(a.peer, b.peer);
    const [state] = (await b.memory.states().find(1)).map(({ record }) => record);
    await b.memory.forget([state!.trackId], "asked to");
    const report = await syncMemories(a.peer, b.peer);
    expect(report.forgottenHere).toBeGreaterThan(1);
    expect(await (await a.memory.reader()).get([state!.trackId, state!.id])).toEqual([undefined, undefined]);
    expect(await told(a.memory)).toEqual(await told(b.memory));
  });

  it("does not come when it was forgotten before it came, nor what is written of it later", async () => {
    const [a, b] = [await end("a"), await end("b")];
    await a.memory.write(robotStep("a", 1, 0));
    const [state] = (await a.memory.states().find(1)).map(({ record }) => record);
    await syncMemories(a.peer, b.peer);
    await a.memory.forget([state!.trackId], "asked to");
    const c = await end("c");
    await syncMemories(a.peer, c.peer);
    // It comes from a peer that has not heard of the forgetting.
    const { heard, told: digest } = await c.peer.status();
    const segment = await b.peer.give({ heard, told: digest });
    if (segment) await c.peer.take(segment);
    await b.memory.write({ sightings: [{ stateId: state!.id, timeUs: BEGIN_US + 9, outcome: "seen" }] });
    await syncMemories(b.peer, c.peer);
    for (const { memory } of [b, c]) {
      expect(await (await memory.reader()).get([state!.trackId, state!.id])).toEqual([undefined, undefined]);
      expect(await (await memory.reader()).sightings({ stateIds: [state!.id] })).toEqual([]);
    }
  });

  it("is followed only where it is asked for, and not where it is a large part of a memory", async () => {
    const [a, b] = [await end("a"), await end("b")];
    await a.memory.write({
      records: Array.from({ length: 100 }, (_, i) => ({
        kind: "caption" as const,
        id: `c-${i}`,
        source: "human" as const,
        text: [`line ${i}`],
        validFromUs: BEGIN_US,
        validToUs: null,
      })),
    });
    await syncMemories(a.peer, b.peer);
    const ids = Array.from({ length: 60 }, (_, i) => `c-${i}`);
    await b.memory.forget(ids, "broken");
    const pushed = await syncMemories(a.peer, b.peer, { pull: false });
    expect(pushed).toMatchObject({ forgottenHere: 0, kept: 60 });
    const both = await syncMemories(a.peer, b.peer);
    expect(both).toMatchObject({ forgottenHere: 0, kept: 60 });
    expect(await a.memory.records("caption").count()).toBe(100);
    expect(await b.memory.records("caption").count()).toBe(40);
    const agreed = await syncMemories(a.peer, b.peer, { forgetShare: 1 });
    expect(agreed).toMatchObject({ forgottenHere: 60, kept: 0 });
    expect(await a.memory.records("caption").count()).toBe(40);
    // On another owner's word it is kept for a while as it was, until its own owner forgets.
    const before = join(a.memory.folder, "sync", "before");
    const [stamp] = readdirSync(before);
    const kept = await openMemory(join(before, stamp!), { embedder: "hashing:16" });
    expect(await kept.records("caption").count()).toBe(100);
    await kept.close();
    await a.memory.forget(["c-99"], "asked to");
    expect(existsSync(before)).toBe(false);
  });

  it("of one's own other memory goes at once", async () => {
    const [a, b] = [await end("a"), await end("b")];
    await a.memory.write(robotStep("a", 1, 0));
    await syncMemories(a.peer, b.peer);
    await b.memory.forget(["caption-a-0"], "asked to");
    expect(await syncMemories(a.peer, b.peer, { isOwn: true })).toMatchObject({ kept: 0 });
    expect(existsSync(join(a.memory.folder, "sync", "before"))).toBe(false);
  });

  it("is not what retention gave up: the other end has room of its own", async () => {
    const [a, b] = [await end("a"), await end("b")];
    await a.memory.write(robotStep("a", 1, 0));
    await syncMemories(a.peer, b.peer);
    await (await a.memory.writer()).forget({ ids: ["caption-a-0"], reason: "retention", onlyRecords: true });
    await syncMemories(a.peer, b.peer);
    expect(await textOf(b.memory, "caption-a-0")).toBeDefined();
  });
});

describe("what people say", () => {
  it("holds at the other end, for what robots write later and for what they had written before", async () => {
    const [a, b] = [await end("a"), await end("b")];
    await a.memory.write(robotStep("a", 1, 0));
    await syncMemories(a.peer, b.peer);
    const [state] = (await b.memory.states().find(1)).map(({ record }) => record);
    // The robot ends the state while a person at the other memory names the thing.
    const {
      version: _,
      recordedAtUs: __,
      supersededAtUs: ___,
      ...seen
    } = (await (await a.memory.reader()).get([state!.id]))[0]!;
    await a.memory.write({ records: [{ ...seen, validToUs: BEGIN_US + 77 }] });
    const speaker = { author: "anna", seen: await b.memory.reader() };
    const said = await b.memory.corrections.say("name", state!.trackId, "Grandma's vase", speaker);
    await syncMemories(a.peer, b.peer);
    for (const { memory } of [a, b]) {
      const [track, now] = await (await memory.reader()).get([state!.trackId, state!.id]);
      expect(track).toMatchObject({ name: "Grandma's vase" });
      expect(now).toMatchObject({ name: "Grandma's vase", validToUs: BEGIN_US + 77 });
    }
    await a.memory.corrections.undo(said.id, { author: "anna", seen: await a.memory.reader() });
    await syncMemories(a.peer, b.peer);
    const [track] = await (await b.memory.reader()).get([state!.trackId]);
    expect(track).toMatchObject({ name: seen.kind === "state" ? seen.name : "" });
  });
});

describe("a segment", () => {
  /** The same segment, as sealed by a future Loci version. */
  function newer(bytes: Uint8Array): Uint8Array {
    const text = Buffer.from(bytes).toString("latin1").replace('"format":1', '"format":2');
    const rest = Buffer.from(text, "latin1").subarray(40);
    return Buffer.concat([bytes.subarray(0, 8), createHash("sha256").update(rest).digest(), rest]);
  }

  async function segmentOf(a: End, b: End) {
    const { heard, told: digest } = await b.peer.status();
    return (await a.peer.give({ heard, told: digest }))!;
  }

  it("that is torn, foreign, of a newer Loci or out of turn is refused by code, and writes nothing", async () => {
    const [a, b] = [await end("a"), await end("b")];
    for (let step = 0; step < 3; step++) await a.memory.write(robotStep("a", 1, step));
    const whole = await segmentOf(a, b);
    const refused = (bytes: Uint8Array) => b.peer.take({ name: nameOf(bytes), bytes });
    for (const cut of [0, 7, 60, whole.bytes.length - 1])
      await expect(refused(whole.bytes.slice(0, cut))).rejects.toMatchObject({
        code: cut < 8 ? "invalid-input" : "memory-corrupt",
      });
    const flipped = Uint8Array.from(whole.bytes);
    flipped[200]! ^= 1;
    await expect(refused(flipped)).rejects.toMatchObject({ code: "memory-corrupt" });
    // Set aside: refused unread from now on, with the same message.
    await expect(refused(flipped)).rejects.toThrow(/set aside at b: this segment is torn/);
    const read = await unseal(whole.bytes);
    const gap = seal({ ...read, assumes: { [read.sender]: 5 } });
    await expect(b.peer.take(gap)).rejects.toMatchObject({ code: "version-conflict" });
    const unheard = seal({ ...read, told: "0".repeat(64) });
    await expect(b.peer.take(unheard)).rejects.toMatchObject({ code: "version-conflict" });
    await expect(refused(newer(whole.bytes))).rejects.toMatchObject({ code: "memory-newer" });
    expect(await told(b.memory)).toEqual([]);
    await b.peer.take(whole);
    expect(await told(b.memory)).toEqual(await told(a.memory));
  });

  it("that brings what contradicts the map loses that alone, set aside with its reason", async () => {
    const [a, b] = [await end("a"), await end("b")];
    const edge = (x: number) => ({
      frames: [
        { parent: "odom", child: "map", transform: { p: { x, y: 0, z: 0 }, q: { w: 1, x: 0, y: 0, z: 0 } } },
      ],
    });
    const step = robotStep("a", 1, 0);
    await a.memory.write({ ...step, frames: [...(step.frames ?? []), ...edge(1).frames] });
    await b.memory.write(edge(2));
    const { pushed } = await syncMemories(a.peer, b.peer, { pull: false });
    expect(pushed).toMatchObject({
      taken: 1,
      refused: 1,
      reasons: [expect.stringMatching(/two fixed transforms/)],
    });
    expect(await textOf(b.memory, "caption-a-0")).toBeDefined();
    const folder = join(b.memory.folder, "sync", "aside");
    const [file] = readdirSync(folder);
    expect(JSON.parse(readFileSync(join(folder, file!), "utf8"))).toMatchObject({
      why: expect.stringMatching(/two fixed transforms/),
      row: { child: "map" },
    });
    expect((await syncMemories(a.peer, b.peer, { pull: false })).pushed.segments).toBe(0);
  });

  it("that brings a record under the id of another kind, or one that is none, loses that alone", async () => {
    const [a, b] = [await end("a"), await end("b")];
    await a.memory.write(robotStep("a", 1, 0));
    const [state] = (await a.memory.states().find(1)).map(({ record }) => record);
    await b.memory.remember("Mine.", { id: state!.trackId });
    const { pushed } = await syncMemories(a.peer, b.peer, { pull: false });
    expect(pushed).toMatchObject({
      taken: 1,
      refused: 1,
      reasons: [expect.stringMatching(/is a caption here/)],
    });
    expect(await textOf(b.memory, "caption-a-0")).toBeDefined();
    const read = await unseal((await segmentOf(a, await end("c"))).bytes);
    const bad = seal({
      ...read,
      batches: [
        {
          ...read.batches[0]!,
          from: { memory: "f".repeat(32), atUs: 5 },
          records: [{ kind: "caption" } as never],
        },
      ],
    });
    expect(await b.peer.take(bad)).toMatchObject({ taken: 1, refused: 1 });
  });

  it("of a memory whose clock was decades ahead once is taken, and wins over nobody for that", async () => {
    const [a, b] = [await end("a", 30 * 365 * 86_400_000_000), await end("b")];
    await b.memory.remember("First.", { id: "note" });
    await a.memory.remember("From the future.", { id: "note" });
    await syncMemories(a.peer, b.peer);
    expect(await textOf(b.memory, "note")).toEqual(["From the future."]);
    await b.memory.remember("Last.", { id: "note" });
    await a.memory.remember("More.", { id: "more" });
    await syncMemories(a.peer, b.peer, { pull: false });
    expect(await textOf(b.memory, "note")).toEqual(["Last."]);
    expect(await textOf(b.memory, "more")).toEqual(["More."]);
  });

  it("brings every blob where the receiver lacks one that came before", async () => {
    const [a, b] = [await end("a"), await end("b")];
    const picture = Buffer.from("picture of a at 0, 1");
    await a.memory.write(robotStep("a", 1, 0));
    await b.memory.write(robotStep("a", 1, 0));
    await a.memory.write({
      records: [
        {
          kind: "view",
          id: "second",
          observationId: "obs-a-0",
          thumb: blobRefOf(picture),
          validFromUs: BEGIN_US,
          validToUs: null,
        },
      ],
    });
    const c = await end("c");
    await syncMemories(a.peer, c.peer, { segmentBytes: 1 });
    expect(await (await c.memory.reader()).blob(blobRefOf(picture))).toEqual(new Uint8Array(picture));
    // The same observations from two memories with a common past are stored once.
    await syncMemories(b.peer, c.peer);
    expect(await (await c.memory.reader()).sightings({})).toHaveLength(1);
  });
});

it("a sync that was cut off is ended by who comes next, and answers no longer call the memory unfinished", async () => {
  const [a, b] = [await end("a"), await end("b")];
  await a.memory.write(robotStep("a", 1, 0));
  const { heard, told: digest } = await b.peer.status();
  await b.peer.take((await a.peer.give({ heard, told: digest }))!);
  expect(await b.memory.unfinished()).toHaveLength(1);
  expect(await hasAbandoned(b.memory)).toBe(true);
  await finishAbandoned(b.memory, b.peer as LocalPeer);
  expect(await b.memory.unfinished()).toEqual([]);
  // The sender does not know of it and continues.
  await a.memory.write(robotStep("a", 1, 1));
  await syncMemories(a.peer, b.peer);
  expect(await told(b.memory)).toEqual(await told(a.memory));
});

it("a memory does not sync with itself", async () => {
  const a = await end("a");
  await expect(syncMemories(a.peer, a.peer)).rejects.toMatchObject({ code: "invalid-input" });
});
