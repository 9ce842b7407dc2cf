import { describe, expect, it } from "vitest";
import { vec3 } from "../../geometry/index.ts";
import type { Candidate } from "../state/frame.ts";
import { detectionOf, frameOf, KnownScene } from "../testing/known-scene.ts";
import { look, thing } from "../testing/toy-room.ts";
import { isReplaced, replace } from "./replacement.ts";

const percept = (timeS: number) =>
  look({
    timeS,
    from: vec3(0, 0, 1),
    at: vec3(2, 0, 0.5),
    things: [thing("v", "vase", [2, 0, 0.5], [0.3, 0.3, 0.6])],
  });

/** Whether a run of looks at a red vase's place, one every two seconds, ends in another vase. */
function run(known: KnownScene, colours: readonly string[], size = 0.6): number | undefined {
  const vase = known.thing("vase", "vase", [2, 0, 0.5], [0.3, 0.3, size], { lastUs: 1 });
  for (const [n, colour] of colours.entries()) {
    const seen = percept(100 + 2 * n);
    const { solid } = frameOf(seen).candidates[0]!;
    const candidate = { index: 0, detection: detectionOf("vase", colour), solid } as Candidate;
    if (!isReplaced(known.scene, vase, candidate, seen)) continue;
    const other = replace(known.scene, vase, candidate, seen, known.journal);
    expect(vase.identity.endedUs).toBeDefined();
    expect(vase.words.attributes.get("colour")?.best()).toBe("red");
    expect(other.doubts.cameAfterUs).toBe(vase.evidence.lastSeenUs);
    return n + 1;
  }
  return undefined;
}

describe("a twin in a thing's place", () => {
  it("is believed after three looks that agree, and not after a misread one", () => {
    expect(run(new KnownScene(), ["blue", "blue", "blue", "blue"])).toBe(3);
    expect(run(new KnownScene(), ["blue", "red", "blue", "red"])).toBeUndefined();
  });

  it("is not believed of what nobody carries", () => {
    expect(run(new KnownScene(), ["blue", "blue", "blue", "blue"], 1.5)).toBeUndefined();
  });
});
