import type { Stored } from "../../schema/index.ts";
import { wordsOf } from "../inquiry/needs.ts";
import type { Part } from "../inquiry/part.ts";
import { GUIDE } from "./settings.ts";

/** What an agent knows at one step, as input for the texts. */
export interface Known {
  readonly question: string;
  readonly parts: readonly Part[];
  /** The name of its current room. */
  readonly room: string | undefined;
  /** Things in view, each with name and appearance. */
  readonly visible: readonly string[];
}

/**
 * MemoryEQA's three queries without a model, built from the question and the step: the open parts, the agent's room,
 * and what is in view. They change as parts are found.
 */
export const QUERIES = {
  /** q_p: what is sought, the rooms it may be in, and the surroundings. */
  planner: ({ question, parts, room }: Known): string => {
    const open = openOf(parts);
    const rooms = open.flatMap(({ need, usual }) => [...(need.isInKnownRoom ? [] : need.rooms), ...usual]);
    return phrase([
      ...(open.length > 0 ? open.map(({ need }) => wordsOf(need)) : [question]),
      ...rooms,
      room,
    ]);
  },
  /** q_s: whether the thing sought was seen: by its category and by things of that category in view. */
  stopping: ({ question, parts, visible }: Known): string => {
    const wanted = parts.flatMap(({ need }) => need.categories);
    const seen = visible.filter((thing) => wanted.some((category) => thing.includes(category)));
    return phrase([...(parts.length > 0 ? parts.map(({ need }) => wordsOf(need)) : [question]), ...seen]);
  },
  /** q_a: the question itself, and the things it names. */
  answering: ({ question, parts }: Known): string =>
    phrase([question, ...parts.map(({ need }) => wordsOf(need))]),
} as const;

function openOf(parts: readonly Part[]): readonly Part[] {
  return parts.filter(({ state }) => state === "open");
}

function phrase(words: readonly (string | undefined)[]): string {
  return [...new Set(words.filter((word) => word !== undefined && word !== ""))].join("; ").slice(0, 300);
}

/** Descriptions of the things in view, without repeats. */
export function visibleThings(records: readonly Stored[]): string[] {
  const names = records.flatMap((record) => (record.kind === "state" ? [nameOf(record)] : []));
  return [...new Set(names)].slice(0, GUIDE.visible);
}

function nameOf({ name, category, attributes }: Extract<Stored, { kind: "state" }>): string {
  const colour = attributes["colour"]?.value;
  const what = name === "" ? category : name;
  const looks = typeof colour === "string" && !what.includes(colour) ? `${colour} ` : "";
  return `${looks}${what}`.slice(0, 300);
}

/** The view as a sentence. */
export function observationOf({ room, visible }: Pick<Known, "room" | "visible">): string {
  const here = room === undefined ? "" : ` in the ${room}`;
  return visible.length === 0 ? `nothing is known of what is in view${here}` : `${visible.join(", ")}${here}`;
}
