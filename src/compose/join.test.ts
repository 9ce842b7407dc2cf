import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { simulate } from "../compose.ts";
import { apply, invert, type Transform, transformDelta } from "../geometry/index.ts";
import type { MemoryReader } from "../memory/index.ts";
import { localFace } from "../operations/face.ts";
import type { RecordOf, Stored } from "../schema/index.ts";
import { openRecording } from "../sensors/index.ts";
import { mapsIn } from "../sharing/index.ts";
import { askMemory, Conversation, listMemory } from "./ask.ts";
import { mapsSeen } from "./asked-map.ts";
import { ingestInto, ingestRecording } from "./ingest.ts";
import { alignScene, joinScene, partScene } from "./join.ts";
import { type Memory, openMemory } from "./memory.ts";
import { name, undo } from "./people.ts";

const LONG_MS = 300_000;
const folder = mkdtempSync(join(tmpdir(), "loci-join-"));
const recording = join(folder, "recording");
const OTHER = "robot-2.map";
let memory: Memory;
let worldFromOther: Transform;
let mergedBefore: string[];
let piecesBefore: Map<string, Transform>;

beforeAll(async () => {
  await simulate({
    family: "house",
    seed: "30012",
    agents: 2,
    minutes: 3,
    fps: 1,
    noise: 0.3,
    rooms: 4,
    size: { width: 80, height: 60 },
    out: recording,
  });
  const truth = JSON.parse(readFileSync(join(recording, "truth.json"), "utf8"));
  worldFromOther = invert(truth.agents[1].mapFromWorld as Transform);
  memory = await openMemory(join(folder, "memory"));
  await ingestRecording(memory, recording, { join: false });
}, LONG_MS);
afterAll(async () => {
  await memory?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** The middle of the recorded time span. */
function middleOf(folder: string): number {
  const { startUs, durationUs } = JSON.parse(readFileSync(join(folder, "truth.json"), "utf8"));
  return startUs + durationUs / 2;
}

async function openRooms(reader: MemoryReader, root?: string) {
  const { hits } = await reader.search({ kinds: ["region"], where: { category: ["room"] }, limit: 100 });
  return hits
    .map(({ record }) => record as Stored<RecordOf<"region">>)
    .filter(({ validToUs, anchor }) => validToUs === null && (root === undefined || anchor?.submap === root));
}

/** Tracks merged into others, by the track they belong to. */
async function mergedIn(reader: MemoryReader): Promise<string[]> {
  const { hits } = await reader.search({ kinds: ["track"], limit: 2000 });
  return hits
    .flatMap(({ record }) =>
      record.kind === "track" && record.mergedInto !== undefined ? [`${record.id} ${record.mergedInto}`] : [],
    )
    .sort();
}

/** Where the submaps of the second map lie in the first. */
async function piecesIn(reader: MemoryReader): Promise<Map<string, Transform>> {
  const graph = await reader.frames();
  const { hits } = await reader.search({ kinds: ["region"], where: { category: ["map"] }, limit: 100 });
  return new Map(
    hits.flatMap(({ record: { anchor, author } }) => {
      const pose = author === "robot-2" && anchor ? graph.resolve(OTHER, anchor.submap) : undefined;
      return pose ? [[anchor!.submap, pose] as const] : [];
    }),
  );
}

const roots = async () => (await mapsIn(await memory.reader(), "default")).map(({ root }) => root);
const chairs = async (frame?: string) =>
  (await listMemory(memory, { what: "things", kind: "furniture" }, { frame })).rows.length;

describe("two robots whose maps say nothing of each other", () => {
  it("are told apart: counts and rooms are of one map, and what is left out is said", async () => {
    expect(await roots()).toEqual(["world", OTHER]);
    expect((await mapsSeen(await memory.reader())).map(({ agents }) => agents)).toEqual([
      ["robot-1"],
      ["robot-2"],
    ]);
    const [first, second] = [
      await listMemory(memory, { what: "rooms" }),
      await listMemory(memory, { what: "rooms" }, { frame: OTHER }),
    ];
    const reader = await memory.reader();
    expect(first.rows).toHaveLength((await openRooms(reader, "world")).length);
    expect(second.rows).toHaveLength((await openRooms(reader, OTHER)).length);
    expect(first.notes?.[0]).toContain(`"${OTHER}" (of robot-2) is not joined`);
    const answer = await askMemory(memory, "how many rooms are there?");
    expect(answer.count).toBe(first.rows.length);
    expect(answer.contradictions.join()).toContain("not joined");
  });

  it("have places and goals in their own frames, and no way leads from one to the other", async () => {
    const { position, navGoal } = await askMemory(memory, "where is the fridge?", { frame: OTHER });
    expect([position?.frame, navGoal?.frame]).toEqual([OTHER, OTHER]);
    const known = await askMemory(memory, "where is the fridge?", { agentId: "robot-2" });
    expect(known.position).toEqual(position);
    await expect(askMemory(memory, "where is the fridge?", { frame: "moon" })).rejects.toMatchObject({
      code: "unknown-id",
    });
  });

  it("know together what only one of them knows", async () => {
    const { rows } = await listMemory(memory, { what: "things", kind: "furniture" }, { frame: OTHER });
    const said = await name({ memory }, { target: String(rows[0]!["id"]), name: "Excalibur" });
    const answer = await askMemory(memory, "where is Excalibur?");
    expect(answer).toMatchObject({ status: "answered", position: { frame: OTHER } });
    expect(answer.contradictions.join()).toContain("not joined");
    const talk = new Conversation(memory);
    expect(await talk.ask("where is Excalibur?")).toMatchObject({ status: "answered" });
    expect(await askMemory(memory, "where is Excalibur?", { frame: "world" })).toMatchObject({
      status: "not-seen",
    });
    await undo({ memory }, said.id);
  });

  it("become one by what they show; who named a room of the second still finds it, and so do captions", async () => {
    const [room] = (await openRooms(await memory.reader(), OTHER)).sort((a, b) => (a.id < b.id ? -1 : 1));
    const speaker = { author: "anna", seen: await memory.reader() };
    await memory.corrections.say("name", room!.id, "Casper's corner", speaker);
    const before = await chairs();
    piecesBefore = await piecesIn(await memory.reader());
    const [join, ...rest] = await joinScene(memory);
    expect(rest).toEqual([]);
    expect(join).toMatchObject({ root: OTHER, into: "world" });
    expect(join!.refused).toBeUndefined();
    expect(join!.things).toBeGreaterThan(6);
    const { translationM, rotationRad } = transformDelta(join!.pose!, worldFromOther);
    expect(translationM).toBeLessThan(0.2);
    expect(rotationRad).toBeLessThan(0.035);
    expect(await roots()).toEqual(["world"]);
    expect(await chairs()).toBeLessThan(2 * before);
    const rooms = await openRooms(await memory.reader());
    expect(rooms.every(({ anchor }) => anchor?.submap === "world")).toBe(true);
    expect(rooms.filter(({ name }) => name === "Casper's corner")).toHaveLength(1);
    const known = new Set(rooms.map(({ id }) => id));
    const { hits } = await (await memory.reader()).search({
      kinds: ["caption"],
      where: { author: ["robot-2"] },
      limit: 500,
    });
    const housed = hits.flatMap(({ record }) => (record.kind === "caption" ? (record.regionId ?? []) : []));
    expect(housed.length).toBeGreaterThan(0);
    expect(housed.filter((id) => known.has(id)).length).toBeGreaterThan(0.9 * housed.length);
  });

  it("are laid on each other piece by piece, each a little elsewhere than its robot had it", async () => {
    const after = await piecesIn(await memory.reader());
    expect(after.size).toBe(piecesBefore.size);
    const moved = [...after].map(([frame, pose]) => transformDelta(pose, piecesBefore.get(frame)!));
    expect(Math.max(...moved.map(({ translationM }) => translationM))).toBeGreaterThan(0.01);
    expect(Math.max(...moved.map(({ translationM }) => translationM))).toBeLessThan(0.5);
  });

  it("were two before: a reading as of then still shows both", async () => {
    const reader = await memory.reader();
    const { hits } = await reader.search({ kinds: ["region"], where: { category: ["room"] }, limit: 100 });
    const ended = hits.filter(({ record }) => record.anchor?.submap === OTHER);
    const joinedUs = Math.min(...ended.map(({ record }) => record.recordedAtUs));
    const before = await memory.engine.reader({ asOfMemoryUs: joinedUs - 1 });
    expect((await mapsIn(before, "default")).length).toBe(2);
    mergedBefore = await mergedIn(before);
    expect((await mergedIn(reader)).length).toBeGreaterThan(mergedBefore.length + 6);
    expect((await openRooms(before)).length).toBeGreaterThan((await openRooms(reader)).length);
    await before.close();
  });

  it("are one map too for who asks about a moment before they were joined", async () => {
    const reader = await memory.reader();
    const nowUs = middleOf(recording);
    const { hits } = await reader.search({
      ...{ kinds: ["region"], where: { category: ["room"] }, limit: 100 },
      time: { overlaps: { fromUs: nowUs, toUs: nowUs + 1 } },
    });
    expect(hits.length).toBeGreaterThan(2);
    expect(hits.filter(({ record }) => record.anchor?.submap !== "world")).toEqual([]);
    expect(
      (await askMemory(memory, "how many rooms are there?", { now: new Date(nowUs / 1_000).toISOString() }))
        .count,
    ).toBe(hits.length);
  });

  it("are told of in whichever frame a robot asks for", async () => {
    const ask = (frame?: string) => askMemory(memory, "where is the fridge?", { frame });
    const [here, there] = [await ask(), await ask(OTHER)];
    const { pose } = await alignedAt();
    const moved = apply(pose, there.position!.point);
    expect(Math.hypot(moved.x - here.position!.point.x, moved.y - here.position!.point.y)).toBeLessThan(1e-6);
    expect(there.navGoal?.frame).toBe(OTHER);
  });

  it("are parted again without being taken in again, and stay so until somebody joins them", async () => {
    const parted = await partScene(memory, OTHER);
    expect(parted).toMatchObject({ root: OTHER, from: "world" });
    expect(await roots()).toEqual(["world", OTHER]);
    expect((await openRooms(await memory.reader(), OTHER)).length).toBeGreaterThan(2);
    expect(await mergedIn(await memory.reader())).toEqual(mergedBefore);
    for (const [frame, pose] of await piecesIn(await memory.reader()))
      expect(transformDelta(pose, piecesBefore.get(frame)!).translationM, frame).toBeLessThan(1e-9);
    expect(await joinScene(memory)).toMatchObject([{ root: OTHER, refused: "taken-off" }]);
    await expect(partScene(memory, OTHER)).rejects.toMatchObject({ code: "unknown-id" });
  });

  it("are joined at once where it is known how they lie, and laid anew where that was wrong", async () => {
    const off = { p: { ...worldFromOther.p, x: worldFromOther.p.x + 0.3 }, q: worldFromOther.q };
    const join = await alignScene(memory, { into: "world", map: OTHER, transform: off });
    expect(join).toMatchObject({ root: OTHER, into: "world" });
    expect(transformDelta(join.pose!, off).translationM).toBeLessThan(1e-9);
    expect(await roots()).toEqual(["world"]);
    await expect(alignScene(memory, { into: "world", map: OTHER })).rejects.toMatchObject({
      code: "invalid-input",
    });
    await alignScene(memory, { into: "world", map: OTHER, transform: worldFromOther });
    expect(transformDelta((await alignedAt()).pose, worldFromOther).translationM).toBeLessThan(1e-9);
    await expect(alignScene(memory, { into: "world", map: "attic" })).rejects.toMatchObject({
      code: "unknown-id",
    });
  });

  async function alignedAt(): Promise<{ pose: Transform }> {
    return { pose: (await (await memory.reader()).frames()).resolve("world", OTHER)! };
  }
});

describe("a robot that goes on after its map was joined", () => {
  it(
    "has the new pieces laid on the first map too, and its rooms drawn over both",
    async () => {
      const going = await openMemory(join(folder, "going"));
      const middleUs = middleOf(recording);
      const half = async (isFirst: boolean) => {
        const source = await openRecording(recording);
        await ingestInto(going, source, { only: ({ timeUs }) => timeUs < middleUs === isFirst });
        await source.close();
      };
      try {
        await half(true);
        const [, apart] = await mapsIn(await going.reader(), "default");
        if (apart) await alignScene(going, { into: "world", map: OTHER, transform: worldFromOther });
        const before = (await piecesIn(await going.reader())).size;
        await half(false);
        const reader = await going.reader();
        const [graph, pieces] = [await reader.frames(), await piecesIn(reader)];
        expect(pieces.size).toBeGreaterThan(before);
        for (const frame of pieces.keys()) expect(graph.edgeOf(frame)?.kind, frame).toBe("alignment");
        expect((await mapsIn(reader, "default")).map(({ root }) => root)).toEqual(["world"]);
        expect((await openRooms(reader)).every(({ anchor }) => anchor?.submap === "world")).toBe(true);
        expect((await going.verify()).problems).toEqual([]);
      } finally {
        await going.close();
      }
    },
    LONG_MS,
  );
});

describe("a robot that wakes up elsewhere", () => {
  it(
    "has a map of its own until it is joined, though its frames are called as before",
    async () => {
      const woken = await openMemory(join(folder, "woken"));
      const first = { only: ({ agentId }: { agentId: string }) => agentId === "robot-1" };
      try {
        await ingestRecording(woken, recording, { join: false, map: "robot-1.monday" });
        const maps = await mapsIn(await woken.reader(), "default");
        expect(maps.map(({ root }) => root).sort()).toEqual(["robot-1.monday", "robot-1.monday:robot-2.map"]);
        const source = await openRecording(recording);
        const renamed = { ...first, join: false, map: "two words" };
        await expect(ingestInto(woken, source, renamed)).rejects.toMatchObject({ code: "invalid-input" });
        await source.close();
        await expect(
          localFace(woken, { id: "owner", labels: "*" }).goal({ to: "fridge", frame: "world" }),
        ).rejects.toMatchObject({ code: "unknown-id" });
      } finally {
        await woken.close();
      }
    },
    LONG_MS,
  );
});

describe("a robot whose map is secret", () => {
  it(
    "is joined to nobody, and who may not see it learns nothing of it",
    async () => {
      const hidden = await openMemory(join(folder, "hidden"));
      const source = await openRecording(recording);
      try {
        await ingestInto(hidden, source, { only: ({ agentId }) => agentId === "robot-1" });
        const reader = await hidden.as({ principal: { id: "guest", labels: [] } }).reader();
        const before = [
          await mapsIn(reader, "default"),
          await reader.stats(),
          (await reader.frames()).frames(),
        ];
        const again = await openRecording(recording);
        const report = await ingestInto(hidden, again, {
          only: ({ agentId }) => agentId === "robot-2",
          labels: ["secret"],
        });
        await again.close();
        expect(report.maps).toMatchObject([{ root: OTHER, refused: "other-labels" }]);
        const view = hidden.as({ principal: { id: "guest", labels: [] } });
        const seen = await view.reader();
        const [maps, stats, frames] = before as [
          unknown,
          Awaited<ReturnType<MemoryReader["stats"]>>,
          string[],
        ];
        expect(await mapsIn(seen, "default")).toEqual(maps);
        expect((await seen.stats()).records).toEqual(stats.records);
        expect((await seen.frames()).frames()).toEqual(frames);
        const answer = await askMemory(view, "how many rooms are there?");
        expect(answer.contradictions).toEqual([]);
        const face = localFace(hidden, { id: "guest", labels: [] });
        await expect(face.ask("where is the fridge?", { frame: OTHER })).rejects.toMatchObject({
          code: "unknown-id",
        });
        await expect(alignScene(hidden, { into: "world", map: OTHER })).rejects.toMatchObject({
          code: "access-denied",
        });
      } finally {
        await source.close();
        await hidden.close();
      }
    },
    LONG_MS,
  );
});
