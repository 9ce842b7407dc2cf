import { lookup, roomKind } from "../../ontology/index.ts";

/**
 * What a room is for, by what stands in it: weights by common sense, about 1 for a hint and 5 for a proof. The
 * names are the ontology's own; whatever else a thing is called there counts as well.
 */
export const EVIDENCE: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  kitchen: {
    stove: 5,
    oven: 4,
    fridge: 4,
    dishwasher: 4,
    "kitchen sink": 5,
    "kitchen counter": 4,
    "wall cupboard": 3,
    "range hood": 4,
    microwave: 3,
    kettle: 2,
    toaster: 2,
    "coffee machine": 1.5,
    "cutting board": 1.5,
    pan: 1,
    pot: 1,
    knife: 0.5,
    spoon: 0.3,
    bread: 0.5,
    "cereal box": 0.5,
    "dish soap": 1,
    sponge: 0.5,
  },
  bathroom: {
    toilet: 5,
    bathtub: 5,
    shower: 5,
    "shower curtain": 4,
    washbasin: 3.5,
    "bathroom cabinet": 3,
    "bath mat": 2.5,
    "towel rail": 2.5,
    "toilet paper": 2,
    "toothbrush cup": 2,
    toothbrush: 2,
    shampoo: 1.5,
    towel: 1,
    "soap dispenser": 1,
    hairdryer: 1,
    "bathroom scale": 1,
  },
  bedroom: {
    bed: 5,
    "double bed": 5,
    "single bed": 4,
    nightstand: 3,
    wardrobe: 2,
    dresser: 1.5,
    pillow: 1,
    "alarm clock": 1,
    slipper: 0.3,
  },
  "children's room": {
    "toy chest": 6,
    crib: 6,
    "bunk bed": 6,
    "changing table": 5,
    dollhouse: 4,
    doll: 2,
    "teddy bear": 2,
    "building blocks": 2,
    "toy car": 2,
    toy: 2,
    "rocking horse": 3,
    "single bed": 2,
    ball: 0.5,
  },
  "living room": {
    sofa: 5,
    "coffee table": 3,
    "tv stand": 3,
    television: 2,
    fireplace: 3,
    armchair: 1.5,
    "remote control": 0.5,
    cushion: 0.5,
    "game controller": 0.5,
  },
  "dining room": { "dining table": 5, sideboard: 2.5, "high chair": 2, chair: 0.3, "wine glass": 0.5 },
  office: {
    desk: 3.5,
    "office chair": 4,
    monitor: 3,
    printer: 3,
    "filing cabinet": 3,
    whiteboard: 3,
    keyboard: 2,
    "computer mouse": 1,
    laptop: 1,
    binder: 1,
    "desk lamp": 0.5,
  },
  library: { bookcase: 2.5, "shelved book": 0.6, "reading chair": 3, globe: 1 },
  laundry: {
    "washing machine": 5,
    dryer: 4,
    "ironing board": 3,
    "drying rack": 3,
    detergent: 1.5,
    iron: 1.5,
    "laundry basket": 1,
  },
  garage: {
    car: 6,
    "garage door": 5,
    workbench: 4,
    "tool board": 3,
    lawnmower: 3,
    bicycle: 2,
    motorcycle: 3,
    toolbox: 1.5,
    ladder: 1.5,
    "shelf rack": 1,
    "paint can": 1,
    hammer: 0.5,
  },
  hallway: {
    "shoe rack": 3,
    "coat rack": 3,
    staircase: 3,
    "front door": 2.5,
    doormat: 2,
    "umbrella stand": 2,
    "console table": 2,
    railing: 1.5,
    umbrella: 0.5,
  },
  gym: {
    treadmill: 5,
    "exercise bike": 5,
    "weight bench": 5,
    "rowing machine": 5,
    dumbbell: 3,
    "exercise mat": 2.5,
    "punching bag": 4,
  },
  "storage room": {
    "storage shelf": 3,
    "shelf rack": 2,
    "cardboard box": 0.8,
    "vacuum cleaner": 1,
  },
  "meeting room": { "conference table": 6, projector: 3, "projector screen": 3 },
  warehouse: { pallet: 3, forklift: 5, "pallet rack": 5 },
};

/** Long and narrow rooms with many doors are ways, not places. */
const PASSAGE_ASPECT = 2.6;
const PASSAGE_WIDTH_M = 2.8;
const PASSAGE_WEIGHT = 2.5;
/** Less evidence than this names nothing. */
const ENOUGH = 2;
/** Of the same kind, a second thing adds less than the first. */
const REPEAT = 0.4;
const MOST_REPEATS = 4;

export const PLAIN_ROOM = "room";

type Vote = { readonly type: string; readonly weight: number };

const BY_NAME = Map.groupBy(
  Object.entries(EVIDENCE).flatMap(([type, weights]) =>
    Object.entries(weights).map(([name, weight]) => ({ name, type, weight })),
  ),
  ({ name }) => name,
);

function votesOf(category: string): readonly Vote[] {
  return BY_NAME.get(lookup(category)?.name ?? category.toLowerCase()) ?? [];
}

/** "AISLE C", "STAGING 2", "LIBRARY": a kind of room, and a letter or number where there are several. */
const SIGN = /^(.*?)(?:\s+([A-Z]|[A-Z]?\d{1,4}))?$/u;

/** What most of the signs in a room call it; signs that name no kind of room (EXIT, OAK WALK) say nothing. */
export function signedRoom(signs: readonly string[]): { type: string; name: string } | undefined {
  const votes = new Map<string, { type: string; name: string; count: number }>();
  for (const says of signs) {
    const [, words = "", code] = SIGN.exec(says.trim()) ?? [];
    const kind = roomKind(words.toLowerCase());
    if (kind === undefined || kind.isWhole) continue;
    const name = code === undefined ? words.toLowerCase() : `${words.toLowerCase()} ${code}`;
    votes.set(name, { type: kind.name, name, count: (votes.get(name)?.count ?? 0) + 1 });
  }
  return [...votes.values()].sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1))[0];
}

/** How many there are of each category in a room, and its shape. */
export interface RoomContent {
  readonly counts: ReadonlyMap<string, number>;
  readonly lengthM: number;
  readonly widthM: number;
}

/** The type that the things in a room vote for; "room" when they say too little. */
export function roomTypeOf({ counts, lengthM, widthM }: RoomContent): string {
  const votes = new Map<string, number>();
  for (const [category, count] of counts) {
    const times = 1 + REPEAT * (Math.min(count, MOST_REPEATS) - 1);
    for (const { type, weight } of votesOf(category))
      votes.set(type, (votes.get(type) ?? 0) + weight * times);
  }
  if (lengthM >= PASSAGE_ASPECT * widthM && widthM <= PASSAGE_WIDTH_M)
    votes.set("hallway", (votes.get("hallway") ?? 0) + PASSAGE_WEIGHT);
  let [best, most] = [PLAIN_ROOM, ENOUGH];
  for (const [type, vote] of votes) if (vote > most) [best, most] = [type, vote];
  return best;
}
