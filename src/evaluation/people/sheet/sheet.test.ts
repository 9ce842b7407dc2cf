import { describe, expect, it } from "vitest";
import { imagineHouse } from "../../../world/recorder/index.ts";
import { HouseFacts } from "./facts.ts";
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
const facts = new HouseFacts(world);
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
    expect(sheet).toContain(
      `At the end (09:02:00) it stands in the ${facts.roomOfPoint(last.positionInWorld)}`,
    );
    expect(lines.slice(-5, -1).map((line) => line.split(":")[0])).toEqual([
      "- ahead",
      "- to its left",
      "- behind it",
      "- to its right",
    ]);
  });
});
