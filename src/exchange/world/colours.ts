import type { WorldThing } from "./world.ts";

/** Red, green and blue from 0 to 1. */
export type Colour = readonly [number, number, number];

/** Colour words, as they appear in rooms rather than as web colours. */
const NAMED: Readonly<Record<string, Colour>> = {
  black: [0.1, 0.1, 0.11],
  white: [0.93, 0.93, 0.92],
  grey: [0.55, 0.55, 0.56],
  gray: [0.55, 0.55, 0.56],
  silver: [0.75, 0.76, 0.78],
  red: [0.78, 0.18, 0.16],
  orange: [0.9, 0.5, 0.15],
  yellow: [0.93, 0.8, 0.25],
  gold: [0.8, 0.65, 0.25],
  beige: [0.87, 0.8, 0.67],
  brown: [0.5, 0.35, 0.22],
  green: [0.25, 0.55, 0.3],
  teal: [0.15, 0.5, 0.5],
  turquoise: [0.25, 0.7, 0.68],
  blue: [0.2, 0.4, 0.75],
  navy: [0.12, 0.18, 0.4],
  purple: [0.5, 0.3, 0.65],
  pink: [0.9, 0.6, 0.7],
};

/** The observed colour of a thing, else a colour shared by its category. */
export function colourOf({ attributes, category }: Pick<WorldThing, "attributes" | "category">): Colour {
  const said = attributes["colour"];
  const known = typeof said === "string" ? NAMED[said.split(" ").at(-1)!] : undefined;
  return known ?? colourOfName(category);
}

/** A fixed colour for each name; none is too dark or too pale to be visible. */
export function colourOfName(name: string): Colour {
  let hash = 2_166_136_261;
  for (let i = 0; i < name.length; i++) hash = Math.imul(hash ^ name.charCodeAt(i), 16_777_619);
  const hue = (hash >>> 0) % 360;
  const channel = (shift: number) => {
    const k = (shift + hue / 30) % 12;
    return 0.55 - 0.25 * Math.max(-1, Math.min(k - 3, 9 - k, 1));
  };
  return [channel(0), channel(8), channel(4)];
}
