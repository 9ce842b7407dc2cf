import fc from "fast-check";
import { expect, it } from "vitest";
import { VoxelIndex } from "./voxel-index.ts";

const cell = fc.tuple(
  fc.integer({ min: -3, max: 3 }),
  fc.integer({ min: -1_000_000, max: 1_000_000 }),
  fc.integer({ min: -3, max: 3 }),
);

it("finds every cell that was added and no other, also after it was rebuilt", () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(cell, { selector: String, maxLength: 200 }),
      fc.array(cell, { maxLength: 50 }),
      (known, asked) => {
        const cells = Int32Array.from(known.flat());
        const index = new VoxelIndex(known.length);
        for (const entry of known.keys()) index.add(cells, entry);
        const half = known.length >> 1;
        const rebuilt = new VoxelIndex(1);
        rebuilt.rebuild(cells, half, known.length);
        for (const one of [...known, ...asked]) {
          const at = known.findIndex((other) => String(other) === String(one));
          expect(index.find(cells, ...one)).toBe(at);
          expect(rebuilt.find(cells, ...one)).toBe(at < half ? at : -1);
        }
      },
    ),
  );
});
