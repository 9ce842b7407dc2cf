import { expect, it } from "vitest";
import type { MemoryReader } from "../memory/port.ts";
import { ownLayer } from "./own-layer.ts";

const there = new Map([
  ["open", { kind: "place", labels: [] }],
  ["own", { kind: "place", labels: ["mine"] }],
  ["hidden", { kind: "region", labels: ["secret"] }],
]);
const sees = (...ids: string[]) =>
  ({
    get: async (asked: string[]) => asked.map((id) => (ids.includes(id) ? there.get(id) : undefined)),
  }) as unknown as MemoryReader;
const all = sees("open", "own", "hidden");
const batch = (...ids: string[]) =>
  ({ records: ids.map((id) => ({ id, kind: "place", labels: ["mine"] })) }) as never;

it("an ingest under a label writes its own places and leaves those of others", async () => {
  const { records } = await ownLayer(batch("open", "own", "new"), ["mine"], all, sees("open", "own"));
  expect(records!.map(({ id }) => id)).toEqual(["own", "new"]);
});

it("an ingest whose ids are there and hidden is refused", async () => {
  await expect(ownLayer(batch("hidden"), ["mine"], all, sees("open", "own"))).rejects.toMatchObject({
    code: "access-denied",
  });
});
