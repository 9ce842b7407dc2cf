import { settings } from "../../schema/settings.ts";

/** Value, unit, minimum, maximum, source. */
const COLOURS = settings("eyes.colours", {
  /**
   * Lightness from which a colour without hue is white rather than grey, and a pale orange beige rather than brown.
   * Indoors most surfaces get less light than the brightest spot of a picture, so both are lower than on a colour
   * chart; chosen on simulated houses 63, 64 and 67–71 (docs/eyes.md#colours).
   */
  white: [0.6, "lightness", 0.3, 0.8, "experiment"],
  beige: [0.45, "lightness", 0.225, 0.9, "experiment"],
  /**
   * Frames, feet and gaps are black: a thing with another colour on this share of its voxels is named by that colour,
   * unless it is grey, which black is where it shines.
   */
  besideBlack: [0.2, "share", 0.1, 0.4, "experiment"],
  /**
   * Share of the voxels for a second colour: stripes, a frame, the lit half. Of 60 things in houses 64, 72 to 74, 77
   * and 79 whose first colour is wrong, the second is right for 40; any other word would be right for one in 40.
   */
  accent: [0.2, "share", 0.1, 0.4, "experiment"],
  glowBrightest: [250, "level", 200, 255, "experiment"],
  glowOther: [235, "level", 180, 250, "experiment"],
  /** From this share of glowing pixels on a lamp is on. */
  glowing: [0.3, "share", 0.15, 0.6, "experiment"],
});

/** Dark orange is brown: pairs of saturation and the lightness below which it is brown, interpolated between. */
const ORANGE = { saturation: [0.6, 0.74], light: [0.42, 0.28] } as const;
/** Pale red is pink if it is light enough; a bluish and paler red also in the shade. */
const PINK = { saturation: [0.55, 0.4], light: [0.6, 0.4], hue: [345, 5] } as const;
const DARK = new Set(["black", "grey"]);

/** Three bytes, or means of bytes. */
export type Rgb = readonly [r: number, g: number, b: number];

/** The colour of a thing, and a second one that covers a considerable share. */
export interface Colours {
  readonly colour?: string;
  readonly accent?: string;
}

/**
 * The colour of a thing in one word of twelve, and a second one. Each voxel has one vote, so that a red mug with a
 * white handle is red and not pink.
 */
export function coloursOf(rgb: Iterable<Rgb>): Colours {
  const votes = new Map<string, number>();
  for (const [r, g, b] of rgb) {
    const word = wordOf(r, g, b);
    votes.set(word, (votes.get(word) ?? 0) + 1);
  }
  const ranked = [...votes].sort((a, b) => b[1] - a[1]);
  const all = ranked.reduce((sum, [, count]) => sum + count, 0);
  const [best] = ranked;
  if (best === undefined) return {};
  const other = ranked.find(([word, count]) => !DARK.has(word) && count >= COLOURS.besideBlack * all);
  const [colour] = best[0] === "black" && other ? other : best;
  const accent = ranked.find(([word, count]) => word !== colour && count >= COLOURS.accent * all)?.[0];
  return { colour, ...(accent !== undefined && { accent }) };
}

/**
 * The same for painted things, wood and radiators: if a fifth is white, the rest is in the shade. Steel shines, and
 * linen may be striped. Of things more grey than white in houses 64, 72 to 74, 77, 79, 80 and 83, all seven painted
 * ones are white; of eight others seven are grey. The rule was chosen on these houses.
 */
export function paintedColoursOf(rgb: Iterable<Rgb>): Colours {
  const seen = coloursOf(rgb);
  return seen.colour === "grey" && seen.accent === "white" ? { colour: "white", accent: "grey" } : seen;
}

/**
 * The same for a lamp, whose colour is invisible while it shines. A voxel glows if its brightest channel is saturated
 * while another is not.
 */
export function lampColoursOf(rgb: Iterable<Rgb>): Colours {
  const places = [...rgb];
  const glowing = places.filter((place) => isGlow(...place));
  return glowing.length > COLOURS.glowing * places.length ? {} : coloursOf(places);
}

/** A lit surface is white when a channel saturates; a glowing one keeps its hue. */
export function isGlow(r: number, g: number, b: number): boolean {
  return Math.max(r, g, b) >= COLOURS.glowBrightest && Math.min(r, g, b) < COLOURS.glowOther;
}

/** Distance of a colour from grey by its highest and lowest channel; near-black has none. */
export function saturationOf(high: number, low: number): number {
  return (high - low) / (high + 12);
}

/** By hue, saturation and lightness; indoor light is warm, so pale warm greys are still grey. */
function wordOf(r: number, g: number, b: number): string {
  const high = Math.max(r, g, b);
  const chroma = high - Math.min(r, g, b);
  const saturation = saturationOf(high, high - chroma);
  const light = (0.299 * r + 0.587 * g + 0.114 * b) / 255;
  if (light < 0.14 || (high < 60 && saturation < 0.5)) return "black";
  const hue = hueOf(r, g, b, high, chroma);
  const isWarm = hue < 60 || hue >= 345;
  if (saturation < (isWarm ? 0.2 : 0.14)) return light > COLOURS.white ? "white" : "grey";
  if (hue >= 15 && hue < 50 && saturation < 0.5) return light > COLOURS.beige ? "beige" : "brown";
  if (hue < 15 || hue >= 345) return isPink(hue, saturation, light) ? "pink" : "red";
  if (hue < 42) return light < leastOrange(saturation) ? "brown" : "orange";
  if (hue < 68) return "yellow";
  if (hue < 165) return "green";
  if (hue < 255) return "blue";
  return hue < 300 ? "purple" : "pink";
}

function isPink(hue: number, saturation: number, light: number): boolean {
  const [lit, shaded] = [0, 1].map((n) => saturation < PINK.saturation[n]! && light > PINK.light[n]!);
  return lit! || (shaded! && (hue >= PINK.hue[0] || hue < PINK.hue[1]));
}

/** How light orange is at least. */
function leastOrange(saturation: number): number {
  const [pale, vivid] = ORANGE.saturation;
  const [light, dim] = ORANGE.light;
  const share = Math.max(0, Math.min(1, (saturation - pale) / (vivid - pale)));
  return light + share * (dim - light);
}

function hueOf(r: number, g: number, b: number, high: number, chroma: number): number {
  if (chroma === 0) return 0;
  const sixth = high === r ? (g - b) / chroma : high === g ? 2 + (b - r) / chroma : 4 + (r - g) / chroma;
  return (sixth * 60 + 360) % 360;
}
