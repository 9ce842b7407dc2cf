import { type Model, type Shelf, topShelf } from "../model.ts";
import { DARK, glass, metal, paintOf, plain, STEEL, tint, WOODS, wood } from "../palette.ts";
import { box, legs, oval, round } from "../part.ts";
import type { Look, Part } from "../types.ts";
import { cabinetParts, cabinetShelves, drawerParts, WALL_M } from "./cabinet.ts";

/** Tops to put things on. */
export const TABLES: readonly Model[] = [
  {
    category: "dining table",
    names: ["dining table", "kitchen table"],
    size: [
      [0.8, 0.95],
      [1.2, 1.8],
      [0.74, 0.76],
    ],
    colours: WOODS,
    materials: ["wood"],
    affordances: ["eat", "put things on"],
    parts: (look) => slabTable(look, 0.07, 0.04),
    shelves: (look) => [topShelf(look)],
  },
  {
    category: "coffee table",
    names: ["coffee table", "low table"],
    size: [
      [0.5, 0.65],
      [0.9, 1.2],
      [0.4, 0.45],
    ],
    colours: WOODS,
    materials: ["wood", "glass"],
    affordances: ["put things on"],
    parts: (look) => {
      const { x, y, z } = look.size;
      const top = look.material === "glass" ? glass([190, 215, 215]) : wood(look.main);
      return [
        ...legs(x, y, z - 0.03, 0.05, wood(look.main)),
        box(0, 0, z - 0.03, x, y, 0.03, top),
        box(0, 0, 0.14, x - 0.06, y - 0.06, 0.02, wood(tint(look.main, 0.9))),
      ];
    },
    shelves: (look) => [topShelf(look)],
  },
  {
    category: "side table",
    names: ["side table", "round table"],
    size: [
      [0.42, 0.5],
      [0.42, 0.5],
      [0.5, 0.58],
    ],
    colours: WOODS,
    materials: ["wood", "metal"],
    affordances: ["put things on"],
    parts: (look) => {
      const { x, y, z } = look.size;
      const paint = paintOf(look.material, look.main);
      return [
        oval(0, 0, 0, x * 0.7, y * 0.7, 0.02, paint),
        round(0, 0, 0.02, 0.06, z - 0.045, paint),
        oval(0, 0, z - 0.025, x, y, 0.025, paint),
      ];
    },
    shelves: (look) => [roundTop(look)],
  },
  {
    category: "desk",
    names: ["desk", "writing desk"],
    size: [
      [0.65, 0.75],
      [1.2, 1.6],
      [0.74, 0.76],
    ],
    colours: WOODS,
    materials: ["wood"],
    affordances: ["work", "write", "charge laptop"],
    fluents: ["openness"],
    clearM: 0.75,
    slideM: 0.3,
    parts: (look, state) => {
      const { x, y, z } = look.size;
      const body = wood(look.main);
      // The pedestal on the right holds the drawer; the left stands on a panel so that knees fit between.
      const pedestal = { ...look, size: { x: x - 0.1, y: 0.4, z } };
      const shift = (parts: Part[]): Part[] =>
        parts.map((p) => ({ ...p, centre: { ...p.centre, y: p.centre.y - (y - 0.4) / 2 } }));
      return [
        box(0, 0, z - 0.03, x, y, 0.03, body),
        box(0, y / 2 - 0.015, 0, x - 0.1, 0.03, z - 0.03, body),
        ...shift([
          box(0, 0, 0, x - 0.1, 0.4, 0.5, wood(tint(look.main, 0.92))),
          box(0, 0.4 / 2 - WALL_M / 2, 0.5, x - 0.1 - 2 * WALL_M, WALL_M, z - 0.53, body),
          box(0, -0.4 / 2 + WALL_M / 2, 0.5, x - 0.1 - 2 * WALL_M, WALL_M, z - 0.53, body),
          box(-(x - 0.1) / 2 + WALL_M / 2, 0, 0.5, WALL_M, 0.4, z - 0.53, body),
          ...drawerParts(
            pedestal,
            state,
            0.5,
            z - 0.53,
            0.3,
            wood(tint(look.main, 1.06)),
            plain([220, 210, 190]),
          ),
        ]),
      ];
    },
    shelves: (look) => {
      const { x, y, z } = look.size;
      return [
        topShelf(look, 0.7),
        {
          kind: "cavity",
          minX: -x / 2 + 0.09,
          maxX: x / 2 - 0.09,
          minY: -y / 2 + 0.04,
          maxY: -y / 2 + 0.36,
          z: 0.51,
          heightM: z - 0.56,
        },
      ];
    },
  },
  {
    category: "nightstand",
    names: ["nightstand", "bedside table"],
    size: [
      [0.38, 0.42],
      [0.42, 0.48],
      [0.52, 0.56],
    ],
    colours: WOODS,
    materials: ["wood"],
    affordances: ["put things on", "store things"],
    fluents: ["openness"],
    clearM: 0.45,
    slideM: 0.25,
    parts: (look, state) => drawerChest(look, state, 2, 0.25),
    shelves: (look) => [topShelf(look), topDrawer(look, 2)],
  },
  {
    category: "tv stand",
    names: ["tv stand", "media console"],
    size: [
      [0.4, 0.45],
      [1.2, 1.7],
      [0.48, 0.52],
    ],
    colours: WOODS,
    materials: ["wood"],
    affordances: ["watch tv", "store things"],
    fluents: ["openness"],
    clearM: 0.6,
    parts: (look, state) => [
      ...legs(look.size.x, look.size.y, 0.08, 0.05, metal(DARK)),
      ...cabinetParts(look, state, {
        z: 0.08,
        height: look.size.z - 0.08,
        doors: 4,
        boards: 0,
        body: wood(look.main),
        front: wood(tint(look.main, 1.08)),
      }),
    ],
    shelves: (look) => [
      topShelf(look, 1.2),
      ...cabinetShelves(look, { z: 0.08, height: look.size.z - 0.08, boards: 0 }),
    ],
  },
  {
    category: "workbench",
    names: ["workbench"],
    size: [
      [0.6, 0.7],
      [1.4, 1.9],
      [0.88, 0.92],
    ],
    colours: ["brown", "grey"],
    materials: ["wood"],
    affordances: ["repair things", "build things"],
    clearM: 0.6,
    parts: (look) => {
      const { x, y, z } = look.size;
      return [
        ...legs(x, y, z - 0.07, 0.09, wood(look.main)),
        box(0, 0, z - 0.07, x, y, 0.07, wood(look.main)),
        box(0, 0, 0.2, x - 0.06, y - 0.06, 0.03, wood(tint(look.main, 0.85))),
        box(x / 2 + 0.005, y / 2 - 0.3, z - 0.16, 0.01, 0.2, 0.14, metal(STEEL)),
      ];
    },
    shelves: (look) => [topShelf(look, 0.6)],
  },
  {
    category: "console table",
    names: ["console table", "hall table"],
    size: [
      [0.3, 0.34],
      [0.8, 1.1],
      [0.78, 0.84],
    ],
    colours: WOODS,
    materials: ["wood"],
    affordances: ["put things on"],
    clearM: 0.4,
    parts: (look) => slabTable(look, 0.04, 0.03),
    shelves: (look) => [topShelf(look, 0.6)],
  },
];

