import { type Model, type Shelf, topShelf } from "../model.ts";
import { COLOURS, DARK, metal, plain, tint, WOODS, wood } from "../palette.ts";
import { box, round } from "../part.ts";
import type { Look, Part } from "../types.ts";
import { cabinetParts, cabinetShelves, WALL_M } from "./cabinet.ts";
import { drawerChest, topDrawer } from "./tables.ts";

/** Things to keep things in. */
export const STORAGE: readonly Model[] = [
  {
    category: "bookcase",
    names: ["bookcase", "bookshelf"],
    size: [
      [0.28, 0.32],
      [0.8, 1.1],
      [1.7, 2.0],
    ],
    colours: WOODS,
    materials: ["wood"],
    affordances: ["store books", "read"],
    clearM: 0.5,
    parts: (look) => [...rackParts(look, 5, true), ...bookRows(look)],
    shelves: (look) => rackShelves(look, 5).filter((_, i) => i % 2 === look.variant % 2 || i === 2),
  },
  {
    category: "wardrobe",
    names: ["wardrobe", "closet"],
    size: [
      [0.56, 0.62],
      [1.0, 1.5],
      [1.95, 2.1],
    ],
    colours: WOODS,
    materials: ["wood"],
    affordances: ["store clothes", "get dressed"],
    fluents: ["openness"],
    clearM: 0.75,
    parts: (look, state) =>
      cabinetParts(look, state, {
        ...WARDROBE(look),
        doors: 2,
        body: wood(look.main),
        front: wood(tint(look.main, 1.08)),
      }),
    shelves: (look) => cabinetShelves(look, WARDROBE(look)),
  },
  {
    category: "dresser",
    names: ["dresser", "chest of drawers"],
    size: [
      [0.44, 0.48],
      [0.8, 1.1],
      [0.82, 0.95],
    ],
    colours: WOODS,
    materials: ["wood"],
    affordances: ["store clothes"],
    fluents: ["openness"],
    clearM: 0.6,
    slideM: 0.3,
    parts: (look, state) => drawerChest(look, state, 4, 0.3),
    shelves: (look) => [topShelf(look, 0.6), topDrawer(look, 4)],
  },
  {
    category: "sideboard",
    names: ["sideboard", "credenza"],
    size: [
      [0.42, 0.46],
      [1.2, 1.6],
      [0.78, 0.85],
    ],
    colours: WOODS,
    materials: ["wood"],
    affordances: ["store dishes"],
    fluents: ["openness"],
    clearM: 0.65,
    parts: (look, state) =>
      cabinetParts(look, state, {
        z: 0,
        height: look.size.z,
        doors: 4,
        boards: 1,
        body: wood(look.main),
        front: wood(tint(look.main, 1.1)),
      }),
    shelves: (look) => [
      topShelf(look, 0.6),
      ...cabinetShelves(look, { z: 0, height: look.size.z, boards: 1 }),
    ],
  },
  {
    category: "filing cabinet",
    names: ["filing cabinet"],
    size: [
      [0.5, 0.55],
      [0.42, 0.46],
      [1.0, 1.1],
    ],
    colours: ["grey", "black", "white"],
    materials: ["metal"],
    affordances: ["store documents"],
    fluents: ["openness"],
    clearM: 0.6,
    slideM: 0.3,
    parts: (look, state) =>
      drawerChest(look, state, 3, 0.3).map((p) => ({ ...p, paint: metal(p.paint.rgb) })),
    shelves: (look) => [topShelf(look, 0.5), topDrawer(look, 3)],
  },
  {
    category: "shoe rack",
    names: ["shoe rack"],
    size: [
      [0.32, 0.36],
      [0.7, 0.9],
      [0.5, 0.6],
    ],
    colours: WOODS,
    materials: ["wood"],
    affordances: ["store shoes"],
    clearM: 0.4,
    parts: (look) => rackParts(look, 2, false),
    shelves: (look) => [topShelf(look, 0.5), ...rackShelves(look, 2)],
  },
  {
    category: "shelf rack",
    names: ["metal shelf", "storage rack"],
    size: [
      [0.4, 0.48],
      [1.0, 1.4],
      [1.7, 1.9],
    ],
    colours: ["grey", "blue"],
    materials: ["metal"],
    affordances: ["store tools", "store things"],
    clearM: 0.5,
    parts: (look) => {
      const { x, y, z } = look.size;
      const post = metal(look.main);
      const parts: Part[] = [];
      for (const sx of [-1, 1])
        for (const sy of [-1, 1])
          parts.push(box(sx * (x / 2 - 0.02), sy * (y / 2 - 0.02), 0, 0.04, 0.04, z, post));
      for (let i = 0; i < 4; i++)
        parts.push(box(0, 0, rackLevel(z, 4, i), x - 0.01, y - 0.01, WALL_M, metal(tint(look.main, 1.15))));
      return parts;
    },
    shelves: (look) => rackShelves(look, 4),
  },
  {
    category: "toy chest",
    names: ["toy chest", "toy box"],
    size: [
      [0.42, 0.46],
      [0.7, 0.85],
      [0.45, 0.5],
    ],
    colours: ["red", "yellow", "green", "blue", "pink", "white"],
    materials: ["wood"],
    affordances: ["store toys"],
    fluents: ["openness"],
    clearM: 0.5,
    parts: (look, state) => [
      ...cabinetParts(look, state, {
        z: 0,
        height: look.size.z,
        doors: 2,
        boards: 0,
        body: wood(look.main),
        front: { ...plain(look.accent) },
      }),
    ],
    shelves: (look) => [
      topShelf(look, 0.5),
      ...cabinetShelves(look, { z: 0, height: look.size.z, boards: 0 }),
    ],
  },
  {
    category: "coat rack",
    names: ["coat rack", "coat stand"],
    size: [
      [0.42, 0.42],
      [0.42, 0.42],
      [1.72, 1.78],
    ],
    colours: ["black", "brown"],
    materials: ["wood"],
    affordances: ["hang coats"],
    parts: (look) => {
      const { z } = look.size;
      const paint = wood(look.main);
      const coat = COLOURS[(["blue", "green", "red", "grey"] as const)[look.variant % 4]!];
      return [
        round(0, 0, 0, 0.4, 0.03, paint),
        round(0, 0, 0.03, 0.05, z - 0.03, paint),
        box(0, 0, z - 0.14, 0.38, 0.025, 0.025, paint),
        box(0, 0, z - 0.22, 0.025, 0.38, 0.025, paint),
        box(0.12, 0, z - 1.0, 0.1, 0.34, 0.86, { ...plain(coat), texture: "fabric", periodM: 0.04 }),
      ];
    },
  },
  {
    category: "rubbish bin",
    names: ["rubbish bin", "waste bin"],
    size: [
      [0.26, 0.3],
      [0.26, 0.3],
      [0.42, 0.6],
    ],
    colours: ["grey", "white", "green", "black"],
    materials: ["steel", "plastic"],
    affordances: ["throw away"],
    fluents: ["fill"],
    parts: (look) => [
      round(0, 0, 0, look.size.x, look.size.z - 0.04, metal(look.main)),
      round(0, 0, look.size.z - 0.04, look.size.x * 0.94, 0.04, plain(DARK)),
    ],
  },
];

