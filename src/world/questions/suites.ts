import type { FamilyName } from "../families/family.ts";
import type { Subtype } from "./draft.ts";
import { SUBTYPES, UNANSWERABLE } from "./types/index.ts";

export const SUITES = [
  "openeqa",
  "mt",
  "navqa-short",
  "navqa-medium",
  "navqa-long",
  "erag",
  "change",
  "motion",
  "collab",
  "all",
  "warehouse",
  "campus-short",
  "campus-medium",
  "campus-long",
] as const;
export type SuiteName = (typeof SUITES)[number];

/** A share of a suite. Subtypes are given by name or by prefix. */
export interface Category {
  readonly name: string;
  readonly weight: number;
  readonly subtypes: readonly string[];
  /** Unanswerable kinds, if they differ from the subtypes. */
  readonly unanswerable?: readonly string[];
  /** Keep only subtypes with this kind of answer. */
  readonly answers?: Subtype["answers"];
}

export interface Suite {
  /** The family of worlds that it asks about; default houses. */
  readonly family?: FamilyName;
  readonly categories: readonly Category[];
  /** Everything is asked with four options. */
  readonly isChoice?: boolean;
  /** Minutes of memory at the moment of asking, from and to. */
  readonly minutes?: readonly [number, number];
  /** Only facts that the asked agent never saw, but another agent did. */
  readonly isCollaborative?: boolean;
  /** Largest error of a time in seconds. */
  readonly timeToleranceS?: number;
  /** Largest error of a place in metres; default a metre. */
  readonly placeToleranceM?: number;
}

const NAVQA: readonly Category[] = [
  {
    name: "position",
    weight: 71,
    answers: "position",
    subtypes: ["localisation/point", "functional/where", "nearest/walk", "implicit/"],
  },
  {
    name: "binary",
    weight: 67,
    answers: "binary",
    subtypes: [
      "state/",
      "existence/",
      "relationship/",
      "temporal/before",
      "ego/visited",
      "change/moved",
      "comparison/",
    ],
  },
  {
    name: "text",
    weight: 33,
    answers: "text",
    subtypes: ["attribute/", "recognition/", "localisation/", "ego/"],
  },
  { name: "time", weight: 30, answers: "time", subtypes: ["temporal/"] },
  { name: "duration", weight: 9, answers: "duration", subtypes: ["temporal/", "ego/"] },
];

const ALL: readonly Category[] = [
  "recognition",
  "localisation",
  "attribute",
  "spatial",
  "state",
  "counting",
  "comparison",
  "relationship",
  "temporal",
  "change",
  "ego",
  "functional",
  "knowledge",
  "implicit",
  "global",
  "existence",
  "multimodal",
  "nearest",
  "predictive",
  "motion",
  "capacity",
  "carried",
  "compound",
].map((name) => ({ name, weight: 1, subtypes: [`${name}/`] }));

const WAREHOUSE: readonly Category[] = [
  {
    name: "spatial",
    weight: 40,
    answers: "position",
    subtypes: ["stock/where", "localisation/point"],
    unanswerable: ["stock/where"],
  },
  {
    name: "binary",
    weight: 20,
    answers: "binary",
    subtypes: ["stock/empty", "change/moved", "temporal/before"],
    unanswerable: ["relationship/same-colour"],
  },
  { name: "descriptive", weight: 10, answers: "text", subtypes: ["stock/"] },
  { name: "counting", weight: 5, subtypes: ["stock/count"] },
  { name: "time", weight: 5, answers: "time", subtypes: ["stock/arrived", "temporal/last-seen"] },
  { name: "multimodal", weight: 20, subtypes: ["this/", "multimodal/first-seen"] },
];

const CAMPUS: Omit<Suite, "minutes"> = {
  family: "campus",
  timeToleranceS: 120,
  placeToleranceM: 15,
  categories: [
    { name: "position", weight: 71, answers: "position", subtypes: ["localisation/point"] },
    {
      name: "binary",
      weight: 67,
      answers: "binary",
      subtypes: ["drive/passed", "temporal/before", "comparison/taller", "relationship/same-colour"],
    },
    {
      name: "text",
      weight: 33,
      answers: "text",
      subtypes: ["attribute/colour", "attribute/text", "recognition/says", "recognition/next-to"],
    },
    { name: "time", weight: 30, answers: "time", subtypes: ["temporal/last-seen", "drive/first-seen"] },
    { name: "duration", weight: 9, answers: "duration", subtypes: ["drive/gap"] },
  ],
};

