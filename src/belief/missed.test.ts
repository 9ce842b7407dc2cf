import { expect, it } from "vitest";
import { endedIn, missedStays, withAbsence, withDepartures } from "./missed.ts";

const S = 1_000_000;
const NOW_US = 500 * S;

interface Look {
  readonly state: string;
  readonly s: number;
  readonly agentId: string;
}

const stay = (id: string, x: number, category = "towel") => ({
  record: {
    kind: "state",
    id,
    trackId: id,
    category,
    validFromUs: 0,
    validToUs: null,
    text: [],
    attributes: {},
    anchor: { submap: "world", p: { x, y: 0, z: 1 } },
  },
});

const seen = (state: string, agentId: string, ...seconds: readonly number[]): Look[] =>
  seconds.map((s) => ({ state, s, agentId }));
const every = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => from + n);

/** A towel and a teddy on one bed, and what the robots saw of them. */
function memoryOf(looks: readonly Look[], robots: readonly string[] = ["a", "b"]) {
  const states = [stay("towel", 0), stay("teddy", 0.8, "teddy bear"), stay("far", 9, "book")];
  return {
    nowUs: NOW_US,
    search: async () => robots.map((author) => ({ record: { author } })),
    recorded: async () => states,
    options: {
      reader: {
        sightings: async () =>
          looks.map(({ state, s, agentId }) => ({
            stateId: state,
            timeUs: s * S,
            agentId,
            observationId: `${agentId} ${s}`,
            outcome: "seen",
          })),
        frames: async () => undefined,
        get: async (ids: readonly string[]) => ids.map(() => undefined),
      },
    },
  } as never;
}

const both = [...seen("towel", "a", ...every(60, 75)), ...seen("teddy", "a", ...every(60, 75))];

it("misses a thing that another robot's pictures of its neighbours do not show", async () => {
  const missed = await missedStays(memoryOf([...both, ...seen("teddy", "b", ...every(190, 209))]));
  expect([...missed.values()]).toEqual([
    { stateId: "towel", trackId: "towel", lastSeenUs: 75 * S, missedUs: 190 * S },
  ]);
});

it("misses nothing where it was seen again, was mostly hidden, or the pictures are few or elsewhere", async () => {
  const again = [...both, ...seen("teddy", "b", ...every(190, 209)), ...seen("towel", "b", 209)];
  const hidden = [
    ...seen("towel", "a", 60, 75, 90),
    ...seen("teddy", "a", ...every(60, 90)),
    ...seen("teddy", "b", ...every(190, 209)),
  ];
  const few = [...both, ...seen("teddy", "b", ...every(190, 194))];
  const sameVisit = [...both, ...seen("teddy", "a", ...every(76, 94))];
  const elsewhere = [...both, ...seen("far", "b", ...every(190, 209))];
  for (const looks of [again, hidden, few, sameVisit, elsewhere])
    expect((await missedStays(memoryOf(looks))).size).toBe(0);
});

it("leaves the memory of one robot to its tracker", async () => {
  const looks = [...both, ...seen("teddy", "a", ...every(190, 209))];
  expect((await missedStays(memoryOf(looks, ["a"]))).size).toBe(0);
});

it("ends the stay, tells the absence and the departure, in every reading of the records", async () => {
  const missed = await missedStays(memoryOf([...both, ...seen("teddy", "b", ...every(190, 209))]));
  const towel = stay("towel", 0) as never;
  const past = { kinds: ["state"] as const, time: { overlaps: { fromUs: 0, toUs: NOW_US } } };
  const now = { kinds: ["state"] as const, time: { overlaps: { fromUs: NOW_US, toUs: NOW_US + 1 } } };
  expect(endedIn([towel], past as never, missed)[0]!.record.validToUs).toBe(75 * S + 1);
  expect(endedIn([towel], now as never, missed)).toEqual([]);
  expect(
    withAbsence({ stateId: "towel", firstAbsentAfterUs: null } as never, missed).firstAbsentAfterUs,
  ).toBe(190 * S);
  const [left] = withDepartures([], missed, { fromUs: 80 * S, toUs: 100 * S });
  expect(left).toMatchObject({ type: "disappear", validFromUs: 75 * S, validToUs: 190 * S });
  expect(withDepartures([], missed, { fromUs: 0, toUs: 70 * S })).toEqual([]);
});
