import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { localPeer, type Memory, openMemory, sealSegment, syncMemories } from "../../../compose.ts";
import { connectPeer } from "../../../remote/index.ts";
import { type TestServer, testServer } from "../../testing/test-server.ts";

const T0 = 1_767_225_600_000_000;
const tokens = [
  { name: "boss", scopes: ["admin" as const], labels: "*" as const },
  { name: "robot", scopes: ["write" as const], labels: "*" as const },
  { name: "peer", scopes: ["read" as const, "write" as const], labels: "*" as const },
  { name: "kitchen", scopes: ["read" as const, "write" as const], labels: "*" as const, scene: "kitchen" },
  { name: "guest", scopes: ["read" as const, "write" as const], labels: ["guests"] },
];

const note = (id: string, text: string, labels: string[] = []) => ({
  records: [
    {
      kind: "caption" as const,
      id,
      source: "human" as const,
      text: [text],
      labels,
      validFromUs: T0,
      validToUs: null,
    },
  ],
});

let server: TestServer;
let robot: Memory;
const secrets = new Map<string, string>();
const folder = mkdtempSync(join(tmpdir(), "loci-sync-http-"));
beforeAll(async () => {
  server = await testServer({ memory: { embedder: "hashing:16" } });
  for (const grant of tokens) secrets.set(grant.name, server.serving.access.add(grant, 0));
  robot = await openMemory(join(folder, "robot"), { embedder: "hashing:16" });
  await robot.write(note("mug", "the mug is red"));
  await robot.write(note("safe", "the safe is behind the picture", ["family"]));
});
afterAll(async () => {
  await server.close();
  await robot.close();
  rmSync(folder, { recursive: true, force: true });
});

const as = (name: string, memory = robot, options: { push?: boolean; pull?: boolean } = {}) =>
  localPeer(memory, "here").then(async (here) => {
    try {
      const token = secrets.get(name) ?? name;
      return await syncMemories(here, connectPeer(server.url, { token, pieceBytes: 100 }), options);
    } finally {
      await here.close();
    }
  });

async function said(path: string, who: string, init: RequestInit = {}): Promise<string> {
  const response = await fetch(server.url + path, {
    ...init,
    headers: { authorization: `Bearer ${secrets.get(who)}`, "content-type": "application/json" },
  });
  return `${response.status} ${await response.text()}`;
}

const ASKED: readonly (readonly [string, RequestInit])[] = [
  ["/v1/sync", {}],
  ["/v1/sync/forgotten", {}],
  ["/v1/sync/forgotten", { method: "POST", body: JSON.stringify({ forgotten: [] }) }],
  ["/v1/sync/disowned", { method: "POST", body: JSON.stringify({ memory: "x" }) }],
  ["/v1/sync/segments", { method: "POST", body: JSON.stringify({ heard: {}, told: "0".repeat(64) }) }],
  [`/v1/sync/segments/${"0".repeat(64)}`, {}],
  [`/v1/sync/segments/${"0".repeat(64)}/size`, {}],
  [`/v1/sync/segments/${"0".repeat(64)}?at=0`, { method: "PUT", body: "x" }],
  [`/v1/sync/segments/${"0".repeat(64)}/take`, { method: "POST", body: "{}" }],
  ["/v1/sync/finish", { method: "POST", body: JSON.stringify({ sender: "x" }) }],
];
const asGuest = () => Promise.all(ASKED.map(([path, init]) => said(path, "guest", init)));

