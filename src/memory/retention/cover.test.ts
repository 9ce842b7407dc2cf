import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { coverOf } from "./cover.ts";
import type { Candidate } from "./gather.ts";

const viewOf = (tracks: readonly string[], n: number): Candidate => ({
  kind: "view",
  record: { id: `view-${n}` } as Candidate["record"],
  position: undefined,
  tracks: new Set(tracks),
  citations: 0,
  bytes: 1,
});

describe("views that together show every track", () => {
  it("are few, and the first where two show as much", () => {
    const views = [["a"], ["a", "b", "c"], ["c", "b", "a"], ["d"], ["c", "d"]].map(viewOf);
    expect(coverOf(views, () => false)).toEqual(new Set(["view-1", "view-3"]));
    expect(coverOf(views, ({ record }) => record.id === "view-4")).toEqual(new Set(["view-1"]));
  });

  it("leave no track out, and none of them is for nothing", () => {
    const tracks = fc.array(fc.constantFrom(..."abcdefghij"), { maxLength: 6 });
    fc.assert(
      fc.property(fc.array(tracks, { maxLength: 12 }), fc.nat(3), (all, every) => {
        const views = all.map(viewOf);
        const stays = ({ record }: Candidate) => every > 0 && Number(record.id.slice(5)) % (every + 1) === 0;
        const cover = coverOf(views, stays);
        const left = views.filter((view) => stays(view) || cover.has(view.record.id));
        expect(new Set(left.flatMap((view) => [...view.tracks]))).toEqual(new Set(all.flat()));
        for (const view of views) if (cover.has(view.record.id)) expect(view.tracks.size).toBeGreaterThan(0);
      }),
    );
  });
});
