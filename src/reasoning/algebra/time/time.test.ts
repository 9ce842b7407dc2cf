import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Belief } from "../../../belief/belief.ts";
import type { RecordInput, SightingInput } from "../../../schema/index.ts";
import { addTo, NOW_US, smallHouse } from "../../testing/small-house.ts";
import { evaluate } from "../evaluate.ts";
import { scan } from "../notation.ts";
import type { Value } from "../value.ts";

const SECOND = 1_000_000;
const START_US = NOW_US - 600 * SECOND;
const at = (s: number) => START_US + s * SECOND;

/** In addition to the small house: a book that appeared, one hardly seen, a cup that went, a walk with a bag. */
const RECORDS: readonly RecordInput[] = [
  ...thing("book", "book", [2.2, 1.8, 0.85], "kitchen", 320),
  ...thing("note", "note", [8.2, 1.2, 0.85], "living", 330, 331),
  ...thing("cup", "cup", [7, 4, 0.85], "living", 20, 380),
  ...thing("cat", "cat", [8, 2, 0.2], "living", 340),
  ...thing("bag", "bag", [8, 3, 0.2], "living", 495),
  ...thing("dog", "dog", [2.2, 2.8, 0.2], "kitchen", 300, 360),
  ...thing("dog", "dog", [8, 3, 0.2], "living", 400)
    .slice(1)
    .map((state) => ({ ...state, id: "dog-later" })),
  event("book-came", "appear", 320, ["book"], { trackId: "track-book" }),
  event("note-came", "appear", 330, ["note"], { trackId: "track-note" }),
  event("cup-went", "disappear", 380, ["cup"], { trackId: "track-cup" }),
  event("vase-went", "disappear", 239, ["vase-1"], { trackId: "track-vase" }),
  event("cat-came", "appear", 340, ["cat"], { trackId: "track-cat" }),
  event("carried", "interaction", 505, ["anna", "bag"], { by: "track-anna", trackId: "track-bag" }),
  event("turned", "turn", 310, [], { agentId: "robot", direction: "left" }),
  event("turned-back", "turn", 420, [], { agentId: "robot", direction: "right" }),
  event("stopped", "stop", 450, [], { agentId: "robot" }, 15),
];

function thing(
  id: string,
  category: string,
  [x, y, z]: readonly [number, number, number],
  regionId: string,
  fromS: number,
  toS?: number,
): RecordInput[] {
  const span = { validFromUs: at(fromS), validToUs: toS === undefined ? null : at(toS) };
  return [
    { kind: "track", id: `track-${id}`, type: "object", name: category, category, ...span, validToUs: null },
    {
      kind: "state",
      id,
      trackId: `track-${id}`,
      author: "robot",
      name: category,
      category,
      text: [category],
      ...span,
      anchor: { submap: "world", p: { x, y, z } },
      extent: { x: 0.2, y: 0.2, z: 0.1 },
      regionId,
    },
  ];
}

function event(
  id: string,
  type: "appear" | "disappear" | "interaction" | "turn" | "stop",
  s: number,
  who: string[],
  detail: Record<string, string>,
  lastsS = 1,
): RecordInput {
  const span = { validFromUs: at(s), validToUs: at(s + lastsS) };
  return { kind: "event", id, type, author: "robot", text: [id], who, detail, ...span };
}

const SIGHTINGS: readonly SightingInput[] = ["book", "cup", "cat", "bag"].flatMap((stateId) =>
  [0, 2, 4, 6].map((n) => ({
    stateId,
    timeUs: at({ book: 320, cup: 20, cat: 340, bag: 495 }[stateId]! + n),
    outcome: "seen" as const,
    agentId: "robot",
  })),
);

let folder: string;
let house: Awaited<ReturnType<typeof smallHouse>>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "loci-time-"));
  house = await smallHouse(folder);
  await addTo(house, RECORDS, SIGHTINGS);
});

afterAll(async () => {
  await house.engine.close();
  await rm(folder, { recursive: true, force: true });
});

async function carriedOut(text: string): Promise<Value> {
  const memory = new Belief({
    reader: await house.engine.reader(),
    embedder: house.embedder,
    nowUs: NOW_US,
  });
  const pose = await memory.poseAt(NOW_US - 2 * SECOND, "robot");
  return evaluate(scan(text), { memory, agentId: "robot", pose, broadened: 0, question: text });
}

const clock = (us: number | null) => (us === null ? "" : String(Math.round((us - START_US) / SECOND)));

