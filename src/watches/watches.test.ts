import { describe, expect, it } from "vitest";
import type { Change } from "../memory/index.ts";
import { scan } from "../reasoning/index.ts";
import type { RecordInput, Stored, WatchMember } from "../schema/index.ts";
import { recordSchema } from "../schema/index.ts";
import { dependenciesOf, isTouched } from "./depends.ts";
import { readWatch } from "./read-watch.ts";
import { differenceOf } from "./snapshot.ts";
import { checkTarget, isPrivate } from "./webhook.ts";

describe("a wish to be told", () => {
  it.each([
    ["Tell me when the front door opens.", "Is the front door open?", "enter"],
    ["let me know if the oven is switched off", "Is the oven off?", "enter"],
    ["notify me when the box leaves shelf 4", "Is the box on shelf 4?", "exit"],
    ["alert me as soon as somebody enters the kitchen", "Who is in the kitchen?", "enter"],
    ["tell me when the cat comes into the bedroom", "Is the cat in the bedroom?", "enter"],
    ["warn me when the vase disappears", "Is there a vase?", "exit"],
    ["tell me when the sofa is moved", "Where is the sofa?", "change"],
    ["when there is a person in the hall", "Is there a person in the hall?", "enter"],
    ["tell me when the stove is no longer on", "Is the stove on?", "exit"],
    ["who is in the kitchen?", "who is in the kitchen?", "change"],
    ["how many chairs are in the kitchen", "how many chairs are in the kitchen", "change"],
    ["when was the door opened?", "when was the door opened?", "change"],
  ])("“%s” is “%s”, told on %s", (words, question, on) => {
    expect(readWatch(words)).toEqual({ question, on });
  });
});

const set = (...members: readonly (readonly [string, number])[]) =>
  new Map<string, WatchMember>(members.map(([id, p]) => [id, { id, name: id, p }]));

describe("what is told", () => {
  const limits = { minConfidence: 0.6, hysteresis: 0.2 };
  it("comes at the confidence that is asked for and goes only clearly below it", () => {
    let told = differenceOf(new Map(), set(["a", 0.59]), limits).told;
    expect([...told.keys()]).toEqual([]);
    const came = differenceOf(told, set(["a", 0.6]), limits);
    expect(came.entered.map(({ id }) => id)).toEqual(["a"]);
    told = came.told;
    for (const p of [0.45, 0.7, 0.41]) {
      const wavers = differenceOf(told, set(["a", p]), limits);
      expect([wavers.entered, wavers.left]).toEqual([[], []]);
      told = wavers.told;
    }
    expect(differenceOf(told, set(["a", 0.39]), limits).left.map(({ id }) => id)).toEqual(["a"]);
    expect(differenceOf(told, new Map(), limits).left.map(({ id }) => id)).toEqual(["a"]);
  });

  it("is another number when it differs by more than the share", () => {
    const value = (n: number) => new Map([["value", { id: "value", name: String(n), p: 0.9 }]]);
    const told = differenceOf(new Map(), value(10), limits).told;
    expect(differenceOf(told, value(11.9), limits).entered).toEqual([]);
    expect(differenceOf(told, value(12.1), limits)).toMatchObject({
      left: [{ name: "10" }],
      entered: [{ name: "12.1" }],
    });
  });
});

const stored = (record: RecordInput): Stored => ({
  ...recordSchema.parse(record),
  version: 1,
  recordedAtUs: 0,
  supersededAtUs: null,
});
const state = (category: string, more: object = {}): Stored =>
  stored({
    kind: "state",
    id: `s-${category}`,
    trackId: `t-${category}`,
    name: category,
    category,
    text: [category],
    validFromUs: 0,
    validToUs: null,
    ...more,
  } as RecordInput);
const change = (put: Stored[], more: Partial<Change> = {}): Change => ({
  commitUs: 1,
  put,
  sightings: [],
  frames: 0,
  forgotten: [],
  ...more,
});

