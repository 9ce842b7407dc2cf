import { describe, expect, it } from "vitest";
import { boxFromCentre, vec3 } from "../geometry/index.ts";
import { bearersOf, called, withoutPieces } from "./called.ts";
import { nameAlone } from "./description.ts";
import type { RoomView } from "./room-names.ts";
import type { KnownThing } from "./thing.ts";

const thing = (name: string) => ({ name, fit: 1, state: { name, text: [] } }) as unknown as KnownThing;
const place = (name: string, type: "room" | "spot") =>
  ({ id: name, name, record: { type } }) as unknown as RoomView;

const WRITTEN = [
  "forklift that says “F2”",
  "box that says “LK-88”",
  "shelf that says “B-03-1”",
  "door that says “DOCK 4”",
  "sign that says “AISLE C”",
].map(thing);
const PLACES = [place("aisle C", "room"), place("dock 4", "spot"), place("B-03-1", "spot")];
const memory = {
  written: async () => WRITTEN,
  roomsNamed: async () => PLACES,
};

describe("what is called so", () => {
  it("is what bears the code, whatever else could be found by words", async () => {
    const { things, places } = await called("LK-88", memory);
    expect(things.map(({ name }) => name)).toEqual(["box that says “LK-88”"]);
    expect(places).toEqual([]);
  });

  it("is the thing that was seen often, not a piece of it that a few looks called something else", async () => {
    const at = (id: string, category: string, x: number) => ({
      ...thing(`${category} that says “F1”`),
      category,
      state: { id, name: `${category} that says “F1”`, text: [] },
      box: boxFromCentre(vec3(x, 0, 1), vec3(1, 1, 1)),
    });
    const found = [at("whole", "forklift", 0), at("piece", "shelf", 1.2), at("other", "shelf", 9)];
    const presence = new Map(
      [
        ["whole", 18],
        ["piece", 3],
        ["other", 3],
      ].map(([id, seenCount]) => [id, { seenCount }]),
    );
    const seen = { presence: async () => presence } as never;
    expect(await withoutPieces(found as never, seen)).toEqual([found[0], found[2]]);
  });

  it("is the slot and the shelf that bears its label", async () => {
    const { things, places } = await called("b-3-1", memory);
    expect(things.map(({ name }) => name)).toEqual(["shelf that says “B-03-1”"]);
    expect(places.map(({ name }) => name)).toEqual(["B-03-1"]);
  });

  it("is the aisle, and not the sign that names it", async () => {
    const { things, places } = await called("aisle C", memory);
    expect(things).toEqual([]);
    expect(places.map(({ name }) => name)).toEqual(["aisle C"]);
  });

  it("is looked for only where a description is a code alone", async () => {
    expect((await bearersOf(nameAlone("f2"), memory)).map(({ name }) => name)).toEqual([
      "forklift that says “F2”",
    ]);
    expect(await bearersOf(nameAlone("forklift"), memory)).toEqual([]);
    expect(await bearersOf({ ...nameAlone("f2"), owner: "anna" }, memory)).toEqual([]);
  });
});
