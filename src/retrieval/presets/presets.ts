import { LociError } from "../../schema/core.ts";
import { auto } from "./auto.ts";
import { blind, flatRag, openGraph, remembr, semanticMatch, uniform, wholeHistory } from "./baselines.ts";
import { embodiedRag, memoryEqa, type Preset, r4, rEqa, star } from "./papers.ts";

/** Every way of retrieving that has a name: five papers, baselines, and the product's own choice. */
export const STRATEGIES = [
  "auto",
  "r4",
  "star",
  "embodied-rag",
  "memory-eqa",
  "r-eqa",
  "remembr",
  "opengraph",
  "flat-rag",
  "semantic-match",
  "uniform",
  "blind",
  "whole-history",
] as const;

export type Strategy = (typeof STRATEGIES)[number];

const PRESETS: Readonly<Record<Strategy, Preset>> = {
  auto,
  r4,
  star,
  "embodied-rag": embodiedRag,
  "memory-eqa": memoryEqa,
  "r-eqa": rEqa,
  remembr,
  opengraph: openGraph,
  "flat-rag": flatRag,
  "semantic-match": semanticMatch,
  uniform,
  blind,
  "whole-history": wholeHistory,
};

/** The preset of a name. */
export function presetOf(strategy: Strategy): Preset {
  return PRESETS[strategy] ?? unknown(strategy);
}

function unknown(strategy: string): never {
  throw new LociError("invalid-input", `unknown strategy "${strategy}"; one of ${STRATEGIES.join(", ")}`);
}
