import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Belief } from "../../belief/belief.ts";
import type { MemoryReader } from "../../memory/index.ts";
import type { RecordInput } from "../../schema/index.ts";
import { addTo, NOW_US, smallHouse } from "../testing/small-house.ts";
import { evaluate } from "./evaluate.ts";
import { scan } from "./notation.ts";
import type { Scope } from "./operator.ts";
import type { Value } from "./value.ts";

const SECOND = 1_000_000;
const at = (s: number) => NOW_US - 600 * SECOND + s * SECOND;

/** In addition to the small house: data for twins, false premises, unseen rooms, and labels. */
const MORE: readonly RecordInput[] = [
  room("cellar", [16, 20], 0.03),
  room("study", [21, 25], 0.5),
  ...thing("desk", "desk", [22, 2, 0.4], [1.4, 0.7, 0.8], "study", { colour: "brown" }),
  ...thing("mug-2", "mug", [22, 2, 0.85], [0.1, 0.1, 0.1], "study", { colour: "blue" }, "desk"),
  ...thing("safe", "safe", [23, 4, 0.3], [0.5, 0.5, 0.6], "study", { colour: "black" }, undefined, [
    "secret",
  ]),
  ...thing("rug", "rug", [24, 1, 0.01], [1.5, 2, 0.02], "study", { colour: "grey" }),
  ...thing("chair-3", "chair", [22, 1, 0.45], [0.4, 0.4, 0.9], "study", { colour: "black" }),
];

let folder: string;
let house: Awaited<ReturnType<typeof smallHouse>>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "loci-algebra-"));
  house = await smallHouse(folder);
  await addTo(house, MORE);
});

afterAll(async () => {
  await house.engine.close();
  await rm(folder, { recursive: true, force: true });
});

async function valueFor(text: string, more: Partial<Scope> = {}, reader?: MemoryReader): Promise<Value> {
  const memory = new Belief({
    reader: reader ?? (await house.engine.reader()),
    embedder: house.embedder,
    nowUs: NOW_US,
  });
  const pose = await memory.poseAt(NOW_US - 2 * SECOND, "robot");
  return evaluate(scan(text), { memory, agentId: "robot", pose, broadened: 0, question: text, ...more });
}

/** A value on one line, for comparison. */
function said(value: Value): string {
  switch (value.kind) {
    case "things":
      return `things ${value.things.map(({ state }) => state.id).join(" ")}${value.rivals ? ` / ${value.rivals.map(({ state }) => state.id).join(" ")}` : ""}`;
    case "rooms":
      return `rooms ${value.rooms.map(({ name }) => name).join(", ")}`;
    case "number":
      return `${Math.round(value.value * 100) / 100} ${value.unit}`;
    case "words":
      return value.items.map(({ words }) => words).join("; ");
    case "truth":
      return `${value.truth}${value.instead === undefined ? "" : `: ${value.instead}`}`;
    case "unknown":
      return `${value.reason}: ${value.says}`;
    default:
      return value.kind;
  }
}

