import type { Subtype } from "../draft.ts";
import { ALONG_THE_WAY } from "./along-the-way.ts";
import { CARRIED, PREDICTIVE } from "./carried.ts";
import { CHANGE } from "./change.ts";
import { COMPARISON, RELATIONSHIP_CHOICES } from "./comparison.ts";
import { COUNTING } from "./counting.ts";
import { COMPOUND, MULTIMODAL, NEAREST } from "./mixed.ts";
import { MOTION } from "./motion.ts";
import { LOCALISATION, RECOGNITION } from "./objects.ts";
import { CAPACITY, EXISTENCE, STATE } from "./presence.ts";
import { ATTRIBUTE, RELATIONSHIP } from "./properties.ts";
import { FUNCTIONAL, KNOWLEDGE } from "./purpose.ts";
import { GLOBAL, IMPLICIT } from "./regions.ts";
import { SPATIAL } from "./spatial.ts";
import { STOCK } from "./stock.ts";
import { EGO, TEMPORAL } from "./time.ts";
import { UNANSWERABLE } from "./unanswerable.ts";

/** Every kind of question that has an answer. */
export const SUBTYPES: readonly Subtype[] = [
  ...RECOGNITION,
  ...LOCALISATION,
  ...ATTRIBUTE,
  ...SPATIAL,
  ...STATE,
  ...COUNTING,
  ...COMPARISON,
  ...RELATIONSHIP,
  ...RELATIONSHIP_CHOICES,
  ...TEMPORAL,
  ...CHANGE,
  ...EGO,
  ...FUNCTIONAL,
  ...KNOWLEDGE,
  ...IMPLICIT,
  ...GLOBAL,
  ...EXISTENCE,
  ...MULTIMODAL,
  ...NEAREST,
  ...PREDICTIVE,
  ...MOTION,
  ...CAPACITY,
  ...CARRIED,
  ...COMPOUND,
  ...STOCK,
  ...ALONG_THE_WAY,
];

export { UNANSWERABLE };
