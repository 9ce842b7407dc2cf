import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Belief } from "../../belief/belief.ts";
import { SqliteEngine } from "../../memory/index.ts";
import type { RecordInput, SightingInput } from "../../schema/index.ts";
import { evaluate } from "./evaluate.ts";
import { scan } from "./notation.ts";
import type { Value } from "./value.ts";

const HOUR = 3_600_000_000;
const DAY = 24 * HOUR;
/** A Monday at midnight. */
const MONDAY = Date.UTC(2026, 0, 5) * 1000;
const DAYS = 8;
/** Tuesday of the second week, at nine in the morning. */
const NOW_US = MONDAY + (DAYS - 1) * DAY + 9 * HOUR;

const common = { author: "robot", validToUs: null as number | null, attributes: {} };

function room(id: string, name: string, x: number): RecordInput {
  const hull = [
    [x, 0],
    [x + 4, 0],
    [x + 4, 4],
    [x, 4],
  ].map(([px, py]) => ({ x: px!, y: py!, z: 0 }));
  return {
    kind: "region",
    id,
    type: "room",
    level: 2,
    name,
    text: [name],
    validFromUs: MONDAY,
    validToUs: null,
    coverage: 1,
    anchor: { submap: "world", p: { x: x + 2, y: 2, z: 0 } },
    hull,
  };
}

function track(id: string, category: string, name = category): RecordInput {
  const type = category === "person" ? ("person" as const) : ("object" as const);
  return { kind: "track", id, type, name, category, validFromUs: MONDAY, validToUs: null };
}

interface Stay {
  readonly track: string;
  readonly name: string;
  readonly category?: string;
  readonly fromUs: number;
  readonly toUs: number | null;
  readonly x: number;
  readonly room: string;
  readonly on?: string;
}

function stayRecord({
  track: trackId,
  name,
  category = name,
  fromUs,
  toUs,
  x,
  room: regionId,
  on,
}: Stay): RecordInput {
  return {
    ...common,
    kind: "state",
    id: `${trackId}-${fromUs}`,
    trackId,
    name,
    category,
    text: [name],
    validFromUs: fromUs,
    validToUs: toUs,
    anchor: { submap: "world", p: { x, y: 2, z: 0.5 } },
    extent: { x: 0.2, y: 0.2, z: 0.2 },
    regionId,
    ...(on !== undefined && { supportedBy: on }),
  };
}

/** The mug: on the counter until seven in the evening, then on the sofa table until midnight; today it is in the bath. */
function mugStays(): Stay[] {
  const mug = { track: "mug", name: "mug" };
  const week = Array.from({ length: DAYS - 1 }, (_, day) => {
    const midnight = MONDAY + day * DAY;
    return [
      { ...mug, fromUs: midnight, toUs: midnight + 19 * HOUR, x: 1, room: "kitchen", on: "counter-0" },
      { ...mug, fromUs: midnight + 19 * HOUR, toUs: midnight + DAY, x: 6, room: "living", on: "table-0" },
    ];
  }).flat();
  const today = MONDAY + (DAYS - 1) * DAY;
  return [...week, { ...mug, fromUs: today, toUs: null, x: 10, room: "bath" }];
}