const VALUES: Readonly<Record<string, readonly (readonly [string, string | RegExp])[]>> = {
  "sets and their members": [
    [`count(things(category: "chair"))`, "3 things"],
    [`count(in(things(category: "chair"), rooms(name: "kitchen")))`, "2 things"],
    [`name(in(things(category: "furniture"), rooms(name: "bedroom")))`, "double bed"],
    [`count(in(things(), rooms(name: "bedroom")))`, "2 things"],
    [
      `name(relate(things(), the(things(category: "dining table")), relation: "on"))`,
      /^(mug; bowl|bowl; mug)$/,
    ],
    [
      `name(relate(things(), the(in(things(category: "floor"), rooms(name: "kitchen"))), relation: "on"))`,
      "moving box that says “BOOKS”",
    ],
    [`exists(relate(things(category: "fridge"), things(category: "floor"), relation: "on"))`, "true"],
    [`exists(relate(things(category: "mug"), things(category: "floor"), relation: "on"))`, /^false/],
    [`none(relate(things(), the(things(category: "dining table")), relation: "above"))`, /^true/],
    [`name(contents(the(things(category: "dining table"))))`, /^(mug; bowl|bowl; mug)$/],
    [`name(things(colour: "red"))`, "mug"],
    [`name(or(things(category: "bed"), things(category: "sofa")))`, "double bed; two-seat sofa"],
    [`name(and(things(colour: "white"), in(things(), rooms(name: "bedroom"))))`, "double bed"],
    [`rooms(name: "lounge")`, "rooms living room"],
    [`count(rooms())`, "5 things"],
    [`room(the(things(category: "sofa")))`, "rooms living room"],
    [
      `name(relate(things(category: "chair"), the(things(category: "dining table")), relation: "at"))`,
      "chair; chair",
    ],
  ],
  "negation, difference and all": [
    [`none(in(things(category: "bed"), rooms(name: "kitchen")))`, "true: the double bed is in the bedroom"],
    [
      `name(minus(relate(things(), the(things(category: "table")), relation: "on"), things(category: "mug")))`,
      "bowl",
    ],
    [`name(filter(rooms(), none(in(things(category: "chair"), it()))))`, "bedroom; living room"],
    [`all(things(category: "chair"), is(it(), attribute: "colour", value: "black"))`, "true"],
    [`all(things(category: "mug"), is(it(), attribute: "colour", value: "red"))`, "false: is blue"],
    [`not(exists(things(category: "sofa")))`, "false"],
    [
      `all(things(category: "piano"), is(it(), attribute: "colour", value: "black"))`,
      "false-premise: I have not seen any piano",
    ],
  ],
  "numbers out of numbers": [
    [`difference(count(things(category: "chair")), count(things(category: "mug")))`, "1 things"],
    [`sum(count(things(category: "chair")), count(things(category: "mug")))`, "5 things"],
    [`ratio(count(things(category: "chair")), count(things(category: "bed")))`, "3 1"],
    [
      `total(or(rooms(name: "kitchen"), rooms(name: "study")), count(in(things(category: "chair"), it())))`,
      "3 things",
    ],
    [
      `mean(or(rooms(name: "kitchen"), rooms(name: "bedroom")), count(in(things(category: "chair"), it())))`,
      "1 things",
    ],
    [
      `largest(count(things(category: "mug")), count(things(category: "chair")), among: ["mugs", "chairs"])`,
      "chairs",
    ],
    [
      `smallest(count(things(category: "mug")), count(things(category: "chair")), among: ["mugs", "chairs"])`,
      "mugs",
    ],
    [
      `largest(count(things(category: "bed")), count(things(category: "sofa")), among: ["beds", "sofas"])`,
      "the same",
    ],
    [
      `largest(count(things(category: "bed")), count(things(category: "sofa")), among: ["a", "b", "c"])`,
      /^not-understood/,
    ],
    [`distance(the(in(things(category: "chair"), rooms(name: "kitchen")), number: 2))`, /^[0-9.]+ m$/],
  ],
  each: [
    [
      `each(or(rooms(name: "kitchen"), rooms(name: "study")), count(in(things(category: "chair"), it())))`,
      "; ",
    ],
    [`each(rooms(name: "attic"), count(in(things(category: "chair"), it())))`, /^never-seen/],
  ],
  "who moved what nobody moved": [
    [
      `name(carrier(the(things(category: "sofa"))))`,
      /^never-seen: I did not see anybody move it: the .*sofa is in/,
    ],
  ],
  "the whole place by another word": [[`count(rooms(name: "environment"))`, /^[1-9]/]],
  "rooms beside rooms": [
    [`relate(rooms(), rooms(name: "kitchen"), relation: "beside")`, "rooms living room"],
    [`within(rooms(name: "living room"), rooms(name: "kitchen"), relation: "beside")`, "true"],
    [`within(rooms(name: "study"), rooms(name: "kitchen"), relation: "beside")`, "false"],
    [`relate(rooms(), rooms(name: "kitchen"), relation: "above")`, "rooms "],
    [`relate(rooms(), rooms(name: "kitchen"), relation: "left")`, /^not-understood/],
  ],
  "the most and the least": [
    [`name(most(rooms(), count(in(things(category: "chair"), it()))))`, "kitchen"],
    [`name(most(things(category: "furniture"), size(it(), dimension: "height")))`, "bookcase"],
    [
      `name(most(or(rooms(name: "kitchen"), rooms(name: "living room")), size(it(), dimension: "area")))`,
      "kitchen",
    ],
    [
      `name(least(or(the(things(category: "bowl")), the(things(category: "bed"))), seen(it(), which: "first")))`,
      "bowl",
    ],
    [`name(nth(rooms(), count(in(things(), it())), n: -1))`, "kitchen"],
    [`name(least(things(category: "lamp"), distance(it())))`, "floor lamp"],
    [`name(most(rooms(), count(in(things(category: "piano"), it()))))`, /^never-seen/],
  ],
  "truths and measures": [
    [`is(the(things(category: "television")), attribute: "power", value: "on")`, "false: is off"],
    [`is(the(things(category: "fridge")), attribute: "openness", value: "closed")`, "true"],
    [
      `is(the(things(category: "fridge")), attribute: "state", value: "locked")`,
      /^not-yet: I have not noticed/,
    ],
    [
      `is(the(things(category: "sofa")), attribute: "openness", value: "open")`,
      /^not-yet: I have not noticed/,
    ],
    [`within(the(things(category: "bowl")), the(things(category: "table")), relation: "on")`, "true"],
    [
      `within(the(things(category: "sofa")), rooms(name: "kitchen"))`,
      "false: the two-seat sofa is in the living room",
    ],
    [`within(self(), rooms(name: "living room"))`, "true"],
    [`same(the(things(category: "sofa")), the(things(category: "television")), measure: "room")`, "true"],
    [`same(the(things(category: "sofa")), the(things(category: "bed")), measure: "colour")`, "false"],
    [`same(the(things(category: "bowl")), the(things(category: "red mug")), measure: "support")`, "true"],
    [
      `greater(size(the(things(category: "bed")), dimension: "length"), size(the(things(category: "sofa")), dimension: "length"))`,
      "true",
    ],
    [`less(count(things(category: "chair")), value(n: 4))`, "true"],
    [`size(rooms(name: "kitchen"), dimension: "area")`, "25 m2"],
    [`size(the(things(category: "rug")), dimension: "volume")`, "3 m2"],
    [`size(rooms(name: "kitchen"))`, "25 m2"],
    [`size(rooms(name: "kitchen"), dimension: "length")`, "5 m"],
    [`size(rooms(name: "study"), dimension: "width")`, "4 m"],
    [`size(rooms(name: "kitchen"), dimension: "height")`, /^not-yet/],
    [`name(rooms(name: "my room"))`, "bedroom"],
    [`name(rooms(name: "daddys bedroom"))`, "bedroom"],
    [`name(rooms(name: "daddys attic"))`, /^never-seen/],
    [`name(rooms(name: "anna's room"))`, /^never-seen/],
    [`name(rooms(name: "glass room"))`, /^never-seen/],
    [`size(rooms())`, "105 m2"],
    [`size(house())`, "105 m2"],
    [`size(the(things(category: "bookcase")), dimension: "height")`, "2 m"],
    [`distance(the(things(category: "sofa")), the(things(category: "floor lamp")))`, "0.55 m"],
    [`elevation(the(things(category: "television")))`, "0.85 m"],
    [`attribute(the(things(category: "bowl")), name: "colour", among: ["green", "blue"])`, "blue"],
    [`attribute(the(things(category: "box")), name: "text")`, "BOOKS"],
    [`place(the(things(category: "bowl")))`, "on the dining table in the kitchen"],
    [`place(the(things(category: "chair", occupancy: "free")))`, "in the kitchen, near the dining table"],
    [`place(the(things(category: "sofa")), detail: "floor")`, "ground floor"],
    [`direction(the(things(category: "bed")))`, "in front"],
    [
      `from(direction(the(things(category: "bed"))), the(things(category: "bookcase")), the(things(category: "sofa")))`,
      /behind|left|right/,
    ],
  ],
  "descriptions, none of them a veto": [
    [`the(things(category: "box", text: "books"))`, "things box"],
    [`the(things(text: "BOOKS"))`, "things box"],
    [`the(things(category: "lamp", size: "tall"))`, "things lamp"],
    [`the(relate(things(category: "mug"), the(things(category: "desk")), relation: "on"))`, "things mug-2"],
    [
      `the(relate(things(category: "sofa"), the(things(category: "unicorn")), relation: "near"))`,
      "things sofa",
    ],
    [
      `exists(relate(things(category: "sofa"), the(things(category: "unicorn")), relation: "near"))`,
      "never-seen: I have not seen a unicorn",
    ],
    [
      `the(relate(things(category: "dining table"), the(things(category: "bowl")), relation: "with"))`,
      "things table",
    ],
    [
      `the(relate(things(category: "chair"), the(things(category: "desk")), relation: "behind"))`,
      /^things chair-3/,
    ],
    [
      `the(relate(things(category: "radiator"), things(category: "wall"), relation: "at"))`,
      "things radiator",
    ],
  ],
  "several that fit as well": [
    [`the(in(things(category: "chair"), rooms(name: "kitchen")))`, "things chair-1 / chair-2"],
    [`attribute(the(in(things(category: "chair"), rooms(name: "kitchen"))), name: "colour")`, "black"],
    [`the(things(category: "chair"), number: 3)`, /^things chair-/],
    [`the(things(category: "bed"), number: 2)`, "false-premise: I know of only 1 bed"],
  ],
  "premises that do not hold": [
    [`place(the(things(category: "bed", colour: "green")))`, "false-premise: the double bed is white"],
    [
      `place(the(in(things(category: "bed"), rooms(name: "kitchen"))))`,
      "looked-absent: the double bed is in the bedroom",
    ],
    [
      `place(the(relate(things(category: "bowl"), the(things(category: "desk")), relation: "on")))`,
      "looked-absent: the bowl is on the dining table in the kitchen",
    ],
    [
      `attribute(the(in(things(category: "bed"), rooms(name: "attic"))), name: "colour")`,
      "false-premise: I know of no attic here; the double bed is in the bedroom",
    ],
    [`place(the(things(category: "piano")))`, "never-seen: I have not seen a piano"],
    [
      `place(the(in(things(category: "piano"), rooms(name: "kitchen"))))`,
      "looked-absent: I looked, and there is no piano in the kitchen",
    ],
    [`exists(in(things(category: "piano"), rooms(name: "attic")))`, "never-seen: I know of no attic here"],
    [`count(in(things(category: "piano"), rooms(name: "kitchen")))`, "0 things"],
    [
      `count(in(things(category: "piano"), rooms(name: "cellar")))`,
      "not-yet: I have not looked in the cellar yet",
    ],
  ],
};