describe("what an expression waits for", () => {
  it("is what its operators read, the things and the rooms that it names", () => {
    expect(dependenciesOf(scan('count(in(things(category: "chair"), rooms(name: "kitchen")))'))).toEqual({
      kinds: ["region", "state", "track"],
      categories: ["chair"],
      rooms: ["kitchen"],
    });
    expect(dependenciesOf(scan('in(things(), rooms(name: "kitchen"))')).categories).toBeNull();
    expect(dependenciesOf(scan('contents(things(category: "table"))')).categories).toBeNull();
    expect(
      dependenciesOf(scan('within(the(things(category: "mug")), rooms(name: "kitchen"))')).rooms,
    ).toBeNull();
  });

  it("is touched by what may change the answer, and by nothing else", () => {
    const waiting = {
      dependsOn: dependenciesOf(scan('in(things(category: "chair"), rooms(name: "kitchen"))')),
      known: new Set(["t-throne", "s-throne"]),
      roomIds: new Set(["kitchen"]),
      mayRead: (labels: readonly string[]) => labels.length === 0,
    };
    const touches = (...args: Parameters<typeof change>) => isTouched(change(...args), waiting);
    expect(touches([state("chair")])).toBe(true);
    expect(touches([state("office chair", { id: "s-o", trackId: "t-o", regionId: "kitchen" })])).toBe(true);
    expect(touches([state("chair", { regionId: "attic" })])).toBe(false);
    expect(touches([state("mug", { regionId: "kitchen" })])).toBe(false);
    expect(touches([state("chair", { labels: ["private"] })])).toBe(false);
    // A reported thing changed its category, moved, or was seen again.
    expect(touches([state("throne", { category: "sofa", regionId: "attic" })])).toBe(true);
    expect(touches([], { sightings: [{ stateId: "s-throne" }] as never })).toBe(true);
    expect(touches([], { sightings: [{ stateId: "s-other" }] as never })).toBe(false);
    expect(touches([], { frames: 1 })).toBe(true);
    expect(touches([], { forgotten: ["t-throne"] })).toBe(true);
    expect(touches([], { forgotten: ["t-other"] })).toBe(false);
    expect(
      touches([
        stored({
          kind: "caption",
          id: "c",
          source: "human",
          text: ["a chair"],
          validFromUs: 0,
          validToUs: 1,
        }),
      ]),
    ).toBe(false);
  });
});

describe("a webhook's target", () => {
  it.each([
    "127.0.0.1",
    "127.9.9.9",
    "0.0.0.0",
    "10.0.0.1",
    "172.31.255.255",
    "192.168.1.1",
    "169.254.169.254",
    "100.64.0.1",
    "224.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::ffff:127.0.0.1",
    "::ffff:7f00:1",
    "::127.0.0.1",
    "fc00::1",
    "fe80::1",
    "ff02::1",
    "64:ff9b::7f00:1",
    "2002:7f00:1::",
  ])("%s is private", (address) => {
    expect(isPrivate(address)).toBe(true);
  });

  it.each(["1.1.1.1", "172.32.0.1", "100.128.0.1", "2606:4700:4700::1111"])("%s is not", (address) => {
    expect(isPrivate(address)).toBe(false);
  });

  it.each([
    "http://0x7f000001/",
    "http://2130706433/",
    "http://127.1/",
    "http://[::ffff:7f00:1]/",
    "http://localhost:8080/",
    "http://printer.local/",
    "http://metadata.google.internal/",
    "ftp://example.org/",
    "http://user:pass@example.org/",
  ])("%s is refused", (url) => {
    expect(() => checkTarget(url, { allow: [] })).toThrow();
  });

  it("may be private where its host is allowed, with or without the port", () => {
    expect(checkTarget("http://127.0.0.1:9/x", { allow: ["127.0.0.1"] }).host).toBe("127.0.0.1:9");
    expect(checkTarget("http://127.0.0.1:9/x", { allow: ["127.0.0.1:9"] }).host).toBe("127.0.0.1:9");
    expect(() => checkTarget("http://127.0.0.1:8/x", { allow: ["127.0.0.1:9"] })).toThrow(/private network/);
  });
});
