import { expect, it } from "vitest";
import { node } from "../algebra/notation.ts";
import { room, thing } from "../testing/made-values.ts";
import { ofRooms, ofThings } from "./spoken-of.ts";
import { likelyMeant } from "./wanted.ts";

const kitchen = ofRooms([room("kitchen")]);
const somebody = ofThings([{ ...thing("person"), category: "person", name: "Anna" }]);
const spoken = [kitchen, somebody];

it("asks of who was somewhere, not of the place", () => {
  const parent = node("stay", [node("rooms"), node("spoken")]);
  expect(likelyMeant(spoken, "Where was she before she went up?", { parent, n: 1 })).toEqual([somebody]);
  expect(likelyMeant(spoken, "How long were you there?", { parent, n: 0 })[0]).toEqual(kitchen);
});

it("asks of nothing where no person was spoken of", () => {
  const parent = node("carried", [node("spoken")]);
  expect(likelyMeant([kitchen], "What was she carrying?", { parent, n: 0 })).toEqual([]);
});