let folder: string;
let engine: SqliteEngine;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "loci-habits-"));
  engine = await SqliteEngine.open({ folder: join(folder, "memory"), nowUs: () => NOW_US });
  const stays = mugStays();
  const fixed = (id: string, category: string, x: number, regionId: string): RecordInput[] => [
    track(id, category),
    {
      ...stayRecord({ track: id, name: category, fromUs: 0, toUs: null, x, room: regionId }),
      id: `${id}-0`,
    } as RecordInput,
  ];
  const lamp: RecordInput[] = [
    track("lamp", "lamp"),
    {
      ...stayRecord({ track: "lamp", name: "lamp", fromUs: MONDAY, toUs: null, x: 7, room: "living" }),
      id: "lamp-0",
      attributes: { power: { value: "off", p: 0.95, support: 10, lastUs: NOW_US } },
    } as RecordInput,
  ];
  const switched = Array.from({ length: DAYS - 1 }, (_, day) =>
    [
      [20, "off", "on"],
      [22, "on", "off"],
    ].map(
      ([hour, from, to]): RecordInput => ({
        kind: "event",
        id: `switch-${day}-${hour}`,
        type: "state-change",
        author: "robot",
        validFromUs: MONDAY + day * DAY + Number(hour) * HOUR,
        validToUs: MONDAY + day * DAY + Number(hour) * HOUR + 1,
        text: ["switched"],
        detail: { attribute: "power", from: String(from), to: String(to) },
        who: ["lamp-0"],
        anchor: { submap: "world", p: { x: 7, y: 2, z: 0.5 } },
      }),
    ),
  ).flat();
  const moves = stays.slice(1).map(
    (stay): RecordInput => ({
      kind: "event",
      id: `move-${stay.fromUs}`,
      type: "move",
      author: "robot",
      validFromUs: stay.fromUs,
      validToUs: stay.fromUs + 1,
      text: ["moved"],
      detail: { trackId: "mug" },
      who: [`mug-${stay.fromUs}`],
    }),
  );
  const looks = Array.from({ length: DAYS * 24 }, (_, hour) => MONDAY + hour * HOUR + HOUR / 2).filter(
    (us) => us <= NOW_US,
  );
  const observations = looks.map(
    (us): RecordInput => ({
      kind: "observation",
      id: `look-${us}`,
      author: "robot",
      sensorId: "camera",
      validFromUs: us,
      validToUs: us + 1,
      anchor: { submap: "world", p: { x: 2, y: 2, z: 1 }, q: { w: 1, x: 0, y: 0, z: 0 } },
    }),
  );
  const seenAt = (stateId: string, from: number, to: number | null): SightingInput[] =>
    looks
      .filter((us) => us >= from && (to === null || us < to))
      .map((timeUs) => ({ stateId, timeUs, outcome: "seen", agentId: "robot" }));
  const writer = await engine.writer();
  await writer.write({
    records: [
      room("kitchen", "kitchen", 0),
      room("living", "living room", 5),
      room("bath", "bathroom", 10),
      ...fixed("counter", "kitchen counter", 1, "kitchen"),
      ...fixed("table", "coffee table", 6, "living"),
      ...lamp,
      track("mug", "mug"),
      ...stays.map(stayRecord),
      ...switched,
      ...moves,
      ...observations,
    ],
    sightings: [
      ...stays.flatMap(({ fromUs, toUs }) => seenAt(`mug-${fromUs}`, fromUs, toUs)),
      ...seenAt("lamp-0", MONDAY, null),
    ],
  });
  await writer.close();
});

afterAll(async () => {
  await engine.close();
  await rm(folder, { recursive: true, force: true });
});

async function carriedOut(text: string): Promise<Value> {
  const memory = new Belief({ reader: await engine.reader(), nowUs: NOW_US });
  return evaluate(scan(text), { memory, agentId: "robot", broadened: 0, question: text });
}

const MUG = 'the(things(category: "mug"))';
const LAMP = 'the(things(category: "lamp"))';
const words = (value: Value) => (value.kind === "words" ? value.items.map((item) => item.words) : value);

