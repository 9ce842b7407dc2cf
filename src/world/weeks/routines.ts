import type { FluentName, RoomType } from "../house/types.ts";

export const ACTIVITIES = [
  "sleep",
  "wash",
  "breakfast",
  "away",
  "work",
  "lunch",
  "rest",
  "cook",
  "dinner",
  "tv",
] as const;
export type ActivityName = (typeof ACTIVITIES)[number];

/** The rooms for an activity, best first; sleeping is in one's own bedroom. */
export const ROOMS_OF: Readonly<Record<Exclude<ActivityName, "away">, readonly RoomType[]>> = {
  sleep: ["bedroom", "children's room"],
  wash: ["bathroom"],
  breakfast: ["kitchen", "dining room"],
  work: ["office", "children's room", "library", "dining room", "living room"],
  lunch: ["dining room", "kitchen"],
  rest: ["living room", "library", "bedroom"],
  cook: ["kitchen"],
  dinner: ["dining room", "kitchen"],
  tv: ["living room", "bedroom"],
};

/** When it begins by the clock, and how often it happens on such a day; it lasts until the next begins. */
export interface Habitual {
  readonly activity: ActivityName;
  readonly hour: number;
  /** Default 1. */
  readonly chance?: number;
}

export interface Profile {
  readonly weekday: readonly Habitual[];
  readonly weekend: readonly Habitual[];
}

const WEEKEND: readonly Habitual[] = [
  { activity: "wash", hour: 8.7 },
  { activity: "breakfast", hour: 9.4 },
  { activity: "rest", hour: 10.3 },
  { activity: "away", hour: 11, chance: 0.65 },
  { activity: "lunch", hour: 13.5 },
  { activity: "rest", hour: 14.4 },
  { activity: "dinner", hour: 19 },
  { activity: "tv", hour: 20 },
  { activity: "sleep", hour: 23.2 },
];

/** Profiles: people who work elsewhere, work at home, or go to school. The first one cooks. */
export const PROFILES: readonly Profile[] = [
  {
    weekday: [
      { activity: "wash", hour: 7.2 },
      { activity: "breakfast", hour: 7.7 },
      { activity: "work", hour: 8.6 },
      { activity: "lunch", hour: 12.4 },
      { activity: "work", hour: 13.3 },
      { activity: "away", hour: 16.6, chance: 0.5 },
      { activity: "cook", hour: 17.8 },
      { activity: "dinner", hour: 18.7 },
      { activity: "tv", hour: 19.8 },
      { activity: "sleep", hour: 22.6 },
    ],
    weekend: [...WEEKEND.slice(0, 6), { activity: "cook", hour: 17.9 }, ...WEEKEND.slice(6)],
  },
  {
    weekday: [
      { activity: "wash", hour: 6.6 },
      { activity: "breakfast", hour: 7.1 },
      { activity: "away", hour: 8 },
      { activity: "rest", hour: 17.4 },
      { activity: "dinner", hour: 18.7 },
      { activity: "tv", hour: 19.8 },
      { activity: "sleep", hour: 22.3 },
    ],
    weekend: WEEKEND,
  },
  {
    weekday: [
      { activity: "wash", hour: 6.9 },
      { activity: "breakfast", hour: 7.3 },
      { activity: "away", hour: 7.9 },
      { activity: "rest", hour: 15.3 },
      { activity: "work", hour: 16.2 },
      { activity: "dinner", hour: 18.7 },
      { activity: "tv", hour: 19.8, chance: 0.6 },
      { activity: "sleep", hour: 21.2 },
    ],
    weekend: WEEKEND,
  },
];

/**
 * The destination of a thing: its home, out of the house with its owner, or the first existing furniture of these
 * categories.
 */
export type Target = "home" | "away" | readonly string[];

export interface Use {
  readonly activity: ActivityName;
  readonly at: "begin" | "end";
  readonly to: Target;
  /** How often it is done; default 0.88. */
  readonly chance?: number;
}

/** A thing that travels with a routine; each person has one of it, as far as there are. */
export interface Prop {
  readonly categories: readonly string[];
  readonly home: readonly string[];
  readonly uses: readonly Use[];
  /** One for the whole household, not one a person. */
  readonly isShared?: boolean;
}

const TABLES = ["dining table", "kitchen island", "kitchen counter", "coffee table"] as const;
const HALL = ["console table", "bench", "shoe rack", "sideboard", "side table"] as const;
const SEATS = ["sofa", "coffee table", "armchair", "side table"] as const;
const BEDSIDE = ["nightstand", "dresser", "bed", "single bed"] as const;
const SINK = ["kitchen sink", "dishwasher", "kitchen counter"] as const;
const COUNTER = ["kitchen counter", "kitchen island", "sideboard", "dining table"] as const;

