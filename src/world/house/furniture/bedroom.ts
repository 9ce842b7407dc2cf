import type { Model } from "../model.ts";
import { CALM, fabric, patterned, tint, wood } from "../palette.ts";
import { ball, box, legs } from "../part.ts";
import type { FluentValues, Look, Part } from "../types.ts";

const sheet = fabric([240, 238, 232]);

/** Where people sleep; an unmade bed has its blanket in a heap. */
export const BEDS: readonly Model[] = [
  {
    category: "bed",
    names: ["double bed", "king-size bed"],
    size: [
      [2.04, 2.1],
      [1.5, 1.8],
      [1.0, 1.1],
    ],
    colours: CALM,
    materials: ["wood"],
    affordances: ["sleep", "lie down"],
    fluents: ["making", "occupancy"],
    parts: (look, state) => bed(look, state, 2),
    shelves: (look) => [blanketTop(look)],
  },
  {
    category: "single bed",
    names: ["single bed", "child's bed"],
    size: [
      [1.94, 2.0],
      [0.9, 1.0],
      [0.8, 0.95],
    ],
    colours: ["red", "blue", "green", "pink", "yellow", "purple"],
    materials: ["wood"],
    affordances: ["sleep", "lie down"],
    fluents: ["making", "occupancy"],
    parts: (look, state) => bed(look, state, 1),
    shelves: (look) => [blanketTop(look)],
  },
  {
    category: "crib",
    names: ["baby crib"],
    size: [
      [1.2, 1.24],
      [0.64, 0.68],
      [0.9, 0.95],
    ],
    colours: ["white", "beige", "brown"],
    materials: ["wood"],
    affordances: ["put a baby to sleep"],
    fluents: ["occupancy"],
    parts: (look) => {
      const { x, y, z } = look.size;
      const paint = wood(look.main);
      const parts = [
        ...legs(x, y, z, 0.05, paint, 0),
        box(0, 0, 0.35, x - 0.02, y - 0.02, 0.12, fabric(look.accent)),
      ];
      for (const s of [-1, 1]) {
        parts.push(box(0, s * (y / 2 - 0.02), z - 0.05, x - 0.1, 0.03, 0.05, paint));
        parts.push(box(s * (x / 2 - 0.02), 0, 0.3, 0.03, y - 0.1, z - 0.34, paint));
        for (let i = 0; i < 6; i++)
          parts.push(
            box(-x / 2 + 0.15 + (i * (x - 0.3)) / 5, s * (y / 2 - 0.02), 0.3, 0.02, 0.02, z - 0.35, paint),
          );
      }
      return parts;
    },
  },
];

/** Head at the back (wall side), feet to the front. */
function bed(look: Look, state: FluentValues, sleepers: number): Part[] {
  const { x, y, z } = look.size;
  const frame = wood(look.accent);
  const cover =
    look.variant % 3 === 0 ? patterned("stripes", 0.2, look.main, tint(look.main, 1.25)) : fabric(look.main);
  const parts: Part[] = [
    box(-x / 2 + 0.03, 0, 0, 0.06, y, z, frame),
    box(0.03, 0, 0.14, x - 0.06, y, 0.14, frame),
    ...legs(x, y, 0.14, 0.08, frame),
    box(0.03, 0, 0.28, x - 0.08, y - 0.04, 0.2, sheet),
  ];
  const wide = (y - 0.1) / sleepers;
  for (let i = 0; i < sleepers; i++) {
    parts.push(
      box(
        -x / 2 + 0.29,
        -y / 2 + 0.05 + wide * (i + 0.5),
        0.48,
        0.4,
        Math.min(wide - 0.06, 0.7),
        0.13,
        fabric([248, 246, 240]),
      ),
    );
  }
  if (state.making === "unmade") {
    parts.push(box(x / 4 + 0.03, -0.04, 0.48, x / 2 - 0.1, y - 0.12, 0.06, cover));
    parts.push(ball(-0.15, 0.05, 0.44, 0.45, y * 0.7, 0.26, cover));
  } else {
    parts.push(box(0.26, 0, 0.48, x - 0.56, y - 0.01, 0.06, cover));
    parts.push(box(-x / 2 + 0.6, 0, 0.54, 0.24, y - 0.02, 0.02, fabric(tint(look.main, 1.3))));
  }
  return parts;
}

/** The foot end, which stays flat when the head end is in a heap. */
function blanketTop({ size: { x, y } }: Look) {
  return {
    kind: "top" as const,
    minX: 0.12,
    maxX: x / 2 - 0.1,
    minY: -y / 2 + 0.15,
    maxY: y / 2 - 0.15,
    z: 0.54,
    heightM: 0.6,
  };
}
