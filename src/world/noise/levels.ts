import { z } from "zod";

const level = z.number().min(0).max(1);

/** How strong each noise is, 0–1; 0.5 is docs/formulas.md#noise's table, and 0 switches it off without touching the others. */
export const noiseLevelsSchema = z.object({
  depth: level.default(0),
  masks: level.default(0),
  labels: level.default(0),
  captions: level.default(0),
  pose: level.default(0),
  time: level.default(0),
  network: level.default(0),
  /** Agents after the first do not know the pose of their map in the world. */
  frameOffset: level.default(0),
  /** The last of several agents is wrong about most things. */
  unreliable: level.default(0),
  /**
   * Share of the last agent's labels that are replaced by an unrelated category; not included in the single number
   * for all.
   */
  falseLabels: level.default(0),
});

export type NoiseLevels = z.output<typeof noiseLevelsSchema>;
export const NO_NOISE: NoiseLevels = noiseLevelsSchema.parse({});

/** One number for all. */
export function allNoise(value: number): NoiseLevels {
  const levels = { ...NO_NOISE };
  for (const name of Object.keys(levels) as (keyof NoiseLevels)[]) levels[name] = value;
  return { ...levels, falseLabels: 0 };
}

/**
 * The levels of one agent: the unreliable one has at least that level for all its senses, and it alone gives false
 * labels.
 */
export function levelsFor(levels: NoiseLevels, isUnreliable: boolean): NoiseLevels {
  if (!isUnreliable) return { ...levels, falseLabels: 0 };
  const raised = { ...levels };
  for (const name of ["depth", "masks", "labels", "captions", "pose"] as const) {
    raised[name] = Math.min(1, levels[name] + levels.unreliable);
  }
  return raised;
}

/** The factor on the table's numbers. */
export function strength(value: number): number {
  return value * 2;
}
