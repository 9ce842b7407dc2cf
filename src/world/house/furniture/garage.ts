import type { Model } from "../model.ts";
import {
  BRIGHT,
  COLOURS,
  DARK,
  fabric,
  glass,
  glowing,
  leaves,
  metal,
  patterned,
  plain,
  STEEL,
  tint,
  withText,
  wood,
} from "../palette.ts";
import { box, oval, round } from "../part.ts";
import type { Part } from "../types.ts";

const rubber = plain([28, 28, 30]);

/** For the garage, the gym and other rooms of hobbies. */
export const HOBBY: readonly Model[] = [
  {
    category: "car",
    names: ["small car", "family car"],
    size: [
      [3.5, 3.7],
      [1.6, 1.66],
      [1.42, 1.48],
    ],
    colours: ["red", "blue", "grey", "white", "black", "green"],
    materials: ["metal"],
    affordances: ["drive"],
    texts: "plates",
    parts: ({ size: { x, y, z }, main, text }) => {
      const body = plain(main);
      const window = glass([70, 92, 110]);
      const parts: Part[] = [
        box(0, 0, 0.2, x, y - 0.06, 0.34, body),
        box(-0.04, 0, 0.54, x - 0.14, y - 0.08, 0.26, body),
        box(-0.25, 0, 0.8, x * 0.52, y - 0.2, z - 0.88, window),
        box(-0.25, 0, z - 0.08, x * 0.44, y - 0.22, 0.08, body),
        box(-0.25, 0, 0.8, 0.08, y - 0.18, z - 0.88, body),
        box(x / 2 + 0.004, 0, 0.3, 0.008, 0.52, 0.12, withText(plain([246, 246, 240]), text)),
        box(-x / 2 - 0.004, 0, 0.3, 0.008, 0.52, 0.12, plain([246, 246, 240])),
        box(x / 2 - 0.05, y / 2 - 0.25, 0.54, 0.1, 0.3, 0.1, glowing([250, 248, 220], 0.4)),
        box(x / 2 - 0.05, -y / 2 + 0.25, 0.54, 0.1, 0.3, 0.1, glowing([250, 248, 220], 0.4)),
        box(-x / 2 + 0.04, y / 2 - 0.2, 0.54, 0.08, 0.22, 0.14, plain(COLOURS.red)),
        box(-x / 2 + 0.04, -y / 2 + 0.2, 0.54, 0.08, 0.22, 0.14, plain(COLOURS.red)),
      ];
      // A wheel is three boards of decreasing length: cylinders are always upright.
      for (const sx of [-1, 1])
        for (const sy of [-1, 1]) {
          const [wx, wy] = [sx * x * 0.31, sy * (y / 2 - 0.09)];
          parts.push(box(wx, wy, 0, 0.3, 0.18, 0.6, rubber));
          parts.push(box(wx, wy, 0.06, 0.48, 0.176, 0.48, rubber));
          parts.push(box(wx, wy, 0.15, 0.6, 0.172, 0.3, rubber));
          parts.push(box(wx, wy, 0.18, 0.24, 0.184, 0.24, metal(STEEL)));
        }
      return parts;
    },
  },
  {
    category: "bicycle",
    names: ["city bike", "mountain bike"],
    size: [
      [0.5, 0.5],
      [1.66, 1.72],
      [1.0, 1.06],
    ],
    colours: ["red", "blue", "green", "yellow", "black"],
    materials: ["metal"],
    affordances: ["ride"],
    movable: false,
    // Stands sideways to the wall: its length runs along y.
    parts: ({ size: { x, y, z }, main }) => {
      const frame = metal(main);
      const parts: Part[] = [];
      for (const s of [-1, 1]) {
        const middle = s * (y / 2 - 0.32);
        parts.push(box(0, middle, 0, 0.04, 0.3, 0.64, rubber));
        parts.push(box(0, middle, 0.12, 0.038, 0.52, 0.4, rubber));
        parts.push(box(0, middle, 0.17, 0.044, 0.3, 0.3, metal(STEEL)));
      }
      return [
        ...parts,
        box(0, 0, 0.3, 0.05, y - 0.7, 0.05, frame),
        box(0, 0, 0.62, 0.05, y - 0.66, 0.05, frame),
        box(0, -0.2, 0.3, 0.05, 0.05, 0.56, frame),
        box(0, -0.2, 0.86, 0.14, 0.26, 0.06, rubber),
        box(0, y / 2 - 0.36, 0.3, 0.05, 0.05, z - 0.34, frame),
        box(0, y / 2 - 0.36, z - 0.05, x, 0.04, 0.04, rubber),
      ];
    },
  },
  {
    category: "ladder",
    names: ["step ladder"],
    size: [
      [0.3, 0.34],
      [0.46, 0.5],
      [1.5, 1.7],
    ],
    colours: ["grey", "yellow", "red"],
    materials: ["metal"],
    affordances: ["reach high places"],
    parts: ({ size: { x, y, z }, main }) => {
      const rail = metal(main);
      const parts: Part[] = [];
      for (const sx of [-1, 1])
        for (const sy of [-1, 1])
          parts.push(box(sx * (x / 2 - 0.02), sy * (y / 2 - 0.02), 0, 0.04, 0.04, z - 0.03, rail));
      parts.push(box(0, 0, z - 0.03, x, y, 0.03, rail));
      for (let i = 1; i < 5; i++)
        parts.push(box(x / 2 - 0.04, 0, (i * z) / 5, 0.08, y - 0.06, 0.03, metal(STEEL)));
      return parts;
    },
  },
  {
    category: "tyre stack",
    names: ["stack of tyres"],
    size: [
      [0.6, 0.62],
      [0.6, 0.62],
      [0.66, 0.8],
    ],
    colours: ["black"],
    materials: ["rubber"],
    affordances: ["change tyres"],
    parts: ({ size: { x, z } }) => {
      const h = z / 4;
      return [0, 1, 2, 3].flatMap((i) => [
        round(0, 0, i * h, x, h * 0.88, rubber),
        round(0, 0, i * h + h * 0.88, x * 0.8, h * 0.12, plain([52, 52, 54])),
      ]);
    },
  },
  {
    category: "treadmill",
    names: ["treadmill"],
    size: [
      [1.5, 1.6],
      [0.7, 0.76],
      [1.3, 1.36],
    ],
    colours: ["black", "grey"],
    materials: ["metal"],
    affordances: ["run", "exercise"],
    fluents: ["power"],
    parts: ({ size: { x, y, z }, main }, state) => [
      box(0, 0, 0, x, y, 0.14, metal(main)),
      box(-0.05, 0, 0.14, x - 0.3, y - 0.2, 0.012, rubber),
      box(-x / 2 + 0.1, y / 2 - 0.05, 0.14, 0.07, 0.07, z - 0.3, metal(STEEL)),
      box(-x / 2 + 0.1, -y / 2 + 0.05, 0.14, 0.07, 0.07, z - 0.3, metal(STEEL)),
      box(
        -x / 2 + 0.12,
        0,
        z - 0.2,
        0.08,
        y,
        0.2,
        state.power === "on" ? glowing([80, 200, 120], 0.7) : plain(DARK),
      ),
    ],
  },
  {
    category: "dumbbell rack",
    names: ["dumbbell rack"],
    size: [
      [0.4, 0.44],
      [1.0, 1.2],
      [0.8, 0.85],
    ],
    colours: ["black", "grey"],
    materials: ["metal"],
    affordances: ["exercise"],
    clearM: 0.6,
    parts: ({ size: { x, y, z }, main }) => {
      const parts: Part[] = [
        box(0, y / 2 - 0.03, 0, x, 0.06, z, metal(main)),
        box(0, -y / 2 + 0.03, 0, x, 0.06, z, metal(main)),
        box(0, 0, 0.3, x - 0.04, y - 0.12, 0.03, metal(main)),
        box(0, 0, z - 0.2, x - 0.04, y - 0.12, 0.03, metal(main)),
      ];
      for (let i = 0; i < 4; i++)
        for (const level of [0.33, z - 0.17]) {
          const at = -y / 2 + 0.17 + (i * (y - 0.34)) / 3;
          parts.push(
            box(0.1, at, level, 0.08, 0.14, 0.14, rubber),
            box(-0.1, at, level, 0.08, 0.14, 0.14, rubber),
            box(0, at, level + 0.05, 0.2, 0.03, 0.03, metal(STEEL)),
          );
        }
      return parts;
    },
  },
  {
    category: "exercise mat",
    names: ["exercise mat"],
    size: [
      [0.6, 0.65],
      [1.7, 1.8],
      [0.008, 0.008],
    ],
    colours: ["blue", "purple", "green", "pink"],
    materials: ["rubber"],
    affordances: ["stretch", "exercise"],
    parts: ({ size: { x, y, z }, main }) => [box(0, 0, 0, x, y, z, fabric(main))],
  },
  {
    category: "garage door",
    names: ["garage door"],
    size: [
      [0.05, 0.05],
      [2.3, 2.4],
      [2.1, 2.15],
    ],
    colours: ["white", "grey", "brown"],
    materials: ["metal"],
    affordances: ["drive out"],
    hangM: [0, 0],
    parts: ({ size: { x, y, z }, main }) =>
      [0, 1, 2, 3].flatMap((i) => [
        box(0, 0, (i * z) / 4, x, y, z / 4 - 0.02, metal(main)),
        box(-0.01, 0, ((i + 1) * z) / 4 - 0.02, x - 0.02, y, 0.02, plain(tint(main, 0.6))),
      ]),
  },
  {
    category: "piano",
    names: ["upright piano"],
    size: [
      [0.6, 0.64],
      [1.4, 1.5],
      [1.15, 1.22],
    ],
    colours: ["black", "brown", "white"],
    materials: ["wood"],
    affordances: ["play music"],
    clearM: 0.7,
    parts: ({ size: { x, y, z }, main }) => [
      box(-0.13, 0, 0, x - 0.26, y, z, wood(main)),
      box(x / 2 - 0.14, 0, 0.62, 0.28, y, 0.1, wood(main)),
      box(x / 2 - 0.1, 0, 0.72, 0.16, y - 0.1, 0.02, patterned("stripes", 0.046, [248, 248, 244], DARK)),
      box(x / 2 - 0.06, y / 2 - 0.05, 0, 0.08, 0.08, 0.62, wood(main)),
      box(x / 2 - 0.06, -y / 2 + 0.05, 0, 0.08, 0.08, 0.62, wood(main)),
    ],
    shelves: ({ size: { x, y, z } }) => [
      {
        kind: "top",
        minX: -x / 2 + 0.02,
        maxX: x / 2 - 0.3,
        minY: -y / 2 + 0.05,
        maxY: y / 2 - 0.05,
        z,
        heightM: 0.5,
      },
    ],
  },
  {
    category: "play tent",
    names: ["play tent"],
    size: [
      [1.0, 1.1],
      [1.0, 1.1],
      [1.2, 1.3],
    ],
    colours: BRIGHT,
    materials: ["cotton"],
    affordances: ["play"],
    parts: ({ size: { x, y, z }, main, accent }) => [
      box(-x / 2 + 0.02, 0, 0, 0.04, y, z * 0.6, patterned("stripes", 0.25, main, accent)),
      box(0, y / 2 - 0.02, 0, x, 0.04, z * 0.6, patterned("stripes", 0.25, main, accent)),
      box(0, -y / 2 + 0.02, 0, x, 0.04, z * 0.6, patterned("stripes", 0.25, main, accent)),
      box(0, 0, z * 0.6, x, y, 0.05, fabric(main)),
      box(0, 0, z * 0.6 + 0.05, x * 0.66, y * 0.66, z * 0.16, fabric(accent)),
      box(0, 0, z * 0.76 + 0.05, x * 0.33, y * 0.33, z * 0.24 - 0.05, fabric(main)),
    ],
  },
  {
    category: "tool board",
    names: ["tool board", "pegboard"],
    size: [
      [0.05, 0.05],
      [1.0, 1.3],
      [0.6, 0.7],
    ],
    colours: ["brown", "grey"],
    materials: ["wood"],
    affordances: ["find tools"],
    hangM: [1.2, 1.3],
    parts: ({ size: { x, y, z }, main }) => {
      const parts: Part[] = [box(-0.015, 0, 0, x - 0.03, y, z, wood(main))];
      for (let i = 0; i < 5; i++) {
        const at = -y / 2 + 0.12 + (i * (y - 0.24)) / 4;
        parts.push(
          box(x / 2 - 0.015, at, 0.12, 0.03, 0.035, 0.3, metal(STEEL)),
          box(x / 2 - 0.015, at, 0.42, 0.03, 0.11, 0.06, plain(i % 2 === 0 ? COLOURS.red : DARK)),
        );
      }
      return parts;
    },
  },
  {
    category: "christmas tree",
    names: ["christmas tree"],
    size: [
      [0.9, 1.0],
      [0.9, 1.0],
      [1.6, 1.9],
    ],
    colours: ["green"],
    materials: ["plastic"],
    affordances: ["celebrate"],
    fluents: ["power"],
    parts: ({ size: { x, z } }, state) => [
      round(0, 0, 0, 0.3, 0.2, wood(COLOURS.brown)),
      ...[0, 1, 2, 3].map((i) =>
        oval(
          0,
          0,
          0.2 + (i * (z - 0.3)) / 4,
          x * (1 - i * 0.23),
          x * (1 - i * 0.23),
          (z - 0.3) / 4,
          leaves([30, 96, 48]),
        ),
      ),
      box(
        0,
        0,
        z - 0.1,
        0.08,
        0.08,
        0.1,
        state.power === "on" ? glowing([255, 220, 90], 1) : plain(COLOURS.yellow),
      ),
    ],
  },
];
