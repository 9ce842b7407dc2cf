import { describe, expect, it } from "vitest";
import { Clusters } from "./clusters.ts";

const WIDTH = 40;
const HEIGHT = 20;
const WHOLE = { left: 0, top: 0, right: WIDTH, bottom: HEIGHT };

interface Patch {
  readonly left: number;
  readonly width: number;
  readonly height?: number;
  readonly depthM: number;
}

/** For each patch, its columns in the main part of a mask that covers all patches. */
function keptOf(...patches: readonly Patch[]): number[] {
  const labels = new Uint16Array(WIDTH * HEIGHT);
  const depthM = new Float32Array(WIDTH * HEIGHT).fill(9);
  for (const patch of patches) {
    for (let j = 2; j < 2 + (patch.height ?? 14); j++) {
      for (let i = patch.left; i < patch.left + patch.width; i++) {
        labels[j * WIDTH + i] = 1;
        depthM[j * WIDTH + i] = patch.depthM;
      }
    }
  }
  const clusters = new Clusters();
  clusters.look(labels, depthM, WIDTH, 100, WHOLE);
  const all = Int32Array.from(labels.keys()).filter((at) => labels[at] === 1);
  const columns = new Set([...clusters.mainPart(all)].map((at) => at % WIDTH));
  return patches.map(({ left, width }) => {
    let count = 0;
    for (let i = left; i < left + width; i++) if (columns.has(i)) count++;
    return count;
  });
}

describe("Clusters.mainPart", () => {
  it("keeps all patches of a mask: both wings of a curtain, though they lie at different depths", () => {
    expect(keptOf({ left: 2, width: 8, depthM: 2 }, { left: 28, width: 6, depthM: 2.6 })).toEqual([8, 6]);
  });

  it("leaves out a speck, and what lies far behind", () => {
    const wing = { left: 2, width: 8, depthM: 2 };
    expect(keptOf(wing, { left: 28, width: 2, height: 2, depthM: 2.1 })).toEqual([8, 0]);
    expect(keptOf(wing, { left: 28, width: 6, depthM: 5 })).toEqual([8, 0]);
  });

  it("leaves out a rim that a sloppy mask has over the wall behind", () => {
    expect(keptOf({ left: 2, width: 10, depthM: 2 }, { left: 12, width: 2, depthM: 3 })).toEqual([10, 0]);
  });
});
