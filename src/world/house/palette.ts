import type { Random } from "../../geometry/index.ts";
import type { Paint } from "../solid.ts";
import type { Rgb } from "./types.ts";

/** The twelve colour words that people use for things, with the bytes they are painted in. */
export const COLOURS = {
  red: [190, 40, 38],
  orange: [226, 122, 34],
  yellow: [232, 200, 56],
  green: [62, 138, 66],
  blue: [44, 84, 172],
  purple: [118, 62, 150],
  pink: [228, 140, 172],
  brown: [120, 78, 46],
  black: [34, 34, 38],
  white: [236, 236, 232],
  grey: [138, 140, 144],
  beige: [214, 196, 160],
} as const satisfies Record<string, Rgb>;

export type ColourName = keyof typeof COLOURS;
export const COLOUR_NAMES = Object.keys(COLOURS) as readonly ColourName[];

/** Colours that stand out: what cups, toys and books come in. */
export const BRIGHT: readonly ColourName[] = [
  "red",
  "orange",
  "yellow",
  "green",
  "blue",
  "purple",
  "pink",
  "white",
  "black",
];
export const CALM: readonly ColourName[] = ["beige", "grey", "blue", "green", "brown", "white"];
export const WOODS: readonly ColourName[] = ["brown", "beige", "white", "black"];

/** The colour a little lighter or darker, so that two brown tables are not the same brown but stay brown. */
export function shade(colour: ColourName, random: Random): Rgb {
  const factor = random.range(0.9, 1.06);
  return tint(COLOURS[colour], factor);
}

/** Multiplied and kept within a byte. */
export function tint(rgb: Rgb, factor: number): Rgb {
  const byte = (value: number): number => Math.max(0, Math.min(255, Math.round(value * factor)));
  return [byte(rgb[0]), byte(rgb[1]), byte(rgb[2])];
}

export const plain = (rgb: Rgb): Paint => ({ rgb, texture: "plain", periodM: 1 });
export const wood = (rgb: Rgb): Paint => ({ rgb, texture: "wood", periodM: 0.3, accent: tint(rgb, 0.8) });
export const metal = (rgb: Rgb): Paint => ({ rgb, texture: "metal", periodM: 0.4, accent: tint(rgb, 1.2) });
export const fabric = (rgb: Rgb, accent: Rgb = tint(rgb, 0.86)): Paint => ({
  rgb,
  texture: "fabric",
  periodM: 0.04,
  accent,
});
export const leaves = (rgb: Rgb): Paint => ({
  rgb,
  texture: "leaves",
  periodM: 0.12,
  accent: tint(rgb, 0.6),
});
export const glass = (rgb: Rgb): Paint => ({ rgb, texture: "glass", periodM: 0.5, accent: tint(rgb, 1.1) });
export const glowing = (rgb: Rgb, glow: number): Paint => ({ rgb, texture: "plain", periodM: 1, glow });
export const patterned = (texture: Paint["texture"], periodM: number, rgb: Rgb, accent: Rgb): Paint => ({
  rgb,
  texture,
  periodM,
  accent,
});

/** Wood looks like wood, metal like metal; anything else is plain. */
export function paintOf(material: string, rgb: Rgb): Paint {
  if (material === "wood") return wood(rgb);
  if (material === "metal" || material === "steel") return metal(rgb);
  if (material === "fabric" || material === "wool" || material === "cotton") return fabric(rgb);
  if (material === "glass") return glass(rgb);
  return plain(rgb);
}

/** Letters on one face, light on dark or dark on light. */
export function withText(paint: Paint, text: string | undefined, face: "front" | "top" = "front"): Paint {
  if (text === undefined) return paint;
  const [r, g, b] = paint.rgb;
  const rgb: Rgb = r * 3 + g * 6 + b > 1300 ? [20, 20, 24] : [245, 245, 240];
  return { ...paint, decal: { text, rgb, face } };
}

export const STEEL: Rgb = [176, 180, 186];
export const CHROME: Rgb = [206, 210, 214];
export const PORCELAIN: Rgb = [244, 245, 244];
export const DARK: Rgb = [40, 40, 44];
export const SKY: Rgb = [196, 222, 245];
