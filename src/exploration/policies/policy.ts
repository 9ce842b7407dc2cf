import type { Random } from "../../geometry/index.ts";
import type { FrontierLine, PolicyName } from "../../schema/index.ts";
import type { Stand } from "../../sensors/index.ts";
import type { Frontier } from "../ground/frontiers.ts";
import type { Field, Terrain } from "../ground/terrain.ts";

/** What an agent knows when it chooses between frontiers. */
export interface Outlook {
  readonly at: Stand;
  readonly step: number;
  readonly terrain: Terrain;
  /** Path lengths from its position. */
  readonly field: Field;
  /** Those that are reachable and not claimed by another agent. */
  readonly frontiers: readonly Frontier[];
  /**
   * Probability that something still needed would be seen beyond a frontier, from room contents, habits, and what is
   * remembered nearby; constant if the planner may not read the memory.
   */
  readonly likely: (frontier: Frontier) => number;
  /** Semantic relevance of what is remembered near a frontier to the question; the papers ask a model for it. */
  readonly near: (frontier: Frontier) => number;
  readonly random: Random;
}

/** A frontier's terms and fate, for the record. */
export type Verdict = Pick<FrontierLine, "scores" | "fate"> & { readonly why?: string };

export interface Choice {
  readonly frontier: Frontier | undefined;
  readonly reason: string;
  /** By the frontier's id; unlisted ones were kept without a score. */
  readonly verdicts: ReadonlyMap<string, Verdict>;
}

/** Chooses the next frontier. Pure: the same outlook gives the same choice. */
export interface Policy {
  readonly name: PolicyName;
  /** Keeps its goal until it is reached, gone, or no longer needed; otherwise it chooses anew at every step. */
  readonly commits: boolean;
  /** Goes for remembered things before it explores, and knows which parts of the question are open. */
  readonly recalls: boolean;
  choose(outlook: Outlook): Choice;
}

/** The choice of one frontier, with the terms of all. */
export function chosen(
  frontier: Frontier | undefined,
  reason: string,
  all: readonly Frontier[],
  scores: (frontier: Frontier) => Readonly<Record<string, number>>,
  discarded: ReadonlyMap<string, string> = new Map(),
): Choice {
  const verdicts = new Map<string, Verdict>();
  for (const one of all) {
    const why = discarded.get(one.id);
    const fate = one === frontier ? "chosen" : why === undefined ? "kept" : "discarded";
    verdicts.set(one.id, { scores: rounded(scores(one)), fate, ...(why !== undefined && { why }) });
  }
  return { frontier, reason, verdicts };
}

function rounded(scores: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(
    Object.entries(scores).flatMap(([name, value]) =>
      Number.isFinite(value) ? [[name, Math.round(value * 1000) / 1000]] : [],
    ),
  );
}
