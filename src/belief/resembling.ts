import { extentOf } from "../geometry/index.ts";
import { typicalSizeM } from "../ontology/index.ts";
import { NAMELESS } from "../schema/core.ts";
import { settings } from "../schema/settings.ts";
import type { Description } from "./description.ts";
import { contradictionOf } from "./matching.ts";
import { isDoubtful, kindP, nameBelief } from "./names.ts";
import { isLiveAt, type KnownThing } from "./thing.ts";

/** Which unnamed thing may be the one asked for: value, unit, minimum, maximum, source. */
export const RESEMBLING = settings("belief.resembling", {
  /** One standard deviation of the ratio of a seen size to the usual one, as a logarithm: half of a thing is hidden. */
  sizeSd: [0.4, "log-ratio", 0.2, 0.8, "recording"],
  /** Weight of a thing of the right size for which the eyes have no name, beside their own probabilities. */
  sizeWeight: [0.3, "ratio", 0.05, 1, "recording"],
  /** Larger kinds are recognised where they are: size alone makes nothing else one of them. */
  knownM: [0.8, "m", 0.5, 1.5, "recording"],
  /** Weight of none of the things being the one that was asked for. */
  noneWeight: [0.3, "ratio", 0.05, 1, "recording"],
  /** The most things that are offered, and the probability of all of them together from which they are. */
  most: [3, "count", 1, 5, "recording"],
  leastP: [0.35, "probability", 0.1, 0.6, "recording"],
});

/** A thing that may be of a kind, with the probability that it is. */
export interface Resembling {
  readonly thing: KnownThing;
  readonly p: number;
}

/** The part of a belief that the search needs. */
interface Things {
  readonly nowUs: number;
  everything(): Promise<KnownThing[]>;
}

/**
 * The things without a sure name that are likeliest to be what is asked for, the likeliest first: by the eyes' own
 * probabilities, and by size where the eyes do not know. Size counts only where the question presupposes that there is
 * such a thing, as "where is" does and "is there" does not. None where nothing in particular resembles it.
 */
export async function resembling(
  description: Description,
  memory: Things,
  isPresupposed = true,
): Promise<Resembling[]> {
  const scored = (await memory.everything())
    .filter((thing) => isOpen(thing) && isLiveAt(thing, memory.nowUs))
    .filter(({ state }) => contradictionOf(description, state) === undefined)
    .map((thing) => ({ thing, score: scoreOf(description.head, thing, isPresupposed) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || (a.thing.trackId < b.thing.trackId ? -1 : 1));
  const all = RESEMBLING.noneWeight + scored.reduce((sum, { score }) => sum + score, 0);
  const likeliest = scored.slice(0, RESEMBLING.most).map(({ thing, score }) => ({ thing, p: score / all }));
  return likeliest.reduce((sum, { p }) => sum + p, 0) >= RESEMBLING.leastP ? likeliest : [];
}

/** Whether eyes saw it and did not recognise it for sure. Things that a recording left without a name have no guesses. */
function isOpen({ state, spot }: KnownThing): boolean {
  const wasSeen = state.namedBy !== undefined || (state.maybe ?? []).length > 0;
  return spot === undefined && wasSeen && isDoubtful(state);
}

function scoreOf(asked: string, { state, box }: KnownThing, isPresupposed: boolean): number {
  const said = kindP(asked, state);
  const usualM = typicalSizeM(asked);
  if (!isPresupposed || usualM === undefined || usualM > RESEMBLING.knownM || !box) return said;
  const { x, y, z } = extentOf(box);
  const off = Math.log(Math.max(x, y, z) / usualM) / RESEMBLING.sizeSd;
  const unsaid = 1 - (state.category === NAMELESS ? guessedP(state) : nameBelief(state).p);
  return said + RESEMBLING.sizeWeight * unsaid * Math.exp(-(off ** 2) / 2);
}

/** The probability that the eyes' guesses at an unnamed thing hold the right one. */
function guessedP(state: KnownThing["state"]): number {
  return Math.min(
    1,
    (state.maybe ?? []).reduce((sum, { category }) => sum + kindP(category, state), 0),
  );
}
