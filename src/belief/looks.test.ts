import { expect, test } from "vitest";
import { type Step, visitsOf } from "./looks.ts";

const S = 1_000_000;
/** Rooms of ten metres, one beside the other. */
const memory = {
  roomAt: async ({ x }: { x: number }) => ({ id: `room-${Math.floor(x / 10)}` }),
} as never;

const at = (room: number, ...seconds: readonly number[]): Step[] =>
  seconds.map((s) => ({ timeUs: s * S, position: { x: room * 10 + 5, y: 0, z: 0 } }));

async function rooms(steps: readonly Step[]): Promise<string[]> {
  return (await visitsOf(steps, memory)).map(({ room }) => room.id);
}

test("a person who was lost from sight in a room went into it, and one who was seen on in the next stepped through", async () => {
  const kitchen = at(0, 0, 1, 2, 3);
  expect(await rooms([...kitchen, ...at(1, 4)])).toEqual(["room-0", "room-1"]);
  expect(await rooms([...kitchen, ...at(1, 4), ...at(2, 60, 61, 62)])).toEqual([
    "room-0",
    "room-1",
    "room-2",
  ]);
  expect(await rooms([...kitchen, ...at(1, 4), ...at(2, 5, 6, 7)])).toEqual(["room-0", "room-2"]);
});

test("a robot knows where it was: a single look from over a threshold is no visit", async () => {
  const own = [...at(0, 0, 1, 2, 3), ...at(1, 4), ...at(2, 60, 61, 62)];
  expect(await rooms(own.map((step) => ({ ...step, by: "robot" })))).toEqual(["room-0", "room-2"]);
});
