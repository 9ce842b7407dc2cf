/**
 * A 5×7 pixel font for signs, labels and screens: capitals, digits and the punctuation on shops and doors. Each glyph
 * is seven rows of five bits, the leftmost pixel highest. Small letters are drawn as capitals, unknown characters as
 * a hollow box, so that a missing glyph is visible.
 */
export const GLYPH_WIDTH = 5;
export const GLYPH_HEIGHT = 7;
/** One empty column between letters. */
export const GLYPH_ADVANCE = 6;
/** Longer texts are cut: no face in a house shows more. */
export const DECAL_CHARS = 40;

/** A text as a bitmap, one byte a pixel, without a border. */
export function textBitmap(text: string): { width: number; height: number; pixels: Uint8Array } {
  const letters = [...text.toUpperCase()].slice(0, DECAL_CHARS);
  const width = Math.max(1, letters.length * GLYPH_ADVANCE - 1);
  const pixels = new Uint8Array(width * GLYPH_HEIGHT);
  letters.forEach((letter, index) => {
    const rows = glyphRows(letter);
    for (let row = 0; row < GLYPH_HEIGHT; row++) {
      for (let column = 0; column < GLYPH_WIDTH; column++) {
        if ((rows[row]! >> (GLYPH_WIDTH - 1 - column)) & 1) {
          pixels[row * width + index * GLYPH_ADVANCE + column] = 1;
        }
      }
    }
  });
  return { width, height: GLYPH_HEIGHT, pixels };
}

function glyphRows(letter: string): readonly number[] {
  const packed = GLYPHS[letter] ?? "VHHHHHV";
  return Array.from(packed, (digit) => Number.parseInt(digit, 32));
}

/** Base 32, one digit a row: "E" is 0b01110. */
const GLYPHS: Readonly<Record<string, string>> = {
  A: "4AHHVHH",
  B: "UHHUHHU",
  C: "EHGGGHE",
  D: "UHHHHHU",
  E: "VGGUGGV",
  F: "VGGUGGG",
  G: "EHGNHHF",
  H: "HHHVHHH",
  I: "E44444E",
  J: "72222IC",
  K: "HIKOKIH",
  L: "GGGGGGV",
  M: "HRLLHHH",
  N: "HHPLJHH",
  O: "EHHHHHE",
  P: "UHHUGGG",
  Q: "EHHHLID",
  R: "UHHUKIH",
  S: "EHGE1HE",
  T: "V444444",
  U: "HHHHHHE",
  V: "HHHHHA4",
  W: "HHHLLLA",
  X: "HHA4AHH",
  Y: "HHHA444",
  Z: "V1248GV",
  "0": "EHJLPHE",
  "1": "4C4444E",
  "2": "EH1248V",
  "3": "V2421HE",
  "4": "26AIV22",
  "5": "VGU11HE",
  "6": "68GUHHE",
  "7": "V124888",
  "8": "EHHEHHE",
  "9": "EHHF12C",
  " ": "0000000",
  ".": "00000CC",
  ",": "0000C48",
  ":": "0CC0CC0",
  "-": "000V000",
  "–": "000V000",
  "+": "044V440",
  "/": "01248G0",
  "'": "C480000",
  "’": "C480000",
  "!": "4444004",
  "?": "EH12404",
  "%": "OP248J3",
  "&": "CIK8LID",
  "#": "AAVAVAA",
  "(": "2488842",
  ")": "8422248",
  "°": "C99C000",
  "=": "00V0V00",
  "*": "04LEL40",
  _: "000000V",
};
