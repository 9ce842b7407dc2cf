import { readFileSync } from "node:fs";
import { join } from "node:path";
import { LociEncoder } from "../../../models/loci-encoder/encoder.ts";
import { type Expression, isLociError } from "../../../schema/index.ts";
import { kindOf } from "../../algebra/check.ts";
import type { Written } from "../tokens.ts";
import { proposals } from "./beam.ts";
import { Network } from "./network.ts";
import { sourceOf } from "./source.ts";
import { openTables } from "./tables.ts";
import { expressionsOf } from "./target.ts";

/** A reading by the trained reader. */
export interface Proposed {
  readonly parts: readonly Expression[];
  /** How likely it finds it, 0–1. */
  readonly p: number;
}

export interface ProposeContext {
  readonly nowUs: number;
  /** What it finds less likely is not wanted. */
  readonly leastP?: number | undefined;
  readonly people?: ReadonlySet<string> | undefined;
}

/** So many ways of writing a question down are followed at once. */
const BEAM = 3;
const LEAST_P = 0.005;

let network: Network | undefined;

/** What the network makes of a question: expressions that the algebra has, the likeliest first. */
export function proposed(
  sentences: readonly Written[],
  { nowUs, people, leastP = LEAST_P }: ProposeContext,
): Proposed[] {
  network ??= openNetwork();
  const source = sourceOf(sentences, people);
  return proposals(network, source, { most: BEAM, leastP }).flatMap(({ tokens, logP }) => {
    try {
      const parts = expressionsOf(tokens, source, nowUs);
      for (const part of parts) kindOf(part);
      return [{ parts, p: Math.exp(logP) }];
    } catch (error) {
      // What it says need not be an expression.
      if (isLociError(error) && error.code === "invalid-input") return [];
      throw error;
    }
  });
}

function openNetwork(): Network {
  const encoder = LociEncoder.open();
  const bytes = readFileSync(join(import.meta.dirname, "reader.bin"));
  return new Network(openTables(bytes), (word) => encoder.encode(word));
}
