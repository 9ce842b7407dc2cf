import { describe, expect, it } from "vitest";
import { Sight } from "../../../world/questions/sight.ts";
import { imagineHouse } from "../../../world/recorder/index.ts";
import { clock, PlaceFacts } from "./facts.ts";
import { truthSheet } from "./sheet.ts";

const { world } = imagineHouse({
  family: "house",
  seed: 20_001,
  minutes: 2,
  fps: 1,
  rate: 600,
  rooms: 8,
  floors: 2,
  people: 1,
  out: "nowhere",
});
const facts = new PlaceFacts(world);
const sheet = truthSheet(world);
const lines = sheet.split("\n");

describe("a truth sheet", () => {
  it("names every room with its measures, and every thing once", () => {
    expect(lines.filter((line) => line.startsWith("### "))).toHaveLength(8);
    for (const { id, type } of facts.things) {
      if (type === "door" || type === "window" || type === "person") continue;
      const own = lines.filter((line) => line.startsWith(`- **${facts.nameOf(id)}**`));
      expect({ id, lines: own.length }).toEqual({ id, lines: 1 });
    }
  });

  it("speaks people's words: no ids, no holes, no numbers that are none", () => {
    const ids = [...facts.house.things, ...facts.house.rooms].map(({ id }) => id);
    expect(ids.filter((id) => /-\d+$/.test(id) && new RegExp(`\\b${id}\\b`).test(sheet))).toEqual([]);
    expect(sheet).not.toMatch(/undefined|null|NaN|\[object/);
  });

  it("tells what was seen from what was not", () => {
    const seen = facts.things.filter(({ id }) => facts.sight.isSeen(id));
    const unseen = facts.things.filter(
      ({ id }) => !facts.sight.isSeen(id) && facts.placement(id) !== undefined,
    );
    expect(Math.min(seen.length, unseen.length)).toBeGreaterThan(5);
    for (const { id, type } of unseen) {
      if (type === "door" || type === "window" || type === "person") continue;
      expect(lines.find((line) => line.startsWith(`- **${facts.nameOf(id)}**`))).toMatch(
        /never seen by the robot/,
      );
    }
  });

  it("tells what happened in order, each with what the robot saw of it", () => {
    const events = world.timeline.events.filter(({ type }) => !["walk", "sit", "stand"].includes(type));
    expect(events.length).toBeGreaterThan(3);
    const from = lines.indexOf("## What happened");
    const told = lines
      .slice(from, lines.indexOf("## The robot's way"))
      .filter((line) => line.startsWith("- "));
    expect(told).toHaveLength(events.length);
    expect(told.every((line) => /the robot/i.test(line))).toBe(true);
    const times = told.map((line) => line.slice(0, "- 09:00:00".length));
    expect([...times].sort()).toEqual(times);
  });

  it("ends with how the robot stands", () => {
    const last = facts.sight.frames.at(-1)!;
    expect(sheet).toContain(`At the end (09:02:00) it stands in ${facts.roomOfPoint(last.positionInWorld)}`);
    expect(lines.slice(-5, -1).map((line) => line.split(":")[0])).toEqual([
      "- ahead",
      "- to its left",
      "- behind it",
      "- to its right",
    ]);
  });
});

describe("a truth sheet of a house that two robots toured", () => {
  const { world: both } = imagineHouse({
    family: "house",
    seed: 20_001,
    agents: 2,
    minutes: 3,
    fps: 1,
    rate: 400,
    rooms: 6,
    people: 1,
    out: "nowhere",
  });
  const known = new PlaceFacts(both);
  const told = truthSheet(both).split("\n");
  const sights = ["robot-1", "robot-2"].map(
    (id) => new Sight(both, both.timeline.startUs + both.timeline.durationUs, new Set([id])),
  );

  it("tells each robot's own way, and where each one stands at the end", () => {
    const from = told.indexOf("## Each robot's way");
    const [first, second] = [told.indexOf("### robot-1"), told.indexOf("### robot-2")];
    expect([from < first, first < second]).toEqual([true, true]);
    sights.forEach(({ frames }, i) => {
      const own = told.slice([first, second][i], [second, told.length][i]).join("\n");
      expect(own).toContain(`It starts in ${known.theRoom(frames[0]!.room)}`);
      expect(own).toContain(`it stands in ${known.roomOfPoint(frames.at(-1)!.positionInWorld)}`);
    });
    expect(told.at(-2)).toMatch(/^At the end robot-1 and robot-2 are \d+\.\d\d m apart/);
  });

  it("tells who saw a thing, and who saw it last", () => {
    const still = known.things.filter(
      ({ id, type }) =>
        type === "furniture" && known.placement(id) && known.sinceUs(id) <= both.timeline.startUs,
    );
    const seers = still.map(({ id }) => {
      const line = told.find((one) => one.startsWith(`- **${known.nameOf(id)}**`))!;
      const own = sights.map((sight) => sight.clear(id).length);
      const last = known.sight.clear(id).at(-1);
      [1, 2].forEach((n) => {
        if (own[0]! + own[1]! > 0) expect(line.includes(`not seen by robot-${n}`)).toBe(own[n - 1] === 0);
      });
      if (own[0]! > 0 && own[1]! > 0)
        expect(line).toContain(`last by ${last!.agentId} at ${clock(last!.timeUs)}`);
      return own.filter((looks) => looks > 0).length;
    });
    expect(new Set(seers).size).toBeGreaterThan(1);
  });

  it("tells of every happening and person what each of them saw", () => {
    const happened = told.slice(told.indexOf("## What happened"), told.indexOf("## Each robot's way"));
    const events = happened.filter((line) => line.startsWith("- "));
    expect(events.length).toBeGreaterThan(3);
    expect(events.filter((line) => !/ robot-1 .* robot-2 /.test(line))).toEqual([]);
    const people = told.slice(told.indexOf("## People"), told.indexOf("## What happened"));
    expect(people.filter((line) => /^- seen by robot-[12]: /.test(line))).toHaveLength(2);
    expect(told.join("\n")).not.toMatch(/[Tt]he robot\b|undefined|null|NaN/);
  });
});

describe("a truth sheet of a warehouse", () => {
  const { world: hall } = imagineHouse({
    family: "warehouse",
    seed: 70_001,
    minutes: 4,
    fps: 1,
    rate: 200,
    rooms: 4,
    out: "nowhere",
  });
  const known = new PlaceFacts(hall, "warehouse");
  const text = truthSheet(hall, "warehouse");
  const told = text.split("\n");

  it("names every area as its sign does, and every slot once with what is in it", () => {
    const headings = told
      .filter((line) => line.startsWith("### "))
      .map((line) => line.slice(4).split(":")[0]);
    expect(headings).toEqual(known.house.rooms.map(({ name }) => name));
    const slots = known.things.filter(({ category }) => category === "shelf");
    expect(slots.length).toBeGreaterThan(200);
    for (const { id, text: code } of slots) {
      const [line, ...more] = told.filter((one) => one.startsWith(`- ${code}: `));
      const box = known.things.find((one) => known.placement(one.id)?.supportedBy === id);
      expect({ code, more }).toEqual({ code, more: [] });
      expect(line).toContain(box === undefined ? `${code}: empty` : `**${known.nameOf(box.id)}**`);
      if (box !== undefined) expect(line).toContain(`“${box.text}”`);
    }
  });

  it("tells of pallets, forklifts, docks and codes on several boxes", () => {
    for (const { id, category } of known.things) {
      if (!["pallet", "forklift", "dock door", "sign", "box"].includes(category)) continue;
      expect({ id, isTold: text.includes(`**${known.nameOf(id)}**`) }).toEqual({ id, isTold: true });
    }
    const boxes = known.things.filter(({ id, category }) => category === "box" && known.placement(id));
    const [code, alike] = [...Map.groupBy(boxes, (box) => box.text)].find(([, some]) => some.length > 1)!;
    expect(told.find((line) => line.startsWith(`- ${code}: ${alike.length} boxes`))).toBeDefined();
  });

  it("tells what happened, with where from and where to by code, and who it was", () => {
    const carried = hall.timeline.events.filter(({ type, to }) => {
      const host = typeof to === "object" ? to.supportedBy : undefined;
      return type === "carry" && host !== undefined && hall.timeline.thing(host).category === "shelf";
    });
    expect(carried.length).toBeGreaterThan(0);
    for (const { thing, who, to } of carried) {
      const slot = hall.timeline.thing((to as { supportedBy: string }).supportedBy);
      const line = told.find((one) => one.includes(`: ${known.nameOf(thing)} was carried`))!;
      expect(line).toContain(`to in slot ${slot.text} in aisle ${slot.text![0]}`);
      expect(line).toContain(`by ${known.nameOf(who!)}`);
    }
    expect(text).toMatch(/drives from/);
  });

  it("says nothing of houses, storeys above or the names of records", () => {
    expect(text).not.toMatch(/\bhouse\b|upstairs|undefined|null|NaN|\[object/);
    const ids = [...known.house.things, ...known.house.rooms].map(({ id }) => id);
    expect(ids.filter((id) => /-\d+$/.test(id) && new RegExp(`\\b${id}\\b`).test(text))).toEqual([]);
  });
});
