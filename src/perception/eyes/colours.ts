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
  /** Darker than this is black; and a highest channel below this, with less than this saturation. */
  black: [0.14, "lightness", 0.07, 0.28, "experiment"],
  blackLevel: [60, "level", 30, 120, "experiment"],
  blackSaturation: [0.5, "share", 0.25, 0.75, "experiment"],
  /** A colour with less saturation is grey; indoor light is warm, so pale warm greys are grey too. */
  greySaturation: [0.14, "share", 0.07, 0.28, "experiment"],
  warmGreySaturation: [0.2, "share", 0.1, 0.4, "experiment"],
  warmHue: [60, "°", 40, 80, "experiment"],
  /** Within the first two hues, a colour with less saturation is beige or brown. */
  paleFromHue: [15, "°", 8, 25, "experiment"],
  paleToHue: [50, "°", 40, 60, "experiment"],
  paleSaturation: [0.5, "share", 0.25, 0.75, "experiment"],
  /** Where each word's hues end, beginning with red's. */
  redToHue: [15, "°", 8, 25, "experiment"],
  orangeToHue: [42, "°", 35, 50, "experiment"],
  yellowToHue: [68, "°", 60, 80, "experiment"],
  greenToHue: [165, "°", 150, 180, "experiment"],
  blueToHue: [255, "°", 240, 270, "experiment"],
  purpleToHue: [300, "°", 285, 315, "experiment"],
  pinkToHue: [345, "°", 330, 355, "experiment"],
  /** Dark orange is brown: the lightness below which it is, for a pale and a vivid one, interpolated between. */
  paleOrange: [0.6, "share", 0.4, 0.7, "experiment"],
  vividOrange: [0.74, "share", 0.7, 0.9, "experiment"],
  paleOrangeLight: [0.42, "lightness", 0.3, 0.6, "experiment"],
  vividOrangeLight: [0.28, "lightness", 0.15, 0.4, "experiment"],
  /** Pale red is pink if it is light enough; a bluish and paler red, up to this hue, also in the shade. */
  pinkSaturation: [0.55, "share", 0.4, 0.7, "experiment"],
  pinkLight: [0.6, "lightness", 0.4, 0.8, "experiment"],
  shadedPinkSaturation: [0.4, "share", 0.2, 0.55, "experiment"],
  shadedPinkLight: [0.4, "lightness", 0.2, 0.6, "experiment"],
  shadedPinkToHue: [5, "°", 0, 10, "experiment"],
  /** Added to the highest channel, so that near-black has no saturation. */
  noiseLevel: [12, "level", 6, 24, "experiment"],
});

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
  return (high - low) / (high + COLOURS.noiseLevel);
}

/** By hue, saturation and lightness; indoor light is warm, so pale warm greys are still grey. */
function wordOf(r: number, g: number, b: number): string {
  const high = Math.max(r, g, b);
  const chroma = high - Math.min(r, g, b);
  const saturation = saturationOf(high, high - chroma);
  const light = (0.299 * r + 0.587 * g + 0.114 * b) / 255;
  const { black, blackLevel, blackSaturation } = COLOURS;
  if (light < black || (high < blackLevel && saturation < blackSaturation)) return "black";
  const hue = hueOf(r, g, b, high, chroma);
  const isWarm = hue < COLOURS.warmHue || hue >= COLOURS.pinkToHue;
  if (saturation < (isWarm ? COLOURS.warmGreySaturation : COLOURS.greySaturation))
    return light > COLOURS.white ? "white" : "grey";
  const isPale = saturation < COLOURS.paleSaturation;
  if (isPale && hue >= COLOURS.paleFromHue && hue < COLOURS.paleToHue)
    return light > COLOURS.beige ? "beige" : "brown";
  if (hue < COLOURS.redToHue || hue >= COLOURS.pinkToHue)
    return isPink(hue, saturation, light) ? "pink" : "red";
  if (hue < COLOURS.orangeToHue) return light < leastOrange(saturation) ? "brown" : "orange";
  if (hue < COLOURS.yellowToHue) return "yellow";
  if (hue < COLOURS.greenToHue) return "green";
  if (hue < COLOURS.blueToHue) return "blue";
  return hue < COLOURS.purpleToHue ? "purple" : "pink";
}

function isPink(hue: number, saturation: number, light: number): boolean {
  const isLit = saturation < COLOURS.pinkSaturation && light > COLOURS.pinkLight;
  const isShaded = saturation < COLOURS.shadedPinkSaturation && light > COLOURS.shadedPinkLight;
  return isLit || (isShaded && (hue >= COLOURS.pinkToHue || hue < COLOURS.shadedPinkToHue));
}

/** How light orange is at least. */
function leastOrange(saturation: number): number {
  const { paleOrange: pale, vividOrange: vivid, paleOrangeLight: light, vividOrangeLight: dim } = COLOURS;
  const share = Math.max(0, Math.min(1, (saturation - pale) / (vivid - pale)));
  return light + share * (dim - light);
}

function hueOf(r: number, g: number, b: number, high: number, chroma: number): number {
  if (chroma === 0) return 0;
  const sixth = high === r ? (g - b) / chroma : high === g ? 2 + (b - r) / chroma : 4 + (r - g) / chroma;
  return (sixth * 60 + 360) % 360;
}
