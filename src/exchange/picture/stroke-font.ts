/**
 * Letters as strokes. A machine without fonts draws boxes instead of SVG text, and machines with different fonts draw
 * different pictures, so labels are paths of our own: plain geometric letters, capitals 10 units high, small letters
 * 7, the baseline at 0, y downwards. Each glyph is its advance and its pen path.
 */
const GLYPHS: Readonly<Record<string, readonly [advance: number, path: string]>> = {
  " ": [3.6, ""],
  a: [7, "M5 -3.5A2.5 3.5 0 1 0 0 -3.5A2.5 3.5 0 1 0 5 -3.5M5 -7V0"],
  b: [7, "M0 -10V0M0 -3.5A2.5 3.5 0 1 1 5 -3.5A2.5 3.5 0 1 1 0 -3.5"],
  c: [6.2, "M4.5 -5.5A2.6 3.5 0 1 0 4.5 -1.5"],
  d: [7, "M5 -10V0M5 -3.5A2.5 3.5 0 1 0 0 -3.5A2.5 3.5 0 1 0 5 -3.5"],
  e: [6.8, "M0.1 -3.7H5A2.5 3.5 0 1 0 4.4 -1.3"],
  f: [4.6, "M3.4 -10Q1.4 -10.3 1.4 -8V0M0 -7H3.2"],
  g: [7, "M5 -3.5A2.5 3.5 0 1 0 0 -3.5A2.5 3.5 0 1 0 5 -3.5M5 -7V0.6A2.4 2.4 0 0 1 0.5 1.8"],
  h: [6.8, "M0 -10V0M0 -4.6A2.4 2.4 0 0 1 4.8 -4.6V0"],
  i: [2.2, "M0 -7V0M0 -9.6V-9.5"],
  j: [3.4, "M1.4 -7V1.2Q1.4 3 -0.4 3M1.4 -9.6V-9.5"],
  k: [6, "M0 -10V0M4.4 -7L0 -2.8M1.6 -4.2L4.6 0"],
  l: [2.2, "M0 -10V0"],
  m: [10, "M0 -7V0M0 -5A2 2 0 0 1 4 -5V0M4 -5A2 2 0 0 1 8 -5V0"],
  n: [6.8, "M0 -7V0M0 -4.6A2.4 2.4 0 0 1 4.8 -4.6V0"],
  o: [7.2, "M0 -3.5A2.6 3.5 0 1 1 5.2 -3.5A2.6 3.5 0 1 1 0 -3.5Z"],
  p: [7, "M0 -7V3M0 -3.5A2.5 3.5 0 1 1 5 -3.5A2.5 3.5 0 1 1 0 -3.5"],
  q: [7, "M5 -7V3M5 -3.5A2.5 3.5 0 1 0 0 -3.5A2.5 3.5 0 1 0 5 -3.5"],
  r: [4.6, "M0 -7V0M0 -4.4Q0.6 -7 3 -7"],
  s: [
    6,
    "M4 -5.8C3.6 -6.6 3 -7 2.1 -7C1 -7 0.2 -6.3 0.2 -5.4C0.2 -3.3 4.3 -4 4.3 -1.8C4.3 -0.7 3.4 0 2.2 0C1.1 0 0.4 -0.4 0 -1.3",
  ],
  t: [5, "M1.4 -9.4V-1.8Q1.4 0 3.4 0M0 -7H3.2"],
  u: [6.8, "M0 -7V-2.4A2.4 2.4 0 0 0 4.8 -2.4M4.8 -7V0"],
  v: [6.4, "M0 -7L2.4 0L4.8 -7"],
  w: [9, "M0 -7L1.8 0L3.7 -6.6L5.6 0L7.4 -7"],
  x: [6, "M0 -7L4.4 0M4.4 -7L0 0"],
  y: [6.4, "M0 -7L2.4 0M4.8 -7L2.4 0Q1.6 3 -0.2 3"],
  z: [6, "M0 -7H4.2L0 0H4.4"],
  A: [9.4, "M0 0L3.8 -10L7.6 0M1.3 -3.4H6.3"],
  B: [8, "M0 0V-10H3.2A2.4 2.4 0 0 1 3.2 -5.2H0M3.2 -5.2A2.6 2.6 0 0 1 3.4 0H0"],
  C: [9, "M7.4 -7.8A4.2 5 0 1 0 7.4 -2.2"],
  D: [9.4, "M0 0V-10H2.6A5 5 0 0 1 2.6 0Z"],
  E: [7.2, "M5.4 -10H0V0H5.4M0 -5.2H4.6"],
  F: [7, "M5.4 -10H0V0M0 -5.2H4.6"],
  G: [9.8, "M7.4 -7.8A4.2 5 0 1 0 7.9 -4.4H4.6"],
  H: [8.4, "M0 0V-10M6.4 0V-10M0 -5.2H6.4"],
  I: [2.2, "M0 0V-10"],
  J: [6, "M4 -10V-2.4A2.2 2.4 0 0 1 0 -1.4"],
  K: [8, "M0 0V-10M6 -10L0 -4M2.2 -6.2L6.4 0"],
  L: [6.6, "M0 -10V0H5"],
  M: [10.4, "M0 0V-10L4.2 -3L8.4 -10V0"],
  N: [8.6, "M0 0V-10L6.6 0V-10"],
  O: [10.8, "M0 -5A4.4 5 0 1 1 8.8 -5A4.4 5 0 1 1 0 -5Z"],
  P: [7.6, "M0 0V-10H3.4A2.7 2.7 0 0 1 3.4 -4.6H0"],
  Q: [10.8, "M0 -5A4.4 5 0 1 1 8.8 -5A4.4 5 0 1 1 0 -5ZM5.6 -2.2L8.6 0.8"],
  R: [8, "M0 0V-10H3.4A2.7 2.7 0 0 1 3.4 -4.6H0M3.2 -4.6L6 0"],
  S: [
    8,
    "M5.7 -8.4C5.2 -9.5 4.2 -10 3 -10C1.4 -10 0.3 -9 0.3 -7.6C0.3 -4.6 6 -5.6 6 -2.6C6 -1 4.7 0 3 0C1.6 0 0.5 -0.6 0 -1.8",
  ],
  T: [8.4, "M0 -10H6.8M3.4 -10V0"],
  U: [8.4, "M0 -10V-3.2A3.2 3.2 0 0 0 6.4 -3.2V-10"],
  V: [8.8, "M0 -10L3.6 0L7.2 -10"],
  W: [12, "M0 -10L2.6 0L5.2 -9L7.8 0L10.4 -10"],
  X: [8, "M0 0L6.2 -10M0 -10L6.2 0"],
  Y: [8.4, "M0 -10L3.3 -4.8L6.6 -10M3.3 -4.8V0"],
  Z: [8, "M0 -10H6L0 0H6.2"],
  "0": [7.2, "M0 -5A2.6 5 0 1 1 5.2 -5A2.6 5 0 1 1 0 -5Z"],
  "1": [7.2, "M0.9 -8.2L3 -10V0"],
  "2": [7.2, "M0.2 -7.6A2.5 2.4 0 0 1 5 -7.2C5 -5.2 2 -3.4 0 0H5.2"],
  "3": [7.2, "M0.3 -8.3A2.3 2.4 0 1 1 2.4 -5.4A2.7 2.7 0 1 1 0 -1.6"],
  "4": [7.2, "M4 0V-10L0 -3H5.4"],
  "5": [7.2, "M4.7 -10H1L0.6 -5.8C2.6 -7.2 5.2 -6 5.2 -3.2C5.2 -0.2 1.8 1 0 -1.4"],
  "6": [7.2, "M0 -3A2.6 3 0 1 1 5.2 -3A2.6 3 0 1 1 0 -3C0 -6 1.6 -8.4 4 -10"],
  "7": [7.2, "M0 -10H5.2L1.6 0"],
  "8": [
    7.2,
    "M0.4 -7.6A2.2 2.4 0 1 1 4.8 -7.6A2.2 2.4 0 1 1 0.4 -7.6ZM0 -2.6A2.6 2.6 0 1 1 5.2 -2.6A2.6 2.6 0 1 1 0 -2.6Z",
  ],
  "9": [7.2, "M5.2 -7A2.6 3 0 1 1 0 -7A2.6 3 0 1 1 5.2 -7C5.2 -4 3.6 -1.6 1.2 0"],
  ".": [2.4, "M0 -0.1V0"],
  ",": [2.6, "M0.4 -0.2L-0.2 1.6"],
  ":": [2.4, "M0 -0.1V0M0 -5V-4.9"],
  ";": [2.6, "M0.4 -0.2L-0.2 1.6M0.2 -5V-4.9"],
  "-": [5, "M0 -3.6H3"],
  "–": [7, "M0 -3.6H5"],
  "+": [7, "M0 -4H5M2.5 -6.5V-1.5"],
  "/": [6, "M0 1L4 -11"],
  "(": [4, "M2 -11C0 -8 0 -2 2 1"],
  ")": [4, "M0 -11C2 -8 2 -2 0 1"],
  "'": [2.2, "M0 -10V-8"],
  '"': [4, "M0 -10V-8M1.8 -10V-8"],
  "!": [2.4, "M0 -10V-3M0 -0.1V0"],
  "?": [7, "M0 -7.8A2.5 2.3 0 1 1 3.6 -5.3C2.7 -4.7 2.4 -4.1 2.4 -3M2.4 -0.1V0"],
  "%": [
    9.4,
    "M7 -10L0.6 0M0 -8A1.6 1.9 0 1 1 3.2 -8A1.6 1.9 0 1 1 0 -8ZM4.4 -2A1.6 1.9 0 1 1 7.6 -2A1.6 1.9 0 1 1 4.4 -2Z",
  ],
  "&": [
    8.4,
    "M6.8 0L1.4 -7C0.4 -8.6 1.4 -10 2.9 -10C4.6 -10 5.2 -8.2 4 -7L1.4 -5C-1 -3 0 0 2.6 0C4.6 0 6.2 -1.6 6.6 -4",
  ],
  "×": [6, "M0.4 -5.4L4 -1.8M4 -5.4L0.4 -1.8"],
  "→": [9, "M0 -3.6H7M4.6 -6L7 -3.6L4.6 -1.2"],
  "°": [4.4, "M0 -8.6A1.3 1.3 0 1 1 2.6 -8.6A1.3 1.3 0 1 1 0 -8.6Z"],
  "·": [2.6, "M0 -3.7V-3.6"],
  _: [6, "M0 1H4.6"],
  "=": [7, "M0 -5H5M0 -2.4H5"],
  "#": [8, "M2 0L3.4 -10M5 0L6.4 -10M0.8 -6.6H6.8M0.2 -3.2H6.2"],
};

