import { pino } from "pino";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { localFace, type Memory, type MemoryFace, openMemory } from "../src/compose.ts";
import { connect } from "../src/index.ts";
import { type Serving, serve } from "../src/interfaces/http/server.ts";
import { isLociError } from "../src/schema/index.ts";
import { EMBEDDER, housesFolder, NOW_US } from "./mcp-house.ts";

let house: Awaited<ReturnType<typeof housesFolder>>;
let memory: Memory;
let serving: Serving;
let faces: Readonly<Record<"here" | "there", MemoryFace>>;

beforeAll(async () => {
  house = await housesFolder();
  memory = await openMemory(house.folder, { embedder: EMBEDDER });
  serving = await serve(memory, { port: 0, log: pino({ level: "silent" }) });
  faces = { here: localFace(memory), there: connect(serving.url) };
});

afterAll(async () => {
  await faces?.here.close();
  await serving?.close();
  await memory?.close();
  house?.remove();
});

/** What both faces must answer alike: the same call on a memory in this process and on one behind a server. */
const READS: Readonly<Record<string, (face: MemoryFace) => Promise<unknown>>> = {
  "search by words and meaning": (face) => face.search({ text: "red mug", limit: 5 }),
  "search by place": (face) => face.search({ near: { x: 2, y: 2, z: 1 }, within: 2, kinds: ["state"] }),
  "search nearest": (face) => face.search({ near: { x: 2, y: 2, z: 1 }, limit: 3 }),
  "search by time": (face) => face.search({ from: NOW_US - 60_000_000, rank: "latest", limit: 3 }),
  "search by condition": (face) => face.search({ category: ["chair"], kinds: ["state"], rank: "id" }),
  "search as of": (face) => face.search({ owner: ["track-vase"], asOfWorld: NOW_US - 480_000_000 }),
  "search for nothing": (face) => face.search({ ids: ["nobody"] }),
  ask: (face) => face.ask("Where is the red mug?"),
  "ask at a time": (face) => face.ask("What has been moved?", { now: "2026-01-05T09:15:00Z" }),
  "ask with options": (face) => face.ask("What colour is the sofa?", { options: ["red", "grey"] }),
  "ask what nobody knows": (face) => face.ask("Where is the unicorn?"),
  conversation: async (face) => {
    const talk = face.conversation();
    return [await talk.ask("Where is the red mug?"), await talk.ask("And the bowl?")];
  },
  things: (face) => face.list({ what: "things", room: "kitchen" }),
  rooms: (face) => face.list({ what: "rooms" }),
  people: (face) => face.list({ what: "people" }),
  changes: (face) => face.list({ what: "changes", since: NOW_US - 300_000_000 }),
  record: (face) => face.record("mug"),
  "record that is not there": (face) => face.record("nobody"),
  "record with an odd name": (face) => face.record("a/b?c#d%20é"),
  history: (face) => face.history("mug"),
  "history of nobody": (face) => face.history("nobody"),
  stats: (face) => face.stats(),
  "life by id": (face) => face.life("track-vase"),
  "life by words": (face) => face.life("the red mug", { pictures: 0 }),
  timeline: (face) => face.timeline({ buckets: 4, limit: 5 }),
  diff: (face) => face.diff({ a: NOW_US - 500_000_000, b: NOW_US }),
  coverage: (face) => face.coverage({ scene: "flat" }),
  route: (face) => face.route({ scene: "flat", from: { x: 1, y: 1, z: 0 }, to: { x: 7, y: 3, z: 0 } }),
  goal: (face) => face.goal({ scene: "flat", from: { x: 1, y: 1, z: 0 }, to: { x: 7, y: 3, z: 0 } }),
  scene: (face) => face.scene({ scene: "flat" }),
  "chunks of the map": async (face) => {
    const { chunks } = await face.scene({ scene: "flat" });
    expect(chunks.length).toBeGreaterThan(0);
    return Promise.all(chunks.map(({ id }) => face.mapChunk(id, { scene: "flat", level: 0 }).then(tagged)));
  },
  "a chunk that is not there": (face) => face.mapChunk("nobody"),
  states: async (face) => bytesOf(await face.stateColumns({ limit: 100 })),
  ways: async (face) => bytesOf(await face.wayColumns({ from: NOW_US - 600_000_000 })),
  grounds: async (face) => {
    const all = await face.grounds({ scene: "flat" });
    return [
      all,
      ...(await Promise.all(all.map(({ id }) => face.ground(id, { scene: "flat" }).then(tagged)))),
    ];
  },
  corrections: (face) => face.corrections(),
  watches: (face) => face.watches(),
  audit: (face) => face.audit({ limit: 5 }),
};

