import { describe, expect, it } from "vitest";
import type { Interval } from "../geometry/index.ts";
import { heldChanges } from "./misreadings.ts";

const S = 1_000_000;
const LAMP = {
  trackId: "lamp",
  category: "lamp",
  state: { id: "lamp" },
  position: { x: 0, y: 0, z: 1 },
} as never;
const AT_LAMP = { submap: "world", p: { x: 0.5, y: 0, z: 1 } };

type Look = readonly [seconds: number, agentId: string];

const by = (agentId: string, ...seconds: readonly number[]): Look[] => seconds.map((s) => [s, agentId]);
const every = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => from + n);

/** The record of the lamp that a robot made. */
const lampOf = (agentId: string) => `lamp of ${agentId}`;

/** A memory that saw a lamp in these looks, on at their end, and a person beside it at these seconds. */
function seen(looks: readonly Look[], personAt: readonly number[] = []) {
  const lamp = looks.map(([s, agentId]) => ({ timeUs: s * S, agentId, stateId: lampOf(agentId) }));
  const robots = [...new Set(looks.map(([, agentId]) => agentId))];
  const person = personAt.map((s) => ({ timeUs: s * S, agentId: "a", stateId: "person", anchor: AT_LAMP }));
  const isIn = (us: number, during?: Interval) =>
    during === undefined || (us >= during.fromUs && us < (during.toUs ?? Infinity));
  const sightings = async ({ stateIds, during }: { stateIds: readonly string[]; during?: Interval }) =>
    (stateIds[0]?.startsWith("lamp") ? lamp : person).filter(({ timeUs }) => isIn(timeUs, during));
  const frames = async () => ({
    resolve: () => ({ t: { x: 0, y: 0, z: 0 }, q: { w: 1, x: 0, y: 0, z: 0 } }),
  });
  const get = async () =>
    robots.map((author) => ({
      kind: "state",
      id: lampOf(author),
      author,
      attributes: { power: { value: "on", p: 0.9, lastUs: 10_000 * S } },
    }));
  return {
    nowUs: 10_000 * S,
    recordsOf: async ({ state }: { state: { id: string } }) =>
      state.id === "lamp" ? robots.map(lampOf) : [state.id],
    stays: async () => [],
    things: async () => [{ trackId: "person", category: "person", state: { id: "person" } }],
    once: (_: string, read: () => unknown) => read(),
    roomAt: async () => ({ id: "room", storey: 0 }),
    options: { reader: { sightings, frames, get } },
  } as never;
}

const flip = (fromS: number, toS: number, to: "on" | "off", author = "a") =>
  ({
    id: `${fromS} ${to} ${author}`,
    type: "state-change",
    author,
    who: [lampOf(author)],
    detail: { attribute: "power", from: to === "on" ? "off" : "on", to },
    validFromUs: fromS * S,
    validToUs: toS * S,
  }) as never;

const times = async (changes: readonly never[], memory: never) =>
  (await heldChanges(changes, LAMP, memory)).map(({ validFromUs, validToUs }) => [
    validFromUs / S,
    validToUs! / S,
  ]);

describe("changes of a state by the looks that tell of it", () => {
  it("are none where it flips in full view and hardly any look tells of one side", async () => {
    const few = seen(by("a", ...every(90, 99), 101, 102));
    expect(await times([flip(99, 101, "on")], few)).toEqual([]);
    expect(await times([flip(99, 101, "on")], seen(by("a", ...every(90, 99), ...every(101, 110))))).toEqual([
      [99, 101],
    ]);
    // Between two visits anything may happen, and occasional observations say little about any state.
    expect(await times([flip(90, 101, "on")], few)).toEqual([[90, 101]]);
    expect(await times([flip(99, 101, "on")], seen(by("a", 99, 101)))).toEqual([[99, 101]]);
  });

  it("go in pairs: what came and went with nobody near was not so, and leaves no half of itself", async () => {
    const looks = by("a", ...every(50, 120));
    const pair = [flip(80, 81, "on"), flip(92, 98, "off")];
    expect(await times(pair, seen(looks))).toEqual([]);
    expect(await times(pair, seen(looks, every(79, 82)))).toEqual([
      [80, 81],
      [92, 98],
    ]);
    const lasting = [flip(60, 61, "on"), flip(110, 111, "off")];
    expect(await times(lasting, seen(by("a", ...every(30, 160))))).toHaveLength(2);
  });

  it("are one where several robots noticed it, between the looks of all", async () => {
    const looks = [
      ...by("a", ...every(10, 20), ...every(300, 310)),
      ...by("b", ...every(30, 40), ...every(200, 220)),
    ];
    const both = [flip(20, 300, "on", "a"), flip(40, 200, "on", "b")];
    expect(await times(both, seen(looks))).toEqual([[40, 200]]);
    // A robot that noticed no change arrived after it.
    const late = [...by("a", ...every(10, 20), ...every(300, 310)), ...by("b", ...every(200, 220))];
    expect(await times([flip(20, 300, "on", "a")], seen(late))).toEqual([[20, 200]]);
  });

  it("may lie before a visit whose first looks still took it for what it had been", async () => {
    const looks = by("a", ...every(10, 20), 100, 101, ...every(103, 120));
    expect(await times([flip(101, 102, "on")], seen(looks))).toEqual([[20, 102]]);
  });

  it("lie between the looks of a robot that noticed it and those of one that saw the new state only", async () => {
    // The robot that noticed it comes back and takes its first look for the old state.
    const looks = [...by("a", ...every(10, 20), ...every(300, 310)), ...by("b", ...every(100, 120))];
    expect(await times([flip(300, 301, "on")], seen(looks))).toEqual([[20, 100]]);
  });

  it("are told by the robot that watched, though another took one look for the old state later", async () => {
    const looks = [...by("a", ...every(10, 20), 200, 204, ...every(230, 240)), ...by("b", ...every(30, 60))];
    const both = [flip(40, 41, "on", "b"), flip(200, 204, "on", "a")];
    expect(await times(both, seen(looks))).toEqual([[40, 41]]);
  });

  it("are none where one robot's first looks contradict what another saw before and after", async () => {
    const looks = [...by("b", ...every(10, 40), ...every(100, 120)), ...by("a", ...every(60, 90))];
    expect(await times([flip(63, 64, "on")], seen(looks))).toEqual([]);
  });
});
