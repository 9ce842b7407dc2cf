import { describe, expect, it } from "vitest";
import { type FrameStates, saidStates, statesOf, type ThingStates } from "./states.ts";

const NAMES = ["openness", "power", "fill", "making"];
const WIDTH = 12;

/**
 * A frame of 48×16 cells whose left half is thing 1 and right half thing 2; the first one's openness is certain, the
 * second one's unknown.
 */
function frame(): { states: FrameStates; numbers: Uint16Array } {
  const planes = new Uint8Array(4 * WIDTH * 4);
  for (let at = 0; at < WIDTH * 4; at++) {
    const isFirst = at % WIDTH < WIDTH / 2;
    for (let k = 0; k < 4; k++) planes[k * WIDTH * 4 + at] = isFirst && k === 0 ? 230 : 128;
  }
  const numbers = Uint16Array.from({ length: 48 * 16 }, (_, at) => (at % 48 < 24 ? 1 : 2));
  return {
    states: {
      names: NAMES,
      width: WIDTH,
      height: 4,
      planes,
      light: new Uint8Array(4 * WIDTH * 4),
      people: new Uint8Array(WIDTH * 4),
    },
    numbers,
  };
}

/**
 * The same frame as a sight, level and one metre high: its upper half reaches up to three metres, its lower half
 * below one.
 */
const sight = {
  width: 48,
  depthM: new Float32Array(48 * 16).fill(2),
  intrinsics: { width: 48, height: 16, fx: 8, fy: 8, cx: 24, cy: 8 },
  mapFromCamera: { p: { x: 0, y: 0, z: 1 }, q: { w: 0.5, x: -0.5, y: 0.5, z: -0.5 } },
};

function shown(likely: readonly number[], light: Partial<ThingStates> = {}): ThingStates {
  return {
    likely,
    places: 8,
    upperGlow: undefined,
    lightness: 0.5,
    saturation: 0,
    vivid: 0,
    people: 0,
    ...light,
  };
}

