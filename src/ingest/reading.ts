import type { FoundText, TextReader } from "../models/index.ts";
import type { BestLooks } from "../perception/index.ts";
import { isLociError, LIMITS } from "../schema/core.ts";
import type { TrackerStep } from "../tracking/index.ts";
import type { Stages } from "./stages.ts";

/** Most things read at the end of one recording. */
const MOST = 500;
/** A line read in only one view may be wrong; the same misreading in two is unlikely. */
const LEAST_VIEWS = 2;
/** Lines that differ in at most this share of their letters are one line, misread. */
const MISREAD = 0.25;
/** Confidence of a corrected spelling relative to a direct reading. */
const CORRECTED = 0.5;
/** After this many best views without text, the others are not read. */
const EMPTY_LOOKS = 2;
/** Shorter crops have no room for three legible letters. */
const LEAST_PX = 24;

type LookAt = ReturnType<BestLooks["looksAt"]>[number];

/**
 * Reads the text on each thing once, in its best views. A line that views from different times agree on is passed to
 * the tracker like text from the recording; existing text of a thing is kept.
 */
export async function readThings(
  { tracker, prints }: Stages,
  reader: TextReader,
): Promise<Pick<TrackerStep, "records">> {
  const records: NonNullable<TrackerStep["records"]>[number][] = [];
  const open = [...tracker.things()].filter(({ type, says }) => type === "object" && says === undefined);
  for (const { stateId } of open.slice(0, MOST)) {
    const read: FoundText[][] = [];
    for (const look of prints?.looksAt(stateId) ?? []) {
      if (read.length >= EMPTY_LOOKS && read.every((lines) => lines.length === 0)) break;
      if (Math.max(look.picture.width, look.picture.height) < LEAST_PX) break;
      read.push(await linesIn(look, reader));
    }
    const text = agreedOn(read);
    if (text !== undefined) records.push(...tracker.toldWriting(stateId, text).records);
  }
  return { records };
}

/** The lines whose centre is on the thing; none for an unreadable picture. */
async function linesIn({ picture, inside }: LookAt, reader: TextReader): Promise<FoundText[]> {
  try {
    const lines = await reader.read(picture);
    return lines.filter(({ bbox: [l, t, r, b] }) => {
      const [x, y] = [Math.floor((l + r) / 2), Math.floor((t + b) / 2)];
      return inside === undefined || inside[y * picture.width + x] === 1;
    });
  } catch (error) {
    if (isLociError(error)) return [];
    throw error;
  }
}

/** What several views agree on, in the order of the view that read most of it; undefined if they agree on nothing. */
export function agreedOn(read: readonly (readonly FoundText[])[]): string | undefined {
  const looks = spelledByAll(read);
  const votes = new Map<string, { views: number; text: string; score: number }>();
  for (const lines of looks) {
    for (const [letters, { text, score }] of new Map(lines.map((line) => [lettersOf(line.text), line]))) {
      const known = votes.get(letters);
      if (!known) votes.set(letters, { views: 1, text, score });
      else {
        known.views++;
        // Of "Milk" and "MILK" the more confident one.
        if (score > known.score) Object.assign(known, { text, score });
      }
    }
  }
  const sure = [...votes].filter(([, { views }]) => views >= LEAST_VIEWS);
  // A truncated line is a part of the whole one.
  const whole = sure.filter(([a]) => !sure.some(([b]) => b !== a && b.includes(a)));
  const kept = new Map(whole);
  const order = looks
    .map((lines) => lines.map(({ text }) => lettersOf(text)).filter((letters) => kept.has(letters)))
    .reduce((a, b) => (b.length > a.length ? b : a), []);
  const all = new Set([...order, ...kept.keys()]);
  const text = [...all].map((letters) => kept.get(letters)!.text).join(" ");
  return text === "" ? undefined : text.replaceAll(/["“”]/g, "").slice(0, LIMITS.nameChars);
}

/**
 * Lines of equal length that differ by a letter or two are one line, misread: "EGG9", "EGGS" and "FGGS" give EGGS,
 * each letter as two views read it. If no two agree on one of the letters, each line stays as it is; so does a line
 * that two views read alike: "SHELF 1" and "SHELF 2" are two lines.
 */
function spelledByAll(looks: readonly (readonly FoundText[])[]): readonly (readonly FoundText[])[] {
  const read = looks.map((lines) => new Set(lines.map(({ text }) => lettersOf(text))));
  const isAgreed = ({ text }: FoundText) =>
    read.filter((look) => look.has(lettersOf(text))).length >= LEAST_VIEWS;
  const all = looks.flat();
  const spelled = new Map<FoundText, string>();
  for (const { text } of all) {
    const alike = all.filter((line) => isMisread(line.text, text));
    const letters = [...text].map((_, n) => agreedLetter(alike.map((line) => line.text[n]!.toUpperCase())));
    if (letters.includes(undefined)) continue;
    for (const line of alike)
      if (!spelled.has(line) && !isAgreed(line) && isMisread(line.text, letters.join("")))
        spelled.set(line, letters.join(""));
  }
  return looks.map((lines) =>
    lines.map((line) => {
      const text = spelled.get(line) ?? line.text;
      const isSo = lettersOf(text) === lettersOf(line.text);
      return isSo ? line : { ...line, text, score: line.score * CORRECTED };
    }),
  );
}

function isMisread(text: string, as: string): boolean {
  if (text.length !== as.length) return false;
  const [a, b] = [text.toUpperCase(), as.toUpperCase()];
  return [...a].filter((letter, n) => letter !== b[n]).length <= MISREAD * as.length;
}

/** The letter that most views read, if at least two do and no other is read as often. */
function agreedLetter(letters: readonly string[]): string | undefined {
  const counts = [...Map.groupBy(letters, (letter) => letter)].map(
    ([letter, own]) => [letter, own.length] as const,
  );
  const [[first, most], second] = counts.sort((a, b) => b[1] - a[1]) as [[string, number], [string, number]?];
  return most >= LEAST_VIEWS && most > (second?.[1] ?? 0) ? first : undefined;
}

/** What views must agree on: letters and digits, ignoring case. */
function lettersOf(text: string): string {
  return text.toUpperCase().replace(/[^\p{L}\d]/gu, "");
}