for (const [what, cases] of Object.entries(VALUES))
  describe(what, () => {
    test.each(cases)("%s", async (text, expected) => {
      const got = said(await valueFor(text));
      if (typeof expected === "string") expect(got).toBe(expected);
      else expect(got).toMatch(expected);
    });
  });

test("what changed is what stayed so: a state that turned back at once is told when asked for", async () => {
  const occupied = (id: string, s: number, from: string, to: string): RecordInput => ({
    ...{ kind: "event", id, type: "state-change", author: "robot", who: ["chair-3"], text: [id] },
    validFromUs: at(s),
    validToUs: at(s + 1),
    detail: { attribute: "occupancy", from, to },
  });
  const writer = await house.engine.writer();
  await writer.write({
    records: [
      occupied("sat", 420, "free", "occupied"),
      occupied("rose", 424, "occupied", "free"),
      occupied("stays", 450, "free", "occupied"),
    ],
  });
  await writer.close();
  const ids = async (text: string) => {
    const value = await valueFor(text);
    return value.kind === "events" ? value.events.map(({ id }) => id).sort() : [];
  };
  expect(await ids("changes()")).toEqual(["moved", "stays", "switched"]);
  expect(await ids(`changes(attribute: "occupancy")`)).toEqual(["rose", "sat", "stays"]);
});

