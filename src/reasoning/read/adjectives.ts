import { isFunctionWord } from "./function-words.ts";
import { FLOORS, GRADES, type Grade, ORDINALS, PLACED } from "./lexicon.ts";
import type { Sentence } from "./sentence.ts";
import { adjectiveAt, isAdjectiveLike, roomAt } from "./vocabulary.ts";

export interface Building {
  /** "the kitchen table", "the bathroom curtain": where it is, put before it. */
  readonly room?: string | undefined;
  readonly options: Record<string, string | string[]>;
  readonly floors: readonly string[];
  readonly grade?: { readonly grade: Grade; readonly nth: number } | undefined;
  readonly cost: number;
}

export const START: Building = { options: {}, floors: [], cost: 0 };

const UNKNOWN_WORD = 0.35;

/** Reads what stands before the noun; every place where the noun may begin is kept. */
export function adjectives(
  s: Sentence,
  at: number,
  building: Building,
  depth: number,
  heads: { at: number; building: Building }[],
): void {
  heads.push({ at, building });
  if (depth > 5) return;
  const word = s.words[at] ?? "";
  if (word === "") return;
  if ((word === "and" || word === "but") && depth > 0 && adjectiveAt(s, at + 1)) {
    adjectives(s, at + 1, building, depth + 1, heads);
    return;
  }
  if (/^(?:very|really|quite|rather|fairly|pretty|wall)$/.test(word) && s.words[at + 1] !== undefined) {
    adjectives(s, at + 1, building, depth, heads);
    return;
  }
  const grade = GRADES.get(word);
  const nth = ORDINALS.get(word);
  if ((word === "most" || word === "least") && GRADES.get(s.words[at + 1] ?? "")) {
    const plain = GRADES.get(s.words[at + 1]!)!;
    const way = word === "most" ? plain.way : plain.way === "most" ? ("least" as const) : ("most" as const);
    adjectives(
      s,
      at + 2,
      { ...building, grade: { grade: { measure: plain.measure, way }, nth: 1 } },
      depth + 1,
      heads,
    );
  }
  if (grade?.degree === "most" || grade?.degree === "more") {
    const set: Building["grade"] = { grade, nth: building.grade?.nth ?? 1 };
    adjectives(
      s,
      at + 1,
      { ...building, grade: set, cost: building.cost + (grade.degree === "more" ? 0.1 : 0) },
      depth + 1,
      heads,
    );
  } else if (grade?.degree === "plain")
    adjectives(s, at + 1, with_(building, "size", word), depth + 1, heads);
  else if (nth !== undefined) {
    const next = GRADES.get(s.words[at + 1] ?? "");
    if (next?.degree === "most")
      adjectives(
        s,
        at + 2,
        { ...building, grade: { grade: next, nth: nth === -1 ? 1 : nth } },
        depth + 1,
        heads,
      );
    else {
      const seen: Grade = {
        measure: { op: "seen", which: nth === -1 ? "last" : "first" },
        way: nth === -1 ? "most" : "least",
      };
      adjectives(
        s,
        at + 1,
        { ...building, grade: { grade: seen, nth: Math.abs(nth) }, cost: building.cost + 0.2 },
        depth + 1,
        heads,
      );
    }
  }
  const room = depth < 3 ? roomAt(s, at) : undefined;
  if (
    room &&
    !room.plural &&
    room.name !== "room" &&
    building.room === undefined &&
    s.words[at + room.length] !== undefined &&
    s.words[at + room.length] !== "'s" &&
    !s.tokens[at + room.length]!.parted &&
    !isFunctionWord(s.words[at + room.length]!)
  )
    adjectives(
      s,
      at + room.length,
      { ...building, room: room.name, cost: building.cost + 0.06 },
      depth + 1,
      heads,
    );
  const floor = FLOORS.get(word) ?? FLOORS.get(`${word} ${s.words[at + 1] ?? ""}`);
  if (floor)
    adjectives(s, at + (FLOORS.has(word) ? 1 : 2), { ...building, floors: [floor] }, depth + 1, heads);
  const adjective = PLACED.has(word) ? undefined : adjectiveAt(s, at);
  if (adjective)
    adjectives(
      s,
      at + adjective.length,
      with_(building, adjective.attribute, adjective.value),
      depth + 1,
      heads,
    );
  else if (grade === undefined && nth === undefined && !floor && isModifier(s, at))
    adjectives(
      s,
      at + 1,
      { ...words(building, word), cost: building.cost + (isAdjectiveLike(word) ? 0.1 : UNKNOWN_WORD) },
      depth + 1,
      heads,
    );
}

/** A word that may describe what follows it: no function word, and something follows. */
function isModifier(s: Sentence, at: number): boolean {
  const word = s.words[at]!;
  return (
    !isFunctionWord(word) &&
    !s.tokens[at]!.quoted &&
    s.words[at + 1] !== undefined &&
    !isFunctionWord(s.words[at + 1]!) &&
    !s.tokens[at + 1]!.parted &&
    !/^\d/.test(word)
  );
}

function with_(building: Building, name: string, value: string): Building {
  if (building.options[name] !== undefined) return words(building, value);
  return { ...building, options: { ...building.options, [name]: value } };
}

function words(building: Building, word: string): Building {
  const known = (building.options["words"] as string[] | undefined) ?? [];
  return { ...building, options: { ...building.options, words: [...known, word] } };
}
