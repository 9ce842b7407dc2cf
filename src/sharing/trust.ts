import type { MemoryReader } from "../memory/index.ts";

/** The latest looks of a robot that are compared; fewer than the least say nothing of it. */
const LOOKS = 2_000;
const LEAST = 100;
/** A thing that a robot looked at so often is what most of those looks say. */
const OFTEN = 5;
/** Below this share of looks that say what most say, a robot is doubted where another is not. */
const DOUBTED = 0.8;

/**
 * How far a map's robots are to be believed in what they call things: the share of their looks, at things they have looked at
 * often, that say what such a thing is believed to be. Sound detectors are near .95. Undefined where they have seen too little.
 */
export async function trustIn(
  reader: MemoryReader,
  sceneId: string,
  agents: readonly string[],
): Promise<number | undefined> {
  const where = { sceneId: [sceneId], author: [...agents] };
  const { hits } = await reader.search({ kinds: ["detection"], where, rank: "latest", limit: LOOKS });
  const said = Map.groupBy(
    hits.flatMap(({ record }) =>
      record.kind === "detection" && record.stateId !== undefined
        ? [{ stateId: record.stateId, category: record.category }]
        : [],
    ),
    ({ stateId }) => stateId,
  );
  const often = [...said].filter(([, looks]) => looks.length >= OFTEN);
  const states = await reader.get(often.map(([id]) => id));
  let [agreed, all] = [0, 0];
  for (const [n, [, looks]] of often.entries()) {
    const state = states[n];
    if (state?.kind !== "state") continue;
    const believed = state.perceived?.category ?? state.category;
    all += looks.length;
    agreed += looks.filter(({ category }) => category === believed).length;
  }
  return all < LEAST ? undefined : agreed / all;
}

/** Which of two maps is doubted beside the other, if one is. */
export function doubtedOf(
  first: number | undefined,
  second: number | undefined,
): "first" | "second" | undefined {
  const [a, b] = [first ?? 1, second ?? 1];
  if (Math.min(a, b) >= DOUBTED || Math.max(a, b) < DOUBTED) return undefined;
  return a < b ? "first" : "second";
}
