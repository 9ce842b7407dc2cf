import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { vocabulary } from "./entry.ts";
import { areKin, isKindOf, kindsOf, lookup, meaningsOf, pluralOf, roomKind, singularOf } from "./index.ts";
import { keyOf, linesOf } from "./read-data.ts";

const entries = [...vocabulary().entries.values()];
const canonical = vocabulary().entries;

describe("the lines of data", () => {
  it("are plain ASCII and few enough to be read", () => {
    const folder = new URL("./data/", import.meta.url);
    for (const file of readdirSync(folder)) {
      const text = readFileSync(new URL(file, folder), "utf8");
      expect(text, file).toMatch(/^[\n\x20-\x7e]*$/);
      expect(text.split("\n").length, file).toBeLessThan(400);
    }
  });

  it("name each thing once", () => {
    const lines =
      "furniture structure kitchen food bathroom electronics clothing tools play living outdoors kinds"
        .split(" ")
        .flatMap((file) => linesOf(file));
    const names = lines.flatMap((line) =>
      line
        .slice(0, line.indexOf(" <"))
        .split(" | ")
        .map((group) => group.split(", ")[0]!),
    );
    expect(names.filter((name, n) => names.indexOf(name) !== n)).toEqual([]);
  });

  it("say of every entry only what exists", () => {
    const wrong = entries.flatMap(({ name, kinds, said }) => [
      ...kinds.filter((kind) => !canonical.has(kind)).map((kind) => `${name} < ${kind}`),
      ...said.like.filter((other) => !canonical.has(other)).map((other) => `${name} like ${other}`),
      ...said.parts.filter((part) => lookup(part) === undefined).map((part) => `${name} has ${part}`),
      ...said.rooms.filter((room) => roomKind(room) === undefined).map((room) => `${name} in ${room}`),
    ]);
    expect(wrong).toEqual([]);
  });

  it("let nothing be a kind of itself", () => {
    expect(entries.filter(({ name }) => kindsOf(name).includes(name)).map(({ name }) => name)).toEqual([]);
  });

  it("give a name one meaning unless it is marked", () => {
    const owners = Map.groupBy(
      entries.flatMap((entry) =>
        entry.names
          .filter((name) => !entry.ambiguous.includes(name))
          .map((name) => ({ key: keyOf(name), entry })),
      ),
      ({ key }) => key,
    );
    const doubled = [...owners].filter(([, all]) => all.length > 1);
    expect(doubled.map(([key, all]) => `${key}: ${all.map(({ entry }) => entry.name).join(", ")}`)).toEqual(
      [],
    );
  });

  it("mark no name that is not shared", () => {
    const needless = entries.flatMap(({ name, ambiguous }) =>
      ambiguous.filter((word) => meaningsOf(word).length < 2).map((word) => `${name}: ${word}`),
    );
    expect(needless).toEqual([]);
  });

  it("say how everything moves", () => {
    const moving = (name: string): boolean =>
      [name, ...kindsOf(name)].some((kind) => canonical.get(kind)?.said.mobility !== undefined);
    expect(entries.filter(({ name, isKind }) => !isKind && !moving(name)).map(({ name }) => name)).toEqual(
      [],
    );
  });
});

describe("plurals", () => {
  it("lead back to the name", () => {
    const lost = entries
      // The plural of "glass" means spectacles first; its line says so.
      .filter(({ said, isKind, name, ambiguous }) => {
        return said.number === "count" && !isKind && !ambiguous.includes(pluralOf(name));
      })
      .map(({ name }) => ({ name, back: singularOf(pluralOf(name)) }))
      .filter(({ name, back }) => back !== name && lookup(back) !== lookup(name));
    expect(lost).toEqual([]);
  });

  it("are found as what they are of", () => {
    const other = entries.filter(
      ({ name }) => !meaningsOf(pluralOf(name)).some((entry) => entry.name === name),
    );
    expect(other.map(({ name }) => `${name}: ${pluralOf(name)}`)).toEqual([]);
  });
});

describe("kinds", () => {
  it("reach from a thing to what people call a lot of them", () => {
    for (const [thing, kind] of [
      ["armchair", "furniture"],
      ["laptop", "electronics"],
      ["mug", "crockery"],
      ["trainers", "clothing"],
      ["teddy", "toy"],
      ["granny", "person"],
      ["hen", "animal"],
      ["tumble dryer", "appliance"],
      ["IKEA bookshelf", "storage"],
    ] as const)
      expect(isKindOf(thing, kind), `${thing} < ${kind}`).toBe(true);
    expect(isKindOf("furniture", "armchair")).toBe(false);
    expect(isKindOf("mug", "furniture")).toBe(false);
  });

  it("begin with the thing itself, and go both ways for kin", () => {
    expect(isKindOf("armchair", "armchair")).toBe(true);
    expect(areKin("seat", "armchair") && areKin("armchair", "seat")).toBe(true);
    expect(areKin("armchair", "bench")).toBe(false);
    expect(areKin("gizmotron", "gizmotron"), "of words that nobody knows").toBe(true);
  });
});
