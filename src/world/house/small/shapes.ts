import type { Model } from "../model.ts";
import {
  COLOURS,
  DARK,
  fabric,
  glass,
  glowing,
  leaves,
  metal,
  paintOf,
  patterned,
  plain,
  STEEL,
  tint,
  withText,
  wood,
} from "../palette.ts";
import { ball, box, oval, round } from "../part.ts";
import type { Part } from "../types.ts";

type Shape = Model["parts"];

/** How small things are built; each fills its box from the bottom up. */
export const SHAPES = {
  mug: ({ size: { x, y, z }, main }) => [
    round(0, (x - y) / 2, 0, x, z, plain(main)),
    box(0, y / 2 - (y - x) / 2, z * 0.25, 0.012, y - x, z * 0.5, plain(main)),
  ],
  glass: ({ size: { x, z } }, state) => [
    round(0, 0, 0, x, z, glass([200, 222, 226])),
    ...(state.fill === "full" ? [round(0, 0, z * 0.1, x * 1.02, z * 0.6, plain([226, 150, 50]))] : []),
  ],
  can: ({ size: { x, z }, main, text, material }) => [
    round(0, 0, 0, x, z * 0.94, withText(paintOf(material, main), text)),
    round(0, 0, z * 0.94, x * 0.88, z * 0.06, metal(STEEL)),
  ],
  bottle: ({ size: { x, z }, main, text, material }) => [
    round(0, 0, 0, x, z * 0.68, material === "glass" ? glass(main) : withText(plain(main), text)),
    round(0, 0, z * 0.68, x * 0.42, z * 0.26, material === "glass" ? glass(main) : plain(main)),
    round(0, 0, z * 0.94, x * 0.46, z * 0.06, plain(DARK)),
  ],
  plate: ({ size: { x, z }, main }) => [
    round(0, 0, 0, x * 0.6, z * 0.5, plain(main)),
    round(0, 0, z * 0.5, x, z * 0.5, plain(main)),
  ],
  bowl: ({ size: { x, z }, main, accent }) => [
    round(0, 0, 0, x * 0.55, z * 0.3, plain(main)),
    round(0, 0, z * 0.3, x, z * 0.7, patterned("stripes", 0.1, main, accent)),
  ],
  pan: ({ size: { x, y, z }, main }) => [
    round(0, (x - y) / 2, 0, x, z, metal(main)),
    box(0, x / 2, z * 0.5, 0.03, y - x, 0.02, plain(DARK)),
  ],
  pot: ({ size: { x, y, z }, main }) => [
    round(0, 0, 0, x, z * 0.88, metal(main)),
    round(0, 0, z * 0.88, x * 0.3, z * 0.12, plain(DARK)),
    box(0, 0, z * 0.66, 0.03, y, 0.02, plain(DARK)),
  ],
  kettle: ({ size: { x, y, z }, main }, state) => [
    round(0, (x - y) / 2, 0, x, z * 0.9, metal(main)),
    round(0, (x - y) / 2, z * 0.9, x * 0.3, z * 0.1, plain(DARK)),
    box(0, x / 2, z * 0.2, 0.025, y - x, z * 0.6, plain(DARK)),
    box(
      x / 2,
      (x - y) / 2,
      0.01,
      0.006,
      0.02,
      0.02,
      state.power === "on" ? glowing([255, 120, 40], 1) : plain(DARK),
    ),
  ],
  toaster: ({ size: { x, y, z }, main }) => [
    box(0, 0, 0, x, y, z, metal(main)),
    box(-x * 0.15, 0, z, 0.03, y * 0.7, 0.004, plain(DARK)),
    box(x * 0.15, 0, z, 0.03, y * 0.7, 0.004, plain(DARK)),
  ],
  coffeeMachine: ({ size: { x, y, z }, main }, state) => [
    box(-x / 4, 0, 0, x / 2, y, z, plain(main)),
    box(x / 4, 0, z * 0.7, x / 2, y, z * 0.3, plain(main)),
    box(x / 4, 0, 0, x / 2, y, 0.03, metal(STEEL)),
    round(x / 4, 0, 0.03, y * 0.5, z * 0.3, glass([70, 46, 34])),
    box(
      x / 2,
      y * 0.3,
      z * 0.82,
      0.006,
      0.03,
      0.03,
      state.power === "on" ? glowing([80, 230, 110], 1) : plain(DARK),
    ),
  ],
  microwave: ({ size: { x, y, z }, main }, state) => [
    box(-0.005, 0, 0, x - 0.01, y, z, metal(main)),
    box(
      x / 2 - 0.005,
      y * 0.12,
      0.03,
      0.01,
      y * 0.68,
      z - 0.06,
      state.power === "on" ? glowing([240, 200, 110], 0.8) : plain([30, 32, 36]),
    ),
    box(x / 2 - 0.005, -y * 0.38, 0.03, 0.01, y * 0.18, z - 0.06, plain([80, 84, 90])),
  ],
  carton: ({ size: { x, y, z }, main, text }) => [
    box(0, 0, 0, x, y, z * 0.88, withText(plain(main), text)),
    box(0, 0, z * 0.88, x * 0.5, y, z * 0.12, plain(tint(main, 0.9))),
  ],
  block: ({ size: { x, y, z }, main, text, material }) => [
    box(0, 0, 0, x, y, z, withText(paintOf(material, main), text)),
  ],
  jar: ({ size: { x, z }, main, text, accent }) => [
    round(0, 0, 0, x, z * 0.82, withText(plain(main), text)),
    round(0, 0, z * 0.82, x * 0.9, z * 0.18, plain(accent)),
  ],
  sphere: ({ size: { x, y, z }, main }) => [ball(0, 0, 0, x, y, z, plain(main))],
  stripedBall: ({ size: { x, y, z }, main, accent }) => [
    ball(0, 0, 0, x, y, z, patterned("stripes", z / 2, main, accent)),
  ],
  banana: ({ size: { x, y, z }, main }) => [
    ball(0, 0, 0, x, y, z, plain(main)),
    box(0, y * 0.44, z * 0.4, 0.012, 0.02, z * 0.3, plain(COLOURS.brown)),
  ],
  loaf: ({ size: { x, y, z }, main }) => [
    box(0, 0, 0, x, y, z * 0.6, plain(main)),
    ball(0, 0, z * 0.2, x, y, z * 0.8, plain(tint(main, 0.9))),
  ],
  fruitBowl: ({ size: { x, z } }) => [
    round(0, 0, 0, x * 0.5, z * 0.25, wood(COLOURS.brown)),
    round(0, 0, z * 0.25, x, z * 0.35, wood(COLOURS.brown)),
    ball(x * 0.2, 0, z * 0.5, x * 0.36, x * 0.36, z * 0.5, plain(COLOURS.red)),
    ball(-x * 0.18, x * 0.16, z * 0.5, x * 0.36, x * 0.36, z * 0.45, plain(COLOURS.orange)),
    ball(-x * 0.14, -x * 0.2, z * 0.5, x * 0.36, x * 0.36, z * 0.45, plain(COLOURS.green)),
  ],
  knives: ({ size: { x, y, z } }) => [
    box(0, 0, 0, x, y, z * 0.65, wood(COLOURS.brown)),
    ...[-1, 0, 1].map((i) => box(0, i * y * 0.28, z * 0.65, 0.025, 0.018, z * 0.35, plain(DARK))),
  ],
  cloth: ({ size: { x, y, z }, main, accent }) => [box(0, 0, 0, x, y, z, fabric(main, accent))],
  foldedCloth: ({ size: { x, y, z }, main }) => [
    box(0, 0, 0, x, y, z * 0.5, fabric(main)),
    box(-x * 0.02, 0, z * 0.5, x * 0.94, y * 0.96, z * 0.5, fabric(tint(main, 1.08))),
  ],
  book: ({ size: { x, y, z }, main, text }) => [
    box(0, 0, 0, x, y, z * 0.12, plain(main)),
    box(-x * 0.02, 0, z * 0.12, x * 0.94, y * 0.96, z * 0.76, plain([238, 232, 214])),
    box(0, 0, z * 0.88, x, y, z * 0.12, withText(plain(main), text, "top")),
  ],
  standingBook: ({ size: { x, y, z }, main, text }) => [box(0, 0, 0, x, y, z, withText(plain(main), text))],
  laptop: ({ size: { x, y, z }, main }, state) => [
    box(0, 0, 0, x, y, 0.018, metal(main)),
    box(0.01, 0, 0.018, x * 0.5, y * 0.86, 0.002, plain(DARK)),
    box(-x / 2 + 0.008, 0, 0.018, 0.012, y, z - 0.018, metal(tint(main, 0.8))),
    box(-x / 2 + 0.016, 0, 0.03, 0.004, y * 0.92, z - 0.04, screen(state.power === "on")),
  ],
  slab: ({ size: { x, y, z }, main }, state) => [
    box(0, 0, 0, x, y, z * 0.8, plain(main)),
    box(
      0,
      0,
      z * 0.8,
      x * 0.92,
      y * 0.92,
      z * 0.2,
      state.power === "on" ? screen(true) : plain([26, 28, 34]),
    ),
  ],
  television: ({ size: { x, y, z }, text }, state) => [
    box(0, 0, 0, x, y * 0.4, 0.02, plain(DARK)),
    box(0, 0, 0.02, 0.04, 0.08, 0.06, plain(DARK)),
    box(0, 0, 0.08, 0.05, y, z - 0.08, plain([18, 18, 20])),
    box(
      0.0275,
      0,
      0.1,
      0.005,
      y - 0.04,
      z - 0.12,
      state.power === "on" ? withText({ ...screen(true), periodM: 0.6 }, text) : plain([30, 32, 38]),
    ),
  ],
  keyboard: ({ size: { x, y, z }, main }) => [
    box(0, 0, 0, x, y, z, patterned("checker", 0.02, main, tint(main, 1.5))),
  ],
  remote: ({ size: { x, y, z }, main }) => [
    box(0, 0, 0, x, y, z * 0.8, plain(main)),
    box(0, y * 0.25, z * 0.8, x * 0.5, y * 0.2, z * 0.2, plain(COLOURS.red)),
  ],
  headphones: ({ size: { x, y, z }, main }) => [
    box(0, y / 2 - 0.02, 0, x, 0.04, z, plain(main)),
    box(0, -y / 2 + 0.02, 0, x, 0.04, z, plain(main)),
    box(0, 0, z * 0.7, x * 0.4, y - 0.08, z * 0.3, plain(DARK)),
  ],
  printer: ({ size: { x, y, z }, main }) => [
    box(0, 0, 0, x, y, z * 0.8, plain(main)),
    box(-x * 0.2, 0, z * 0.8, x * 0.5, y * 0.7, z * 0.2, plain([240, 240, 236])),
    box(x / 2, 0, z * 0.2, 0.008, y * 0.7, z * 0.2, plain(DARK)),
  ],
  penCup: ({ size: { x, z }, main }) => [
    round(0, 0, 0, x, z * 0.6, plain(main)),
    box(x * 0.2, 0, z * 0.6, 0.012, 0.012, z * 0.4, plain(COLOURS.blue)),
    box(-x * 0.2, x * 0.1, z * 0.6, 0.012, 0.012, z * 0.34, plain(COLOURS.red)),
  ],
  lamp: (look, state) => {
    const { x, z } = look.size;
    return [
      round(0, 0, 0, x * 0.6, 0.02, metal(DARK)),
      round(0, 0, 0.02, 0.025, z * 0.5, metal(DARK)),
      round(
        0,
        0,
        z * 0.5 + 0.02,
        x,
        z * 0.5 - 0.02,
        state.power === "on" ? glowing([255, 226, 176], 1) : fabric(look.main),
      ),
    ];
  },
  frame: ({ size: { x, y, z }, main, accent }) => [
    box(-x / 2 + 0.012, 0, 0, 0.024, y, z, wood(DARK)),
    box(0.012, 0, 0, x - 0.024, y * 0.3, 0.02, wood(DARK)),
    box(-x / 2 + 0.026, 0, 0.02, 0.004, y - 0.04, z - 0.04, patterned("picture", z, main, accent)),
  ],
  vase: ({ size: { x, z }, main, accent }) => [
    round(0, 0, 0, x * 0.5, z * 0.45, plain(main)),
    round(0, 0, z * 0.45, 0.02, z * 0.3, leaves(COLOURS.green)),
    ball(0, 0, z * 0.64, x, x, z * 0.36, leaves(accent)),
  ],
  pottedPlant: ({ size: { x, z }, accent }) => [
    round(0, 0, 0, x * 0.6, z * 0.4, plain(accent)),
    ball(0, 0, z * 0.3, x, x, z * 0.7, leaves(COLOURS.green)),
  ],
  candle: ({ size: { x, z }, main }, state) => [
    round(0, 0, 0, x, z * 0.8, plain(main)),
    box(0, 0, z * 0.8, 0.01, 0.01, z * 0.2, state.power === "on" ? glowing([255, 190, 80], 1) : plain(DARK)),
  ],
  alarm: ({ size: { x, y, z }, main }) => [
    box(0, 0, 0, x - 0.004, y, z, plain(main)),
    box(x / 2 - 0.002, 0, z * 0.2, 0.004, y * 0.8, z * 0.6, glowing([220, 60, 50], 0.6)),
  ],
  bear: ({ size: { x, z }, main }) => [
    ball(0, 0, 0, x * 0.9, x * 0.8, z * 0.55, fabric(main)),
    ball(0, 0, z * 0.48, x * 0.66, x * 0.7, z * 0.42, fabric(main)),
    ball(0, x * 0.24, z * 0.8, x * 0.2, x * 0.24, z * 0.2, fabric(main)),
    ball(0, -x * 0.24, z * 0.8, x * 0.2, x * 0.24, z * 0.2, fabric(main)),
    ball(x * 0.3, x * 0.2, 0, x * 0.4, x * 0.26, z * 0.2, fabric(main)),
    ball(x * 0.3, -x * 0.2, 0, x * 0.4, x * 0.26, z * 0.2, fabric(main)),
  ],
  toyCar: ({ size: { x, y, z }, main }) => [
    box(0, 0, z * 0.22, x, y, z * 0.4, plain(main)),
    box(-x * 0.05, 0, z * 0.62, x * 0.5, y * 0.8, z * 0.38, glass([120, 160, 190])),
    box(x * 0.3, 0, 0, x * 0.2, y, z * 0.22, plain(DARK)),
    box(-x * 0.3, 0, 0, x * 0.2, y, z * 0.22, plain(DARK)),
  ],
  blocks: ({ size: { x, y, z } }) => [
    box(x * 0.25, y * 0.22, 0, x * 0.5, y * 0.5, z * 0.5, plain(COLOURS.red)),
    box(-x * 0.25, y * 0.22, 0, x * 0.5, y * 0.5, z * 0.5, plain(COLOURS.blue)),
    box(0, -y * 0.27, 0, x * 0.5, y * 0.46, z * 0.5, plain(COLOURS.green)),
    box(0, y * 0.1, z * 0.5, x * 0.5, y * 0.5, z * 0.5, plain(COLOURS.yellow)),
  ],
  doll: ({ size: { x, z }, main }) => [
    round(0, 0, 0, x, z * 0.5, fabric(main)),
    round(0, 0, z * 0.5, x * 0.5, z * 0.2, fabric(main)),
    ball(0, 0, z * 0.68, x * 0.7, x * 0.7, z * 0.32, plain([236, 196, 168])),
  ],
  backpack: ({ size: { x, y, z }, main, accent }) => [
    box(-x * 0.15, 0, 0, x * 0.7, y, z, fabric(main)),
    box(x * 0.35, 0, z * 0.08, x * 0.3, y * 0.8, z * 0.4, fabric(accent)),
  ],
  shoes: ({ size: { x, y, z }, main }) =>
    [1, -1].flatMap((s) => [
      box(0, s * y * 0.23, 0, x, y * 0.44, z * 0.45, plain(main)),
      box(-x * 0.25, s * y * 0.23, z * 0.45, x * 0.5, y * 0.4, z * 0.55, plain(main)),
    ]),
  umbrella: ({ size: { x, z }, main }) => [
    round(0, 0, 0, 0.02, z, metal(DARK)),
    round(0, 0, z * 0.15, x, z * 0.6, fabric(main)),
  ],
  hat: ({ size: { x, z }, main }) => [
    round(0, 0, 0, x, z * 0.2, fabric(main)),
    round(0, 0, z * 0.2, x * 0.6, z * 0.8, fabric(main)),
  ],
  keys: ({ size: { x, y, z } }) => [
    box(0, 0, 0, x * 0.3, y, z * 0.5, metal(COLOURS.yellow)),
    box(0, y * 0.2, z * 0.5, x, y * 0.4, z * 0.5, metal(STEEL)),
  ],
  spectacles: ({ size: { x, y, z }, main }) => [
    box(x / 2 - 0.005, 0, 0, 0.01, y, z, plain(main)),
    box(0, y / 2 - 0.005, z * 0.5, x, 0.008, 0.01, plain(main)),
    box(0, -y / 2 + 0.005, z * 0.5, x, 0.008, 0.01, plain(main)),
  ],
  roll: ({ size: { x, z }, main }) => [
    round(0, 0, 0, x, z, plain(main)),
    round(0, 0, z, x * 0.35, 0.002, plain([150, 130, 100])),
  ],
  dispenser: ({ size: { x, y, z }, main, text }) => [
    box(0, 0, 0, x * 0.8, y, z * 0.7, withText(plain(main), text)),
    round(0, 0, z * 0.7, 0.02, z * 0.25, metal(STEEL)),
    box(x * 0.2, 0, z * 0.92, x * 0.6, 0.02, z * 0.08, metal(STEEL)),
  ],
  toothbrushes: ({ size: { x, z }, main }) => [
    round(0, 0, 0, x, z * 0.55, plain(main)),
    box(x * 0.2, 0, z * 0.55, 0.012, 0.012, z * 0.45, plain(COLOURS.green)),
    box(-x * 0.2, 0, z * 0.55, 0.012, 0.012, z * 0.42, plain(COLOURS.pink)),
  ],
  dryer: ({ size: { x, y, z }, main }) => [
    box(0, 0, z * 0.4, x * 0.5, y, z * 0.6, plain(main)),
    box(0, -y * 0.3, 0, x * 0.35, y * 0.25, z * 0.4, plain(tint(main, 0.8))),
    box(x * 0.2, y * 0.2, z * 0.4, x * 0.55, y * 0.4, z * 0.4, plain(DARK)),
  ],
  iron: ({ size: { x, y, z }, main }) => [
    box(0, 0, 0, x, y, z * 0.12, metal(STEEL)),
    box(-x * 0.05, 0, z * 0.12, x * 0.8, y * 0.8, z * 0.45, plain(main)),
    box(-x * 0.1, 0, z * 0.57, x * 0.6, y * 0.3, z * 0.43, plain(DARK)),
  ],
  toolbox: ({ size: { x, y, z }, main, text }) => [
    box(0, 0, 0, x, y, z * 0.72, withText(metal(main), text)),
    box(0, 0, z * 0.72, x * 0.2, y * 0.5, z * 0.28, plain(DARK)),
  ],
  hammer: ({ size: { x, y, z } }) => [
    box(0, -y * 0.08, z * 0.25, x * 0.25, y * 0.84, z * 0.5, wood(COLOURS.brown)),
    box(0, y * 0.42, 0, x, y * 0.16, z, metal([70, 72, 76])),
  ],
  drill: ({ size: { x, y, z }, main }) => [
    box(0, 0, z * 0.55, x, y * 0.75, z * 0.45, plain(main)),
    box(0, y * 0.42, z * 0.68, x * 0.4, y * 0.16, z * 0.2, metal(STEEL)),
    box(0, -y * 0.22, 0, x * 0.8, y * 0.3, z * 0.55, plain(DARK)),
  ],
  dumbbell: ({ size: { x, y, z }, main }) => [
    box(0, y * 0.35, 0, x, y * 0.3, z, plain(main)),
    box(0, -y * 0.35, 0, x, y * 0.3, z, plain(main)),
    box(0, 0, z * 0.35, 0.03, y * 0.4, 0.03, metal(STEEL)),
  ],
  suitcase: ({ size: { x, y, z }, main }) => [
    box(0, 0, 0.03, x, y, z * 0.85 - 0.03, patterned("stripes", 0.08, main, tint(main, 0.85))),
    box(-x * 0.3, 0, z * 0.85, 0.03, y * 0.5, z * 0.15, metal(STEEL)),
    box(0, 0, 0, x * 0.8, y * 0.8, 0.03, plain(DARK)),
  ],
  guitar: ({ size: { x, y, z }, main }) => [
    oval(0, 0, 0, x, y, z * 0.24, wood(main)),
    oval(0, 0, z * 0.24, x, y * 0.8, z * 0.2, wood(main)),
    box(0, 0, z * 0.44, x * 0.4, 0.05, z * 0.56, wood([70, 48, 30])),
  ],
  fan: ({ size: { x, y, z }, main }) => [
    round(0, 0, 0, x, 0.03, plain(main)),
    round(0, 0, 0.03, 0.03, z * 0.5, plain(main)),
    box(0, 0, z * 0.45, x * 0.35, y, z * 0.55, patterned("stripes", 0.04, main, DARK)),
  ],
} satisfies Record<string, Shape>;

export type ShapeName = keyof typeof SHAPES;

function screen(on: boolean): Part["paint"] {
  return on
    ? { rgb: [60, 110, 180], accent: [220, 235, 250], texture: "screen", periodM: 0.3, glow: 0.8 }
    : plain([26, 28, 34]);
}
