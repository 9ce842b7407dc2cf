import { expect, test } from "vitest";
import type { Presence } from "../schema/core.ts";
import { isGlimpsed } from "./presence.ts";

const S = 1_000_000;

test.each([
  ["sideboard", 3, 2.5, true],
  ["sideboard", 8, 2.5, true],
  ["sideboard", 8, 20, false],
  ["mug", 3, 2.5, false],
] as const)(
  "a %s seen %i times over %d s was seen in passing only: %s",
  (category, seenCount, lastedS, isSo) => {
    const thing = { category, state: { validFromUs: 0 } } as never;
    const seen = { seenCount, lastSeenUs: lastedS * S } as Presence;
    expect(isGlimpsed(thing, seen)).toBe(isSo);
  },
);
