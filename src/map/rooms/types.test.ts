import { expect, it } from "vitest";
import { lookup } from "../../ontology/index.ts";
import { EVIDENCE } from "./room-evidence.data.ts";
import { roomTypeOf, signedRoom } from "./types.ts";

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

it("hears what things may be only where their names say too little", () => {
  const type = (things: string[], maybe: [string, number][]) =>
    roomTypeOf({ counts: new Map(things.map((one) => [one, 1])), maybe: new Map(maybe), ...SQUARE });
  expect(type(["chair"], [["stove", 0.5]])).toBe("kitchen");
  expect(type(["chair"], [["stove", 0.3]])).toBe("room");
  expect(type(["fridge"], [["sofa", 0.9]])).toBe("kitchen");
});

it("takes a room's name from the sign that most say, if it names a kind of room", () => {
  expect(signedRoom(["AISLE C", "AISLE C", "AISLE D"])).toMatchObject({ type: "aisle", name: "aisle C" });
  expect(signedRoom(["STAGING 12"])).toMatchObject({ type: "staging bay", name: "staging 12" });
  expect(signedRoom(["Library"])).toMatchObject({ type: "library", name: "library" });
  expect(signedRoom(["EXIT", "OAK WALK", "KEEP CLEAR", ""])).toBeUndefined();
});
