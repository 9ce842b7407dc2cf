import { expect, it } from "vitest";
import { recordSchema, type Stored } from "../../../schema/index.ts";
import { type Spoken, statedThings } from "./stated-things.ts";

const S = 1_000_000;

function caption(id: string, atS: number, x: number, ...text: string[]): Spoken {
  const record: Stored = {
    ...recordSchema.parse({
      kind: "caption",
      id,
      source: "template",
      text,
      validFromUs: atS * S,
      validToUs: (atS + 3) * S,
    }),
    version: 1,
    recordedAtUs: 0,
    supersededAtUs: null,
  };
  return { record, position: { x, y: 0, z: 0 } };
}

const statesOf = (...texts: Spoken[]) =>
  statedThings(texts).records.flatMap((record) => (record.kind === "state" ? [record] : []));
const valuesOf = (state: ReturnType<typeof statesOf>[number]) =>
  Object.fromEntries(Object.entries(state.attributes).map(([name, { value }]) => [name, value]));

it("things of one kind and look are one thing, unless one sentence speaks of several", () => {
  const same = statesOf(caption("a", 1, 0, "a red mug"), caption("b", 9, 5, "There is a red mug."));
  expect(same.map(({ category }) => category)).toEqual(["mug"]);
  expect(statesOf(caption("a", 1, 0, "a red mug and a red mug"))).toHaveLength(2);
  expect(statesOf(caption("a", 1, 0, "three red mugs"))).toHaveLength(3);
  expect(statesOf(caption("a", 1, 0, "a red mug and a blue mug"))).toHaveLength(2);
});

it("a thing is where its newest text was made, and seen at the time of each", () => {
  const texts = [caption("a", 1, 0, "a red mug"), caption("b", 9, 5, "a red mug")];
  const { records, sightings, saidBy } = statedThings(texts);
  const state = records.find(({ kind }) => kind === "state")!;
  expect(state.anchor?.p).toEqual({ x: 5, y: 0, z: 0 });
  expect(sightings.map(({ timeUs }) => timeUs)).toEqual([1 * S, 9 * S]);
  // The evidence for an answer is the text, never the record that was derived from it.
  expect(saidBy.get(state.id)!.record.id).toBe("b");
});

it("the latest word counts for what changes, and a bare name means the one that is described", () => {
  const [fridge, ...others] = statesOf(
    caption("a", 1, 0, "an open black fridge"),
    caption("b", 9, 0, "The fridge is closed."),
  );
  expect(others).toEqual([]);
  expect(valuesOf(fridge!)).toEqual({ colour: "black", openness: "closed" });
});

it("knows what stands on what, and in which room, by the words; a view by its own", () => {
  const [mug, table] = statesOf(caption("a", 1, 0, "Kitchen: a red mug on the table."));
  expect(mug!.supportedBy).toBe(table!.id);
  expect(mug!.regionId).toBe(table!.regionId);
  // The room, too, is known from the text.
  const told = statedThings([caption("a", 1, 0, "Kitchen: a red mug on the table.")]).saidBy;
  expect(told.get(mug!.regionId!)?.record.id).toBe("a");
  const view = caption("v", 1, 0, "a red mug");
  const seen = {
    ...view,
    record: {
      ...recordSchema.parse({
        kind: "view",
        id: "v",
        observationId: "o",
        thumb: "0".repeat(64),
        room: "kitchen",
        text: ["a red mug"],
        validFromUs: 0,
        validToUs: 1,
      }),
      version: 1,
      recordedAtUs: 0,
      supersededAtUs: null,
    } as Stored,
  };
  const { records } = statedThings([seen]);
  expect(records.flatMap((record) => (record.kind === "region" ? [record.name] : []))).toEqual(["kitchen"]);
});

it("of texts that state nothing there is nothing", () => {
  expect(statedThings([caption("a", 1, 0, "Hello!")]).records).toEqual([]);
  expect(statedThings([])).toMatchObject({ records: [], sightings: [] });
});
