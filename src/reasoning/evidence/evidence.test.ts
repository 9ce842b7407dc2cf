import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Belief } from "../../belief/belief.ts";
import { changesIn, changesOf } from "../../belief/changes.ts";
import { openTestMemory, type TestMemory } from "../../retrieval/testing/small-memory.ts";
import type { RecordInput } from "../../schema/core.ts";
import { readingsOf } from "../ask.ts";
import { LoopMemory } from "../loop/loop-memory.ts";
import { scopeOf } from "../loop/tools-query.ts";
import {
  captionLines,
  cardOf,
  cardsOf,
  type EvidenceContext,
  factsOf,
  looksAsked,
  picturesFor,
  picturesOf,
  ShortIds,
} from "./index.ts";

const S = 1_000_000;
const placed = (x: number, y: number, z: number, side: number) => ({
  anchor: { submap: "world", p: { x, y, z } },
  extent: { x: side, y: side, z: side },
  validFromUs: 0,
  validToUs: null,
  regionId: "kitchen",
});
const fluent = (value: string) => ({ value, p: 0.9, support: 4, lastUs: 600 * S });
const thing = (id: string, name: string, category: string, rest: object): RecordInput[] =>
  [
    { kind: "track", id: `t-${id}`, name, category, validFromUs: 0, validToUs: null },
    { kind: "state", id, trackId: `t-${id}`, name, category, text: [name], ...rest },
  ] as RecordInput[];
/** A change of the cupboard between its last observation before and its first after. */
const change = (id: string, from: string, to: string, lastS: number, firstS: number): RecordInput => ({
  kind: "event",
  id,
  type: "state-change",
  who: ["cupboard"],
  detail: { attribute: "openness", from, to },
  text: [`the cupboard is now ${to}`],
  validFromUs: lastS * S,
  validToUs: firstS * S,
});
const MORE: RecordInput[] = [
  ...thing("cupboard", "grey wall cupboard", "wall cupboard", {
    ...placed(0.8, 3.4, 1.5, 0.7),
    attributes: { openness: fluent("open"), material: { value: "wood", p: 0.9, support: 3, lastUs: 1 } },
  }),
  ...thing("plate", "white plate", "plate", { ...placed(0.8, 3.4, 1.5, 0.2), insideOf: "cupboard" }),
  change("shut", "open", "closed", 100, 101),
  change("opened", "closed", "open", 323, 456),
  // It is open now: this one was misread.
  change("misread", "open", "closed", 500, 520),
];

let memory: TestMemory;
let context: EvidenceContext;
beforeAll(async () => {
  memory = await openTestMemory(MORE);
});
afterAll(() => memory.close());
const fresh = (nowUs = memory.nowUs) => {
  const { reader, pose } = memory;
  context = { memory: new Belief({ reader, nowUs }), ids: new ShortIds(), pose };
  return context;
};
const factsBy = async (id: string, at = fresh()) => factsOf((await at.memory.thingById(id))!, at);

describe("short ids", () => {
  it("name a record the same throughout, and lead back to it", () => {
    const ids = new ShortIds();
    expect([ids.of("track-a", "thing"), ids.of("view-a", "picture"), ids.of("track-b", "thing")]).toEqual([
      "t1",
      "p1",
      "t2",
    ]);
    expect(ids.of("track-a", "thing")).toBe("t1");
    ids.alias("state-a", "t1");
    for (const said of ["t1", "[t1]", " T1 ", "track-a", "state-a"]) expect(ids.full(said)).toBe("track-a");
    expect(ids.full("t9")).toBeUndefined();
  });
});

describe("facts", () => {
  it("tell of a thing what belief tells, holder and held alike", async () => {
    const cupboard = await factsBy("cupboard");
    expect(cupboard).toMatchObject({
      name: "grey wall cupboard",
      room: { name: "kitchen" },
      standing: "there",
    });
    expect(cupboard.sizeM).toEqual({ length: 0.7, width: 0.7, height: 0.7 });
    expect(cupboard.attributes).toEqual([{ name: "material", value: "wood", p: 0.9 }]);
    expect(cupboard.carries).toMatchObject([{ relation: "in", trackId: "t-plate", name: "white plate" }]);
    const plate = await factsBy("plate", context);
    expect(plate.heldBy).toMatchObject({ relation: "in", trackId: "t-cupboard", id: cupboard.id });
  });

  it("tell a state by the last look at the old value and the first at the new one", async () => {
    const { states } = await factsBy("cupboard");
    expect(
      states.map(({ value, fromUs, toUs, isOpen, isWitnessed }) => [
        value,
        fromUs / S,
        toUs / S,
        isOpen,
        isWitnessed,
      ]),
    ).toEqual([
      ["open", 0, 100, false, false],
      ["closed", 101, 323, false, true],
      ["open", 456, expect.any(Number), true, false],
    ]);
  });

  it("tell of the changes that listings tell of, of those that lead to what is so now", async () => {
    const { memory: belief } = fresh();
    const span = { fromUs: 0, toUs: belief.nowUs + 1 };
    const ids = (happenings: readonly { readonly event: { readonly id: string } }[]) =>
      happenings.map(({ event }) => event.id);
    const cupboard = (await belief.thingById("cupboard"))!;
    const listed = await changesIn(span, { kinds: ["opened", "closed"] }, belief);
    expect(ids(listed)).toEqual(["shut", "opened"]);
    expect(ids(await changesOf(cupboard, span, { kinds: ["state"] }, belief))).toEqual(["shut", "opened"]);
    const { states } = await factsBy("cupboard");
    expect(states.map(({ eventId }) => eventId)).toEqual([undefined, "shut", "opened"]);
  });

  it("tell the last place as where it is, and the ones before", async () => {
    const mug = await factsBy("mug1");
    expect(mug).toMatchObject({ stateId: "mug2", room: { name: "bedroom" } });
    expect(mug.stays.map(({ room }) => room)).toEqual(["kitchen", "bedroom"]);
  });

  it("know nothing after the moment of asking", async () => {
    const before = await factsBy("mug1", fresh(400 * S));
    expect(before).toMatchObject({ stateId: "mug1", room: { name: "kitchen" } });
    expect(before.seenToUs).toBeLessThanOrEqual(400 * S);
  });
});

