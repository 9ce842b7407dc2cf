import type { Speaker } from "../corrections/index.ts";
import { evaluate, readingsOf, scopeOf } from "../reasoning/index.ts";
import {
  type Correction,
  type CorrectionsQuery,
  type CorrectRequest,
  correctRequestSchema,
  LociError,
  type NameRequest,
  nameRequestSchema,
  parseOrThrow,
  SPOT_RADIUS_M,
} from "../schema/index.ts";
import { optionsFor } from "./ask.ts";
import type { Memory } from "./memory.ts";

/** The speaker: the memory as the speaker sees it, and the speaker's name. */
export interface Saying {
  readonly memory: Memory;
  /** The memory as the speaker may see it; default all of it. */
  readonly seen?: Memory;
  readonly author?: string | undefined;
}

/** "That is a printer." */
export async function correct(saying: Saying, request: CorrectRequest): Promise<Correction> {
  const { target, is, author } = parseOrThrow(correctRequestSchema, request, "correct");
  const id = await targetOf(saying, target);
  return saying.memory.corrections.say("kind", id, is, await speakerOf(saying, author));
}

/** "This is the charging dock": names a thing, a room, or a place by its coordinates. */
export async function name(saying: Saying, request: NameRequest): Promise<Correction> {
  const asked = parseOrThrow(nameRequestSchema, request, "name");
  const speaker = await speakerOf(saying, asked.author);
  const corrections = saying.memory.corrections;
  if (asked.at === undefined) {
    if (asked.labels && asked.labels.length > 0)
      throw new LociError(
        "invalid-input",
        "a thing or a room keeps its own labels; only a place is given any",
      );
    return corrections.say("name", await targetOf(saying, asked.target!), asked.name, speaker);
  }
  const { at, radiusM = SPOT_RADIUS_M, labels = [], sceneId = "default" } = asked;
  return corrections.nameSpot({ name: asked.name, at, radiusM, labels, sceneId }, speaker);
}

/** Undoes the correction with this id, or the last one. */
export async function undo(saying: Saying, id: string | undefined): Promise<Correction> {
  const speaker = await speakerOf(saying, undefined);
  const corrections = saying.memory.corrections;
  const last = id ?? (await corrections.list(speaker.seen)).find(({ undone }) => undone === undefined)?.id;
  if (last === undefined)
    throw new LociError("unknown-id", "nothing was corrected or named that could be undone");
  return corrections.undo(last, speaker);
}

/** Corrections, latest first. */
export async function corrections(saying: Saying, query: CorrectionsQuery = {}): Promise<Correction[]> {
  const { seen } = await speakerOf(saying, undefined);
  return saying.memory.corrections.list(seen, query);
}

async function speakerOf(
  { memory, seen = memory, author }: Saying,
  given: string | undefined,
): Promise<Speaker> {
  return { author: given ?? author ?? "local", seen: await seen.reader() };
}

/** A reading with a higher cost is a guess: good enough for an answer, not for changing the memory. */
const MAX_COST = 0.2;

/** A record by its id, or the one thing or room that the words refer to. */
async function targetOf({ memory, seen = memory }: Saying, words: string): Promise<string> {
  const reader = await seen.reader();
  if (/^[A-Za-z0-9][A-Za-z0-9_.:-]{0,63}$/.test(words) && (await reader.get([words]))[0]) return words;
  const options = await optionsFor(seen, {}, {});
  const [reading] = await readingsOf(`Where is ${withArticle(words)}?`, options);
  const [place] = reading?.parts ?? [];
  const value =
    reading && reading.cost <= MAX_COST && place?.op === "place" && place.of[0]
      ? await evaluate(place.of[0], await scopeOf(options))
      : undefined;
  const found =
    value?.kind === "things"
      ? [...value.things, ...(value.rivals ?? [])].map(({ trackId, name: called }) => ({
          id: trackId,
          called,
        }))
      : value?.kind === "rooms"
        ? value.rooms.map(({ id, name: called }) => ({ id, called }))
        : [];
  const [first, ...others] = new Map(found.map((one) => [one.id, one])).values();
  if (!first) throw new LociError("unknown-id", `nothing is known as “${words}”`);
  if (others.length > 0) {
    const list = [first, ...others.slice(0, 4)].map(({ id, called }) => `${called} (${id})`).join(", ");
    throw new LociError(
      "invalid-input",
      `“${words}” may be any of ${others.length + 1}: ${list}; say which by its id`,
    );
  }
  return first.id;
}

/** Adds an article to a bare noun: "unicorn" alone may be read as a person's name. */
function withArticle(words: string): string {
  const isBare =
    /^[a-z][^']*$/.test(words) && !/^(?:the|an?|my|our|your|his|her|their|th(?:is|at|ese|ose))\s/.test(words);
  return isBare ? `the ${words}` : words;
}