/** A value on one line, its times in seconds since the start. */
function said(value: Value): string {
  switch (value.kind) {
    case "things":
      return value.things.map(({ state }) => state.id).join(" ");
    case "rooms":
      return value.rooms.map(({ name }) => name).join(", ");
    case "events":
      return value.events
        .map(
          ({ type, validFromUs, regionId }, n) =>
            `${type} ${clock(validFromUs)} ${value.things[n]?.category ?? regionId ?? ""}`,
        )
        .join("; ");
    case "times":
      return value.spans.map(({ fromUs, toUs }) => `${clock(fromUs)}–${clock(toUs)}`).join(", ");
    case "number":
      return `${Math.round(value.value * 10) / 10} ${value.unit}`;
    case "words":
      return value.items.map(({ words }) => words).join("; ");
    case "truth":
      return String(value.truth);
    case "unknown":
      return `${value.reason}: ${value.says}`;
    default:
      return value.kind;
  }
}

const VASE = `the(things(category: "vase"))`;
const TV = `the(things(category: "television"))`;
const ANNA = `the(things(name: "Anna"))`;
const BEDROOM = `rooms(name: "bedroom")`;
const LIVING = `rooms(name: "living room")`;

const VALUES: Readonly<Record<string, readonly (readonly [string, string | RegExp])[]>> = {
  "when and since when": [
    [`when(${VASE})`, "300–300"],
    [`when(${VASE}, which: "first")`, "105–105"],
    [`when(${VASE}, which: "since")`, "250–"],
    [`at(when(${VASE}), before(moment(sinceStartS: 200)))`, "130–130"],
    [`when(changes(${TV}, kinds: ["switched"]))`, "400–401"],
    [`when(changes(${TV}, kinds: ["moved"]))`, /^false-premise: it has not been moved/],
    [`when(is(${TV}, attribute: "power", value: "off"))`, "400–"],
    [`when(${BEDROOM})`, "200–299"],
    [
      `least(or(the(things(category: "fridge")), the(things(category: "sofa"))), seen(it(), which: "first"))`,
      "fridge",
    ],
    [
      `less(seen(the(things(category: "sofa")), which: "first"), seen(the(things(category: "fridge")), which: "first"))`,
      "false",
    ],
  ],
  "as of another time": [
    [`at(place(${VASE}), before(when(${VASE}, which: "since")))`, "on the bookcase in the living room"],
    [`at(place(${VASE}), moment(agoS: 480))`, "on the bookcase in the living room"],
    [`at(is(${TV}, attribute: "power", value: "on"), moment(sinceStartS: 350))`, "true"],
    [`at(room(self()), moment(sinceStartS: 250))`, "bedroom"],
    [
      `at(at(doings(verb: "turn"), after(moment(sinceStartS: 300))), before(moment(sinceStartS: 400)))`,
      "turn 310 ",
    ],
    [`at(at(room(self()), moment(firstS: 50)), moment(lastS: 50))`, /^false-premise/],
    [`at(room(self()), moment(agoS: -60))`, /^future/],
    [`at(room(self()), moment(agoS: 6000))`, /^never-seen: My memory begins at 09:05:00/],
    [`at(room(self()), moment(phase: "start"))`, "kitchen"],
    [`at(room(self()), moment(firstS: 260))`, "kitchen"],
    [`at(exists(doings(verb: "stop")), when(stay(${LIVING}), which: "each"))`, "true"],
  ],
  "ever, always, never": [
    [`ever(is(${TV}, attribute: "power", value: "on"))`, "true"],
    [`always(is(${TV}, attribute: "power", value: "on"))`, "false"],
    [`at(always(is(${TV}, attribute: "power", value: "off")), after(moment(sinceStartS: 410)))`, "true"],
    [`never(within(${VASE}, rooms(name: "kitchen")))`, "true"],
    [`ever(within(${VASE}, ${LIVING}))`, "true"],
    [`ever(exists(things(category: "cup")))`, "true"],
    [`ever(exists(things(category: "elephant")))`, "false"],
  ],
  "how long and how often": [
    [`duration(stay(${LIVING}))`, /^39\d s$/],
    [`at(duration(stay(${LIVING})), before(moment(sinceStartS: 150)))`, /^(49|50) s$/],
    [`often(${LIVING})`, "2 times"],
    [`duration(${VASE})`, "350 s"],
    [`duration(is(${TV}, attribute: "power", value: "off"))`, "200 s"],
    [`duration(doings(verb: "stop"))`, "15 s"],
    [`duration(when(${VASE}, which: "first"))`, "495 s"],
    [
      `duration(when(the(things(category: "fridge")), which: "first"), when(the(things(category: "sofa")), which: "first"))`,
      "88 s",
    ],
    [`often(changes(${VASE}, kinds: ["moved"]))`, "1 times"],
    [`often(the(things(category: "bowl")))`, /^\d+ times$/],
  ],
  changes: [
    // The note was seen in passing, cats walk, the vase was moved and is not gone.
    [`changes(kinds: ["moved", "new", "gone"])`, "move 240 vase; appear 320 book; disappear 380 cup"],
    [`changes(kinds: ["gone"])`, "disappear 380 cup"],
    [`changes(attribute: "power")`, "state-change 400 television"],
    [`changes(kinds: ["switched-on"])`, ""],
    [`at(name(affected(changes(kinds: ["new"]))), moment(lastS: 300))`, "book"],
    [`at(name(affected(changes(kinds: ["new"]))), moment(lastS: 60))`, ""],
    [`exists(changes(${VASE}, kinds: ["moved"]))`, "true"],
    [`exists(changes(the(things(category: "cup")), kinds: ["moved"]))`, "true"],
    [`exists(changes(the(things(category: "bookcase")), kinds: ["moved"]))`, "false"],
    [`at(exists(changes(${TV}, kinds: ["switched"])), moment(lastS: 100))`, "false"],
    [`history(${VASE})`, "appear 105 vase; move 250 vase"],
    [`history(${TV})`, "appear 110 television; state-change 400 television"],
  ],
  "what the asked one did": [
    [`doings(verb: "visit")`, "enter 0 kitchen; enter 100 living; enter 200 bedroom; enter 300 living"],
    [
      `at(room(nth(doings(verb: "visit"), seen(it()), n: 1)), after(when(stay(rooms(name: "kitchen")), which: "first")))`,
      "living room",
    ],
    [
      `at(room(nth(doings(verb: "visit"), seen(it()), n: -1)), before(when(stay(${BEDROOM}), which: "first")))`,
      "living room",
    ],
    [`exists(doings(${BEDROOM}, verb: "enter"))`, "true"],
    [`exists(doings(rooms(name: "kitchen"), self(), verb: "exit"))`, "true"],
    [`at(exists(doings(${BEDROOM}, verb: "enter")), moment(lastS: 200))`, "false"],
    [`when(doings(${BEDROOM}, verb: "exit"))`, "299–299"],
    [`motion(doings(verb: "turn"))`, "left; right"],
    [`count(doings(verb: "turn", direction: "left"))`, "1 times"],
    [`at(motion(self()), moment(sinceStartS: 250))`, "counter-clockwise, to the left"],
    [`at(motion(self()), moment(sinceStartS: 450))`, "I was not turning"],
    [`travelled()`, "15.9 m"],
    [`at(travelled(), moment(lastS: 100))`, "0 m"],
    [
      `name(affected(nth(at(doings(verb: "see"), after(moment(sinceStartS: 15))), seen(it()), n: 1)))`,
      /^(cup|mug)$/,
    ],
    [`at(doings(the(things(category: "sofa")), verb: "see"), moment(firstS: 120))`, "custom 100 sofa"],
  ],
  "how others moved": [
    [`motion(${ANNA})`, "left"],
    [`speed(${ANNA})`, "0.3 m/s"],
    [`moving(${ANNA})`, "true"],
    [`moving(the(things(category: "sofa")))`, "false"],
    [`moving(self())`, "false"],
    [`at(moving(self()), moment(sinceStartS: 198))`, "true"],
    [`motion(the(things(category: "sofa")))`, /^false-premise: the .*sofa was not moving$/],
    [`approaches(${ANNA}, ${TV})`, "true"],
    [`approaches(${ANNA}, the(things(category: "sofa")))`, "false"],
    [`name(carried(${ANNA}))`, "bag"],
    [`name(carrier(the(things(category: "bag"))))`, "Anna"],
    [`room(stay(${LIVING}, ${ANNA}))`, "living room"],
    [`carrier(the(things(category: "bed")))`, /^never-seen: I did not see anybody move it/],
  ],
};