describe("cards", () => {
  it("say all of it on one line", async () => {
    const line = cardOf(await factsBy("cupboard"), context);
    expect(line).toMatch(
      /^t\d+ grey wall cupboard · kitchen · 70×70×70 cm · holds t\d+ white plate · material wood · /,
    );
    expect(line).toContain(
      "open until 00:01:40, closed from 00:01:41 until 00:05:23, open from 00:07:36, not witnessed",
    );
    expect(line).not.toContain("\n");
  });

  it("count what they leave out", async () => {
    const things = await fresh().memory.everything({ all: true });
    const few = await cardsOf(things, context, { most: 3 });
    expect(few).toMatchObject({ shown: 3, total: things.length });
    expect(few.text.split("\n").at(-1)).toBe(`3 of ${things.length} shown`);
    const short = await cardsOf(things, context, { tokens: 60 });
    expect(short.shown).toBeLessThan(things.length);
    expect(short.text).toContain(`${short.shown} of ${things.length} shown`);
    expect((await cardsOf(things, context, { most: 100, tokens: 10_000 })).text).not.toContain("shown");
  });

  it("say the same caption once, and say how many lines are left out", async () => {
    const { hits } = await memory.reader.search({ kinds: ["caption"], rank: "earliest", limit: 10 });
    const captions = hits.flatMap(({ record }) => (record.kind === "caption" ? [record] : []));
    const lines = captionLines(captions, fresh());
    expect(captions).toHaveLength(4);
    expect(lines).toHaveLength(2);
    expect(lines[0]!.text).toMatch(/^c1 00:00:00–00:10:02 \(2×\): A white stove/);
    expect(lines[0]!.recordIds).toEqual(["kitchen-a", "kitchen-b"]);
    const long = { ...captions[0]!, text: ["One.", "Two.", "Three.", "Four.", "Five."] };
    expect(captionLines([long], fresh())[0]!.text).toContain("One. Two. Three. (2 more lines)");
  });
});

describe("pictures", () => {
  it("show a thing with what else is in view, and none of what was never pictured", async () => {
    const stove = (await fresh().memory.thingById("stove"))!;
    const [picture, ...more] = await picturesOf({ thing: stove }, context);
    expect(more).toEqual([]);
    expect(picture).toMatchObject({ id: "p1", viewId: "v1", visible: [{ n: 1, stateId: "stove" }] });
    expect(picture!.caption).toMatch(/^p1 · from the kitchen · 00:00:01 · .*shows t\d+ stove$/);
    const bed = (await context.memory.thingById("bed"))!;
    expect(await picturesOf({ thing: bed }, context)).toEqual([]);
  });

  it("are of the room that is asked for, never of another", async () => {
    const rooms = await fresh().memory.rooms();
    const of = (name: string) => picturesOf({ room: rooms.find((room) => room.name === name)! }, context);
    expect((await of("kitchen")).map(({ viewId }) => viewId)).toEqual(["v1"]);
    expect(await of("bedroom")).toEqual([]);
  });

  const partsOf = async (question: string, nowUs = memory.nowUs) =>
    (await readingsOf(question, { reader: memory.reader, nowUs }))[0]?.parts ?? [];

  it.each([
    ["What does the stove look like?", true],
    ["What is the table made of?", true],
    ["What is written on the box?", true],
    ["Is the fridge white?", true],
    ["Where is the mug?", false],
    ["How many chairs are there?", false],
    ["When was the door opened?", false],
  ])("go along with %s: %s", async (question, isAsked) => {
    expect(looksAsked(await partsOf(question)).length > 0).toBe(isAsked);
  });

  it("go along of the very thing that a question means, and of none else", async () => {
    const { reader, nowUs, embedder } = memory;
    const loop = new LoopMemory({ reader, nowUs, embedder });
    const items = await loop.get(["fridge", "stove", "bed"]);
    const found = async (question: string, ...phrases: string[]) => {
      const lookedFor = { parts: await partsOf(question), phrases, found: items };
      return picturesFor(lookedFor, scopeOf(loop, question), loop.evidence);
    };
    const [picture, ...others] = await found("What does the stove look like?");
    expect(others).toEqual([]);
    expect(picture).toMatchObject({ viewId: "v1", visible: [{ stateId: "stove" }], trackIds: ["t-stove"] });
    // In the same room, but in no picture.
    expect(await found("What colour is the fridge?")).toEqual([]);
    expect(await found("Where is the stove?", "stove")).toEqual([]);
    // A word unknown to the algebra: results of the search phrases.
    const [other] = await found("What colour is the frobnicator?", "oven", "white stove");
    expect(other?.trackIds).toEqual(["t-stove"]);
    expect((await found("Describe the kitchen")).map(({ viewId }) => viewId)).toEqual(["v1"]);
  });
});
