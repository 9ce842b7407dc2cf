import { assign } from "../../geometry/index.ts";
import { SLIP_SHARE } from "../settings/common.ts";
import { MOVES } from "../settings/moves.ts";
import type { Scene } from "../state/scene.ts";
import type { Thing } from "../state/thing.ts";

/** Two stays that may be of one thing, with the probability. */
export interface PossibleLink {
  readonly from: Thing;
  readonly to: Thing;
  readonly p: number;
}

/**
 * Whether the best explanation of all stays without this link is worse than the best with it by more than the
 * tolerance. Two equally likely origins differ too little for a decision. Of three stays in sequence the middle one
 * explains both others; a link that skips it leaves its beginning and end unexplained.
 */
export function isClear(
  scene: Scene,
  link: PossibleLink,
  all: readonly PossibleLink[],
  maybeP: number,
): boolean {
  const related = relatedTo(link, all);
  if (related.length > MOVES.maxRelated) return false;
  // Another stay of the same track would mean the same link.
  const trackId = scene.trackOf(link.from.trackId);
  const without = related.filter(({ from, to }) => to !== link.to || scene.trackOf(from.trackId) !== trackId);
  return leastCost(without, maybeP, related) - leastCost(related, maybeP, related) >= SLIP_SHARE;
}

/** The links connected to this one by shared stays. */
function relatedTo(link: PossibleLink, all: readonly PossibleLink[]): PossibleLink[] {
  const found = new Set([link]);
  for (const { from, to } of found) {
    if (found.size > MOVES.maxRelated) break;
    for (const other of all) if (other.from === from || other.to === to) found.add(other);
  }
  return [...found];
}

function leastCost(links: readonly PossibleLink[], maybeP: number, related: readonly PossibleLink[]): number {
  const rows = [...new Set(related.map(({ from }) => from))];
  const begun = [...new Set(related.map(({ to }) => to))];
  const columns = begun.length + rows.length;
  const costs = new Float64Array(rows.length * columns).fill(Infinity);
  rows.forEach((_, row) => {
    costs[row * columns + begun.length + row] = 1 - maybeP;
  });
  for (const { from, to, p } of links) costs[rows.indexOf(from) * columns + begun.indexOf(to)] = 1 - p;
  let sum = 0;
  assign(costs, rows.length, columns).forEach((column, row) => {
    sum += costs[row * columns + column] ?? 0;
  });
  return sum;
}