describe("states", () => {
  it("are told of the thing that shows them, and only where they are sure", () => {
    const { states, numbers } = frame();
    const [first, second] = statesOf(states, numbers, sight, [undefined, undefined]);
    expect(saidStates(NAMES, first, "fridge", [])).toEqual({ openness: "open" });
    expect(saidStates(NAMES, second, "fridge", [])).toEqual({});
  });

  it("are told only of what can be in them, also where it has no name but may be such a thing", () => {
    const likely = shown([0.05, 0.9, 0.1, 0.1]);
    expect(saidStates(NAMES, likely, "mug", [])).not.toHaveProperty("openness");
    expect(saidStates(NAMES, likely, "floor lamp", [])).toEqual({ power: "on" });
    expect(saidStates(NAMES, likely, "radiator", [])).toEqual({});
    expect(saidStates(NAMES, likely, "single bed", [])).toEqual({ making: "made", occupancy: "free" });
    expect(saidStates(NAMES, likely, undefined, [{ category: "wardrobe", p: 0.3 }])).toEqual({
      openness: "closed",
    });
    expect(saidStates(NAMES, likely, undefined, [{ category: "wardrobe", p: 0.1 }])).toEqual({});
    const counter = shown([0.5, 0.5, 0.5, 0.5], { places: 40 });
    expect(saidStates(NAMES, counter, "kitchen counter", [])).toEqual({});
    expect(saidStates(NAMES, counter, "kitchen counter", [{ category: "dishwasher", p: 0.25 }])).toEqual({
      power: "off",
    });
  });

  it("of drawers are closed only where it is surer than that they are open: from behind they look closed", () => {
    expect(saidStates(NAMES, shown([0.8, 0.5, 0.5, 0.5]), "nightstand", [])).toEqual({ openness: "open" });
    expect(saidStates(NAMES, shown([0.2, 0.5, 0.5, 0.5]), "nightstand", [])).toEqual({});
    expect(saidStates(NAMES, shown([0.05, 0.5, 0.5, 0.5]), "nightstand", [])).toEqual({ openness: "closed" });
  });

  it("of what hardly shows are nobody's", () => {
    const { states, numbers } = frame();
    const few = numbers.map((_, at) => (at < 8 ? 1 : 0));
    expect(statesOf(states, few, sight, [undefined])).toEqual([undefined]);
  });

  it("of lamps are what their upper part shows, and nothing where only the pole is in view", () => {
    const { states, numbers } = frame();
    // The upper rows of the left half glow.
    for (let at = 0; at < 2 * WIDTH; at++) if (at % WIDTH < WIDTH / 2) states.light[at] = 255;
    const [lamp, other] = statesOf(states, numbers, sight, [1, 1]);
    expect(lamp?.upperGlow).toBe(1);
    expect(saidStates(NAMES, lamp, "floor lamp", [])).toEqual({ power: "on" });
    expect(saidStates(NAMES, other, "floor lamp", [])).toEqual({ power: "off" });
    const [pole] = statesOf(states, numbers, sight, [3]);
    expect(pole?.upperGlow).toBeUndefined();
    expect(saidStates(NAMES, pole, "floor lamp", [])).toEqual({});
  });

  it("of screens are told by how light they are, of other things not", () => {
    const unsure = [0.5, 0.5, 0.5, 0.5];
    expect(saidStates(NAMES, shown(unsure, { lightness: 0.1 }), "television", [])).toEqual({ power: "off" });
    expect(saidStates(NAMES, shown(unsure, { lightness: 0.8 }), "monitor", [])).toEqual({ power: "on" });
    expect(saidStates(NAMES, shown(unsure, { lightness: 0.1 }), "stove", [])).toEqual({});
    // From behind, a laptop is as bright as its lid.
    expect(saidStates(NAMES, shown(unsure, { lightness: 0.8 }), "laptop", [])).toEqual({});
    expect(saidStates(NAMES, shown(unsure, { vivid: 0.2 }), "laptop", [])).toEqual({ power: "on" });
  });

  it("of stoves and kettles are off where enough of them shows no light; else the net is asked", () => {
    const unsure = [0.5, 0.5, 0.5, 0.5];
    const power = (label: string, light: Partial<ThingStates>) =>
      saidStates(NAMES, shown(unsure, light), label, [])["power"];
    expect(power("stove", { places: 40 })).toBe("off");
    expect(power("stove", { places: 5 })).toBeUndefined();
    expect(power("stove", { places: 40, vivid: 0.05 })).toBeUndefined();
    // A red kettle is equally saturated when off.
    expect(power("kettle", { places: 40, vivid: 0.6 })).toBeUndefined();
    expect(power("radiator", { places: 40 })).toBeUndefined();
  });

  it("are vivid where they are bright and coloured at once: a white lid is none", () => {
    const { states, numbers } = frame();
    const plane = WIDTH * 4;
    states.light.fill(230, plane, 2 * plane).fill(40, 2 * plane, 3 * plane);
    for (let at = 0; at < plane; at++) if (at % WIDTH < WIDTH / 2) states.light[3 * plane + at] = 255;
    const [screen, lid] = statesOf(states, numbers, sight, [undefined, undefined]);
    expect([screen?.vivid, lid?.vivid]).toEqual([1, 0]);
  });

  it("of what one does not see into are not told: what is in a bag, a mug or a kettle", () => {
    const sure = shown([0.5, 0.5, 0.95, 0.5]);
    for (const label of ["backpack", "mug", "kettle", "pot", "bottle"])
      expect(saidStates(NAMES, sure, label, [])).not.toHaveProperty("fill");
    expect(saidStates(NAMES, sure, "laundry basket", [])).toEqual({ fill: "full" });
  });

  it("of drinking glasses are full where they have a colour and empty where they are clear", () => {
    const { states, numbers } = frame();
    states.light.fill(150, 2 * WIDTH * 4, 3 * WIDTH * 4);
    const [juice] = statesOf(states, numbers, sight, [undefined, undefined]);
    expect(saidStates(NAMES, juice, "glass", [])).toEqual({ fill: "full" });
    const unsure = [0.5, 0.5, 0.5, 0.5];
    expect(saidStates(NAMES, shown(unsure, { saturation: 0.1 }), "glass", [])).toEqual({ fill: "empty" });
    expect(saidStates(NAMES, shown(unsure, { saturation: 0.3 }), "glass", [])).toEqual({});
  });

  it("of seats are free, unless somebody shows within their outline and as far away as they are", () => {
    const { states, numbers } = frame();
    for (let at = 0; at < WIDTH * 4; at++) if (at % WIDTH < 3) states.people[at] = 200;
    const [first, second] = statesOf(states, numbers, sight, [undefined, undefined]);
    expect(saidStates([], first, "sofa", [])).toEqual({ occupancy: "occupied" });
    expect(saidStates([], second, "chair", [])).toEqual({ occupancy: "free" });
    expect(saidStates([], first, "table", [])).toEqual({});
    const passing = {
      ...sight,
      depthM: sight.depthM.map((z, at) => (at % 48 < 12 && numbers[at] === 1 ? 1 : z)),
    };
    const hidden = numbers.map((number, at) => (at % 48 < 12 ? 0 : number));
    const [behind] = statesOf(states, hidden, passing, [undefined, undefined]);
    expect(saidStates([], behind, "sofa", [])).toEqual({ occupancy: "free" });
  });
});