test("an answer about what differs between those that fit names them", async () => {
  const colour = await valueFor(`attribute(the(things(category: "mug")), name: "colour")`);
  expect(colour.kind === "words" && colour.rivals?.map(({ state }) => state.id)).toHaveLength(1);
  const own = await valueFor(
    `attribute(the(in(things(category: "chair"), rooms(name: "kitchen"))), name: "colour")`,
  );
  expect(own.kind === "words" && own.rivals).toEqual([]);
});

test("a set that is not closed says what was not looked at", async () => {
  const none = await valueFor(`exists(things(category: "piano"))`);
  expect(none).toMatchObject({
    kind: "truth",
    truth: false,
    complete: { missing: ["the cellar", "the study"] },
  });
  expect(none.complete.share).toBeLessThan(0.9);
  const kitchen = await valueFor(`exists(in(things(category: "piano"), rooms(name: "kitchen")))`);
  expect(kitchen).toMatchObject({ truth: false, complete: { share: 1, missing: [] } });
  const study = await valueFor(`count(in(things(category: "chair"), rooms(name: "study")))`);
  expect(study).toMatchObject({ value: 1, complete: { share: 0.5, missing: ["the study"] } });
});

test("what is not known of some members makes a filter less complete", async () => {
  const open = await valueFor(
    `filter(things(category: "furniture"), is(it(), attribute: "occupancy", value: "free"))`,
  );
  expect(open.complete.share).toBeLessThan((await valueFor(`things(category: "furniture")`)).complete.share);
});

