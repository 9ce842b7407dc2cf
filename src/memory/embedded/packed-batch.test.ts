import { expect, it } from "vitest";
import type { WriteBatch } from "../port.ts";
import { packBatch, unpackBatch } from "./packed-batch.ts";

const vector = (...numbers: number[]) => new Float32Array(numbers);
const travel = (batch: WriteBatch) => {
  const packed = packBatch(batch);
  const transfer = packed.vectors === undefined ? [] : [packed.vectors.buffer];
  return unpackBatch(structuredClone(packed, { transfer }));
};

it("brings a batch over as it was and leaves the caller's vectors to the caller", () => {
  const shared = vector(9, 1, 2, 3, 4);
  const batch: WriteBatch = {
    blobs: [new Uint8Array([1])],
    vectors: [
      { text: "a", vector: shared.subarray(1, 3) },
      { text: "b", vector: shared.subarray(3, 5) },
    ],
  };
  expect(travel(batch)).toEqual({
    blobs: [new Uint8Array([1])],
    vectors: [
      { text: "a", vector: vector(1, 2) },
      { text: "b", vector: vector(3, 4) },
    ],
  });
  expect([...shared]).toEqual([9, 1, 2, 3, 4]);
});

it("lets the checks see what cannot be packed", () => {
  for (const vectors of [
    [],
    [
      { text: "a", vector: vector(1) },
      { text: "b", vector: vector(1, 2) },
    ],
    [
      { text: "a", vector: vector(1, 2) },
      { text: "b", vector: [1, 2] as unknown as Float32Array },
    ],
    [{ text: "a", vector: vector() }],
  ]) {
    expect(travel({ vectors })).toEqual({ vectors });
  }
  expect(travel({})).toEqual({});
  expect(travel({ records: undefined, vectors: undefined } as unknown as WriteBatch)).toEqual({});
  const records = [{ id: "a", path: [{ x: 1 }] }] as unknown as NonNullable<WriteBatch["records"]>;
  expect(travel({ records })).toEqual({ records });
  expect(travel({ records: 5 } as unknown as WriteBatch)).toEqual({ records: 5 });
});

it("brings sightings over as they were, also such as no memory would take", () => {
  const look = (n: number) => ({ stateId: `s${n}`, timeUs: n, outcome: "seen" as const, labels: ["a"] });
  const sightings = [look(1), { ...look(2), anchor: { submap: "m", p: { x: 1, y: 2, z: 3 } } }, look(3)];
  expect(travel({ sightings })).toEqual({ sightings });
  const odd = { sightings: [new Date(3)] as never };
  expect(travel(odd)).toEqual(odd);
});