const bytesOf = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64");
const tagged = (found: { readonly etag: string; readonly bytes: Uint8Array } | undefined) =>
  found && { etag: found.etag, bytes: bytesOf(found.bytes) };

/** What both must refuse, by which code. */
const REFUSED: Readonly<Record<string, readonly [string, (face: MemoryFace) => Promise<unknown>]>> = {
  "forget nobody": ["unknown-id", (face) => face.forget({ ids: ["nobody"], reason: "a test" })],
  "life of nobody": ["unknown-id", (face) => face.life("unicorn")],
  "way to nobody": ["unknown-id", (face) => face.route({ to: "unicorn" })],
  "correct nobody": ["unknown-id", (face) => face.correct({ target: "unicorn", is: "horse" })],
  "undo what nobody said": ["unknown-id", (face) => face.undo("nobody")],
  "end what nobody watches": ["unknown-id", (face) => face.unwatch("nobody")],
  "way to nowhere": ["invalid-input", (face) => face.list({ what: "route", to: " " })],
  "no text": ["invalid-input", (face) => face.remember({ text: " " })],
  "a system that is none": ["invalid-input", (face) => face.ask("Where?", { system: "magic" as "star" })],
  "a record that becomes another kind": [
    "invalid-input",
    (face) => face.write({ records: [{ ...CAPTION, id: "mug" }] }),
  ],
};

const CAPTION = {
  kind: "caption" as const,
  id: "new-caption",
  source: "human" as const,
  text: ["The window is open."],
  validFromUs: NOW_US,
  validToUs: null,
};

/** A thing that was not there before. */
function unicorn(where: string) {
  const common = { name: "unicorn", category: `unicorn-${where}`, validFromUs: NOW_US, validToUs: null };
  return [
    { ...common, kind: "track" as const, id: `track-${where}` },
    {
      ...common,
      kind: "state" as const,
      id: `state-${where}`,
      trackId: `track-${where}`,
      anchor: { submap: "world", p: { x: 1, y: 1, z: 0 } },
    },
  ];
}

/** As JSON has it, and without how long things took. */
function plain(value: unknown): unknown {
  const timeless = (key: string, inner: unknown) => (key === "ms" || key === "commitUs" ? undefined : inner);
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value, timeless));
}

