import { isOn, isOpen, type Model, topShelf } from "../model.ts";
import { CHROME, DARK, glowing, metal, plain, STEEL, tint, withText, wood } from "../palette.ts";
import { box, carcass, leaf, round } from "../part.ts";
import type { Look, Part } from "../types.ts";
import { cabinetParts, cabinetShelves, knob, WALL_M } from "./cabinet.ts";

const FRONTS = ["white", "grey", "green", "blue", "beige", "brown"] as const;
const COUNTER = { z: 0.08, boards: 1 } as const;
const stone = plain([92, 92, 98]);

/** What a kitchen run is made of; all are 0.6 m deep and 0.9 m high so that they stand in a row. */
export const KITCHEN: readonly Model[] = [
  {
    category: "kitchen counter",
    names: ["kitchen counter", "worktop"],
    size: [
      [0.6, 0.6],
      [0.8, 1.2],
      [0.9, 0.9],
    ],
    colours: FRONTS,
    materials: ["wood"],
    affordances: ["prepare food", "put things on"],
    fluents: ["openness"],
    clearM: 0.7,
    parts: (look, state) => counter(look, state),
    shelves: (look) => [
      topShelf(look, 0.45),
      ...cabinetShelves(look, { ...COUNTER, height: look.size.z - 0.12 }),
    ],
  },
  {
    category: "kitchen sink",
    names: ["kitchen sink"],
    size: [
      [0.6, 0.6],
      [0.8, 0.9],
      [0.9, 0.9],
    ],
    colours: FRONTS,
    materials: ["steel"],
    affordances: ["wash dishes", "get water", "wash hands"],
    fluents: ["openness"],
    clearM: 0.7,
    parts: (look, state) => {
      const { y, z } = look.size;
      return [
        ...counter(look, state),
        // A basin standing a finger above the top reads as a sink from every side without cutting the top open.
        box(0.02, 0.08, z, 0.42, 0.02, 0.012, metal(CHROME)),
        box(0.02, -y / 2 + 0.1, z, 0.42, 0.02, 0.012, metal(CHROME)),
        box(0.22, -y / 4 + 0.09, z, 0.02, y / 2 - 0.04, 0.012, metal(CHROME)),
        box(-0.18, -y / 4 + 0.09, z, 0.02, y / 2 - 0.04, 0.012, metal(CHROME)),
        box(0.02, -y / 4 + 0.09, z, 0.38, y / 2 - 0.06, 0.003, metal([120, 124, 130])),
        round(-0.24, -y / 4 + 0.09, z, 0.04, 0.26, metal(CHROME)),
        box(-0.14, -y / 4 + 0.09, z + 0.24, 0.24, 0.03, 0.03, metal(CHROME)),
      ];
    },
    shelves: (look) => {
      const top = topShelf(look, 0.45);
      return [{ ...top, minY: 0.12 }, ...cabinetShelves(look, { ...COUNTER, height: look.size.z - 0.12 })];
    },
  },
  {
    category: "stove",
    names: ["stove", "cooker"],
    size: [
      [0.6, 0.6],
      [0.6, 0.6],
      [0.9, 0.9],
    ],
    colours: ["white", "black", "grey"],
    materials: ["steel"],
    affordances: ["cook", "heat food", "bake"],
    fluents: ["power", "openness"],
    clearM: 0.75,
    parts: (look, state) => {
      const { x, y, z } = look.size;
      const body = metal(look.main);
      const hot = isOn(state) ? glowing([230, 70, 30], 0.8) : plain(DARK);
      const parts = [
        box(-WALL_M / 2, 0, 0, x - WALL_M, y, 0.16, body),
        ...carcass(-WALL_M / 2, 0.16, x - WALL_M, y, 0.58, WALL_M, body),
        box(-WALL_M / 2, 0, 0.74, x - WALL_M, y, z - 0.752, body),
        box(0, 0, z - 0.012, x, y, 0.012, plain(DARK)),
        leafOrFlap(x / 2 - WALL_M, y, 0.16, 0.58, isOpen(state), plain([24, 24, 28])),
        box(x / 2 - WALL_M / 2, 0, 0.75, WALL_M, y, 0.13, metal(STEEL)),
      ];
      for (let i = 0; i < 5; i++)
        parts.push(box(x / 2 + 0.008, -y / 2 + 0.1 + i * 0.1, 0.79, 0.016, 0.045, 0.045, plain(DARK)));
      for (const [bx, by, d] of [
        [0.13, 0.15, 0.2],
        [0.13, -0.15, 0.16],
        [-0.13, 0.15, 0.16],
        [-0.13, -0.15, 0.2],
      ] as const) {
        parts.push(round(bx, by, z, d, 0.006, hot));
      }
      if (!isOpen(state)) parts.push(box(x / 2 + 0.01, 0, 0.66, 0.02, y - 0.12, 0.025, metal(CHROME)));
      return parts;
    },
    shelves: ({ size: { x, y, z } }) => [
      {
        kind: "top",
        minX: -x / 2 + 0.04,
        maxX: x / 2 - 0.04,
        minY: -y / 2 + 0.03,
        maxY: y / 2 - 0.03,
        z: z + 0.006,
        heightM: 0.4,
      },
      {
        kind: "cavity",
        minX: -x / 2 + 0.03,
        maxX: x / 2 - 0.04,
        minY: -y / 2 + 0.04,
        maxY: y / 2 - 0.04,
        z: 0.18,
        heightM: 0.53,
      },
    ],
  },
  {
    category: "fridge",
    names: ["fridge", "refrigerator"],
    size: [
      [0.64, 0.66],
      [0.6, 0.66],
      [1.7, 1.85],
    ],
    colours: ["white", "grey", "red", "black", "blue"],
    materials: ["steel"],
    affordances: ["keep food cold", "get a drink"],
    fluents: ["openness"],
    clearM: 0.85,
    texts: "magnets",
    parts: (look, state) => {
      const { size } = look;
      const open = isOpen(state);
      const parts = cabinetParts(look, state, {
        z: 0,
        height: size.z,
        doors: 1,
        boards: 3,
        body: metal(look.main),
        front: withText(metal(tint(look.main, 1.03)), look.text),
      });
      if (!open) {
        parts.push(
          box(
            size.x / 2 + 0.012,
            look.variant % 2 === 0 ? -size.y / 2 + 0.07 : size.y / 2 - 0.07,
            0.75,
            0.024,
            0.02,
            0.5,
            metal(CHROME),
          ),
        );
        parts.push(box(size.x / 2 + 0.001, 0, size.z * 0.66, 0.002, size.y, 0.012, plain(DARK)));
      }
      return parts;
    },
    shelves: (look) => [
      topShelf(look, 0.3),
      ...cabinetShelves(look, { z: 0, height: look.size.z, boards: 3 }),
    ],
  },
  {
    category: "dishwasher",
    names: ["dishwasher"],
    size: [
      [0.6, 0.6],
      [0.6, 0.6],
      [0.9, 0.9],
    ],
    colours: ["white", "grey"],
    materials: ["steel"],
    affordances: ["wash dishes"],
    fluents: ["openness", "power"],
    clearM: 0.82,
    parts: (look, state) => {
      const { x, y, z } = look.size;
      const parts = [
        ...carcass(-WALL_M / 2, 0.08, x - WALL_M, y, z - 0.12, WALL_M, metal(STEEL)),
        box(-0.03, 0, 0, x - 0.08, y, 0.08, plain(DARK)),
        box(0, 0, z - 0.04, x, y, 0.04, stone),
        leafOrFlap(x / 2 - WALL_M, y, 0.08, z - 0.12, isOpen(state), metal(look.main)),
      ];
      if (!isOpen(state)) {
        parts.push(box(x / 2 + 0.01, 0, z - 0.14, 0.02, y - 0.14, 0.025, metal(CHROME)));
        parts.push(
          box(
            x / 2 + 0.002,
            y / 2 - 0.08,
            z - 0.09,
            0.004,
            0.06,
            0.03,
            isOn(state) ? glowing([90, 230, 120], 0.9) : plain(DARK),
          ),
        );
      }
      return parts;
    },
    shelves: (look) => [
      topShelf(look, 0.45),
      ...cabinetShelves(look, { z: 0.08, height: look.size.z - 0.12, boards: 0 }),
    ],
  },
  {
    category: "wall cupboard",
    names: ["wall cupboard", "kitchen cupboard"],
    size: [
      [0.34, 0.34],
      [0.6, 0.9],
      [0.62, 0.66],
    ],
    colours: FRONTS,
    materials: ["wood"],
    affordances: ["store dishes"],
    fluents: ["openness"],
    hangM: [1.45, 1.45],
    parts: (look, state) =>
      cabinetParts(look, state, {
        z: 0,
        height: look.size.z,
        doors: 2,
        boards: 1,
        body: wood(look.main),
        front: plain(tint(look.main, 1.04)),
      }),
    shelves: (look) => cabinetShelves(look, { z: 0, height: look.size.z, boards: 1 }),
  },
  {
    category: "range hood",
    names: ["range hood", "extractor hood"],
    size: [
      [0.42, 0.46],
      [0.6, 0.6],
      [0.6, 0.7],
    ],
    colours: ["grey", "black", "white"],
    materials: ["steel"],
    affordances: ["clear the air"],
    fluents: ["power"],
    hangM: [1.55, 1.55],
    parts: (look) => {
      const { x, y, z } = look.size;
      return [
        box(0, 0, 0, x, y, 0.1, metal(look.main)),
        box(-x / 2 + 0.15, 0, 0.1, 0.3, 0.3, z - 0.1, metal(look.main)),
      ];
    },
  },
  {
    category: "kitchen island",
    names: ["kitchen island"],
    size: [
      [0.8, 0.9],
      [1.3, 1.7],
      [0.9, 0.92],
    ],
    colours: FRONTS,
    materials: ["wood"],
    affordances: ["prepare food", "eat"],
    parts: (look) => {
      const { x, y, z } = look.size;
      return [
        box(0, 0, 0, x - 0.16, y - 0.16, z - 0.05, wood(look.main)),
        box(0, 0, z - 0.05, x, y, 0.05, stone),
        knob(x / 2 - 0.08, 0.2, 0.5),
      ];
    },
    shelves: (look) => [topShelf(look, 0.6)],
  },
];

/** Plinth, cupboard and stone top. */
function counter(look: Look, state: Parameters<Model["parts"]>[1]): Part[] {
  const { x, y, z } = look.size;
  return [
    box(-0.03, 0, 0, x - 0.08, y, COUNTER.z, plain(DARK)),
    ...cabinetParts(look, state, {
      ...COUNTER,
      height: z - 0.12,
      doors: 2,
      body: wood(look.main),
      front: plain(tint(look.main, 1.05)),
    }),
    box(0, 0, z - 0.04, x, y, 0.04, stone),
  ];
}

/** A door that folds down: shut it covers the front, open it lies flat before the body's lower edge. */
function leafOrFlap(
  x: number,
  width: number,
  z: number,
  height: number,
  open: boolean,
  paint: ReturnType<typeof plain>,
): Part {
  if (!open) return leaf(x, -width / 2, width / 2, z, height, WALL_M, false, 1, paint);
  return box(x + height / 2, 0, z, height, width, WALL_M, paint);
}
