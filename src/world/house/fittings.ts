import type { Model } from "./model.ts";
import { CHROME, glass, metal, plain, SKY, tint, withText, wood } from "./palette.ts";
import { ball, box, oval } from "./part.ts";
import type { Part } from "./types.ts";

const skin = plain([226, 182, 150]);
const hair = plain([64, 44, 32]);

/** Door leaves, panes and people: things of the house that are neither furniture nor carried. */
export const FITTINGS: readonly Model[] = [
  {
    category: "door",
    names: ["door"],
    size: [
      [0.04, 0.04],
      [0.82, 0.82],
      [2.0, 2.0],
    ],
    colours: ["white", "brown", "beige", "grey"],
    materials: ["wood"],
    affordances: ["enter", "close off"],
    fluents: ["openness"],
    parts: ({ size, main }) => doorLeaf(size.x, size.y, size.z, main),
  },
  {
    category: "front door",
    names: ["front door"],
    size: [
      [0.05, 0.05],
      [0.9, 0.9],
      [2.0, 2.0],
    ],
    colours: ["red", "green", "blue", "brown", "black"],
    materials: ["wood"],
    affordances: ["enter", "leave the house"],
    fluents: ["openness"],
    parts: ({ size, main, text }) =>
      doorLeaf(size.x, size.y, size.z, main).map((part, i) =>
        i === 0 ? { ...part, paint: withText(part.paint, text) } : part,
      ),
  },
  {
    category: "window",
    names: ["window"],
    size: [
      [0.08, 0.08],
      [0.6, 1.6],
      [0.6, 1.2],
    ],
    colours: ["white", "brown"],
    materials: ["glass"],
    affordances: ["let light in", "look outside"],
    parts: ({ size: { x, y, z }, main }) => {
      const frame = plain(main);
      const parts: Part[] = [
        box(0, 0, 0, x, y, 0.05, frame),
        box(0, 0, z - 0.05, x, y, 0.05, frame),
        box(0, y / 2 - 0.025, 0.05, x, 0.05, z - 0.1, frame),
        box(0, -y / 2 + 0.025, 0.05, x, 0.05, z - 0.1, frame),
        box(-0.01, 0, 0.05, 0.01, y - 0.1, z - 0.1, { ...glass(SKY), glow: 0.85 }),
      ];
      if (y > 0.9) parts.push(box(0, 0, 0.05, 0.04, 0.04, z - 0.1, frame));
      return parts;
    },
  },
  {
    category: "person",
    names: ["person"],
    size: [
      [0.28, 0.28],
      [0.46, 0.46],
      [1.6, 1.85],
    ],
    colours: ["red", "blue", "green", "yellow", "purple", "orange"],
    materials: ["fabric"],
    affordances: ["ask"],
    parts: ({ size: { x, y, z }, main, accent }) => {
      const sitting = z < 1.2;
      const cloth = plain(main);
      const trousers = plain(accent);
      const hip = sitting ? 0 : z * 0.48;
      const torso = sitting ? z - 0.26 : z * 0.52 - 0.26;
      // A sitting body is as deep as its thighs; the trunk leans on the back of the seat.
      const back = sitting ? -x / 2 + 0.13 : 0;
      const legs = sitting
        ? [
            box(0.1, 0.09, 0, x - 0.2, 0.14, 0.14, trousers),
            box(0.1, -0.09, 0, x - 0.2, 0.14, 0.14, trousers),
          ]
        : [box(0, 0.09, 0, 0.16, 0.14, hip, trousers), box(0, -0.09, 0, 0.16, 0.14, hip, trousers)];
      return [
        ...legs,
        oval(back, 0, hip, 0.22, y - 0.16, torso, cloth),
        box(back, y / 2 - 0.05, hip + (sitting ? 0.05 : -0.04), 0.1, 0.09, torso - 0.06, cloth),
        box(back, -y / 2 + 0.05, hip + (sitting ? 0.05 : -0.04), 0.1, 0.09, torso - 0.06, cloth),
        ball(back + 0.01, 0, hip + torso - 0.01, 0.2, 0.17, 0.25, skin),
        ball(back - 0.01, 0, hip + torso + 0.08, 0.21, 0.19, 0.18, hair),
      ];
    },
  },
];

function doorLeaf(
  thick: number,
  width: number,
  height: number,
  main: readonly [number, number, number],
): Part[] {
  const panel = wood(main);
  const inlay = wood(tint(main, 0.88));
  return [
    box(0, 0, 0, thick, width, height, panel),
    box(0, 0, height * 0.55, thick + 0.008, width * 0.62, height * 0.36, inlay),
    box(0, 0, height * 0.1, thick + 0.008, width * 0.62, height * 0.36, inlay),
    box(0, -width / 2 + 0.07, 0.98, thick + 0.1, 0.03, 0.03, metal(CHROME)),
    box(thick / 2 + 0.045, -width / 2 + 0.12, 0.98, 0.012, 0.12, 0.02, metal(CHROME)),
    box(-thick / 2 - 0.045, -width / 2 + 0.12, 0.98, 0.012, 0.12, 0.02, metal(CHROME)),
  ];
}