describe("sync over HTTP", () => {
  it("tells who lacks a label the same words, whatever has come in", async () => {
    const before = await asGuest();
    const statsBefore = await said("/v1/stats", "guest");
    const report = await as("robot", robot, { pull: false });
    expect(report.pushed).toMatchObject({ taken: 2, records: 2 });
    expect(await asGuest()).toEqual(before);
    for (const words of before) expect(words).toContain("holds every label");
    // Of the robot's two notes the guest may see one; of the other, and of the sync, he learns nothing.
    const stats = JSON.parse((await said("/v1/stats", "guest")).slice(4));
    expect(stats.records.caption).toBe(1);
    expect(JSON.parse(statsBefore.slice(4)).records.caption).toBe(0);
    expect(await said("/v1/records/safe", "guest")).toContain("there is nothing here by this name");
    const guest = await server.memory.engine.reader({ principal: { id: "guest", labels: ["guests"] } });
    expect(await guest.unfinished()).toEqual([]);
    const told: string[] = [];
    for await (const row of guest.dump()) told.push(JSON.stringify(row));
    expect(told.join()).not.toMatch(/safe|heard|family/);
    await guest.close();
  });

  it("lets a token do what its scope says", async () => {
    await expect(as("robot")).rejects.toMatchObject({ code: "access-denied" });
    await expect(as("loci_wrong")).rejects.toMatchObject({ code: "access-denied" });
    const other = await openMemory(join(folder, "other"), { embedder: "hashing:16" });
    const pulled = await as("peer", other);
    expect(pulled.pulled).toMatchObject({ taken: 2, records: 2 });
    expect(await other.records("caption").count()).toBe(2);
    await other.forget(["mug"], "asked to");
    // May not make the server forget; says how much it could not tell.
    expect(await as("peer", other)).toMatchObject({ untold: 1, forgottenThere: 0 });
    expect(await server.memory.records("caption").count()).toBe(2);
    expect(await as("boss", other)).toMatchObject({ untold: 0, forgottenThere: 1 });
    expect(await server.memory.records("caption").count()).toBe(1);
    await other.close();
  });

  it("lets a token speak for the memory that came with it first, and for no other", async () => {
    const [mine, victim] = [
      await openMemory(join(folder, "mine"), { embedder: "hashing:16" }),
      await openMemory(join(folder, "victim"), { embedder: "hashing:16" }),
    ];
    for (const name of ["evil", "good", "relay"])
      secrets.set(
        name,
        server.serving.access.add(
          { name, scopes: ["write"], labels: "*", ...(name === "relay" && { relay: true }) },
          0,
        ),
      );
    await mine.write(note("of-mine", "hello"));
    await victim.write(note("of-victim", "the vase is blue"));
    await as("evil", mine, { pull: false });
    const push = async (memory: string, records: never[] = []) => {
      const { memory: site, told } = JSON.parse((await said("/v1/sync", "evil")).slice(4));
      expect(site).toBeDefined();
      const from = { memory, atUs: Date.now() * 1000 };
      const empty = { from, derived: false, records, sightings: [], frames: [], imageVectors: [] };
      const { name, bytes } = sealSegment({
        sender: (await mine.engine.log()).memory,
        assumes: {},
        reaches: {},
        told,
        batches: [empty],
        blobs: new Map(),
      });
      await said(`/v1/sync/segments/${name}?at=0`, "evil", { method: "PUT", body: Buffer.from(bytes) });
      return said(`/v1/sync/segments/${name}/take`, "evil", { method: "POST", body: "{}" });
    };
    const { memory: victimId } = await victim.engine.log();
    expect(await push(victimId)).toMatch(/^403 .*may not pass on/);
    expect((await as("good", victim, { pull: false })).pushed).toMatchObject({ taken: 1, records: 1 });
    const finish = {
      method: "POST",
      body: JSON.stringify({ sender: victimId, clock: { aheadUs: 3_600_000_000, sdUs: 0 } }),
    };
    expect(await said("/v1/sync/finish", "evil", finish)).toMatch(/^403 /);
    // A version of another memory's record, by a sender that may not read it, is set aside; the sender is told.
    const stolen = {
      ...note("of-victim", "smashed", ["nobody"]).records[0]!,
      sceneId: "default",
      author: "local",
    };
    expect(await push((await mine.engine.log()).memory, [stolen as never])).toMatch(
      /^200 .*"refused":1.*another memory's/,
    );
    const unread = { ...stolen, labels: [] };
    expect(await push((await mine.engine.log()).memory, [unread as never])).toMatch(
      /^200 .*"refused":1.*its sender may not read it/,
    );
    expect((await (await server.memory.reader()).get(["of-victim"]))[0]).toMatchObject({
      text: ["the vase is blue"],
      labels: [],
    });
    // What one memory heard of another is passed on by a trusted token; others report that they did not pass it on.
    await syncMemories(await localPeer(victim, "victim"), await localPeer(mine, "mine"));
    await victim.write(note("second", "the vase is gone"));
    await syncMemories(await localPeer(victim, "victim"), await localPeer(mine, "mine"), { pull: false });
    expect(await as("evil", mine, { pull: false })).toMatchObject({ unrelayed: 1 });
    expect(await (await server.memory.reader()).get(["second"])).toEqual([undefined]);
    expect((await as("relay", mine, { pull: false })).pushed.taken).toBeGreaterThan(0);
    expect((await (await server.memory.reader()).get(["second"]))[0]).toBeDefined();
    await mine.close();
    await victim.close();
  });

  it("takes back what a token said in the name of a memory that came with it and was another's", async () => {
    const other = await openMemory(join(folder, "claimed"), { embedder: "hashing:16" });
    const { memory } = await other.engine.log();
    secrets.set("thief", server.serving.access.add({ name: "thief", scopes: ["write"], labels: "*" }, 0));
    const { told } = JSON.parse((await said("/v1/sync", "thief")).slice(4));
    const lie = { ...note("cup", "no cup").records[0]!, sceneId: "default", author: "local" };
    const batch = { derived: false, sightings: [], frames: [], imageVectors: [], records: [lie as never] };
    const { name, bytes } = sealSegment({
      ...{ sender: memory, assumes: {}, reaches: {}, told, blobs: new Map() },
      batches: [{ ...batch, from: { memory, atUs: Date.now() * 1000 + 82_800_000_000 } }],
    });
    await said(`/v1/sync/segments/${name}?at=0`, "thief", { method: "PUT", body: Buffer.from(bytes) });
    const took = await said(`/v1/sync/segments/${name}/take`, "thief", { method: "POST", body: "{}" });
    expect(took).toMatch(/^200 .*"records":1/);
    const { memories, spokeFromUs } = server.serving.access.remove("thief");
    expect(memories).toEqual([memory]);
    // The robot itself comes, with a token of its own, and is refused because of a timestamp it never sent.
    secrets.set("its", server.serving.access.add({ name: "its", scopes: ["write"], labels: "*" }, 0));
    await other.write(note("cup", "the cup is green"));
    await expect(as("its", other, { pull: false })).rejects.toThrow(/another speaks in its name/);
    const disowned = (who: string, body: object) =>
      said("/v1/sync/disowned", who, { method: "POST", body: JSON.stringify(body) });
    expect(await disowned("its", { memory })).toMatch(/^403 /);
    expect(await disowned("boss", { memory, fromUs: spokeFromUs })).toMatch(/^200 .*"writes":1/);
    expect((await as("its", other, { pull: false })).pushed).toMatchObject({ records: 1, refused: 0 });
    await other.write(note("cup", "the cup is gone"));
    expect((await as("its", other, { pull: false })).pushed).toMatchObject({ records: 1, refused: 0 });
    const [cup] = await (await server.memory.reader()).get(["cup"]);
    expect(cup).toMatchObject({ text: ["the cup is gone"] });
    expect(await server.memory.engine.verify()).toMatchObject({ problems: [] });
    expect((await said("/v1/audit", "boss")).slice(4)).toContain('"act":"disown"');
    await other.close();
  });

  it("says so where another has spoken in a memory's name", async () => {
    const other = await openMemory(join(folder, "spoken-for"), { embedder: "hashing:16" });
    await other.write(note("own", "hello"));
    const { memory } = await other.engine.log();
    const from = { memory, atUs: Date.now() * 1000 + 82_800_000_000 };
    await server.memory.write({ from, records: [] });
    await expect(as("relay", other, { pull: false })).rejects.toThrow(/another speaks in its name/);
    await other.close();
  });

  it("refuses records of another scene than the token's, and to give a whole memory for it", async () => {
    const other = await openMemory(join(folder, "scene"), { embedder: "hashing:16" });
    await other.write(note("elsewhere", "in the hall"));
    await expect(as("kitchen", other, { pull: false })).rejects.toThrow(
      'this token is for scene "kitchen"; the memory has records of scene "default"',
    );
    await expect(as("kitchen", other, { push: false })).rejects.toMatchObject({ code: "access-denied" });
    expect(await (await server.memory.reader()).get(["elsewhere"])).toEqual([undefined]);
    await other.close();
  });
});
