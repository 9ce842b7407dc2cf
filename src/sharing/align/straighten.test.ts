import { describe, expect, it } from "vitest";
import { type DrawnHouse, drawHouse, sketchHouse } from "../testing/drawn-house.ts";
import { applyLevel, composeLevel, invertLevel, type LevelPose } from "./level.ts";
import { sideOf } from "./side.ts";
import type { SketchPiece } from "./sketch.ts";
import { straighten } from "./straighten.ts";

const HERE: LevelPose = { yawRad: 0, x: 0, y: 0, z: 0 };
const PIECES = 5;

/** A map of the house in pieces along its width, each turned by so much against the one before. */
function bentMap(house: DrawnHouse, bendRad: number): { pieces: SketchPiece[]; truth: LevelPose[] } {
  let mapFromHouse: LevelPose = { yawRad: 0.7, x: 3, y: -2, z: 0 };
  const pieces: SketchPiece[] = [];
  const truth: LevelPose[] = [];
  for (let i = 0; i < PIECES; i++) {
    const begins = { x: (house.wideM * i) / PIECES, y: house.deepM / 2, z: 0 };
    const at = applyLevel(mapFromHouse, begins);
    const turn: LevelPose = composeLevel({ ...at, yawRad: bendRad }, invertLevel({ ...at, yawRad: 0 }));
    mapFromHouse = composeLevel(turn, mapFromHouse);
    const pose = { ...at, yawRad: 0.1 * i };
    const pieceFromHouse = composeLevel(invertLevel(pose), mapFromHouse);
    const knows = [Math.max(0, i / PIECES - 0.1), Math.min(1, (i + 1) / PIECES + 0.1)] as const;
    const sketch = sketchHouse(house, { mapFromHouse: pieceFromHouse, knows, offM: 0.03, seed: i + 10 });
    pieces.push({ ...sketch, frame: `piece-${i}`, author: "robot", pose });
    truth.push(invertLevel(pieceFromHouse));
  }
  return { pieces, truth };
}

const worst = (poses: readonly LevelPose[], truth: readonly LevelPose[]) =>
  Math.max(...poses.map((pose, i) => Math.hypot(pose.x - truth[i]!.x, pose.y - truth[i]!.y)));

describe("a map bent by drift", () => {
  it("is laid on the first piece by piece", () => {
    for (const seed of [1, 2, 3]) {
      const house = drawHouse(seed, 40);
      const first = sideOf(sketchHouse(house, { mapFromHouse: HERE, seed: 1 }));
      const { pieces, truth } = bentMap(house, 0.06);
      const rigid = composeLevel(truth[2]!, invertLevel(pieces[2]!.pose));
      const asItIs = pieces.map(({ pose }) => composeLevel(rigid, pose));
      expect(worst(asItIs, truth), `house ${seed}`).toBeGreaterThan(0.2);
      expect(worst(straighten(first, pieces, rigid)!, truth), `house ${seed}`).toBeLessThan(0.1);
    }
  });

  it("stays as it is where the other map knows nothing of it", () => {
    const house = drawHouse(4);
    const { pieces } = bentMap(house, 0);
    const poses = straighten(sideOf({ things: [], floors: [] }), pieces, HERE)!;
    expect(
      worst(
        poses,
        pieces.map(({ pose }) => pose),
      ),
    ).toBeLessThan(1e-6);
    expect(straighten(sideOf({ things: [], floors: [] }), [], HERE)).toEqual([]);
  });
});
