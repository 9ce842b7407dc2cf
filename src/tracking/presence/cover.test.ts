import { describe, expect, it } from "vitest";
import { vec3 } from "../../geometry/index.ts";
import { frameOf, KnownScene } from "../testing/known-scene.ts";
import { look, thing } from "../testing/toy-room.ts";
import { coverOf } from "./cover.ts";

const at = { from: vec3(0, 0, 1), at: vec3(2, 0, 0.5) };
const frame = (things: ReturnType<typeof thing>[]) => frameOf(look({ timeS: 0, ...at, things }));

describe("what was reported where a thing should show", () => {
  it("is nothing where nothing was", () => {
    const vase = new KnownScene().thing("vase", "vase", [2, 0, 0.5], [0.3, 0.3, 1]);
    expect(coverOf(frame([]), vase, new Map())).toBe("nothing");
  });

  it("is perhaps the thing itself where a look of its kind shares its place", () => {
    const vase = new KnownScene().thing("vase", "vase", [2, 0, 0.5], [0.3, 0.3, 1]);
    expect(coverOf(frame([thing("v", "vase", [2, 0.1, 0.5], [0.3, 0.3, 1])]), vase, new Map())).toBe(
      "perhaps itself",
    );
  });

  it("is another where one that came later stands in its place, and not where it was there before", () => {
    const known = new KnownScene();
    const vase = known.thing("vase", "vase", [2, 0, 0.5], [0.3, 0.3, 1], { lastUs: 10 });
    const lamp = known.thing("lamp", "lamp", [2, 0, 0.5], [0.3, 0.3, 1], { firstUs: 20 });
    const old = known.thing("old", "lamp", [2, 0, 0.5], [0.3, 0.3, 1], { firstUs: 5 });
    const seen = frame([thing("l", "lamp", [2, 0, 0.5], [0.3, 0.3, 1])]);
    expect(coverOf(seen, vase, new Map([[0, lamp]]))).toBe("another");
    expect(coverOf(seen, vase, new Map([[0, old]]))).not.toBe("another");
  });
});
