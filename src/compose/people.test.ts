import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { vec3 } from "../geometry/index.ts";
import { NOW_US, smallHouse } from "../reasoning/testing/small-house.ts";
import type { RecordOf } from "../schema/index.ts";
import { BACKGROUND, look, type ToyThing, thing } from "../tracking/testing/toy-room.ts";
import { Tracker, type TrackerStep } from "../tracking/tracker.ts";
import { askMemory, listMemory } from "./ask.ts";
import { type Memory, openMemory } from "./memory.ts";
import { correct, corrections, name, undo } from "./people.ts";

let folder: string;
let memory: Memory;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "loci-people-"));
  const { engine, reader } = await smallHouse(folder);
  await reader.close();
  await engine.close();
  memory = await openMemory(join(folder, "memory"), { embedder: "hashing:64" });
});
afterEach(async () => {
  await memory.close();
  rmSync(folder, { recursive: true, force: true });
});

const ask = async (question: string, as: Memory = memory) => askMemory(as, question, { now: NOW_US });
const text = async (question: string) => (await ask(question)).text;
const things = async (kind: string) =>
  (await listMemory(memory, { what: "things", kind }, { now: NOW_US })).rows.map(({ id }) => id);
const ada = () => ({ memory, author: "ada" });
const state = async (id: string) => (await (await memory.reader()).get([id]))[0] as RecordOf<"state">;

