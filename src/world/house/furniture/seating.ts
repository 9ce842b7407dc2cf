import { type Model, topShelf } from "../model.ts";
import { CALM, COLOURS, DARK, fabric, metal, paintOf, STEEL, tint, WOODS, wood } from "../palette.ts";
import { ball, box, legs, round } from "../part.ts";
import type { Look, Part } from "../types.ts";

const SEAT_M = 0.42;

/** Things to sit on; the seat is the part that a sitting person touches. */
export const SEATING: readonly Model[] = [
  {
    category: "sofa",
    names: ["two-seat sofa", "three-seat sofa", "corner-less couch"],
    size: [
      [0.85, 0.95],
      [1.6, 2.2],
      [0.82, 0.88],
    ],
    colours: CALM,
    materials: ["fabric", "leather"],
    affordances: ["sit", "lie down", "relax"],
    fluents: ["occupancy"],
    clearM: 0.5,
    parts: (look) => couch(look, look.size.y > 1.8 ? 3 : 2),
    shelves: (look) => [seatShelf(look)],
  },
  {
    category: "armchair",
    names: ["armchair", "reading chair"],
    size: [
      [0.8, 0.88],
      [0.8, 0.9],
      [0.82, 0.9],
    ],
    colours: ["red", "green", "blue", "beige", "grey", "yellow"],
    materials: ["fabric", "leather"],
    affordances: ["sit", "read", "relax"],
    fluents: ["occupancy"],
    clearM: 0.4,
    parts: (look) => couch(look, 1),
    shelves: (look) => [seatShelf(look)],
  },
  {
    category: "chair",
    names: ["dining chair", "wooden chair", "kitchen chair"],
    size: [
      [0.44, 0.44],
      [0.42, 0.44],
      [0.88, 0.92],
    ],
    colours: WOODS,
    materials: ["wood"],
    affordances: ["sit"],
    fluents: ["occupancy"],
    movable: true,
    parts: (look) => {
      const paint = wood(look.main);
      const { x, y, z } = look.size;
      return [
        ...legs(x, y, 0.44, 0.035, paint, 0),
        box(0, 0, 0.44, x, y, 0.035, paint),
        box(-x / 2 + 0.015, y / 2 - 0.02, 0.475, 0.03, 0.04, z - 0.475, paint),
        box(-x / 2 + 0.015, -y / 2 + 0.02, 0.475, 0.03, 0.04, z - 0.475, paint),
        box(-x / 2 + 0.015, 0, z - 0.12, 0.024, y - 0.08, 0.12, paint),
        box(-x / 2 + 0.015, 0, z - 0.28, 0.024, y - 0.08, 0.07, paint),
      ];
    },
  },
  {
    category: "office chair",
    names: ["office chair", "swivel chair"],
    size: [
      [0.56, 0.58],
      [0.56, 0.58],
      [0.98, 1.08],
    ],
    colours: ["black", "grey", "blue", "red"],
    materials: ["fabric"],
    affordances: ["sit", "work"],
    fluents: ["occupancy"],
    movable: true,
    parts: (look) => {
      const dark = metal(DARK);
      const { x, y, z } = look.size;
      return [
        box(0, 0, 0, x, 0.05, 0.06, dark),
        box(0, 0, 0, 0.05, y, 0.06, dark),
        round(0, 0, 0.06, 0.06, 0.37, metal(STEEL)),
        box(0.02, 0, 0.43, 0.46, 0.48, 0.08, fabric(look.main)),
        box(-0.22, 0, 0.5, 0.06, 0.42, z - 0.5, fabric(look.main)),
        box(0.02, 0.26, 0.5, 0.24, 0.04, 0.16, dark),
        box(0.02, -0.26, 0.5, 0.24, 0.04, 0.16, dark),
      ];
    },
  },
  {
    category: "stool",
    names: ["bar stool", "step stool"],
    size: [
      [0.36, 0.36],
      [0.36, 0.36],
      [0.62, 0.66],
    ],
    colours: ["white", "red", "yellow", "black", "brown"],
    materials: ["wood", "metal"],
    affordances: ["sit"],
    fluents: ["occupancy"],
    movable: true,
    parts: (look) => {
      const paint = paintOf(look.material, look.main);
      const { x, y, z } = look.size;
      return [
        ...legs(x * 0.8, y * 0.8, z - 0.05, 0.03, paint, 0),
        box(0, 0, 0.2, x * 0.72, 0.02, 0.02, paint),
        box(0, 0, 0.2, 0.02, y * 0.72, 0.02, paint),
        box(x * 0.4 - 0.03, 0, 0.2, 0.02, y * 0.76, 0.02, paint),
        box(-x * 0.4 + 0.03, 0, 0.2, 0.02, y * 0.76, 0.02, paint),
        round(0, 0, z - 0.05, x, 0.05, paint),
      ];
    },
  },
  {
    category: "bench",
    names: ["hall bench", "bench"],
    size: [
      [0.36, 0.4],
      [0.9, 1.2],
      [0.45, 0.48],
    ],
    colours: WOODS,
    materials: ["wood"],
    affordances: ["sit", "put on shoes"],
    fluents: ["occupancy"],
    clearM: 0.3,
    parts: (look) => {
      const { x, y, z } = look.size;
      return [
        ...legs(x, y, z - 0.05, 0.05, wood(look.main)),
        box(0, 0, z - 0.05, x, y, 0.05, wood(look.main)),
        box(0, 0, 0.1, x - 0.06, y - 0.06, 0.02, wood(tint(look.main, 0.9))),
      ];
    },
    shelves: (look) => [topShelf(look, 0.6)],
  },
  {
    category: "beanbag",
    names: ["beanbag"],
    size: [
      [0.7, 0.75],
      [0.7, 0.75],
      [0.55, 0.6],
    ],
    colours: ["red", "orange", "green", "blue", "purple", "pink"],
    materials: ["fabric"],
    affordances: ["sit", "relax"],
    fluents: ["occupancy"],
    parts: (look) => [
      round(0, 0, 0, look.size.x * 0.8, 0.06, fabric(look.main)),
      ball(0, 0, 0.01, look.size.x, look.size.y, look.size.z - 0.01, fabric(look.main)),
    ],
  },
];

