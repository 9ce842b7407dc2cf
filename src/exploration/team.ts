import { assign } from "../geometry/index.ts";
import type { Explorer } from "./explorer.ts";
import type { Frontier } from "./ground/frontiers.ts";
import type { Field, Terrain } from "./ground/terrain.ts";

/** A claim unfulfilled after this many steps is dropped: its holder may have been stopped. */
const CLAIM_STEPS = 10;

/** Claims of agents on targets, so that no two pursue the same one; claims expire by themselves. */
export class Claims {
  readonly #held = new Map<string, { readonly agentId: string; readonly untilStep: number }>();

  claim(target: string, agentId: string, step: number): void {
    this.release(agentId);
    this.#held.set(target, { agentId, untilStep: step + CLAIM_STEPS });
  }

  release(agentId: string): void {
    for (const [target, held] of this.#held) if (held.agentId === agentId) this.#held.delete(target);
  }

  /** The other agent that claims the target at this step. */
  holder(target: string, agentId: string, step: number): string | undefined {
    const held = this.#held.get(target);
    if (held === undefined || held.untilStep < step || held.agentId === agentId) return undefined;
    return held.agentId;
  }
}

/**
 * Assigns frontiers: as many agents as possible get one each, with the least total path length. Unlikely frontiers
 * cost more, as if they were farther away.
 */
export function shareOut(
  explorers: readonly Explorer[],
  fields: readonly Field[],
  frontiers: readonly Frontier[],
  terrain: Terrain,
  likely: (frontier: Frontier) => number,
): Map<string, Frontier> {
  const costs = new Float64Array(explorers.length * frontiers.length);
  explorers.forEach((_, row) => {
    frontiers.forEach((frontier, column) => {
      const wayM = fields[row]!.metresTo(terrain.cellAt(frontier.stand.positionInWorld));
      costs[row * frontiers.length + column] = wayM / Math.max(0.1, likely(frontier));
    });
  });
  const columns = assign(costs, explorers.length, frontiers.length);
  const given = new Map<string, Frontier>();
  explorers.forEach(({ id }, row) => {
    const frontier = frontiers[columns[row]!];
    if (frontier) given.set(id, frontier);
  });
  return given;
}
