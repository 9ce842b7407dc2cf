import { expect, it } from "vitest";
import { boxFromCentre } from "../../geometry/index.ts";
import { thing as toy } from "../testing/toy-room.ts";
import { holds } from "./containment.ts";
import { Thing } from "./thing.ts";

function known(...args: Parameters<typeof toy>): Thing {
  const { id, category, centre, extent } = toy(...args);
  const worldBox = boxFromCentre(centre, extent);
  const thing = new Thing({
    type: "object",
    stateId: id,
    trackId: id,
    labels: [],
    author: "robot",
    worldBox,
    timeUs: 0,
  });
  thing.words.categories.add(category, 1);
  return thing;
}

it("holds what lies within it, if it is of a kind that holds, and carries what stands on it", () => {
  const game = known("game", "board game", [0, 0, 0.8], [0.4, 0.3, 0.1]);
  expect(holds(known("bookcase", "bookcase", [0, 0, 0.9], [1, 0.35, 1.8]), game)).toBe(true);
  expect(holds(known("table", "table", [0, 0, 0.37], [1.2, 0.8, 0.74]), game)).toBe(true);
  // Only its top was seen.
  expect(holds(known("table", "table", [0, 0, 0.73], [1.2, 0.8, 0.03]), game)).toBe(true);
  expect(holds(known("table", "table", [0, 0, 1.2], [1.2, 0.8, 0.03]), game)).toBe(false);
  expect(holds(known("curtain", "curtain", [0, -0.2, 0.8], [1, 0.05, 1.6]), game)).toBe(false);
  expect(holds(known("cup", "cup", [0, 0, 0.8], [0.1, 0.1, 0.1]), game)).toBe(false);
  expect(holds(game, known("bookcase", "bookcase", [0, 0, 0.9], [1, 0.35, 1.8]))).toBe(false);
  expect(
    holds(known("box", "box", [0, 2, 0.8], [1, 1, 1]), known("mug", "mug", [0, 0, 0.8], [0.1, 0.1, 0.1])),
  ).toBe(false);
});
