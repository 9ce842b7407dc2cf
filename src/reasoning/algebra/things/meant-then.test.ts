import { expect, test } from "vitest";
import type { KnownThing } from "../../../belief/thing.ts";
import type { Scope } from "../operator.ts";
import type { ThingsValue } from "../value.ts";
import { asTheyWere } from "./meant-then.ts";

const MINUTE_US = 60_000_000;
const at = (minute: number) => minute * MINUTE_US;

/** What a mug was known to do: on the shelf from minute 10 to 20, on the table from minute 40. */
const STAYS = [
  { trackId: "mug", category: "mug", fit: 1, state: { validFromUs: at(10), validToUs: at(20) } },
  { trackId: "mug", category: "mug", fit: 1, state: { validFromUs: at(40), validToUs: null } },
] as unknown as KnownThing[];
const MUG = { kind: "things", phrase: "mug", p: 1, things: [STAYS[1]] } as unknown as ThingsValue;
const memory = { nowUs: at(60), stays: async () => STAYS } as unknown as Scope["memory"];

async function startsAt(minute: number): Promise<number | undefined> {
  const then = await asTheyWere(MUG, { fromUs: at(minute), toUs: at(minute) + 1 }, { memory });
  return then?.things[0]?.state.validFromUs;
}

test("a thing is where it stood at the time that is meant", async () => {
  expect(await startsAt(15)).toBe(at(10));
  expect(await startsAt(50)).toBe(at(40));
});

test("a thing that had left its place and was in no other yet is nowhere that is known", async () => {
  expect(await startsAt(30)).toBeUndefined();
  expect(await startsAt(5)).toBeUndefined();
});

test("a thing first seen a moment later stood there before", async () => {
  expect(await startsAt(40 - 0.1)).toBe(at(40));
});
