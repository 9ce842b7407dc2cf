import { expect, it } from "vitest";
import { lookup } from "../../ontology/index.ts";
import { EVIDENCE, roomTypeOf } from "./types.ts";

const SQUARE = { lengthM: 4, widthM: 4 };

it("knows the things that tell a room by their own names", () => {
  const names = Object.values(EVIDENCE).flatMap((weights) => Object.keys(weights));
  expect(names.filter((name) => lookup(name)?.name !== name)).toEqual([]);
});

it("tells a room by whatever its things are called", () => {
  const type = (...things: string[]) =>
    roomTypeOf({ counts: new Map(things.map((thing) => [thing, 1])), ...SQUARE });
  expect(type("couch", "Telly")).toBe("living room");
  expect(type("cooker", "refrigerator")).toBe("kitchen");
  expect(type("bookshelf", "quasar")).toBe("library");
  expect(type("quasar")).toBe("room");
});