test("as of a moment: stays, and states walked back over what changed", async () => {
  const during = { fromUs: at(120), toUs: at(120) + 1 };
  expect(said(await valueFor(`place(the(things(category: "vase")))`))).toBe("on the bed in the bedroom");
  expect(said(await valueFor(`place(the(things(category: "vase")))`, { during }))).toBe(
    "on the bookcase in the living room",
  );
  const isOn = `is(the(things(category: "television")), attribute: "power", value: "on")`;
  expect(said(await valueFor(isOn, { during }))).toBe("true");
  expect(said(await valueFor(`exists(things(category: "television", power: "on"))`, { during }))).toBe(
    "true",
  );
  expect(said(await valueFor(`exists(things(category: "television", power: "on"))`))).toBe(
    "false: the flat-screen tv is off",
  );
  const later = { fromUs: at(300), toUs: at(301) };
  expect(
    said(
      await valueFor(`exists(in(things(category: "vase"), rooms(name: "living room")))`, { during: later }),
    ),
  ).toMatch(/^false/);
});

test("a person is asked for where they were last, though they have left", async () => {
  expect(said(await valueFor(`the(things(name: "Anna"))`))).toBe("things anna");
  expect(said(await valueFor(`exists(things(category: "person"))`))).toBe("true");
});

test("a reader without the label does not see the thing, and cannot tell that it is there", async () => {
  const stranger = await house.engine.reader({ principal: { id: "guest", labels: [] } });
  expect(said(await valueFor(`exists(things(category: "safe"))`))).toBe("true");
  expect(said(await valueFor(`exists(things(category: "safe"))`, {}, stranger))).toBe("false");
});

test("a way begins where somebody says to stand, though nobody knows where the asked one is", async () => {
  const viewer = { position: { x: 8, y: 2.5, z: 1.5 }, yawRad: 0 };
  const way = await valueFor(`route(the(things(category: "sofa")))`, { pose: undefined, viewer });
  expect(way).toMatchObject({ kind: "route", side: "right" });
});

test("the same things are searched once, however many rooms are looked at", async () => {
  const memory = new Belief({
    reader: await house.engine.reader(),
    embedder: house.embedder,
    nowUs: NOW_US,
  });
  const scope: Scope = { memory, broadened: 0, question: "" };
  await evaluate(scan(`most(rooms(), count(in(things(category: "chair"), it())))`), scope);
  // Two of them tell whether there are several robots.
  expect(memory.searches).toBeLessThan(12);
});

function room(name: string, [from, to]: readonly [number, number], coverage: number): RecordInput {
  const corner = (x: number, y: number) => ({ x, y, z: 0 });
  return {
    kind: "region",
    id: name,
    type: "room",
    level: 2,
    name,
    text: [name],
    validFromUs: at(0),
    validToUs: null,
    coverage,
    parent: "ground",
    anchor: { submap: "world", p: corner((from + to) / 2, 2.5) },
    hull: [corner(from, 0), corner(to, 0), corner(to, 5), corner(from, 5)],
  };
}

function thing(
  id: string,
  category: string,
  [x, y, z]: readonly [number, number, number],
  [width, depth, height]: readonly [number, number, number],
  regionId: string,
  attributes: Readonly<Record<string, string>>,
  on?: string,
  labels: string[] = [],
): RecordInput[] {
  const name = `${attributes["colour"]} ${category}`;
  const common = { name, category, validFromUs: at(60), validToUs: null, labels };
  return [
    { ...common, kind: "track", id: `track-${id}`, type: "object" },
    {
      ...common,
      kind: "state",
      id,
      trackId: `track-${id}`,
      author: "robot",
      text: [name],
      anchor: { submap: "world", p: { x, y, z } },
      extent: { x: width, y: depth, z: height },
      attributes: Object.fromEntries(
        Object.entries(attributes).map(([key, value]) => [
          key,
          { value, p: 0.95, support: 10, lastUs: at(70) },
        ]),
      ),
      regionId,
      ...(on !== undefined && { supportedBy: on }),
    },
  ];
}
