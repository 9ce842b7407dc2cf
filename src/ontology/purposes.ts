import { readFileSync } from "node:fs";

/** What a line of the table speaks of: kinds of things, kinds of rooms, moods, rooms that have them, complaints. */
export type PurposeSection = "things" | "rooms" | "moods" | "room moods" | "complaints";

/** Names of one kind, the commonest first, and the words that go with it. */
export interface PurposeLine {
  readonly names: readonly string[];
  readonly cues: readonly string[];
}

let sections: ReadonlyMap<string, readonly PurposeLine[]> | undefined;

/** What things and rooms are good for, as people say it; read from its file when it is first asked for. */
export function purposeLines(section: PurposeSection): readonly PurposeLine[] {
  sections ??= sectionsOf(readFileSync(new URL("data/purposes.txt", import.meta.url), "utf8"));
  return sections.get(section) ?? [];
}

function sectionsOf(text: string): Map<string, PurposeLine[]> {
  const found = new Map<string, PurposeLine[]>();
  let lines: PurposeLine[] = [];
  for (const line of text.split("\n")) {
    if (line === "" || line.startsWith("#")) continue;
    const title = /^\[(.+)\]$/.exec(line)?.[1];
    if (title !== undefined) {
      lines = [];
      found.set(title, lines);
      continue;
    }
    const colon = line.indexOf(": ");
    lines.push({ names: line.slice(0, colon).split(", "), cues: line.slice(colon + 2).split("; ") });
  }
  return found;
}
