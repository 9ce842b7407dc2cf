import type { SearchRequest } from "../../memory/index.ts";
import { LIMITS } from "../../schema/core.ts";
import { isConstraint, type Step, type StepOf } from "../plan/steps.ts";
import type { Compiled, Saying } from "./compiled.ts";
import { constrain } from "./constraints.ts";
import type { Run } from "./run.ts";

/** Compiles the chain of constraints from a step down to a source or a list. */
export async function compile(name: string, run: Run): Promise<Compiled> {
  const step = run.step(name);
  if (isConstraint(step)) return constrain(step, await compile(step.from, run), run);
  const source = await sourceRequest(step, run);
  if (source !== undefined) {
    const { nothing, spread, sayings, ...request } = source;
    return {
      reader: run.context.reader,
      request,
      alternatives: [[]],
      ...(nothing ? { nothing } : {}),
      ...(spread ? { spread } : {}),
      ...(sayings ? { sayings } : {}),
    };
  }
  const { items } = await run.input(name);
  const request = {
    where: { ids: items.map(({ id }) => id) },
    rank: "id" as const,
    limit: Math.max(1, items.length),
  };
  return { reader: run.context.reader, request, alternatives: [[]], items };
}

type SourceRequest = SearchRequest &
  Pick<Compiled, "nothing" | "spread" | "sayings"> & { readonly limit: number };

async function sourceRequest(step: Step, run: Run): Promise<SourceRequest | undefined> {
  switch (step.op) {
    case "sem": {
      const { kinds, k: limit } = step;
      const vector = await run.vector(step.text);
      if (vector === null) return { limit, nothing: "there is no meaning to compare with" };
      const least = await leastCosine(step, run);
      return {
        kinds,
        meaning: { vector, ...(least === undefined ? {} : { minCosine: least }) },
        rank: "meaning",
        limit,
      };
    }
    case "lex":
      return { kinds: step.kinds, meaning: { words: step.text }, rank: "words", limit: step.k };
    case "concepts":
      return { kinds: step.kinds, limit: step.k, sayings: sayingsOf(step) };
    case "image": {
      const { image } = run.context;
      if (image === undefined) return { limit: step.k, nothing: "no picture was given" };
      if ((await run.context.reader.embedder("image")) === null)
        return { limit: step.k, nothing: "this memory has no image vectors" };
      return { kinds: step.kinds, meaning: { image }, rank: "image", limit: step.k };
    }
    case "all":
      return { kinds: step.kinds, rank: step.order, limit: step.k };
    case "uniform":
      return { kinds: step.kinds, rank: "earliest", limit: LIMITS.hitsPerSearch, spread: step.k };
    case "recent":
      return { kinds: step.kinds, rank: "latest", limit: step.k };
    case "given":
      return { where: { ids: step.ids }, rank: "id", limit: step.ids.length };
    default:
      return undefined;
  }
}

async function leastCosine(step: StepOf<"sem">, run: Run): Promise<number | undefined> {
  const byZ = step.minZ === undefined ? undefined : await run.cosineOfZ(step.minZ);
  if (byZ === undefined) return step.minCosine;
  return Math.max(byZ, step.minCosine ?? -1);
}

/** The weight of a word: the question's own, or a substitute. */
const SAYING_WEIGHTS = { own: 1, other: 0.5 } as const;

function sayingsOf({ concepts }: StepOf<"concepts">): Saying[] {
  return concepts.flatMap(({ words, same, kinds }, concept) => {
    const others = [...same, ...kinds].join(" ");
    return [
      { words, concept, own: true, weight: SAYING_WEIGHTS.own },
      ...(others === "" ? [] : [{ words: others, concept, own: false, weight: SAYING_WEIGHTS.other }]),
    ];
  });
}