describe("a thing that a person corrected", () => {
  it("is found, counted and listed as what he says, and as what it was once that is undone", async () => {
    const said = await correct(ada(), { target: "the fridge", is: "a printer" });
    expect(said).toMatchObject({ what: "kind", says: "printer", was: "white fridge", author: "ada" });
    expect(await text("Where is the printer?")).toMatch(/kitchen/);
    expect(await text("How many printers are there?")).toMatch(/^1 /);
    expect(await text("How many fridges are there?")).toBe("none");
    expect(await text("What is in the kitchen?")).toMatch(/printer/);
    expect(await text("What is in the kitchen?")).not.toMatch(/fridge/);
    expect([await things("printer"), await things("fridge")]).toEqual([["track-fridge"], []]);
    const found = await memory.states().words("printer").find(5);
    expect(found.map(({ record }) => record.id)).toEqual(["fridge"]);
    expect(await memory.states().words("fridge").find(5)).toEqual([]);
    const back = await undo({ memory, author: "ben" }, said.id);
    expect(back.undone).toMatchObject({ by: "ben" });
    expect([await things("printer"), await things("fridge")]).toEqual([[], ["track-fridge"]]);
    expect(await state("fridge")).toMatchObject({ name: "white fridge", category: "fridge" });
    expect(await state("fridge")).not.toHaveProperty("perceived");
    await expect(undo(ada(), said.id)).rejects.toThrow(/undone already/);
  });

  it("may be corrected and named again: the last word holds, and undoing it gives back the one before", async () => {
    await correct(ada(), { target: "mug", is: "vase" });
    await name(ada(), { target: "mug", name: "Grandma's treasure" });
    await correct(ada(), { target: "mug", is: "candle holder" });
    expect(await state("mug")).toMatchObject({ name: "Grandma's treasure", category: "candle holder" });
    expect(await text("Where is Grandma's treasure?")).toMatch(/on the dining table/);
    await undo(ada(), undefined);
    expect((await state("mug")).category).toBe("vase");
    await undo(ada(), undefined);
    expect(await state("mug")).toMatchObject({ name: "red ceramic vase", category: "vase" });
    await undo(ada(), undefined);
    expect(await state("mug")).toMatchObject({ name: "red ceramic mug", text: ["red ceramic mug"] });
    await expect(undo(ada(), undefined)).rejects.toThrow(/nothing was corrected/);
    expect((await corrections({ memory })).map(({ says, undone }) => [says, undone?.by])).toEqual([
      ["candle holder", "ada"],
      ["Grandma's treasure", "ada"],
      ["vase", "ada"],
    ]);
  });

  it("stays so when a tracker goes on with it, and for the next one", async () => {
    const mug = thing("cup", "mug", [3, 20.2, 0.9], [0.2, 0.2, 0.2], { colour: "red" });
    const table = thing("desk", "desk", [3, 20, 0.4], [1.2, 0.8, 0.8], { colour: "white" });
    const options = { sceneId: "toy", background: BACKGROUND };
    let atS = NOW_US / 1e6;
    const see = async (tracker: Tracker, ...things: ToyThing[]) => {
      for (const y of [-1.2, -0.8, -0.3, 0.3, 0.8, 1.2]) {
        atS += 2;
        const [from, at] = [vec3(1 + y * y * 0.2, 20 + y, 1.6), vec3(3, 20, 0.6)];
        await put(await tracker.observe(look({ timeS: atS, from, at, things })));
      }
      await put(await tracker.finish(1_000_000_000 + atS * 1e6));
    };
    const put = ({ records, sightings }: TrackerStep) => memory.write({ records, sightings });
    const first = await Tracker.open(await memory.reader(), options);
    await see(first, mug);
    const [{ record } = { record: undefined }] = await memory
      .states()
      .near(vec3(3, 20.2, 0.9), 1)
      .find(1);
    const { id, trackId } = record!;
    expect(record).toMatchObject({ category: "mug" });
    const said = await correct(ada(), { target: trackId, is: "beaker" });
    await see(first, mug, table);
    const written = (await (await memory.reader()).history(id)).at(-1) as RecordOf<"state">;
    expect(written).toMatchObject({ category: "beaker", perceived: { category: "mug" } });
    // The tracker had something to write.
    expect(written.supportedBy).toBeDefined();
    await memory.close();
    memory = await openMemory(join(folder, "memory"), { embedder: "hashing:64" });
    await see(await Tracker.open(await memory.reader(), options), table, mug);
    const now = (
      await memory
        .states()
        .near(vec3(3, 20.2, 0.9), 1)
        .find(5)
    ).map(({ record }) => record);
    const small = now.filter(({ category }) => category !== "desk");
    expect(small.map((one) => [one.trackId, one.category])).toEqual([[trackId, "beaker"]]);
    await undo(ada(), said.id);
    expect(await state(id)).toMatchObject({ category: "mug" });
  });

  it("passes what was said on to the one it is merged into", async () => {
    await correct(ada(), { target: "chair-1", is: "stool" });
    const [track] = await (await memory.reader()).get(["track-chair-1"]);
    const {
      version: _,
      recordedAtUs: __,
      supersededAtUs: ___,
      ...record
    } = track as never as Record<string, unknown>;
    await memory.write({ records: [{ ...record, mergedInto: "track-chair-2" } as never] });
    expect((await state("chair-2")).category).toBe("stool");
  });
});

