import { describe, expect, it } from "vitest";
import { close } from "../records/stays.ts";
import type { Thing } from "../state/thing.ts";
import { type KnownOptions, KnownScene } from "../testing/known-scene.ts";
import { linkMoves } from "./moves.ts";

const S = 1_000_000;

/** A mug that left one place, and mugs that appeared in others where there had been none. */
function moved(known: KnownScene, to: Readonly<Record<string, KnownOptions>>): Thing[] {
  const mug = known.thing("old", "mug", [0, 0, 1], [0.1, 0.1, 0.1], { lastUs: 10 * S });
  close(known.scene, mug, 20 * S, known.journal);
  return Object.entries(to).map(([id, options], n) => {
    const one = known.thing(id, "mug", [3 + 2 * n, 0, 1], [0.1, 0.1, 0.1], { firstUs: 60 * S, ...options });
    one.doubts.cameAfterUs = 30 * S;
    return one;
  });
}

describe("moves", () => {
  it("link a stay that ended with one like it that began elsewhere", () => {
    const known = new KnownScene();
    const [mug] = moved(known, { new: {} });
    linkMoves(known.scene, known.journal);
    expect(mug!.links.movedFrom?.stateId).toBe("state-old");
    expect(mug!.trackId).toBe("track-old");
    const events = known.journal.records.filter((record) => record.kind === "event");
    expect(events.map(({ type }) => type)).toContain("move");
  });

  it("leave what has another colour, or was there before the other left, alone", () => {
    for (const options of [{ colour: "blue" }, { firstUs: 5 * S }]) {
      const known = new KnownScene();
      const [mug] = moved(known, { new: options });
      linkMoves(known.scene, known.journal);
      expect(mug!.links.movedFrom).toBeUndefined();
      expect(mug!.trackId).toBe("track-new");
    }
  });

  it("of what was pushed aside take one stray look for a slip, and several for another thing", () => {
    const linked = (at: number, looksS: readonly number[]) => {
      const known = new KnownScene();
      const mug = known.thing("old", "mug", [0, 0, 1], [0.1, 0.1, 0.1], { lastUs: 10 * S });
      close(known.scene, mug, 20 * S, known.journal);
      const one = known.thing("new", "mug", [at, 0, 1], [0.1, 0.1, 0.1], { firstUs: looksS[0]! * S });
      one.evidence.seenAgainUs = looksS[1]! * S;
      one.doubts.cameAfterUs = 1;
      linkMoves(known.scene, known.journal);
      const event = known.journal.records.find(({ kind }) => kind === "event");
      if (event) expect(event.validToUs).toBeGreaterThanOrEqual(event.validFromUs);
      return one.links.movedFrom?.stateId;
    };
    expect(linked(0.3, [5, 12])).toBe("state-old");
    expect(linked(0.3, [5, 6])).toBeUndefined();
    expect(linked(3, [5, 12])).toBeUndefined();
  });

  it("choose between two alike only what nothing else explains as well", () => {
    const known = new KnownScene();
    const mugs = moved(known, { one: {}, other: {} });
    linkMoves(known.scene, known.journal);
    expect(mugs.map(({ links }) => links.movedFrom)).toEqual([undefined, undefined]);
  });

  it("are taken back when the old one is met where it was", () => {
    const known = new KnownScene();
    const [mug] = moved(known, { new: {} });
    linkMoves(known.scene, known.journal);
    known.thing("back", "mug", [0, 0, 1], [0.1, 0.1, 0.1], { firstUs: 90 * S });
    linkMoves(known.scene, known.journal);
    expect(mug!.links.movedFrom).toBeUndefined();
    expect(mug!.trackId).toBe("track-new");
  });
});
