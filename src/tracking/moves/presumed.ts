import { distance } from "../../geometry/index.ts";
import { isFluent } from "../state/fluents.ts";
import type { Scene } from "../state/scene.ts";
import type { Thing } from "../state/thing.ts";
import type { Words } from "../state/words.ts";
import type { PossibleLink } from "./link-account.ts";

/** Nobody carries larger things about without being seen to. */
const CARRIED_M = 0.8;
/** Nearer than this it may be a second record of what stands there, and sooner it was hardly carried. */
const ELSEWHERE_M = 0.7;
const CARRYING_US = 10_000_000;
/** Half of a thing behind another is half its size; less than that is another thing. */
const LIKE_SIZE = 0.5;
const KNOWN_LOOKS = 3;
/**
 * Natural log of the odds that a thing which turned up is the only known one like it, moved: where its new place had
 * been seen without it, and where that is not known. Counted in 36 simulated recordings: 20 to 0 when pictures seen
 * from behind their wall are left out, and 13 to 73; of the latter all four whose old place spoke for it were moved.
 */
const CAME_ODDS = 2.3;
const FOUND_ODDS = -1.6;
/** A step asks about what came lately only, the end of a recording about so many. */
const FRESH_US = 60_000_000;
const MOST_FRESH = 512;
/** Less than nine to one, and it stays a suspicion. */
const LEAST_P = 0.9;

/**
 * Things that were moved while nobody saw their old place again: one like them, the only one that is known, is met
 * elsewhere, where none had been or while the old place speaks for its being gone. The link is taken back when the
 * old one is seen where it was.
 */
export function presumedMoves(scene: Scene, everything: boolean): PossibleLink[] {
  const isFresh = ({ doubts, evidence }: Thing) =>
    doubts.cameAfterUs !== undefined && evidence.firstSeenUs >= scene.latestUs - FRESH_US;
  const fresh = [...scene.unlinked]
    .filter((thing) => (everything || isFresh(thing)) && thing.isConfirmed && isSmall(thing))
    .slice(-MOST_FRESH);
  if (fresh.length === 0) return [];
  const kinds = new Set(fresh.map(({ words }) => words.category));
  const known = new Map<string, Thing[]>();
  for (const thing of [...scene.things.values(), ...scene.ended]) {
    const { category } = thing.words;
    if (!thing.isConfirmed || thing.type !== "object" || thing.links.successor || !kinds.has(category))
      continue;
    const group = known.get(category);
    if (group) group.push(thing);
    else known.set(category, [thing]);
  }
  const links: PossibleLink[] = [];
  for (const to of fresh) {
    const group = known.get(to.words.category) ?? [];
    const alike = group.filter((thing) => thing !== to && areAlike(thing, to));
    const [from] = alike;
    if (alike.length !== 1 || !from || !mayHaveGone(scene, from, to)) continue;
    const odds = (to.doubts.cameAfterUs === undefined ? FOUND_ODDS : CAME_ODDS) + from.doubts.absence.logOdds;
    const p = 1 / (1 + Math.exp(-odds));
    if (p >= LEAST_P) links.push({ from, to, p: Math.min(0.95, p) });
  }
  return links;
}

function isSmall({ type, diagonalM }: Thing): boolean {
  return type === "object" && diagonalM < CARRIED_M;
}

function mayHaveGone(scene: Scene, from: Thing, to: Thing): boolean {
  if (from.identity.endedUs !== undefined || !isSmall(from) || from.evidence.detections < KNOWN_LOOKS)
    return false;
  if (
    to.evidence.firstSeenUs - from.evidence.lastSeenUs < CARRYING_US ||
    distance(from.centre, to.centre) < ELSEWHERE_M
  )
    return false;
  if (scene.trackOf(from.trackId) === scene.trackOf(to.trackId)) return false;
  // One that may itself be another, moved to where it was merely discovered, leaves open which of them this is.
  if (from.links.movedFrom && from.doubts.cameAfterUs === undefined) return false;
  const [small, large] = [from.diagonalM, to.diagonalM].sort((a, b) => a - b) as [number, number];
  return small >= LIKE_SIZE * large;
}

/** Whether nobody could tell the two from each other by what was said of them. */
function areAlike(a: Thing, b: Thing): boolean {
  if (a.words.category !== b.words.category || a.labels.length !== b.labels.length) return false;
  if (!a.labels.every((label) => b.labels.includes(label))) return false;
  const [one, other] = [writingOn(a.words), writingOn(b.words)];
  if (one !== undefined && other !== undefined && one !== other) return false;
  const { agree, conflict } = a.words.attributeBalance(b.words, isFluent);
  return conflict === 0 && agree > 0;
}

/** What is written on a thing stands in quotes in what is said of it. */
function writingOn({ name }: Words): string | undefined {
  return /[“"]([^”"]+)[”"]/.exec(name)?.[1];
}
