import type { Random } from "../../../geometry/index.ts";
import {
  COLOURS,
  type ColourName,
  glass,
  leaves,
  metal,
  patterned,
  plain,
  SKY,
  shade,
  tint,
  withText,
  wood,
} from "../../house/palette.ts";
import { ball, box, legs, round } from "../../house/part.ts";
import type { Part, Rgb } from "../../house/types.ts";
import type { Piece } from "../grounds.ts";

const DARK = metal([58, 60, 66]);
const STONE = plain([178, 174, 166]);
const WHITE: Rgb = [244, 244, 240];
const BARK = wood([96, 70, 48]);

const piece = (
  category: string,
  colour: ColourName,
  material: string,
  size: readonly [number, number, number],
  parts: readonly Part[],
  text?: string,
): Piece => ({
  category,
  type: "furniture",
  colour,
  material,
  size: { x: size[0], y: size[1], z: size[2] },
  parts,
  ...(text !== undefined && { text }),
});

export function tree(random: Random): Piece {
  const height = random.range(4.5, 7.5);
  const crown = random.range(2.6, 3.8);
  const green = tint([70, 122, 54], random.range(0.8, 1.2));
  return piece(
    "tree",
    "green",
    "wood",
    [crown, crown, height],
    [
      round(0, 0, 0, 0.34, height * 0.5, BARK),
      ball(0, 0, height * 0.35, crown, crown, height * 0.65, leaves(green)),
    ],
  );
}

export const streetLamp = (): Piece =>
  piece(
    "street lamp",
    "grey",
    "metal",
    [0.5, 0.5, 4.6],
    [
      round(0, 0, 0, 0.14, 4.3, DARK),
      round(0, 0, 0, 0.34, 0.3, DARK),
      ball(0, 0, 4.2, 0.5, 0.5, 0.4, plain(WHITE)),
    ],
  );

export function bench(colour: ColourName): Piece {
  const seat = wood(COLOURS[colour]);
  return piece(
    "bench",
    colour,
    "wood",
    [0.6, 1.7, 0.85],
    [
      box(0.05, 0, 0.4, 0.45, 1.7, 0.07, seat),
      box(-0.22, 0, 0.5, 0.06, 1.7, 0.35, seat),
      box(0.05, 0.7, 0, 0.4, 0.08, 0.4, DARK),
      box(0.05, -0.7, 0, 0.4, 0.08, 0.4, DARK),
    ],
  );
}

export const bin = (colour: ColourName): Piece =>
  piece(
    "rubbish bin",
    colour,
    "metal",
    [0.5, 0.5, 1],
    [round(0, 0, 0, 0.5, 0.85, plain(COLOURS[colour])), round(0, 0, 0.88, 0.54, 0.12, DARK)],
  );

/** A name on a plate between two posts, readable from the path. */
export function board(text: string, widthM: number, ground: ColourName): Piece {
  const rgb = COLOURS[ground];
  const sign = piece(
    "sign",
    ground,
    "metal",
    [0.12, widthM, 1.9],
    [
      box(0, widthM / 2 - 0.06, 0, 0.1, 0.1, 1.9, DARK),
      box(0, -widthM / 2 + 0.06, 0, 0.1, 0.1, 1.9, DARK),
      box(0.03, 0, 0.9, 0.04, widthM, 0.9, withText(plain(rgb), text)),
      { ...box(-0.03, 0, 0.9, 0.04, widthM, 0.9, withText(plain(rgb), text)), yawRad: Math.PI },
    ],
    text,
  );
  return { ...sign, lettering: 5 };
}

/** Rows of windows over a coloured wall; the way in is a thing of its own. */
export function building(
  name: string,
  colour: ColourName,
  size: readonly [number, number, number],
  random: Random,
): Piece {
  const [depth, width, height] = size;
  const rgb = shade(colour, random);
  const wall = patterned("brick", 0.6, rgb, tint(rgb, 0.9));
  const floors = Math.floor(height / 3.6);
  const bands = Array.from({ length: floors }, (_, n) =>
    box(0, 0, 1.2 + n * 3.6, depth + 0.08, width + 0.08, 1.5, glass(SKY)),
  );
  const text = name.toUpperCase();
  return {
    ...piece("building", colour, "brick", size, [
      box(0, 0, 0, depth, width, height, wall),
      ...bands,
      box(
        depth / 2 + 0.1,
        0,
        height - 1.9,
        0.2,
        Math.min(width, text.length * 1.1),
        1.5,
        withText(plain(tint(rgb, 0.5)), text),
      ),
      box(0, 0, height, depth + 0.6, width + 0.6, 0.3, plain([96, 96, 100])),
    ]),
    name,
    text,
    lettering: 12,
    affordances: ["go inside"],
  };
}

export const entrance = (colour: ColourName): Piece => ({
  ...piece(
    "entrance",
    colour,
    "glass",
    [0.3, 3, 2.8],
    [
      box(0, 0, 0, 0.16, 3, 2.8, plain(COLOURS[colour])),
      box(0.06, -0.68, 0.05, 0.1, 1.2, 2.4, glass(SKY)),
      box(0.06, 0.68, 0.05, 0.1, 1.2, 2.4, glass(SKY)),
    ],
  ),
  type: "door",
});

