import type { Background } from "./embedder.ts";

/**
 * Short texts of the kinds a memory holds (things, places, facts, questions), no two about the same thing. Every pair
 * is unrelated, so that an uncalibrated model gets a background on opening.
 */
export const UNRELATED_TEXTS: readonly string[] = [
  "red coffee mug",
  "the bicycle leans against the garden fence",
  "where did I leave my passport?",
  "bathroom",
  "a person in a dark coat walks past the elevator",
  "battery at 34 percent",
  "the kitchen window was open yesterday",
  "how many chairs are around the dining table?",
  "potted fern",
  "the truck is unloading pallets at dock 7",
  "a stop sign beside the crosswalk",
  "is the oven still on?",
  "stack of unopened letters",
  "the left gripper joint reported an overload",
  "children playing football on the lawn",
  "fire extinguisher",
  "it was raining when we crossed the bridge",
  "who used the printer last?",
  "a brown dog asleep on the sofa",
  "laundry basket full of towels",
  "the corridor lights are off on the third floor",
  "blue toolbox with a broken latch",
  "what colour is the front door?",
  "a shelf of history books",
  "the vacuum cleaner finished the guest bedroom",
  "two cyclists waiting at a traffic light",
  "oil spill near the lathe",
  "glass of orange juice",
  "when does the delivery usually arrive?",
  "the piano has a photograph on top",
];

/** Mean and deviation of the cosine over every pair of unit vectors; nulls are left out. */
export function backgroundOf(vectors: readonly (Float32Array | null)[]): Background {
  const present = vectors.filter((vector) => vector !== null);
  let count = 0;
  let mean = 0;
  let squares = 0;
  for (const [index, a] of present.entries()) {
    for (const b of present.slice(0, index)) {
      let cosine = 0;
      for (let i = 0; i < a.length; i++) cosine += a[i]! * b[i]!;
      count++;
      const before = cosine - mean;
      mean += before / count;
      squares += before * (cosine - mean);
    }
  }
  // docs/formulas.md#background: a deviation below a thousandth reflects the sample rather than the model.
  return { mean, sd: Math.max(1e-3, Math.sqrt(squares / Math.max(1, count - 1))) };
}