/** Base, back, two arms and one cushion a seat, with scatter cushions of the accent colour. */
function couch(look: Look, seats: number): Part[] {
  const { x, y, z } = look.size;
  const cover = fabric(look.main);
  const cushion = fabric(tint(look.main, 1.1));
  const arm = 0.16;
  const wide = (y - 2 * arm) / seats;
  const parts = [
    box(0, 0, 0.06, x, y, 0.22, cover),
    ...legs(x, y, 0.06, 0.06, wood(COLOURS.brown)),
    box(-x / 2 + 0.1, 0, 0.28, 0.2, y, z - 0.28, cover),
    box(0.1, y / 2 - arm / 2, 0.28, x - 0.2, arm, 0.3, cover),
    box(0.1, -y / 2 + arm / 2, 0.28, x - 0.2, arm, 0.3, cover),
  ];
  for (let i = 0; i < seats; i++) {
    const middle = -y / 2 + arm + wide * (i + 0.5);
    parts.push(box(0.1, middle, 0.28, x - 0.2, wide - 0.015, SEAT_M - 0.28, cushion));
    parts.push(box(-x / 2 + 0.26, middle, SEAT_M, 0.12, wide - 0.03, z - SEAT_M - 0.06, cushion));
  }
  if (seats > 1)
    parts.push(box(-x / 2 + 0.38, y / 2 - arm - 0.2, SEAT_M, 0.12, 0.36, 0.32, fabric(look.accent)));
  return parts;
}

/** The seat between the arms, for a blanket or a book left behind. */
function seatShelf({ size: { x, y } }: Look) {
  return {
    kind: "top" as const,
    minX: -x / 2 + 0.46,
    maxX: x / 2 - 0.02,
    minY: -y / 2 + 0.18,
    maxY: y / 2 - 0.18,
    z: SEAT_M,
    heightM: 0.5,
  };
}
