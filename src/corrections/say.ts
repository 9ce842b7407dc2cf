import { asPerceived, LIMITS, type Sayable } from "../schema/core.ts";

/** The correction in force for one thing or room: of several, the last. */
export interface Said {
  readonly kind?: string | undefined;
  readonly name?: string | undefined;
}

/**
 * A record with a person's values. The robots' own are kept in `perceived`, so that later writes may update them, and
 * undoing means dropping the correction.
 */
export function saidOf<R extends Sayable>(record: R, { kind, name }: Said): R {
  const own = asPerceived(record);
  if (kind === undefined && name === undefined) return own;
  if (own.kind === "region") {
    const called = name ?? kind ?? own.name;
    const perceived = { name: own.name, text: own.text ?? [] };
    return {
      ...own,
      name: called,
      text: lines([called, ...(own.text ?? [])]),
      perceived,
      roomType: kind ?? own.name,
    };
  }
  const { name: ownName, category, text = [] } = own;
  const called = kind?.toLowerCase() ?? category;
  const described = kind === undefined ? ownName : (reworded(ownName, category, kind) ?? kind);
  const reread = (line: string) =>
    kind === undefined ? line : reworded(line, category, kind, ownName, described);
  const kept = text.map(reread).filter((line) => line !== undefined);
  const aliases = own.kind === "track" ? (own.aliases ?? []) : [];
  return {
    ...own,
    name: name ?? described,
    category: called,
    text: lines([name ?? described, described, ...kept]),
    ...(own.kind === "track" && {
      aliases: [...new Set(aliases.map(reread).filter((line) => line !== undefined))],
    }),
    perceived: { name: ownName, category, text, ...(own.kind === "track" && { aliases }) },
  };
}

/**
 * For a printer, "black box" becomes "black printer"; a line with neither the category nor the name is wrong:
 * undefined.
 */
function reworded(
  line: string,
  kind: string,
  newKind: string,
  name?: string,
  newName?: string,
): string | undefined {
  for (const [from, to] of [
    [kind, newKind],
    [name, newName],
  ] as const) {
    if (from === undefined || to === undefined) continue;
    const words = new RegExp(
      `(?<![\\p{L}\\p{N}])${from.replace(/[^\p{L}\p{N}\s]/gu, "\\$&")}(?![\\p{L}\\p{N}])`,
      "giu",
    );
    const said = line.replace(words, () => to);
    if (said !== line || from.toLowerCase() === to.toLowerCase()) return said.slice(0, LIMITS.nameChars);
  }
  return undefined;
}

function lines(all: readonly string[]): string[] {
  return [...new Set(all.map((line) => line.slice(0, LIMITS.lineChars)))].slice(0, LIMITS.linesPerRecord);
}