describe("usual", () => {
  test("a place by the hour, with the days that speak for it", async () => {
    const noon = await carriedOut(`usual(place(${MUG}), part: "noon")`);
    expect(words(noon)).toEqual(["on the kitchen counter in the kitchen"]);
    expect(noon).toMatchObject({ habit: { observedDays: 7, days: 7, isGuess: false } });
    const late = await carriedOut(`usual(place(${MUG}), hour: 21)`);
    expect(words(late)).toEqual(["on the coffee table in the living room"]);
    expect(words(await carriedOut(`usual(name(room(${MUG})), part: "noon")`))).toEqual(["kitchen"]);
    const rooms = await carriedOut(`usual(room(${MUG}), hour: 21, days: "weekend")`);
    expect(rooms.kind === "rooms" && rooms.rooms.map(({ name }) => name)).toEqual(["living room"]);
  });

  test("a truth, and what is so instead", async () => {
    const at21 = `usual(within(${MUG}, rooms(name: "kitchen")), hour: 21)`;
    expect(await carriedOut(at21)).toMatchObject({ truth: false, instead: "usually living room" });
    expect(
      await carriedOut(
        `usual(within(${MUG}, the(things(category: "counter")), relation: "on"), part: "noon")`,
      ),
    ).toMatchObject({ truth: true });
    expect(await carriedOut(`usual(is(${LAMP}, attribute: "power", value: "on"), hour: 21)`)).toMatchObject({
      truth: true,
    });
    expect(await carriedOut(`usual(is(${LAMP}, attribute: "power", value: "on"), hour: 3)`)).toMatchObject({
      truth: false,
    });
  });

  test("when, and how long", async () => {
    const when = await carriedOut(`usual(when(is(${LAMP}, attribute: "power", value: "on")))`);
    if (when.kind !== "times") throw new Error(`expected times, got ${when.kind}`);
    const [daily] = when.daily!;
    expect(Math.abs(daily!.fromMin - 20 * 60)).toBeLessThanOrEqual(45);
    expect(Math.abs(daily!.toMin - 22 * 60)).toBeLessThanOrEqual(45);
    const long = await carriedOut(`usual(duration(${MUG}))`);
    if (long.kind !== "number") throw new Error(`expected a number, got ${long.kind}`);
    expect(long.value).toBeGreaterThan(4 * 3600);
    expect(long.value).toBeLessThan(20 * 3600);
    const on = await carriedOut(`usual(duration(is(${LAMP}, attribute: "power", value: "on")))`);
    if (on.kind !== "number") throw new Error(`expected a number, got ${on.kind}`);
    expect(Math.abs(on.value - 2 * 3600)).toBeLessThanOrEqual(3600);
  });

  test("anything else, as it was on most days", async () => {
    const value = await carriedOut(
      'usual(exists(in(things(category: "mug"), rooms(name: "living room"))), hour: 21)',
    );
    expect(value).toMatchObject({ kind: "truth", truth: true, habit: { observedDays: 7, days: 7 } });
  });

  test("nothing is usual at a time at which nobody looked, or of what has no habits", async () => {
    expect(await carriedOut("usual(place(self()))")).toMatchObject({ kind: "unknown" });
    expect(await carriedOut('usual(place(the(things(category: "piano"))))')).toMatchObject({
      kind: "unknown",
    });
  });
});

describe("likely and unusual", () => {
  test("a guess for tomorrow evening is called one", async () => {
    const tomorrow = NOW_US + DAY + 12 * HOUR;
    const value = await carriedOut(`likely(place(${MUG}), moment(atUs: ${tomorrow}))`);
    expect(value).toMatchObject({ habit: { isGuess: true } });
    expect((words(value) as string[])[0]).toBe("on the coffee table in the living room");
    if (value.kind === "words") expect(value.p).toBeLessThan(1);
  });

  test("a moment from now it is most likely still where it was seen", async () => {
    const value = await carriedOut(`likely(place(${MUG}), moment(atUs: ${NOW_US + 60_000_000}))`);
    expect((words(value) as string[])[0]).toBe("in the bathroom");
  });

  test("whether it will still be there is a guess too", async () => {
    const value = await carriedOut(`likely(exists(${MUG}), moment(atUs: ${NOW_US + 60_000_000}))`);
    expect(value).toMatchObject({ kind: "truth", truth: true, habit: { isGuess: true } });
  });

  test("what is not where it usually is, and where that would be", async () => {
    const value = await carriedOut("unusual()");
    if (value.kind !== "things") throw new Error(`expected things, got ${value.kind}`);
    expect(value.things.map(({ category }) => category)).toEqual(["mug"]);
    expect(value.notes).toEqual(["usually on the kitchen counter in the kitchen"]);
    expect(await carriedOut(`none(unusual(${LAMP}))`)).toMatchObject({ truth: true });
  });
});
