import { describe, expect, it } from "vitest";
import { type FrameStates, saidStates, statesOf } from "./states.ts";

const NAMES = ["openness", "power", "fill", "making"];
const WIDTH = 12;

/** A frame of 48×16 places whose left half is thing 1 and right half thing 2; of the first openness is sure, of the second nothing. */
function frame(): { states: FrameStates; numbers: Uint16Array } {
  const planes = new Uint8Array(4 * WIDTH * 4);
  for (let at = 0; at < WIDTH * 4; at++) {
    const isFirst = at % WIDTH < WIDTH / 2;
    for (let k = 0; k < 4; k++) planes[k * WIDTH * 4 + at] = isFirst && k === 0 ? 230 : 128;
  }
  const numbers = Uint16Array.from({ length: 48 * 16 }, (_, at) => (at % 48 < 24 ? 1 : 2));
  return { states: { names: NAMES, width: WIDTH, height: 4, planes }, numbers };
}

describe("states", () => {
  it("are told of the thing that shows them, and only where they are sure", () => {
    const { states, numbers } = frame();
    const [first, second] = statesOf(states, numbers, 48, 2);
    expect(saidStates(NAMES, first, "fridge", [])).toEqual({ openness: "open" });
    expect(saidStates(NAMES, second, "fridge", [])).toEqual({});
  });

  it("are told only of what can be in them, also where it has no name but may be such a thing", () => {
    const likely = [0.1, 0.9, 0.1, 0.1];
    expect(saidStates(NAMES, likely, "mug", [])).not.toHaveProperty("openness");
    expect(saidStates(NAMES, likely, "floor lamp", [])).toEqual({ power: "on" });
    expect(saidStates(NAMES, likely, "single bed", [])).toEqual({ making: "made" });
    expect(saidStates(NAMES, likely, undefined, [{ category: "wardrobe", p: 0.3 }])).toEqual({
      openness: "closed",
    });
    expect(saidStates(NAMES, likely, undefined, [{ category: "wardrobe", p: 0.1 }])).toEqual({});
  });

  it("of what hardly shows are nobody's", () => {
    const { states, numbers } = frame();
    const few = numbers.map((_, at) => (at < 8 ? 1 : 0));
    expect(statesOf(states, few, 48, 1)).toEqual([undefined]);
  });
});
