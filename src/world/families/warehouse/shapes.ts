import type { Random } from "../../../geometry/index.ts";
import { COLOURS, type ColourName, metal, plain, shade, tint, withText, wood } from "../../house/palette.ts";
import { box, round } from "../../house/part.ts";
import type { Rgb } from "../../house/types.ts";
import type { Piece } from "../grounds.ts";

export const ORANGE: Rgb = [224, 112, 32];
export const STEEL_BLUE: Rgb = [46, 74, 128];
const WHITE: Rgb = [244, 244, 240];
const RUBBER = plain([36, 36, 38]);

/** One slot: a board with a beam in front that carries its number. */
export const SHELF = { depthM: 0.9, widthM: 1.26, heightM: 0.14 } as const;
export const PALLET = { sizeM: 1.1, heightM: 0.14 } as const;

export function shelf(slot: string): Piece {
  const { depthM, widthM, heightM } = SHELF;
  return {
    category: "shelf",
    type: "furniture",
    colour: "orange",
    material: "metal",
    text: slot,
    size: { x: depthM, y: widthM, z: heightM },
    parts: [
      box(0, 0, heightM - 0.04, depthM, widthM, 0.04, metal([170, 172, 176])),
      box(depthM / 2 - 0.02, 0, 0, 0.04, widthM, heightM, plain(ORANGE)),
      box(depthM / 2 + 0.002, 0, 0.02, 0.006, 0.52, heightM - 0.04, withText(plain(WHITE), slot)),
    ],
  };
}

const CARTON: readonly ColourName[] = ["brown", "beige", "brown", "grey"];

/** A carton with its stock number on the front: many are alike but for that. */
export function carton(sku: string, random: Random): Piece {
  const colour = random.pick(CARTON);
  const rgb = colour === "brown" ? tint([166, 120, 74], random.range(0.92, 1.06)) : shade(colour, random);
  const cm = (low: number, high: number) => Math.round(random.range(low, high) * 100) / 100;
  const size = { x: cm(0.42, 0.5), y: cm(0.44, 0.52), z: cm(0.32, 0.46) };
  return {
    category: "box",
    type: "small",
    colour,
    material: "cardboard",
    text: sku,
    size,
    movable: true,
    affordances: ["store things"],
    parts: [
      box(0, 0, 0, size.x, size.y, size.z, plain(rgb)),
      box(0, 0, size.z - 0.004, size.x + 0.004, 0.06, 0.008, plain(tint(rgb, 0.8))),
      box(size.x / 2, 0, size.z * 0.3, 0.006, size.y * 0.84, 0.16, withText(plain(WHITE), sku)),
    ],
  };
}

export function pallet(): Piece {
  const { sizeM, heightM } = PALLET;
  const slats = [-0.44, -0.22, 0, 0.22, 0.44].map((y) =>
    box(0, y, heightM - 0.03, sizeM, 0.17, 0.03, wood([186, 150, 100])),
  );
  const runners = [-0.5, 0, 0.5].map((y) => box(0, y, 0, sizeM, 0.09, heightM - 0.03, wood([160, 124, 80])));
  return {
    category: "pallet",
    type: "furniture",
    colour: "brown",
    material: "wood",
    size: { x: sizeM, y: sizeM, z: heightM },
    parts: [...slats, ...runners],
  };
}

export function forklift(colour: ColourName, text: string): Piece {
  const body = plain(COLOURS[colour]);
  const dark = metal([52, 54, 60]);
  const wheels = [-0.55, 0.35].flatMap((x) => [-0.38, 0.38].map((y) => round(x, y, 0, 0.36, 0.34, RUBBER)));
  return {
    category: "forklift",
    type: "vehicle",
    colour,
    material: "metal",
    text,
    lettering: 3,
    size: { x: 2.2, y: 1, z: 2.1 },
    parts: [
      ...wheels,
      box(-0.25, 0, 0.2, 1.3, 0.96, 0.55, withText(body, text)),
      box(-0.7, 0, 0.75, 0.4, 0.9, 0.35, body),
      box(-0.35, 0, 0.75, 0.45, 0.5, 0.1, RUBBER),
      ...[-0.42, 0.42].flatMap((y) => [-0.8, 0.2].map((x) => box(x, y, 0.75, 0.06, 0.06, 1.3, dark))),
      box(-0.3, 0, 2.05, 1.2, 0.96, 0.05, dark),
      ...[-0.28, 0.28].map((y) => box(0.5, y, 0, 0.08, 0.1, 2.1, dark)),
      ...[-0.24, 0.24].map((y) => box(0.85, y, 0.06, 0.65, 0.1, 0.04, dark)),
    ],
  };
}

/** A plate that hangs from the roof or stands on a wall; it can be read from both sides. */
export function sign(text: string, widthM: number, heightM: number, ground: Rgb): Piece {
  const face = withText(plain(ground), text);
  const back = withText(plain(ground), text);
  return {
    category: "sign",
    type: "furniture",
    colour: "blue",
    material: "metal",
    text,
    lettering: 5,
    size: { x: 0.06, y: widthM, z: heightM },
    parts: [
      box(0.015, 0, 0, 0.03, widthM, heightM, face),
      { ...box(-0.015, 0, 0, 0.03, widthM, heightM, back), yawRad: Math.PI },
    ],
  };
}

/** The shutter of a dock, with its number. */
export function dockDoor(text: string): Piece {
  return {
    category: "dock door",
    type: "door",
    colour: "white",
    material: "metal",
    text,
    lettering: 4,
    size: { x: 0.08, y: 2.8, z: 3 },
    affordances: ["load lorries"],
    parts: [
      box(0, 0, 0, 0.06, 2.8, 3, {
        rgb: [214, 216, 218],
        texture: "stripes",
        periodM: 0.24,
        accent: [190, 192, 196],
      }),
      box(0.04, 0, 2.3, 0.02, 1.4, 0.4, withText(plain(STEEL_BLUE), text)),
    ],
  };
}
