import type { Frontier } from "../ground/frontiers.ts";
import { chosen, type Policy } from "./policy.ts";

const costs = ({ costM }: Frontier) => ({ costM });

/** The nearest frontier by path length. */
export const nearest: Policy = {
  name: "nearest",
  commits: false,
  recalls: false,
  choose({ frontiers }) {
    const best = frontiers.toSorted((a, b) => a.costM - b.costM)[0];
    return chosen(best, "the nearest", frontiers, costs);
  },
};

/** Any frontier, at random. */
export const random: Policy = {
  name: "random",
  commits: true,
  recalls: false,
  choose({ frontiers, random: draw }) {
    const best = frontiers.length === 0 ? undefined : draw.pick(frontiers);
    return chosen(best, "drawn", frontiers, costs);
  },
};
