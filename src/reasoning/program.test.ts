import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AnswerRecord } from "../schema/index.ts";
import { scan } from "./algebra/notation.ts";
import { type AskOptions, ask, scopeOf } from "./ask.ts";
import { listingOf } from "./listings.ts";
import { NOW_US, smallHouse } from "./testing/small-house.ts";

let folder: string;
let house: Awaited<ReturnType<typeof smallHouse>>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "loci-program-"));
  house = await smallHouse(folder);
});

afterAll(async () => {
  await house.engine.close();
  await rm(folder, { recursive: true, force: true });
});

const options = (): AskOptions => ({
  reader: house.reader,
  embedder: house.embedder,
  nowUs: NOW_US,
  agentId: "robot",
});
const asked = (question: string, more: Partial<AskOptions> = {}) => ask(question, { ...options(), ...more });
const run = (expression: string) => asked(expression, { expression: scan(expression) });
const plan = ({ trace }: AnswerRecord) =>
  trace.plan as { notation: string[]; features: { op: string }; expressions: unknown[] };

describe("words to answer", () => {
  it("says where, what colour and how many, each with its typed field", async () => {
    expect(await asked("Where is the red mug?")).toMatchObject({
      type: "position",
      status: "answered",
      text: "on the dining table in the kitchen",
      position: { region: "kitchen" },
    });
    expect(await asked("What colour is the bowl?")).toMatchObject({ text: "blue", set: ["blue"] });
    expect(await asked("In which room is the sofa?")).toMatchObject({ text: "living room" });
    const mugs = await asked("How many mugs are there?");
    expect(mugs).toMatchObject({ type: "count", count: 1 });
  });

  it("shows in its trace what it understood, so that it can be run again", async () => {
    const first = await asked("Where is the red mug?");
    const [notation] = plan(first).notation;
    expect(notation).toBe('place(the(things(category: "mug", colour: "red")))');
    expect((await run(notation!)).text).toBe(first.text);
    expect(plan(first).features.op).toBe("place");
  });

  it("gives the same answer to the same question", async () => {
    const strip = ({ trace, ...rest }: AnswerRecord) => ({ ...rest, plan: trace.plan });
    for (const question of ["Where is the bookcase?", "Is there a giraffe?", "What is on the dining table?"])
      expect(strip(await asked(question))).toEqual(strip(await asked(question)));
  });

  it("goes on from what was asked before", async () => {
    const next = await asked("and the bowl?", { history: ["Where is the red mug?"] });
    expect(plan(next).notation).toEqual(['place(the(things(category: "bowl")))']);
    expect(next.text).toMatch(/dining table/);
  });
});

describe("what cannot be answered is said in one sentence", () => {
  it.each([
    ["a".repeat(100_000), "insufficient", /^A question has at most 2000 characters/],
    ["\u0000\u0001\u0007 42?", "insufficient", /^I do not understand the question: I read English\.$/],
    ["どこにありますか", "insufficient", /I read English/],
  ])("%.10s…", async (question, status, says) => {
    const said = await asked(question);
    expect(said.status).toBe(status);
    expect(said.text).toMatch(says);
    expect(said.confidence).toBeLessThan(0.6);
  });

  it("never makes a thing out of words that are none", async () => {
    const said = await asked("where is the zorbleflax quint thx");
    expect(said.status).not.toBe("answered");
    expect(said.text).not.toMatch(/\ban? \S+ quint thx/);
  });

  it("refuses an empty question and an expression that is none", async () => {
    await expect(asked("  ")).rejects.toMatchObject({ code: "invalid-input" });
    await expect(run("fly()")).rejects.toMatchObject({ code: "invalid-input" });
  });

  it("says of a picture that shows nothing known that it does not know it", async () => {
    const pointed = { agentId: "robot", timeUs: NOW_US, bbox: [0, 0, 1, 1] as const };
    const said = await asked("x", {
      pointed,
      read: async () => [{ parts: [scan("name(shown())")], p: 1, cost: 0, notes: [] }],
    });
    expect(said).toMatchObject({
      status: "not-seen",
      text: "I have not seen this before, as far as I can tell.",
    });
  });
});

describe("which of several is meant", () => {
  it("says each one's own value where nobody can tell", async () => {
    const chairs = await run('count(things(category: "chair"))');
    expect(chairs.count).toBe(2);
    // Both stand in the kitchen: the place does not distinguish them.
    expect((await run('place(the(things(category: "chair")))')).text).toMatch(/^in the kitchen/);
    const taken = await run('attribute(the(things(category: "chair")), name: "occupancy")');
    expect(taken.text).toBe("there are two chairs: one free and one occupied");
    expect(taken.contradictions).toEqual(["2 things fit"]);
    expect(taken.confidence).toBeLessThan((await asked("What colour is the bowl?")).confidence);
  });
});

describe("listings over the same operators", () => {
  it("lists things of a room, rooms, people and a way", async () => {
    const scope = await scopeOf(options());
    const things = await listingOf({ what: "things", room: "kitchen" }, scope);
    expect(things.expression).toBe('in(things(), rooms(name: "kitchen"))');
    expect(things.rows.map(({ kind }) => kind)).toContain("mug");
    expect(things.rows.every(({ room }) => room === "kitchen")).toBe(true);
    expect(await listingOf({ what: "things", room: "The Kitchen" }, scope)).toEqual(things);
    for (const where of [{ room: "attic" }, { floor: "upstairs" }])
      await expect(listingOf({ what: "things", ...where }, scope)).rejects.toThrow(
        /there is no (room|floor)/,
      );
    const rooms = await listingOf({ what: "rooms" }, scope);
    expect(rooms.rows.map(({ name }) => name)).toEqual(["bedroom", "kitchen", "living room"]);
    const chairs = await listingOf({ what: "things", kind: "giraffe" }, scope);
    expect(chairs.rows).toEqual([]);
    expect(chairs.text).not.toBe("");
    const way = await listingOf({ what: "route", from: "kitchen", to: "living room" }, scope);
    expect(way.text).toMatch(/kitchen.*living room/);
    await expect(listingOf({ what: "route", from: "kitchen", to: "narnia" }, scope)).rejects.toMatchObject({
      code: "unknown-id",
    });
    await expect(listingOf({ what: "route", to: " " }, scope)).rejects.toMatchObject({
      code: "invalid-input",
    });
  });
});
