import { expect, test } from "vitest";
import type { Presence } from "../schema/core.ts";
import { isGlimpsed, missedAtUs } from "./presence.ts";

const S = 1_000_000;

test.each([
  ["sideboard", 3, 2.5, true],
  ["sideboard", 8, 2.5, true],
  ["sideboard", 8, 20, false],
  ["mug", 3, 2.5, false],
] as const)(
  "a %s seen %i times over %d s was seen in passing only: %s",
  (category, seenCount, lastedS, isSo) => {
    const stay = { category, validFromUs: 0, validToUs: 30 * S };
    const seen = { seenCount, lastSeenUs: lastedS * S, firstAbsentAfterUs: 25 * S } as Presence;
    expect(isGlimpsed(stay, seen)).toBe(isSo);
    // Every face tells what is gone by this: a glimpse that was misread is not gone.
    expect(missedAtUs(stay, seen)).toBe(isSo ? undefined : 25 * S);
  },
);
