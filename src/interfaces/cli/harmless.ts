/**
 * Text from records, signs and file names on its way to a terminal. Control and escape sequences, and characters that
 * change the direction of writing, are shown by their number instead of being obeyed. Words of right-to-left languages
 * stay, each isolated so that it cannot reorder the text around it.
 */
export function harmless(text: string): string {
  return text.replace(UNSEEN, numbered).replace(RIGHT_TO_LEFT, `${ISOLATE}$&${END_ISOLATE}`);
}

/** The same for JSON, where a number is what a character may always be written as; right-to-left words stay bare. */
export function harmlessJson(json: string): string {
  return json.replace(UNSEEN, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

const ISOLATE = "\u2068";
const END_ISOLATE = "\u2069";

/** C0 but tab and line feed, DEL and C1, marks and overrides of direction, separators of lines, the byte order mark. */
const UNSEEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g;
const RIGHT_TO_LEFT =
  /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]+(?:[ '’-]+[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]+)*/g;

function numbered(character: string): string {
  return `\\u{${character.charCodeAt(0).toString(16)}}`;
}
