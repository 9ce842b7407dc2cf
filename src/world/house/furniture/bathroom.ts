import { isOn, isOpen, type Model, topShelf } from "../model.ts";
import {
  CHROME,
  DARK,
  fabric,
  glass,
  glowing,
  metal,
  PORCELAIN,
  patterned,
  plain,
  tint,
  wood,
} from "../palette.ts";
import { ball, box, carcass, leaf, oval, round } from "../part.ts";
import type { Look, Part } from "../types.ts";
import { cabinetParts, cabinetShelves, WALL_M } from "./cabinet.ts";

const enamel = plain(PORCELAIN);

/** Where people wash themselves and their clothes. */
export const BATHROOM: readonly Model[] = [
  {
    category: "toilet",
    names: ["toilet"],
    size: [
      [0.66, 0.7],
      [0.38, 0.4],
      [0.78, 0.82],
    ],
    colours: ["white"],
    materials: ["ceramic"],
    affordances: ["use the toilet"],
    clearM: 0.5,
    parts: (look) => {
      const { x, y, z } = look.size;
      return [
        box(-x / 2 + 0.09, 0, 0, 0.18, y, z - 0.04, enamel),
        box(-x / 2 + 0.09, 0, z - 0.04, 0.2 - 0.02, y, 0.04, plain([226, 228, 228])),
        box(0.02, 0, 0, 0.3, 0.2, 0.3, enamel),
        oval(0.07, 0, 0.26, x - 0.2, y, 0.14, enamel),
        oval(0.07, 0, 0.4, x - 0.22, y - 0.01, 0.03, plain([252, 252, 250])),
        round(-x / 2 + 0.09, 0, z, 0.05, 0.012, metal(CHROME)),
      ];
    },
  },
  {
    category: "bathtub",
    names: ["bathtub"],
    size: [
      [0.72, 0.78],
      [1.55, 1.7],
      [0.56, 0.6],
    ],
    colours: ["white"],
    materials: ["acrylic"],
    affordances: ["take a bath"],
    fluents: ["fill"],
    clearM: 0.45,
    parts: (look, state) => {
      const { x, y, z } = look.size;
      const water = state.fill === "full" ? plain([150, 200, 220]) : plain([225, 228, 230]);
      return [
        box(0, 0, 0, x, y, 0.14, enamel),
        box(x / 2 - 0.04, 0, 0.14, 0.08, y, z - 0.14, enamel),
        box(-x / 2 + 0.04, 0, 0.14, 0.08, y, z - 0.14, enamel),
        box(0, y / 2 - 0.05, 0.14, x - 0.16, 0.1, z - 0.14, enamel),
        box(0, -y / 2 + 0.05, 0.14, x - 0.16, 0.1, z - 0.14, enamel),
        box(0, 0, 0.14, x - 0.16, y - 0.2, state.fill === "full" ? 0.3 : 0.01, water),
        round(-x / 2 + 0.05, y / 2 - 0.3, z, 0.04, 0.14, metal(CHROME)),
        box(-x / 2 + 0.11, y / 2 - 0.3, z + 0.1, 0.15, 0.03, 0.03, metal(CHROME)),
      ];
    },
  },
  {
    category: "shower",
    names: ["shower", "shower cabin"],
    size: [
      [0.86, 0.9],
      [0.86, 0.9],
      [2.0, 2.05],
    ],
    colours: ["white"],
    materials: ["glass"],
    affordances: ["take a shower"],
    clearM: 0.5,
    parts: (look) => {
      const { x, y, z } = look.size;
      const pane = glass([186, 214, 220]);
      return [
        box(0, 0, 0, x, y, 0.1, enamel),
        box(0, y / 2 - 0.01, 0.1, x, 0.02, z - 0.1, pane),
        box(
          -x / 2 + 0.02,
          -0.01,
          0.1,
          0.04,
          y - 0.06,
          z - 0.1,
          patterned("tiles", 0.12, [130, 180, 200], [220, 232, 236]),
        ),
        box(x / 2 - 0.02, y / 2 - 0.03, 0.1, 0.03, 0.03, z - 0.1, metal(CHROME)),
        box(x / 2 - 0.02, -y / 2 + 0.02, 0.1, 0.03, 0.03, z - 0.1, metal(CHROME)),
        box(x / 2 - 0.02, 0, z - 0.03, 0.03, y - 0.06, 0.03, metal(CHROME)),
        round(-x / 2 + 0.06, 0, 0.9, 0.03, 1.0, metal(CHROME)),
        box(-x / 2 + 0.14, 0, 1.88, 0.2, 0.16, 0.03, metal(CHROME)),
      ];
    },
  },
  {
    category: "washbasin",
    names: ["washbasin", "bathroom sink"],
    size: [
      [0.46, 0.5],
      [0.58, 0.75],
      [0.82, 0.86],
    ],
    colours: ["white", "grey", "blue", "brown"],
    materials: ["ceramic"],
    affordances: ["wash hands", "brush teeth"],
    fluents: ["openness"],
    clearM: 0.55,
    parts: (look, state) => {
      const { x, y, z } = look.size;
      return [
        ...cabinetParts(look, state, {
          z: 0,
          height: z - 0.1,
          doors: 2,
          boards: 0,
          body: wood(look.main),
          front: plain(tint(look.main, 1.05)),
        }),
        box(0, 0, z - 0.1, x, y, 0.1, enamel),
        oval(0.03, 0, z, x * 0.62, y * 0.5, 0.012, plain([214, 222, 226])),
        round(-x / 2 + 0.06, 0, z, 0.035, 0.16, metal(CHROME)),
        box(-x / 2 + 0.12, 0, z + 0.14, 0.13, 0.025, 0.025, metal(CHROME)),
      ];
    },
    shelves: (look) => {
      const top = topShelf(look, 0.3);
      return [
        { ...top, minY: look.size.y * 0.26, maxX: top.maxX },
        { ...top, maxY: -look.size.y * 0.26 },
        ...cabinetShelves(look, { z: 0, height: look.size.z - 0.1, boards: 0 }),
      ];
    },
  },
  {
    category: "towel rail",
    names: ["towel rail"],
    size: [
      [0.1, 0.1],
      [0.5, 0.6],
      [0.62, 0.7],
    ],
    colours: ["white", "blue", "green", "pink", "yellow", "orange"],
    materials: ["cotton"],
    affordances: ["dry hands"],
    hangM: [0.8, 1.0],
    parts: (look) => {
      const { x, y, z } = look.size;
      return [
        box(0, 0, z - 0.03, x, 0.02, 0.03, metal(CHROME)),
        box(0.01, 0, z - 0.03, 0.025, y, 0.025, metal(CHROME)),
        box(0.01, 0, 0, 0.035, y - 0.1, z - 0.03, fabric(look.main)),
      ];
    },
  },
  {
    category: "washing machine",
    names: ["washing machine"],
    size: [
      [0.6, 0.62],
      [0.6, 0.6],
      [0.85, 0.86],
    ],
    colours: ["white", "grey"],
    materials: ["steel"],
    affordances: ["wash clothes"],
    fluents: ["openness", "power"],
    clearM: 0.65,
    parts: (look, state) => machine(look, isOpen(state), isOn(state)),
    shelves: (look) => [topShelf(look, 0.5), drum(look)],
  },
  {
    category: "dryer",
    names: ["tumble dryer"],
    size: [
      [0.6, 0.62],
      [0.6, 0.6],
      [0.85, 0.86],
    ],
    colours: ["white", "grey"],
    materials: ["steel"],
    affordances: ["dry clothes"],
    fluents: ["openness", "power"],
    clearM: 0.65,
    parts: (look, state) => machine(look, isOpen(state), isOn(state)),
    shelves: (look) => [topShelf(look, 0.5), drum(look)],
  },
  {
    category: "laundry basket",
    names: ["laundry basket"],
    size: [
      [0.36, 0.4],
      [0.46, 0.52],
      [0.5, 0.56],
    ],
    colours: ["beige", "white", "blue", "grey"],
    materials: ["wicker"],
    affordances: ["collect laundry"],
    fluents: ["fill"],
    movable: true,
    parts: (look, state) => {
      const { x, y, z } = look.size;
      const parts = [
        oval(0, 0, 0, x, y, z - 0.08, patterned("checker", 0.04, look.main, tint(look.main, 0.75))),
      ];
      if (state.fill === "full")
        parts.push(ball(0, 0, z - 0.16, x * 0.9, y * 0.9, 0.16, fabric(look.accent)));
      else parts.push(oval(0, 0, z - 0.08, x, y, 0.08, patterned("checker", 0.04, look.main, DARK)));
      return parts;
    },
  },
  {
    category: "ironing board",
    names: ["ironing board"],
    size: [
      [0.36, 0.4],
      [1.15, 1.25],
      [0.86, 0.9],
    ],
    colours: ["blue", "green", "pink", "grey"],
    materials: ["cotton"],
    affordances: ["iron clothes"],
    clearM: 0.4,
    parts: (look) => {
      const { x, y, z } = look.size;
      return [
        box(0, 0, z - 0.04, x, y, 0.04, patterned("checker", 0.08, look.main, tint(look.main, 1.2))),
        box(0, y / 4, 0, 0.03, 0.03, z - 0.04, metal(CHROME)),
        box(0, -y / 4, 0, 0.03, 0.03, z - 0.04, metal(CHROME)),
        box(0, y / 4, 0, x, 0.03, 0.03, metal(CHROME)),
        box(0, -y / 4, 0, x, 0.03, 0.03, metal(CHROME)),
      ];
    },
    shelves: (look) => [topShelf(look, 0.5, 0.04)],
  },
  {
    category: "drying rack",
    names: ["clothes drying rack"],
    size: [
      [0.5, 0.55],
      [0.9, 1.1],
      [0.95, 1.0],
    ],
    colours: ["white", "blue", "red", "green"],
    materials: ["metal"],
    affordances: ["dry clothes"],
    parts: (look) => {
      const { x, y, z } = look.size;
      const rod = metal(CHROME);
      const parts: Part[] = [];
      for (const sx of [-1, 1])
        for (const sy of [-1, 1])
          parts.push(box(sx * (x / 2 - 0.015), sy * (y / 2 - 0.015), 0, 0.03, 0.03, z, rod));
      for (const sy of [-1, 1]) parts.push(box(0, sy * (y / 2 - 0.015), z - 0.02, x - 0.06, 0.03, 0.02, rod));
      for (let i = 0; i < 4; i++)
        parts.push(box(-x / 2 + 0.06 + (i * (x - 0.12)) / 3, 0, z - 0.02, 0.012, y - 0.06, 0.012, rod));
      parts.push(box(-x / 2 + 0.06, 0.1, z - 0.5, 0.02, y * 0.4, 0.49, fabric(look.main)));
      parts.push(box(x / 2 - 0.06, -0.1, z - 0.4, 0.02, y * 0.5, 0.39, fabric(look.accent)));
      return parts;
    },
  },
];