const DEFINITIONS: Readonly<Record<SuiteName, Suite>> = {
  /** The seven categories of OpenEQA in its proportions. */
  openeqa: {
    categories: [
      { name: "object localization", weight: 263, subtypes: ["localisation/where", "localisation/room"] },
      { name: "object state recognition", weight: 252, subtypes: ["state/is", "state/which"] },
      { name: "attribute recognition", weight: 240, subtypes: ["attribute/"] },
      {
        name: "object recognition",
        weight: 231,
        subtypes: ["recognition/"],
      },
      {
        name: "spatial understanding",
        weight: 220,
        subtypes: [
          "spatial/standing",
          "spatial/entering",
          "spatial/distance",
          "counting/around",
          "comparison/closer",
          "capacity/",
        ],
      },
      {
        name: "functional reasoning",
        weight: 217,
        subtypes: ["functional/what", "functional/action"],
      },
      { name: "world knowledge", weight: 213, subtypes: ["knowledge/", "existence/"] },
    ],
  },
  /** MT-HM3D: several targets, several rooms, four options. */
  mt: {
    isChoice: true,
    categories: [
      {
        name: "comparison",
        weight: 1,
        subtypes: [
          "comparison/largest",
          "comparison/nearest",
          "comparison/room-largest",
          "comparison/room-most",
        ],
        unanswerable: ["comparison/"],
      },
      {
        name: "relationship",
        weight: 1,
        subtypes: ["relationship/which-same-room", "relationship/which-same-colour"],
        unanswerable: ["relationship/"],
      },
      { name: "counting", weight: 1, subtypes: ["counting/"], unanswerable: ["attribute/colour"] },
      { name: "attribute", weight: 1, subtypes: ["attribute/colour", "attribute/material"] },
    ],
  },
  "navqa-short": { categories: NAVQA, minutes: [0.7, 2], timeToleranceS: 120 },
  "navqa-medium": { categories: NAVQA, minutes: [2, 7], timeToleranceS: 120 },
  "navqa-long": { categories: NAVQA, minutes: [7, 36], timeToleranceS: 120 },
  /** Embodied-RAG: explicit, implicit and global, with a place to go or a text as answer. */
  erag: {
    categories: [
      { name: "explicit navigation", weight: 25, subtypes: ["localisation/point", "nearest/walk"] },
      {
        name: "explicit text",
        weight: 25,
        subtypes: ["attribute/", "recognition/", "localisation/room"],
      },
      { name: "implicit navigation", weight: 20, subtypes: ["implicit/", "functional/where"] },
      { name: "implicit text", weight: 10, subtypes: ["functional/what", "functional/action"] },
      { name: "global", weight: 20, subtypes: ["global/"] },
    ],
  },
  change: {
    categories: [
      { name: "change", weight: 6, subtypes: ["change/"] },
      { name: "carried", weight: 1, subtypes: ["carried/"] },
      { name: "predictive", weight: 1, subtypes: ["predictive/"] },
      { name: "state", weight: 2, subtypes: ["state/"] },
    ],
  },
  /** VLM4D: motion relative to the camera and to the room, and false premises. */
  motion: {
    categories: [
      { name: "ego", weight: 1, subtypes: ["motion/direction", "motion/own-turn"] },
      {
        name: "exo",
        weight: 1,
        subtypes: ["motion/towards", "motion/walking", "motion/speed"],
        unanswerable: ["motion/"],
      },
      {
        name: "past frames",
        weight: 1,
        subtypes: ["spatial/past-ego", "spatial/past-ego-is"],
        unanswerable: ["motion/"],
      },
    ],
  },
  collab: {
    isCollaborative: true,
    categories: [
      {
        name: "recognition",
        weight: 1,
        subtypes: ["recognition/on", "recognition/says"],
      },
      { name: "localisation", weight: 2, subtypes: ["localisation/"] },
      {
        name: "attribute",
        weight: 1,
        subtypes: ["attribute/colour", "attribute/material", "attribute/text"],
      },
      { name: "state", weight: 1, subtypes: ["state/is", "state/which"] },
      { name: "temporal", weight: 1, subtypes: ["temporal/last-seen", "temporal/first-seen"] },
    ],
  },
  all: { categories: ALL },
  /** WH-VQA: 40 spatial, 20 binary, 20 descriptive, 20 about what is in view; right within 5 m. */
  warehouse: { family: "warehouse", categories: WAREHOUSE, timeToleranceS: 120, placeToleranceM: 5 },
  /** NaVQA in its own world: right within 15 m. */
  "campus-short": { ...CAMPUS, minutes: [0.7, 2] },
  "campus-medium": { ...CAMPUS, minutes: [2, 7] },
  "campus-long": { ...CAMPUS, minutes: [7, 36] },
};

/** The suites that can be asked about worlds of a family. */
export function suitesOf(family: FamilyName): SuiteName[] {
  return SUITES.filter((name) => (DEFINITIONS[name].family ?? "house") === family);
}

export function suiteOf(name: SuiteName): Suite {
  return DEFINITIONS[name];
}

/** The kinds of question of a share, answerable and not. */
export function subtypesOf(category: Category): { answerable: Subtype[]; unanswerable: Subtype[] } {
  const matches = (patterns: readonly string[]) => (kind: Subtype) =>
    patterns.some(
      (pattern) => kind.subtype === pattern || (pattern.endsWith("/") && kind.subtype.startsWith(pattern)),
    ) &&
    (category.answers === undefined || kind.answers === category.answers);
  return {
    answerable: SUBTYPES.filter(matches(category.subtypes)),
    unanswerable: UNANSWERABLE.filter(matches(category.unanswerable ?? category.subtypes)),
  };
}