for (const [family, values] of Object.entries(VALUES))
  describe(family, () => {
    test.each(values)("%s", async (text, expected) => {
      const value = said(await carriedOut(text));
      if (typeof expected === "string") expect(value).toBe(expected);
      else expect(value).toMatch(expected);
    });
  });

test("what was not looked at in that time is named", async () => {
  const { complete } = await carriedOut("at(changes(), moment(lastS: 200))");
  expect(complete.missing).toEqual(["the bedroom", "the kitchen"]);
  expect(complete.share).toBeCloseTo(1 / 3);
});

test("a span of time ends after it starts", async () => {
  await expect(carriedOut("at(travelled(), moment(fromUs: 20, toUs: 10))")).rejects.toThrow(
    /ends after it starts/,
  );
});

test("what was so of somebody who walks about, and is no more, is told with the time that it was", async () => {
  const inKitchen = 'when(within(the(things(category: "dog")), rooms(name: "kitchen")), which: "last")';
  const value = await carriedOut(inKitchen);
  expect(value).toMatchObject({ kind: "times" });
  const [span] = value.kind === "times" ? value.spans : [];
  expect(span!.fromUs).toBeGreaterThanOrEqual(at(300));
  expect(span!.toUs).toBeLessThanOrEqual(at(400));
  // A thing that stays as it is asked for what is so of it now.
  const gone = 'when(within(the(things(category: "book")), rooms(name: "living room")))';
  expect(await carriedOut(gone)).toMatchObject({ kind: "unknown" });
});
