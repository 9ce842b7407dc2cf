import { expect, it } from "vitest";
import type { Change, MemoryReader } from "../memory/index.ts";
import type { Stored } from "../schema/core.ts";
import { keptUntilCommit } from "./kept.ts";

/** A memory of nothing but its commits. */
function commits() {
  const all: Change[] = [];
  const reader = {
    revision: () => String(all.length),
    stats: async () => ({ lastCommitUs: all.length }),
    changes: async function* ({ afterUs }: { afterUs: number }) {
      yield* all.slice(afterUs);
    },
  } as unknown as MemoryReader;
  const commit = (change: Partial<Change>) =>
    all.push({ commitUs: all.length + 1, put: [], sightings: [], frames: 0, forgotten: [], ...change });
  return { reader, commit };
}

const record = (kind: string) => ({ kind }) as Stored;

it("keeps what a commit leaves as it was, and reads again what it changed", async () => {
  const { reader, commit } = commits();
  const read = { rooms: 0, looks: 0 };
  const ask = async () => {
    await keptUntilCommit(
      reader,
      "rooms",
      async () => ++read.rooms,
      ({ kind }) => kind === "region",
    );
    await keptUntilCommit(reader, "looks", async () => ++read.looks);
    return { ...read };
  };
  expect(await ask()).toEqual({ rooms: 1, looks: 1 });
  expect(await ask()).toEqual({ rooms: 1, looks: 1 });
  // What the first commit after opening changed is not known.
  commit({ put: [record("state")] });
  expect(await ask()).toEqual({ rooms: 2, looks: 2 });
  commit({ put: [record("state")] });
  expect(await ask()).toEqual({ rooms: 2, looks: 3 });
  commit({ put: [record("region")] });
  expect(await ask()).toEqual({ rooms: 3, looks: 4 });
});

it("reads all again where the map moved or something was forgotten", async () => {
  const { reader, commit } = commits();
  let read = 0;
  const ask = () =>
    keptUntilCommit(
      reader,
      "rooms",
      async () => ++read,
      () => false,
    );
  await ask();
  commit({});
  expect(await ask()).toBe(2);
  commit({ put: [record("state")] });
  expect(await ask()).toBe(2);
  commit({ frames: 1 });
  expect(await ask()).toBe(3);
  commit({ forgotten: ["a"] });
  expect(await ask()).toBe(4);
});

it("answers although commits come faster than they are read", async () => {
  const { reader, commit } = commits();
  const busy = {
    ...reader,
    revision: () => {
      commit({ put: [record("region")] });
      return reader.revision!();
    },
  } as MemoryReader;
  let read = 0;
  for (let n = 1; n <= 3; n++) expect(await keptUntilCommit(busy, "rooms", async () => ++read)).toBe(n);
});

it("is not held up by a commit during a read that needs another cached value", async () => {
  const { reader, commit } = commits();
  const ask = () =>
    keptUntilCommit(
      reader,
      "things",
      async () => {
        commit({ put: [record("state")] });
        return `things of ${await keptUntilCommit(reader, "rooms", async () => "rooms")}`;
      },
      ({ kind }) => kind === "region",
    );
  await ask();
  commit({ put: [record("region")] });
  expect(await ask()).toBe("things of rooms");
});

it("shares a read in progress only with callers whose commits do not concern it", async () => {
  const { reader, commit } = commits();
  const gates: (() => void)[] = [];
  const ask = () =>
    keptUntilCommit(
      reader,
      "rooms",
      async () => {
        const n = gates.length + 1;
        await new Promise<void>((resolve) => gates.push(resolve));
        return n;
      },
      ({ kind }) => kind === "region",
    );
  const soon = () => new Promise((resolve) => setTimeout(resolve));
  // The first update after opening reads the time of the last commit; later ones read what changed.
  const before = ask();
  await soon();
  gates[0]!();
  expect(await before).toBe(1);
  commit({ put: [record("region")] });
  const first = ask();
  await soon();
  commit({ put: [record("state")] });
  const unconcerned = ask();
  await soon();
  gates[1]!();
  expect(await Promise.all([first, unconcerned])).toEqual([2, 2]);

  commit({ put: [record("region")] });
  const second = ask();
  await soon();
  commit({ put: [record("region")] });
  const afterwards = ask();
  await soon();
  gates[2]!();
  await soon();
  gates[3]!();
  expect(await second).toBe(3);
  expect(await afterwards).toBe(4);
});