/** A front loader with a round window. */
function machine(look: Look, open: boolean, on: boolean): Part[] {
  const { x, y, z } = look.size;
  const body = metal(look.main);
  const edge = x / 2 - WALL_M;
  const parts = [
    box(-WALL_M / 2, 0, 0, x - WALL_M, y, 0.12, body),
    ...carcass(-WALL_M / 2, 0.12, x - WALL_M, y, 0.56, WALL_M, body),
    box(-WALL_M / 2, 0, 0.68, x - WALL_M, y, z - 0.68, body),
    leaf(edge, -y / 2, y / 2, 0.12, 0.56, WALL_M, open, 1, body),
    box(x / 2 - WALL_M / 2, 0, 0.68, WALL_M, y, z - 0.68, plain(tint(look.main, 0.94))),
    box(x / 2 + 0.004, -0.12, z - 0.12, 0.008, 0.16, 0.05, on ? glowing([90, 200, 240], 0.9) : plain(DARK)),
    box(x / 2 + 0.008, 0.12, z - 0.13, 0.016, 0.07, 0.07, metal(CHROME)),
  ];
  // Stacked bars of decreasing length stand for a porthole: cylinders are always upright.
  if (!open) {
    for (const [half, width] of [
      [0.17, 0.12],
      [0.14, 0.22],
      [0.09, 0.3],
    ] as const) {
      parts.push(box(x / 2 + 0.006, 0, 0.4 - half, 0.012, width, 2 * half, plain([52, 60, 72])));
    }
  }
  return parts;
}

function drum({ size: { x, y } }: Look) {
  return {
    kind: "cavity" as const,
    minX: -x / 2 + 0.03,
    maxX: x / 2 - 0.04,
    minY: -y / 2 + 0.04,
    maxY: y / 2 - 0.04,
    z: 0.14,
    heightM: 0.5,
  };
}
