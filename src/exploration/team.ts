import { assign } from "../geometry/index.ts";
import type { Explorer } from "./explorer.ts";
import type { Frontier } from "./ground/frontiers.ts";
import type { Field, Terrain } from "./ground/terrain.ts";

/** A claim that was not fulfilled after so many steps is given up: its holder may have been stopped. */
const CLAIM_STEPS = 10;

/** Who goes for what, so that no two agents go for the same: claims run out by themselves. */
export class Claims {
  readonly #held = new Map<string, { readonly agentId: string; readonly untilStep: number }>();

  claim(target: string, agentId: string, step: number): void {
    this.release(agentId);
    this.#held.set(target, { agentId, untilStep: step + CLAIM_STEPS });
  }

  release(agentId: string): void {
    for (const [target, held] of this.#held) if (held.agentId === agentId) this.#held.delete(target);
  }

  /** Who else goes for it at this step. */
  holder(target: string, agentId: string, step: number): string | undefined {
    const held = this.#held.get(target);
    if (held === undefined || held.untilStep < step || held.agentId === agentId) return undefined;
    return held.agentId;
  }
}

/**
 * Shares frontiers out: as many agents as possible get one each, so that the sum of their ways is least. What is
 * unlikely costs more, as if it were farther away.
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