/** Stacked drawer fronts of which the top one opens. */
export function drawerChest(
  look: Look,
  state: Parameters<Model["parts"]>[1],
  drawers: number,
  slideM: number,
): Part[] {
  const { x, y, z } = look.size;
  const body = wood(look.main);
  const tall = (z - 0.04) / drawers;
  const front = wood(tint(look.main, 1.08));
  const top = z - WALL_M - tall;
  const parts: Part[] = [
    box(-WALL_M / 2, 0, 0, x - WALL_M, y, top, body),
    box(0, 0, z - WALL_M, x, y, WALL_M, body),
    box(-x / 2 + WALL_M / 2, 0, top, WALL_M, y, tall, body),
    box(0, y / 2 - WALL_M / 2, top, x - 2 * WALL_M, WALL_M, tall, body),
    box(0, -y / 2 + WALL_M / 2, top, x - 2 * WALL_M, WALL_M, tall, body),
    ...drawerParts(look, state, top, tall, slideM, front, plain([222, 212, 192])),
  ];
  for (let i = 0; i < drawers - 1; i++) {
    const low = 0.03 + ((top - 0.03) * i) / (drawers - 1);
    parts.push(
      box(x / 2 - WALL_M / 2, 0, low, WALL_M, y - 0.01, (top - 0.03) / (drawers - 1) - 0.015, front),
    );
    parts.push(box(x / 2 + 0.006, 0, low + 0.08, 0.012, 0.1, 0.02, metal(STEEL)));
  }
  return parts;
}

/** Where things lie in the top drawer of a chest. */
export function topDrawer({ size: { x, y, z } }: Look, drawers: number): Shelf {
  const tall = (z - 0.04) / drawers;
  return {
    kind: "cavity",
    minX: -x / 2 + 0.035,
    maxX: x / 2 - 0.035,
    minY: -y / 2 + 0.04,
    maxY: y / 2 - 0.04,
    z: z - WALL_M - tall + 0.01,
    heightM: tall - 0.02,
  };
}

function slabTable(look: Look, leg: number, thick: number): Part[] {
  const { x, y, z } = look.size;
  return [...legs(x, y, z - thick, leg, wood(look.main)), box(0, 0, z - thick, x, y, thick, wood(look.main))];
}

/** The square inside a round top. */
function roundTop({ size: { x, y, z } }: Look): Shelf {
  const k = 0.35;
  return { kind: "top", minX: -x * k, maxX: x * k, minY: -y * k, maxY: y * k, z, heightM: 0.6 };
}