describe("a memory here and the same one behind a server", () => {
  it.each(Object.entries(READS))("%s", async (_, call) => {
    const [here, there] = [await call(faces.here), await call(faces.there)];
    expect(plain(there)).toEqual(plain(here));
  });

  it.each(Object.entries(REFUSED))("refuse alike: %s", async (_, [code, call]) => {
    for (const face of Object.values(faces)) {
      const failed = await call(face).catch((error: unknown) => error);
      expect(isLociError(failed) ? failed.code : failed).toBe(code);
    }
  });

  it("blobs", async () => {
    const view = await faces.there.record("view-kitchen");
    const ref = view?.kind === "view" ? view.thumb : "";
    const [here, there] = [await faces.here.blob(ref), await faces.there.blob(ref)];
    expect(there).toHaveLength(287);
    expect(Buffer.from(there!)).toEqual(Buffer.from(here!));
    for (const none of ["0".repeat(64), "../server.json"])
      for (const face of Object.values(faces)) expect(await face.blob(none)).toBeUndefined();
  });

  it.each(["here", "there"] as const)("writes %s, seen by both", async (where) => {
    const face = faces[where];
    const text = `Somebody rang, heard ${where}.`;
    const stored = await face.remember({ text, at: { x: 1, y: 2, z: 3 }, time: NOW_US, topic: "bell" });
    expect(stored).toMatchObject({ kind: "caption", text: [text], topic: "bell", version: 1 });
    // The same fact under the same id changes nothing.
    expect(
      await face.remember({ text, at: { x: 1, y: 2, z: 3 }, time: NOW_US, topic: "bell", id: stored.id }),
    ).toEqual(stored);
    for (const other of Object.values(faces)) expect(await other.record(stored.id)).toEqual(stored);
    expect(await face.write({ records: [{ ...CAPTION, id: `caption-${where}` }] })).toMatchObject({
      written: 1,
      versions: [1],
    });
    const captions = [{ text: `A cat, ${where}.`, time: NOW_US }];
    expect(await face.ingestCaptions({ captions })).toMatchObject({ written: 1 });
    expect(await face.ingestCaptions({ captions })).toMatchObject({ written: 0, unchanged: 1 });
    const gone = await face.forget({ ids: [stored.id, `caption-${where}`], reason: "a test" });
    expect(gone.forgotten.map(({ id }) => id).toSorted()).toEqual([stored.id, `caption-${where}`].toSorted());
    for (const other of Object.values(faces)) expect(await other.record(stored.id)).toBeUndefined();
  });

  it.each(["here", "there"] as const)("frames are taken %s", async (where) => {
    const timeUs = NOW_US + (where === "here" ? 1 : 2) * 1_000_000;
    const picture = await sharp({ create: { width: 64, height: 48, channels: 3, background: "#446688" } })
      .jpeg()
      .toBuffer();
    const frame = {
      timeUs,
      agentId: `robot-${where}`,
      sensorId: "camera",
      intrinsics: { fx: 50, fy: 50, cx: 32, cy: 24, width: 64, height: 48 },
      mapFrame: "world",
      worldFromCamera: { p: { x: 1, y: 1, z: 1 }, q: { x: 0, y: 0, z: 0, w: 1 } },
      detections: [],
      picture: new Uint8Array(picture),
    };
    const taken = await faces[where].ingestFrame(frame);
    expect(taken).toMatchObject({ detections: 0 });
    for (const face of Object.values(faces))
      expect(await face.record(taken.observationId)).toMatchObject({
        kind: "observation",
        author: `robot-${where}`,
      });
  });

  it.each(["here", "there"] as const)("people are heard %s", async (where) => {
    const face = faces[where];
    const said = await face.correct({ target: "radiator", is: "printer" });
    expect(said).toMatchObject({ what: "kind", says: "printer" });
    const corner = await face.name({ at: { x: 1, y: 1, z: 0 }, name: `Corner ${where}` });
    const [both] = [await faces.here.corrections(), await faces.there.corrections()].map(plain);
    expect(both).toEqual(plain(await faces.there.corrections()));
    // The last one first, then the one that is named.
    expect((await face.undo()).id).toBe(corner.id);
    expect((await face.undo(said.id)).undone).toBeDefined();
  });

  it.each(["here", "there"] as const)(
    "what happens is told %s, in order and from where it is asked",
    async (where) => {
      const face = faces[where];
      const before = (await face.stats()).lastCommitUs!;
      const ids = [1, 2, 3].map((n) => `told-${where}-${n}`);
      const heard: string[] = [];
      const ending = new AbortController();
      const listening = (async () => {
        for await (const { put } of face.changes({ after: before, kinds: ["caption"] }, ending)) {
          heard.push(...put.map(({ id }) => id));
          if (heard.length >= ids.length) return;
        }
      })();
      for (const id of ids) await face.write({ records: [{ ...CAPTION, id }] });
      await listening;
      ending.abort();
      expect(heard).toEqual(ids);
    },
  );

  it.each(["here", "there"] as const)("what is waited for is told %s", async (where) => {
    const face = faces[where];
    const watch = await face.watch({ expression: `things(category: "unicorn-${where}")`, on: "enter" });
    expect((await face.watches()).map(({ id }) => id)).toContain(watch.id);
    await face.write({ records: unicorn(where) });
    for await (const event of face.watchEvents(watch.id, { after: 0 })) {
      expect(event).toMatchObject({ watchId: watch.id, number: 1 });
      break;
    }
    expect((await face.unwatch(watch.id)).id).toBe(watch.id);
  });

  it("tells how a question is understood before it is answered", async () => {
    const told: Record<string, readonly string[]> = {};
    for (const [where, face] of Object.entries(faces))
      await face.ask("Where is the red mug?", {}, { onReadings: (readings) => (told[where] = readings) });
    expect(told["here"]?.length).toBeGreaterThan(0);
    // The likeliest ones are told over a network, not all of them.
    expect(told["there"]).toEqual(told["here"]?.slice(0, 4));
  });

  it("ends a question by its signal", async () => {
    await expect(
      faces.there.ask("Where is the red mug?", {}, { signal: AbortSignal.abort() }),
    ).rejects.toMatchObject({ code: "aborted" });
  });
});
