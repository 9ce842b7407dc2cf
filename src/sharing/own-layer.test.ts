import { expect, it } from "vitest";
import type { MemoryReader } from "../memory/port.ts";
import { ownLayer, ownRecords } from "./own-layer.ts";

const there = new Map([
  ["open", { kind: "place", labels: [] }],
  ["thing", { kind: "state", labels: [] }],
  ["own", { kind: "place", labels: ["mine"] }],
  ["hidden", { kind: "region", labels: ["secret"] }],
]);
const all = {
  get: async (asked: string[]) => asked.map((id) => there.get(id)),
} as unknown as MemoryReader;
const batch = (...ids: string[]) =>
  ({ records: ids.map((id) => ({ id, kind: "place", labels: ["mine"] })) }) as never;

it("an ingest under a label writes its own records and leaves those of others", async () => {
  const { records } = await ownLayer(batch("open", "own", "thing", "new"), ["mine"], all);
  expect(records!.map(({ id }) => id)).toEqual(["own", "new"]);
});

it("an ingest whose ids are there and hidden is refused", async () => {
  await expect(ownLayer(batch("hidden"), ["mine"], all)).rejects.toMatchObject({ code: "access-denied" });
});

it("what is derived anew under a label is its own alone", async () => {
  const made = [
    ...["open", "own", "hidden", "new"].map((id) => ({ id, labels: ["mine"] })),
    { id: "other", labels: [] },
  ] as never;
  expect((await ownRecords(made, ["mine"], all)).map(({ id }) => id)).toEqual(["own", "new"]);
});