describe("a place that a person named", () => {
  it("can be asked for, gone to and looked into, and is gone once that is undone", async () => {
    await name(ada(), { at: { x: 8, y: 1, z: 0 }, radiusM: 1.5, name: "Grandma's corner" });
    const dock = await name(ada(), { at: { x: 1, y: 4, z: 0 }, name: "the charging dock" });
    expect(await text("Where is Grandma's corner?")).toMatch(/living room/);
    expect(await text("What is in Grandma's corner?")).toMatch(/sofa/);
    const where = await ask("Where is the charging dock?");
    expect(where.position?.point).toEqual({ x: 1, y: 4, z: 0 });
    expect(where.evidence[0]).toMatchObject({ kind: "region", ref: dock.target });
    const listing = { what: "route", from: "the charging dock", to: "Grandma's corner" } as const;
    const way = await listMemory(memory, listing, { now: NOW_US });
    expect(way.rows.map(({ room }) => room)).toEqual(["kitchen", "living room"]);
    expect(await text("How many rooms are there?")).toBe("3");
    await undo(ada(), dock.id);
    expect((await ask("Where is the charging dock?")).status).toBe("not-seen");
  });

  it("may be a room, which keeps its name when it is drawn anew and answers to its kind as well", async () => {
    const said = await name(ada(), { target: "living", name: "Anna's den" });
    const [room] = await (await memory.reader()).get(["living"]);
    const {
      version: _,
      recordedAtUs: __,
      supersededAtUs: ___,
      ...drawn
    } = room as never as Record<string, unknown>;
    const { perceived: ____, roomType: _____, ...plain } = drawn;
    const anew = { ...plain, id: "living-2", name: "living room", text: ["living room"] };
    await memory.write({ records: [{ ...drawn, validToUs: NOW_US - 1 } as never, anew as never] });
    const rooms = async () => (await listMemory(memory, { what: "rooms" }, { now: NOW_US })).rows;
    expect((await rooms()).map((row) => row["name"])).toEqual(["Anna's den", "bedroom", "kitchen"]);
    const den = await text("Where is Anna's den?");
    expect(den).toMatch(/^Anna's den: /);
    expect(await text("Where is the living room?")).toBe(den.replace(/^Anna's den/, "$& (living room)"));
    await undo(ada(), said.id);
    expect((await rooms()).map((row) => row["name"])).toEqual(["bedroom", "kitchen", "living room"]);
  });
});

describe("what a person says", () => {
  it("is seen by those who may see what it is about, and can be said and undone by no one else", async () => {
    await memory.write({
      records: [
        { ...(await bare("track-vase")), labels: ["private"] } as never,
        { ...(await bare("vase-2")), labels: ["private"] } as never,
      ],
    });
    const guest = memory.as({ principal: { id: "guest", labels: [] } });
    const friend = memory.as({ principal: { id: "friend", labels: ["private"] } });
    const byGuest = { memory, seen: guest, author: "guest" };
    await expect(correct(byGuest, { target: "vase-2", is: "trophy" })).rejects.toThrow(/nothing is known as/);
    await expect(correct(byGuest, { target: "track-nothing", is: "trophy" })).rejects.toThrow(
      /nothing is known/,
    );
    const said = await correct(
      { memory, seen: friend, author: "friend" },
      { target: "vase-2", is: "trophy" },
    );
    expect(said.labels).toEqual(["private"]);
    expect(await corrections(byGuest)).toEqual([]);
    await expect(undo(byGuest, said.id)).rejects.toThrow(/there is no correction/);
    expect((await ask("Where is the trophy?", guest)).status).toBe("not-seen");
    expect((await ask("Where is the trophy?", friend)).status).toBe("answered");
    await expect(name(ada(), { target: "mug", name: "M", labels: ["private"] })).rejects.toThrow(
      /keeps its own/,
    );
    await guest.close();
    await friend.close();
  });

  it("goes with the thing when that is forgotten, and is gone from all versions when it is itself", async () => {
    const said = await name(ada(), { target: "mug", name: "Zanzibar" });
    await memory.forget([said.id], "a secret");
    expect(await state("mug")).toMatchObject({ name: "red ceramic mug" });
    const versions = await (await memory.reader()).history("mug");
    expect(JSON.stringify(versions)).not.toMatch(/Zanzibar/);
    const other = await correct(ada(), { target: "bowl", is: "dish" });
    await memory.forget(["bowl", "track-bowl"], "gone");
    expect(await (await memory.reader()).get([other.id])).toEqual([undefined]);
    await correct(ada(), { target: "fridge", is: "printer" });
    expect((await corrections({ memory })).map(({ says }) => says)).toEqual(["printer"]);
  });
});

async function bare(id: string): Promise<Record<string, unknown>> {
  const [record] = await (await memory.reader()).get([id]);
  const {
    version: _,
    recordedAtUs: __,
    supersededAtUs: ___,
    ...rest
  } = record as never as Record<string, unknown>;
  return rest;
}
