import { purposeLines } from "../../ontology/purposes.ts";
import { stemsOf } from "./stems.ts";

interface Rooms {
  readonly doings: readonly { readonly names: readonly string[]; readonly cues: readonly string[][] }[];
  readonly moods: readonly { readonly mood: string; readonly stems: ReadonlySet<string> }[];
  readonly has: readonly { readonly names: readonly string[]; readonly moods: readonly string[] }[];
}

let read: Rooms | undefined;

function rooms(): Rooms {
  read ??= {
    doings: purposeLines("rooms").map(({ names, cues }) => ({ names, cues: cues.map(stemsOf) })),
    moods: purposeLines("moods").map(({ names, cues }) => ({
      mood: names[0]!,
      stems: new Set(stemsOf(cues.join(" "))),
    })),
    has: purposeLines("room moods").map(({ names, cues }) => ({ names, moods: cues })),
  };
  return read;
}

/** A cue of two words says more than one of one. */
const SECOND_WORD = 0.5;

/** Kinds of room for what somebody wants to do there, the likeliest first; empty where it is nothing of a room's. */
export function roomsToDo(wish: string): string[] {
  const said = new Set(stemsOf(wish));
  return namesOf(
    rooms().doings.map(({ names, cues }) => ({
      names,
      score: Math.max(
        0,
        ...cues.map((stems) =>
          stems.length > 0 && stems.every((stem) => said.has(stem))
            ? 1 + SECOND_WORD * (stems.length - 1)
            : 0,
        ),
      ),
    })),
  );
}

/** Kinds of room for a mood: those that have most of what is asked for. */
export function roomsLike(wish: string): string[] {
  const said = stemsOf(wish);
  const wanted = rooms()
    .moods.filter(({ stems }) => said.some((stem) => stems.has(stem)))
    .map(({ mood }) => mood);
  return namesOf(
    rooms().has.map(({ names, moods }) => ({
      names,
      score: moods.reduce((sum, mood, n) => sum + (wanted.includes(mood) ? 1 - n * 0.01 : 0), 0),
    })),
  );
}

function namesOf(scored: readonly { readonly names: readonly string[]; readonly score: number }[]): string[] {
  return scored
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
    .flatMap(({ names }) => names);
}
