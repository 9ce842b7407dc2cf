import { isOn, isOpen, type Model } from "../model.ts";
import {
  BRIGHT,
  CALM,
  COLOURS,
  DARK,
  fabric,
  glowing,
  leaves,
  metal,
  patterned,
  plain,
  tint,
  withText,
  wood,
} from "../palette.ts";
import { ball, box, oval, round } from "../part.ts";
import type { Look, Part } from "../types.ts";

const WARM_LIGHT = [255, 236, 196] as const;

/** Personal things of a room: on the walls, on the floor, under the ceiling. */
export const DECOR: readonly Model[] = [
  {
    category: "picture",
    names: ["framed picture", "painting"],
    size: [
      [0.03, 0.03],
      [0.5, 0.9],
      [0.4, 0.6],
    ],
    colours: BRIGHT,
    materials: ["canvas"],
    affordances: ["look at"],
    hangM: [1.35, 1.5],
    parts: ({ size: { x, y, z }, main, accent }) => [
      box(-0.005, 0, 0, x - 0.01, y, z, wood(DARK)),
      box(
        x / 2 - 0.005,
        0,
        0.04,
        0.01,
        y - 0.08,
        z - 0.08,
        patterned("picture", Math.min(y, z), main, accent),
      ),
    ],
  },
  {
    category: "poster",
    names: ["poster"],
    size: [
      [0.012, 0.012],
      [0.55, 0.75],
      [0.7, 0.85],
    ],
    colours: BRIGHT,
    materials: ["paper"],
    affordances: ["look at", "read"],
    texts: "posters",
    hangM: [1.2, 1.35],
    parts: ({ size: { x, y, z }, main, text }) => [box(0, 0, 0, x, y, z, withText(plain(main), text))],
  },
  {
    category: "sign",
    names: ["wall sign"],
    size: [
      [0.02, 0.02],
      [0.4, 0.55],
      [0.18, 0.24],
    ],
    colours: ["white", "blue", "green", "red", "yellow"],
    materials: ["metal"],
    affordances: ["read"],
    texts: "signs",
    hangM: [1.5, 1.65],
    parts: ({ size: { x, y, z }, main, text }) => [box(0, 0, 0, x, y, z, withText(plain(main), text))],
  },
  {
    category: "calendar",
    names: ["wall calendar"],
    size: [
      [0.012, 0.012],
      [0.32, 0.36],
      [0.45, 0.5],
    ],
    colours: ["white"],
    materials: ["paper"],
    affordances: ["read the date"],
    texts: "calendars",
    hangM: [1.35, 1.45],
    parts: ({ size: { x, y, z }, main, accent, text }) => [
      box(0, 0, 0, x, y, z * 0.55, patterned("checker", 0.05, main, tint(main, 0.9))),
      box(0, 0, z * 0.55, x, y, z * 0.45, withText(plain(accent), text)),
    ],
  },
  {
    category: "whiteboard",
    names: ["whiteboard"],
    size: [
      [0.03, 0.03],
      [1.0, 1.3],
      [0.7, 0.8],
    ],
    colours: ["white"],
    materials: ["metal"],
    affordances: ["write", "plan"],
    texts: "whiteboards",
    hangM: [1.1, 1.2],
    parts: ({ size: { x, y, z }, text }) => [
      box(-0.005, 0, 0, x - 0.01, y, z, metal([150, 152, 156])),
      box(x / 2 - 0.005, 0, 0.03, 0.01, y - 0.06, z - 0.06, withText(plain([250, 250, 250]), text)),
    ],
  },
  {
    category: "wall clock",
    names: ["wall clock"],
    size: [
      [0.04, 0.04],
      [0.3, 0.34],
      [0.3, 0.34],
    ],
    colours: ["black", "white", "red", "blue"],
    materials: ["plastic"],
    affordances: ["read the time"],
    hangM: [1.75, 1.85],
    parts: ({ size: { x, y, z }, main }) => [
      box(-0.005, 0, 0, x - 0.01, y, z, plain(main)),
      box(x / 2 - 0.008, 0, 0.03, 0.006, y - 0.06, z - 0.06, plain([248, 248, 244])),
      box(x / 2 - 0.003, 0, z / 2, 0.006, 0.012, z * 0.36, plain(DARK)),
      box(x / 2 - 0.003, y * 0.12, z / 2 - 0.006, 0.006, y * 0.26, 0.012, plain(DARK)),
    ],
  },
  {
    category: "mirror",
    names: ["mirror"],
    size: [
      [0.03, 0.03],
      [0.5, 0.7],
      [0.65, 0.8],
    ],
    colours: ["white", "black", "brown"],
    materials: ["glass"],
    affordances: ["look at yourself"],
    hangM: [1.12, 1.16],
    parts: ({ size: { x, y, z }, main }) => [
      box(-0.005, 0, 0, x - 0.01, y, z, plain(main)),
      box(x / 2 - 0.005, 0, 0.025, 0.01, y - 0.05, z - 0.05, {
        rgb: [204, 220, 228],
        texture: "glass",
        periodM: 0.7,
        accent: [236, 244, 248],
      }),
    ],
  },
  {
    category: "wall shelf",
    names: ["wall shelf"],
    size: [
      [0.22, 0.25],
      [0.7, 1.0],
      [0.05, 0.05],
    ],
    colours: ["brown", "white", "black"],
    materials: ["wood"],
    affordances: ["put things on"],
    hangM: [1.35, 1.45],
    parts: ({ size: { x, y, z }, main }) => [box(0, 0, 0, x, y, z, wood(main))],
    shelves: ({ size: { x, y, z } }) => [
      {
        kind: "top",
        minX: -x / 2 + 0.01,
        maxX: x / 2 - 0.01,
        minY: -y / 2 + 0.02,
        maxY: y / 2 - 0.02,
        z,
        heightM: 0.4,
      },
    ],
  },
  {
    category: "rug",
    names: ["rug", "carpet"],
    size: [
      [1.0, 1.5],
      [1.4, 2.0],
      [0.008, 0.008],
    ],
    colours: ["red", "blue", "beige", "grey", "green", "purple"],
    materials: ["wool"],
    affordances: ["walk on"],
    parts: ({ size: { x, y, z }, main, accent, variant }) => [
      box(0, 0, 0, x, y, z, {
        rgb: main,
        accent,
        texture: (["carpet", "stripes", "checker"] as const)[variant % 3]!,
        periodM: variant % 3 === 0 ? 0.1 : 0.3,
      }),
    ],
  },
  {
    category: "bath mat",
    names: ["bath mat"],
    size: [
      [0.45, 0.5],
      [0.7, 0.8],
      [0.008, 0.008],
    ],
    colours: ["blue", "white", "pink", "green"],
    materials: ["cotton"],
    affordances: ["stand on"],
    parts: ({ size: { x, y, z }, main }) => [
      box(0, 0, 0, x, y, z, { rgb: main, accent: tint(main, 0.85), texture: "carpet", periodM: 0.06 }),
    ],
  },
  {
    category: "doormat",
    names: ["doormat"],
    size: [
      [0.42, 0.46],
      [0.7, 0.8],
      [0.008, 0.008],
    ],
    colours: ["brown", "grey", "green"],
    materials: ["coir"],
    affordances: ["wipe feet"],
    parts: ({ size: { x, y, z }, main }) => [
      box(0, 0, 0, x, y, z, { rgb: main, accent: tint(main, 0.7), texture: "carpet", periodM: 0.05 }),
    ],
  },
  {
    category: "floor lamp",
    names: ["floor lamp", "standing lamp"],
    size: [
      [0.36, 0.4],
      [0.36, 0.4],
      [1.5, 1.65],
    ],
    colours: ["white", "beige", "orange", "red"],
    materials: ["fabric"],
    affordances: ["give light"],
    fluents: ["power"],
    parts: (look, state) => {
      const { x, z } = look.size;
      return [
        round(0, 0, 0, x * 0.75, 0.03, metal(DARK)),
        round(0, 0, 0.03, 0.03, z - 0.33, metal(DARK)),
        round(0, 0, z - 0.3, x, 0.3, lampShade(look, isOn(state))),
      ];
    },
  },
  {
    category: "ceiling lamp",
    names: ["ceiling lamp", "pendant lamp"],
    size: [
      [0.4, 0.5],
      [0.4, 0.5],
      [0.3, 0.36],
    ],
    colours: ["white", "yellow", "black", "blue"],
    materials: ["metal"],
    affordances: ["give light"],
    fluents: ["power"],
    parts: (look, state) => {
      const { x, z } = look.size;
      return [
        round(0, 0, z - 0.03, 0.12, 0.03, metal(look.main)),
        round(0, 0, 0.14, 0.02, z - 0.17, metal(DARK)),
        round(0, 0, 0.04, x, 0.1, plain(look.main)),
        round(0, 0, 0, x * 0.8, 0.04, isOn(state) ? glowing(WARM_LIGHT, 1) : plain([200, 198, 190])),
      ];
    },
  },
  {
    category: "plant",
    names: ["ficus", "palm", "monstera", "rubber plant"],
    size: [
      [0.45, 0.6],
      [0.45, 0.6],
      [0.9, 1.4],
    ],
    colours: ["green"],
    materials: ["ceramic"],
    affordances: ["water it"],
    parts: ({ size: { x, y, z }, accent, variant }) => {
      const green = leaves(variant % 2 === 0 ? COLOURS.green : [44, 104, 52]);
      return [
        round(0, 0, 0, 0.3, 0.28, plain(accent)),
        round(0, 0, 0.28, 0.05, z * 0.45, wood(COLOURS.brown)),
        ball(0, 0, z * 0.42, x, y, z * 0.58, green),
        ball(x * 0.16, -y * 0.16, z * 0.34, x * 0.62, y * 0.62, z * 0.3, green),
      ];
    },
  },
  {
    category: "curtain",
    names: ["curtain", "curtains"],
    size: [
      [0.1, 0.1],
      [1.2, 1.8],
      [1.3, 1.4],
    ],
    colours: [...CALM, "red", "orange", "yellow"],
    materials: ["fabric"],
    affordances: ["darken the room"],
    fluents: ["openness"],
    parts: (look, state) => {
      const { x, y, z } = look.size;
      const cloth = patterned("stripes", 0.12, look.main, tint(look.main, 0.85));
      const wide = isOpen(state) ? 0.2 : y / 2;
      const side = (s: number): Part => box(0.01, s * (y / 2 - wide / 2), 0, x - 0.04, wide, z - 0.03, cloth);
      return [box(0, 0, z - 0.03, x, y, 0.03, metal([120, 100, 70])), side(1), side(-1)];
    },
  },
  {
    category: "radiator",
    names: ["radiator"],
    size: [
      [0.1, 0.12],
      [0.6, 1.0],
      [0.6, 0.65],
    ],
    colours: ["white"],
    materials: ["metal"],
    affordances: ["keep warm"],
    fluents: ["power"],
    parts: ({ size: { x, y, z }, main }) => [
      box(0, 0, 0.1, x, y, z - 0.1, patterned("stripes", 0.08, main, tint(main, 0.82))),
      box(0, y / 2 - 0.1, 0, 0.03, 0.03, 0.1, metal(main)),
      box(0, -y / 2 + 0.1, 0, 0.03, 0.03, 0.1, metal(main)),
    ],
  },
  {
    category: "fireplace",
    names: ["fireplace"],
    size: [
      [0.35, 0.4],
      [1.2, 1.4],
      [1.1, 1.2],
    ],
    colours: ["red", "grey", "white"],
    materials: ["brick"],
    affordances: ["keep warm", "relax"],
    fluents: ["power"],
    clearM: 0.7,
    parts: ({ size: { x, y, z }, main }, state) => {
      const brick = patterned("brick", 0.2, tint(main, 0.85), [190, 180, 170]);
      return [
        box(-0.03, y / 2 - 0.15, 0, x - 0.06, 0.3, z - 0.08, brick),
        box(-0.03, -y / 2 + 0.15, 0, x - 0.06, 0.3, z - 0.08, brick),
        box(-0.03, 0, 0.7, x - 0.06, y - 0.6, z - 0.78, brick),
        box(-x / 2 + 0.03, 0, 0, 0.06, y - 0.6, 0.7, plain([30, 28, 28])),
        box(0, 0, z - 0.08, x, y, 0.08, wood(COLOURS.brown)),
        box(0, 0, 0, x - 0.06, y - 0.6, 0.02, plain([60, 58, 56])),
        oval(
          0,
          0,
          0.02,
          x * 0.4,
          y * 0.3,
          0.16,
          state.power === "on" ? glowing([255, 140, 40], 1) : wood([70, 50, 36]),
        ),
      ];
    },
    shelves: ({ size: { x, y, z } }) => [
      {
        kind: "top",
        minX: -x / 2 + 0.02,
        maxX: x / 2 - 0.02,
        minY: -y / 2 + 0.05,
        maxY: y / 2 - 0.05,
        z,
        heightM: 0.4,
      },
    ],
  },
];

/** Lit shades glow in their own warm tone. */
export function lampShade(look: Look, on: boolean) {
  return on ? glowing([255, 226, 176], 1) : fabric(look.main);
}
