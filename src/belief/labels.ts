import { lookup, mobilityOf, roomKind } from "../ontology/index.ts";

/** Text on a fixed thing, read as the name of a place. */
export interface PlaceLabel {
  /** As people say it: "aisle C", "B-03-1". */
  readonly name: string;
  /** The kind of place in the words, by its canonical name; undefined for a code alone. */
  readonly kind: string | undefined;
  /** The parts of its code: B, 03, 1; none for words alone. */
  readonly path: readonly string[];
}

/** A part of a code is a letter or two, a number, or both: B, 03, F2. */
const PART = /^(?:\p{L}{1,2}|\p{L}{0,3}\d{1,4}\p{L}?)$/u;
const BETWEEN_PARTS = /[-./_]/u;

/** The parts of a code; undefined for words. A code has a number in it, unless it is one letter. */
export function pathOf(code: string): readonly string[] | undefined {
  const parts = code.trim().toUpperCase().split(BETWEEN_PARTS);
  const isCode = parts.every((part) => PART.test(part)) && (/\d/.test(code) || /^\p{L}$/u.test(code.trim()));
  return isCode ? parts : undefined;
}

/** Words and code as the name of a place: "AISLE C", "Dock 4", "LIBRARY", "B-03-1"; undefined for what names none. */
export function labelOf(text: string): PlaceLabel | undefined {
  const words = text.trim().split(/\s+/u);
  const path = pathOf(words.at(-1) ?? "");
  if (words.length === 1 && path)
    return path.length > 1 ? { name: path.join("-"), kind: undefined, path } : undefined;
  const said = (path ? words.slice(0, -1) : words).join(" ").toLowerCase();
  const kind = placeKind(said, path !== undefined);
  if (kind === undefined) return undefined;
  return { name: path ? `${said} ${path.join("-")}` : said, kind, path: path ?? [] };
}

/** A kind of room; with a number also a fixed thing, such as a dock or a gate. */
function placeKind(words: string, isNumbered: boolean): string | undefined {
  const room = roomKind(words);
  if (room) return room.isWhole && !isNumbered ? undefined : room.name;
  const thing = isNumbered ? lookup(words) : undefined;
  return thing && mobilityOf(thing.name) === "fixed" ? thing.name : undefined;
}

/** Whether two labels may name one place: the same code, and the same kind where both have one. */
export function sameLabel(a: PlaceLabel, b: PlaceLabel): boolean {
  const isSameKind = a.kind === undefined || b.kind === undefined || a.kind === b.kind;
  return a.path.length > 0 && isSameKind && codeOf(a) === codeOf(b);
}

/** A code in the form used for comparison: "b-3-1" is B-03-1. */
export function codeOf({ path }: Pick<PlaceLabel, "path">): string {
  return path.map((part) => part.toUpperCase().replace(/^0+(?=\d)/, "")).join("-");
}