const CAPITAL_UNITS = 10;
/** For characters without a glyph: an empty box, so that the gap is visible. */
const MISSING = [7, "M0 0V-10H5V0Z"] as const;

export interface Glyph {
  readonly key: string;
  readonly advance: number;
  readonly path: string;
}

/** The glyphs of a text; accents without a glyph are dropped, ’ becomes '. */
export function glyphsOf(text: string): Glyph[] {
  const plain = text.normalize("NFD").replace(/\p{M}/gu, "").replace(/[‘’]/g, "'").replace(/[“”]/g, '"');
  return Array.from(plain, (letter) => {
    const [advance, path] = GLYPHS[letter] ?? MISSING;
    return { key: letter in GLYPHS ? `u${letter.codePointAt(0)!.toString(16)}` : "none", advance, path };
  });
}

/** Width in pixels of a text whose capitals are `sizePx` high. */
export function textWidth(text: string, sizePx: number, spacing = 0): number {
  const glyphs = glyphsOf(text);
  const units = glyphs.reduce((sum, { advance }) => sum + advance + spacing, 0);
  // Side bearings are on the right only, so the last one is not visible.
  return (Math.max(0, units - 1.8 - spacing) * sizePx) / CAPITAL_UNITS;
}

export function scaleOf(sizePx: number): number {
  return sizePx / CAPITAL_UNITS;
}