export function car(colour: ColourName, plate: string, isVan: boolean): Piece {
  const paint = plain(COLOURS[colour]);
  const high = isVan ? 2 : 1.45;
  const wheels = [-1.3, 1.3].flatMap((x) =>
    [-0.78, 0.78].map((y) => ({
      ...round(x, y, 0, 0.62, 0.62, plain([30, 30, 32])),
      size: { x: 0.62, y: 0.2, z: 0.62 },
    })),
  );
  return {
    ...piece(
      isVan ? "van" : "car",
      colour,
      "metal",
      [4.3, 1.8, high],
      [
        ...wheels,
        box(0, 0, 0.25, 4.3, 1.76, isVan ? 1.1 : 0.6, paint),
        box(
          isVan ? -0.4 : -0.2,
          0,
          isVan ? 1.35 : 0.85,
          isVan ? 3.3 : 2.2,
          1.6,
          high - (isVan ? 1.35 : 0.85),
          glass([70, 84, 96]),
        ),
        box(isVan ? -0.4 : -0.2, 0, high - 0.08, isVan ? 3.3 : 2, 1.55, 0.08, paint),
        box(-2.16, 0, 0.45, 0.03, 0.7, 0.18, withText(plain(WHITE), plate, "front")),
        box(2.16, 0, 0.45, 0.03, 0.7, 0.18, withText(plain(WHITE), plate, "front")),
      ],
    ),
    type: "vehicle",
    text: plate,
    lettering: 2,
  };
}

/** What stands once or twice on a campus: each kind a function of its colour. */
export const LANDMARKS: readonly ((colour: ColourName) => Piece)[] = [
  (colour) =>
    piece(
      "statue",
      colour,
      "stone",
      [0.9, 0.9, 2.9],
      [
        box(0, 0, 0, 0.9, 0.9, 1, STONE),
        round(0, 0, 1, 0.4, 1.4, plain(COLOURS[colour])),
        ball(0, 0, 2.4, 0.42, 0.42, 0.5, plain(COLOURS[colour])),
      ],
    ),
  (colour) =>
    piece(
      "fountain",
      colour,
      "stone",
      [3, 3, 1.8],
      [
        round(0, 0, 0, 3, 0.5, plain(COLOURS[colour])),
        round(0, 0, 0.5, 2.6, 0.02, plain([110, 160, 200])),
        round(0, 0, 0.5, 0.4, 1.1, STONE),
        round(0, 0, 1.6, 1.1, 0.2, plain(COLOURS[colour])),
      ],
    ),
  (colour) =>
    piece(
      "kiosk",
      colour,
      "wood",
      [2, 2.4, 2.6],
      [
        box(0, 0, 0, 1.8, 2.2, 2.2, plain(COLOURS[colour])),
        box(0.92, 0, 1, 0.06, 1.6, 0.8, glass(SKY)),
        box(0, 0, 2.3, 2, 2.4, 0.3, plain(tint(COLOURS[colour], 0.7))),
      ],
    ),
  (colour) =>
    piece(
      "bus stop",
      colour,
      "metal",
      [1.5, 3.4, 2.5],
      [
        box(-0.7, 0, 0, 0.08, 3.4, 2.4, glass([150, 176, 190])),
        box(0, 0, 2.4, 1.5, 3.4, 0.1, plain(COLOURS[colour])),
        box(-0.4, 0, 0.4, 0.4, 2.4, 0.08, wood([130, 96, 60])),
        ...[-1.6, 1.6].map((y) => box(0.6, y, 0, 0.1, 0.1, 2.4, plain(COLOURS[colour]))),
      ],
    ),
  (colour) =>
    piece(
      "fire hydrant",
      colour,
      "metal",
      [0.5, 0.6, 1],
      [
        round(0, 0, 0, 0.36, 0.85, plain(COLOURS[colour])),
        ball(0, 0, 0.7, 0.4, 0.4, 0.3, plain(COLOURS[colour])),
        box(0, 0, 0.45, 0.2, 0.6, 0.2, plain(tint(COLOURS[colour], 0.8))),
      ],
    ),
  (colour) =>
    piece(
      "letterbox",
      colour,
      "metal",
      [0.6, 0.6, 1.5],
      [
        round(0, 0, 0, 0.6, 1.3, plain(COLOURS[colour])),
        ball(0, 0, 1.15, 0.64, 0.64, 0.35, plain(tint(COLOURS[colour], 0.85))),
      ],
    ),
  (colour) =>
    piece(
      "bike rack",
      colour,
      "metal",
      [0.9, 3, 0.9],
      [
        box(0, 0, 0, 0.9, 3, 0.06, plain(COLOURS[colour])),
        ...[-1.2, -0.6, 0, 0.6, 1.2].map((y) => box(0, y, 0.06, 0.8, 0.08, 0.84, plain(COLOURS[colour]))),
      ],
    ),
  (colour) =>
    piece(
      "vending machine",
      colour,
      "metal",
      [0.9, 1.1, 2],
      [box(0, 0, 0, 0.9, 1.1, 2, plain(COLOURS[colour])), box(0.46, 0.1, 0.5, 0.03, 0.7, 1.3, glass(SKY))],
    ),
  (colour) =>
    piece(
      "picnic table",
      colour,
      "wood",
      [1.7, 1.9, 0.78],
      [
        box(0, 0, 0.7, 0.8, 1.9, 0.08, wood(COLOURS[colour])),
        box(0.65, 0, 0.42, 0.32, 1.9, 0.06, wood(COLOURS[colour])),
        box(-0.65, 0, 0.42, 0.32, 1.9, 0.06, wood(COLOURS[colour])),
        ...legs(1, 1.7, 0.7, 0.12, wood(COLOURS[colour])),
      ],
    ),
  (colour) =>
    piece(
      "flagpole",
      colour,
      "metal",
      [0.5, 1.6, 8],
      [
        round(0, 0, 0, 0.12, 8, metal([200, 202, 206])),
        box(0, 0.8, 6.6, 0.04, 1.5, 1, plain(COLOURS[colour])),
      ],
    ),
];
