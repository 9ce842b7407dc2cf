import { readFileSync } from "node:fs";
import { join } from "node:path";
import { LociEncoder } from "../../../models/loci-encoder/encoder.ts";
import { type Expression, isLociError } from "../../../schema/index.ts";
import { isReadable } from "../pairs/check-pair.ts";
import { goesOn } from "../placeholders.ts";
import type { Written } from "../tokens.ts";
import { proposals } from "./beam.ts";
import { MOST_WAYS, Network } from "./network.ts";
import { type CameWith, sourceOf } from "./source.ts";
import { openTables } from "./tables.ts";
import { expressionsOf } from "./target.ts";

/** A reading by the trained reader. */
export interface Proposed {
  readonly parts: readonly Expression[];
  /** Its probability, 0–1. */
  readonly p: number;
  /** The number of steps to write it. */
  readonly steps: number;
}

export interface ProposeContext extends CameWith {
  readonly nowUs: number;
  /** The question in its own words. */
  readonly question?: string | undefined;
  /** The things that the options name, requested where a reading uses them. */
  readonly these?: (() => Expression | undefined) | undefined;
  /** Less likely readings are not wanted. */
  readonly leastP?: number | undefined;
}

const LEAST_P = 0.005;

let network: Network | undefined;

/** The network's readings of a question: valid expressions of the algebra, the likeliest first. */
export function proposed(
  sentences: readonly Written[],
  { nowUs, question = "", these, leastP = LEAST_P, ...cameWith }: ProposeContext,
): Proposed[] {
  network ??= openNetwork();
  const source = sourceOf(sentences, cameWith);
  return proposals(network, source, { most: MOST_WAYS, leastP }).flatMap(({ tokens, logP }) => {
    try {
      const named = tokens.includes("these(") ? these?.() : undefined;
      const parts = expressionsOf(tokens, source, { nowUs, question, these: named });
      const isAlone = cameWith.earlier === undefined || cameWith.earlier.length === 0;
      if (!parts.every(isReadable) || (isAlone && parts.some(goesOn))) return [];
      return [{ parts, p: Math.exp(logP), steps: tokens.length }];
    } catch (error) {
      // The network's output need not be an expression.
      if (isLociError(error) && error.code === "invalid-input") return [];
      throw error;
    }
  });
}

let operators: ReadonlySet<string> | undefined;

/** Whether the network was trained with an operator; it never writes later additions. */
export function canWrite(operator: string): boolean {
  network ??= openNetwork();
  operators ??= new Set(network.tables.tokens);
  return operators.has(`${operator}(`);
}

function openNetwork(): Network {
  const encoder = LociEncoder.open();
  const bytes = readFileSync(join(import.meta.dirname, "reader.bin"));
  return new Network(openTables(bytes), (word) => encoder.encode(word));
}
