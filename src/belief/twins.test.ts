import { expect, it } from "vitest";
import { apart } from "./twins.ts";

/** A book in a row, so many centimetres along; never seen at one moment with another. */
const book = (id: string, cm: number) =>
  ({
    trackId: id,
    category: "book",
    position: { x: cm / 100, y: 0, z: 1 },
    box: { min: { x: cm / 100, y: 0, z: 0.9 }, max: { x: cm / 100 + 0.04, y: 0.15, z: 1.1 } },
    state: { id, text: [], attributes: {} },
  }) as never;
const memory = { options: { reader: { sightings: async () => [] } } } as never;

it("takes like things in one place for one, and keeps the other as its twin", async () => {
  const books = [book("a", 0), book("b", 5), book("c", 40)];
  const kept = await apart(books, memory);
  expect(kept.map(({ trackId, twins }) => [trackId, twins?.map((twin) => twin.trackId)])).toEqual([
    ["a", ["b"]],
    ["c", undefined],
  ]);
});
