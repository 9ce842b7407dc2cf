import { distance } from "../../geometry/index.ts";
import { NAMELESS } from "../../schema/core.ts";
import { COMMON, NEARLY_ALL } from "../settings/common.ts";
import { MOVES } from "../settings/moves.ts";
import { isFluent } from "../state/fluents.ts";
import type { Scene } from "../state/scene.ts";
import type { Thing } from "../state/thing.ts";
import type { PossibleLink } from "./link-account.ts";

/**
 * Links things moved from a place that was not observed again: the only known like thing is detected elsewhere, where
 * there had been none or while the old place suggests its absence. The link is undone when the old thing is seen in its
 * place.
 */
export function presumedMoves(scene: Scene, everything: boolean): PossibleLink[] {
  const isFresh = ({ doubts, evidence }: Thing) =>
    doubts.cameAfterUs !== undefined && evidence.firstSeenUs >= scene.latestUs - 2 * COMMON.visitUs;
  const fresh = [...scene.unlinked]
    .filter((thing) => (everything || isFresh(thing)) && thing.isConfirmed && isSmall(thing))
    // Two unlabelled things have only a colour in common.
    .filter(({ words }) => words.category !== NAMELESS)
    .slice(-MOVES.maxFresh);
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
    const odds =
      (to.doubts.cameAfterUs === undefined ? MOVES.foundOdds : MOVES.cameOdds) + from.doubts.absence.logOdds;
    const p = 1 / (1 + Math.exp(-odds));
    if (p >= NEARLY_ALL) links.push({ from, to, p: Math.min(1 - COMMON.minErrorP, p) });
  }
  return links;
}

function isSmall({ type, diagonalM }: Thing): boolean {
  return type === "object" && diagonalM < COMMON.smallM;
}

function mayHaveGone(scene: Scene, from: Thing, to: Thing): boolean {
  if (from.identity.endedUs !== undefined || !isSmall(from) || from.evidence.detections < COMMON.fewLooks)
    return false;
  if (
    to.evidence.firstSeenUs - from.evidence.lastSeenUs < COMMON.whileUs ||
    distance(from.centre, to.centre) < COMMON.handyM
  )
    return false;
  if (scene.trackOf(from.trackId) === scene.trackOf(to.trackId)) return false;
  // If the old thing may itself have been moved to a place where it was merely discovered, its identity is ambiguous.
  if (from.links.movedFrom && from.doubts.cameAfterUs === undefined) return false;
  const [small, large] = [from.diagonalM, to.diagonalM].sort((a, b) => a - b) as [number, number];
  return small >= 0.5 * large;
}

/** Whether the descriptions of the two do not distinguish them. */
function areAlike(a: Thing, b: Thing): boolean {
  if (a.words.category !== b.words.category || a.labels.length !== b.labels.length) return false;
  if (!a.labels.every((label) => b.labels.includes(label))) return false;
  const { agree, conflict } = a.words.attributeBalance(b.words, isFluent);
  return conflict === 0 && agree > 0;
}
