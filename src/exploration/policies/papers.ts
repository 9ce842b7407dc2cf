import type { Frontier } from "../ground/frontiers.ts";
import { chosen, type Outlook, type Policy } from "./policy.ts";

/**
 * docs/formulas.md#frontiers: top p by U = λ₁·G − λ₂·C, each relative to the candidates' maximum, then by relevance.
 */
const LAMBDA_GAIN = 0.6;
const LAMBDA_COST = 0.4;
const TOP = 3;
const HALF = 0.5;

/**
 * MemoryEQA's planner as published: of the best three by gain against cost, the one that agrees best with the memory
 * retrieved for it. It keeps no goal and chooses anew at every step.
 */
export const memoryEqa: Policy = {
  name: "memory-eqa",
  commits: false,
  recalls: true,
  choose(outlook) {
    const { frontiers, near } = outlook;
    const [mostGain, mostCost] = [
      Math.max(1e-9, ...frontiers.map(({ gainM2 }) => gainM2)),
      Math.max(1e-9, ...frontiers.map(({ costM }) => costM)),
    ];
    const utility = ({ gainM2, costM }: Frontier): number =>
      (LAMBDA_GAIN * gainM2) / mostGain - (LAMBDA_COST * costM) / mostCost;
    const top = frontiers.toSorted((a, b) => utility(b) - utility(a)).slice(0, TOP);
    const total = (one: Frontier): number => HALF * utility(one) + HALF * near(one);
    const best = top.toSorted((a, b) => total(b) - total(a))[0];
    const discarded = new Map(
      frontiers
        .filter((one) => !top.includes(one))
        .map(({ id }) => [id, `not among the ${TOP} of most utility`]),
    );
    return chosen(
      best,
      "of the three of most utility the one that agrees best with the memory",
      frontiers,
      (one) => ({ utility: utility(one), near: near(one), costM: one.costM, gainM2: one.gainM2 }),
      discarded,
    );
  },
};

/** explore-eqa's temperatures (its released code): unexplored ahead, semantic value, value ahead, distance. */
const UNEXPLORED_T = 0.2;
const UNOCCUPIED_T = 2;
const VALUE_T = 0.5;
const DISTANCE_T = 10;
const AHEAD_M = 3;
const NEAR_M = 1;
/** Values count from the third step on. */
const BLIND_STEPS = 2;

/**
 * explore-eqa's weight w = e^(u_e/.2)·e^(u_o/2)·[e^(v/.5)·e^(v̄/.5)]·e^(−d/10); a frontier is drawn in proportion to
 * it. In place of the vision model's value stands the relevance of what was seen near the frontier
 * (docs/exploration.md).
 */
export const exploreEqa: Policy = {
  name: "explore-eqa",
  commits: true,
  recalls: false,
  choose(outlook) {
    const { frontiers, random, step, near } = outlook;
    const weights = frontiers.map((one) => {
      const { unexplored, unoccupied } = ahead(outlook, one);
      const value = near(one);
      const semantic = step < BLIND_STEPS ? 1 : Math.exp(value / VALUE_T) ** 2;
      return (
        Math.exp(unexplored / UNEXPLORED_T) *
        Math.exp(unoccupied / UNOCCUPIED_T) *
        semantic *
        Math.exp(-one.costM / DISTANCE_T)
      );
    });
    const sum = weights.reduce((all, weight) => all + weight, 0);
    const drawn = random.next() * sum;
    let passed = 0;
    const at = weights.findIndex((weight) => {
      passed += weight;
      return passed >= drawn;
    });
    const index = new Map(frontiers.map((one, n) => [one.id, n]));
    return chosen(frontiers[Math.max(0, at)], "drawn by explore-eqa's weight", frontiers, (one) => ({
      weight: weights[index.get(one.id)!]! / Math.max(sum, 1e-9),
      near: near(one),
      costM: one.costM,
    }));
  },
};

/** Shares of unexplored floor over three metres and of unoccupied floor over one, along the frontier's normal. */
function ahead(
  { terrain }: Outlook,
  { middle, stand }: Frontier,
): { unexplored: number; unoccupied: number } {
  const { cellM } = terrain.raster;
  const [dx, dy] = [Math.cos(stand.yawRad), Math.sin(stand.yawRad)];
  let [unexplored, unoccupied, cells, near] = [0, 0, 0, 0];
  for (let r = cellM; r <= AHEAD_M; r += cellM) {
    const cell = terrain.cellAt({ x: middle.x + dx * r, y: middle.y + dy * r });
    cells++;
    if (cell < 0 || terrain.isUnknown(cell)) unexplored++;
    if (r > NEAR_M) continue;
    near++;
    if (cell < 0 || !terrain.isOccupied(cell)) unoccupied++;
  }
  return { unexplored: unexplored / cells, unoccupied: unoccupied / Math.max(1, near) };
}