const WARDROBE = ({ size }: Look) => ({ z: 0, height: size.z, boards: 2 });

function rackLevel(z: number, shelves: number, i: number): number {
  return 0.04 + ((z - 0.06) * i) / shelves;
}

/** Two sides, a back and boards at even heights, the topmost at the top. */
function rackParts(look: Look, shelves: number, back: boolean): Part[] {
  const { x, y, z } = look.size;
  const paint = wood(look.main);
  const parts = [
    box(0, y / 2 - WALL_M / 2, 0, x, WALL_M, z, paint),
    box(0, -y / 2 + WALL_M / 2, 0, x, WALL_M, z, paint),
    box(0, 0, z - WALL_M, x, y - 2 * WALL_M, WALL_M, paint),
  ];
  if (back)
    parts.push(box(-x / 2 + 0.005, 0, 0, 0.01, y - 2 * WALL_M, z - WALL_M, wood(tint(look.main, 0.8))));
  for (let i = 0; i < shelves; i++)
    parts.push(box(0, 0, rackLevel(z, shelves, i), x, y - 2 * WALL_M, WALL_M, paint));
  return parts;
}

function rackShelves(look: Look, shelves: number): Shelf[] {
  const { x, y, z } = look.size;
  return Array.from({ length: shelves }, (_, i) => {
    const floor = rackLevel(z, shelves, i) + WALL_M;
    const ceiling = i + 1 < shelves ? rackLevel(z, shelves, i + 1) : z - WALL_M;
    return {
      kind: "shelf" as const,
      minX: -x / 2 + 0.03,
      maxX: x / 2 - 0.01,
      minY: -y / 2 + 0.05,
      maxY: y / 2 - 0.05,
      z: floor,
      heightM: ceiling - floor - 0.005,
    };
  });
}

/** Rows of anonymous books that belong to the case, on the boards that are not left for things of their own. */
function bookRows(look: Look): Part[] {
  const { x, y, z } = look.size;
  const parts: Part[] = [];
  for (let i = 0; i < 5; i++) {
    if (i % 2 === look.variant % 2 || i === 2) continue;
    const wide = (y - 0.08) * (i % 3 === 0 ? 1 : 0.8);
    parts.push(
      box(
        0.02,
        ((y - 0.08 - wide) / 2) * (i > 2 ? 1 : -1),
        rackLevel(z, 5, i) + WALL_M,
        x - 0.08,
        wide,
        0.24,
        {
          rgb: [150, 70, 60],
          accent: [70, 90, 130],
          texture: "books",
          periodM: 0.04,
        },
      ),
    );
  }
  return parts;
}