export const PROPS: readonly Prop[] = [
  {
    categories: ["mug"],
    home: COUNTER,
    uses: [
      { activity: "breakfast", at: "begin", to: TABLES },
      { activity: "breakfast", at: "end", to: SINK },
      { activity: "dinner", at: "end", to: "home", chance: 0.9 },
      { activity: "tv", at: "begin", to: SEATS, chance: 0.35 },
    ],
  },
  {
    categories: ["plate", "bowl"],
    home: COUNTER,
    uses: [
      { activity: "dinner", at: "begin", to: TABLES },
      { activity: "dinner", at: "end", to: SINK },
      { activity: "breakfast", at: "end", to: "home" },
    ],
  },
  {
    categories: ["laptop"],
    home: ["desk", "bed", "single bed", "sofa", "sideboard"],
    uses: [
      { activity: "work", at: "begin", to: ["dining table", "desk", "coffee table"] },
      { activity: "dinner", at: "begin", to: "home", chance: 0.95 },
      { activity: "tv", at: "begin", to: SEATS, chance: 0.3 },
      { activity: "sleep", at: "begin", to: "home" },
    ],
  },
  {
    categories: ["backpack", "handbag"],
    home: BEDSIDE,
    uses: [
      { activity: "away", at: "begin", to: "away" },
      { activity: "away", at: "end", to: HALL },
      { activity: "sleep", at: "begin", to: "home", chance: 0.3 },
    ],
  },
  {
    categories: ["keys", "wallet", "phone"],
    home: HALL,
    uses: [
      { activity: "away", at: "begin", to: "away", chance: 0.95 },
      { activity: "away", at: "end", to: "home" },
      { activity: "rest", at: "begin", to: SEATS, chance: 0.25 },
      { activity: "sleep", at: "begin", to: BEDSIDE, chance: 0.2 },
    ],
  },
  {
    categories: ["book", "magazine", "spectacles"],
    home: BEDSIDE,
    uses: [
      { activity: "rest", at: "begin", to: SEATS, chance: 0.7 },
      { activity: "tv", at: "begin", to: SEATS, chance: 0.8 },
      { activity: "sleep", at: "begin", to: "home" },
    ],
  },
  {
    categories: ["tablet", "headphones", "game controller"],
    home: ["tv stand", "coffee table", "side table"],
    uses: [
      { activity: "breakfast", at: "begin", to: TABLES, chance: 0.7 },
      { activity: "breakfast", at: "end", to: "home" },
      { activity: "tv", at: "begin", to: ["sofa", "armchair"] },
      { activity: "tv", at: "end", to: "home", chance: 0.7 },
    ],
  },
  {
    categories: ["remote control"],
    home: ["tv stand", "coffee table"],
    isShared: true,
    uses: [
      { activity: "tv", at: "begin", to: ["sofa", "armchair"] },
      { activity: "tv", at: "end", to: "home", chance: 0.75 },
    ],
  },
  {
    categories: ["pot", "pan"],
    home: ["stove", "kitchen counter"],
    isShared: true,
    uses: [
      { activity: "dinner", at: "begin", to: TABLES },
      { activity: "dinner", at: "end", to: SINK },
      { activity: "breakfast", at: "end", to: "home" },
    ],
  },
  {
    categories: ["teddy bear", "doll", "board game", "toy car"],
    home: ["single bed", "toy chest", "bed", "tv stand"],
    isShared: true,
    uses: [
      { activity: "rest", at: "begin", to: ["sofa", "coffee table", "beanbag"], chance: 0.6 },
      { activity: "sleep", at: "begin", to: "home" },
    ],
  },
];

/** A device switched on by an activity of any person: from its start, until some hours later or its end. */
export interface Device {
  readonly category: string;
  readonly fluent: FluentName;
  readonly activity: ActivityName;
  readonly hours?: number;
  /** Begins so much after the activity. */
  readonly delayHours?: number;
  readonly chance: number;
  readonly onlyWeekend?: boolean;
}

export const DEVICES: readonly Device[] = [
  { category: "television", fluent: "power", activity: "tv", chance: 0.9 },
  { category: "kettle", fluent: "power", activity: "breakfast", hours: 0.3, chance: 0.9 },
  { category: "coffee machine", fluent: "power", activity: "breakfast", hours: 0.6, chance: 0.9 },
  { category: "stove", fluent: "power", activity: "cook", chance: 0.9 },
  { category: "range hood", fluent: "power", activity: "cook", chance: 0.7 },
  { category: "desk lamp", fluent: "power", activity: "work", chance: 0.8 },
  { category: "floor lamp", fluent: "power", activity: "tv", chance: 0.8 },
  { category: "fireplace", fluent: "power", activity: "tv", chance: 0.5 },
  { category: "dishwasher", fluent: "power", activity: "dinner", delayHours: 1, hours: 1.6, chance: 0.8 },
  {
    category: "washing machine",
    fluent: "power",
    activity: "rest",
    hours: 2,
    chance: 0.8,
    onlyWeekend: true,
  },
  { category: "bed", fluent: "making", activity: "wash", hours: 2, chance: 0.95 },
];

/** Deviation of a household, a day and a person from the table's times, in hours. */
export const SPREAD = { householdH: 0.6, dayH: 0.22 } as const;
/** Exceptional days: a person is ill and stays at home, or is out until late. */
export const EXCEPTIONS = { ill: 0.06, late: 0.08, forgotten: 0.1 } as const;
/** A door that is shut overnight, by the room behind it. */
export const NIGHT_DOOR: readonly string[] = ["laundry", "garage", "office", "gym", "library"];
/** Lamps burn in rooms with people before and after these hours. */
export const DAYLIGHT = { fromHour: 8, toHour: 17 } as const;
