import type { RoomType } from "../types.ts";

/**
 * How a piece finds its place. "wall" stands with its back to a wall, "corner" in one, "centre" free; "run" is a row
 * of pieces along one wall; "beside", "before", "opposite", "around" and "over" refer to a piece already placed;
 * "hung" is on a wall at its own height.
 */
export interface Rule {
  readonly at:
    | "wall"
    | "corner"
    | "centre"
    | "run"
    | "beside"
    | "before"
    | "opposite"
    | "around"
    | "over"
    | "hung"
    | "mat";
  readonly model: string;
  /** For a run, all its pieces from one end to the other. */
  readonly run?: readonly string[];
  readonly of?: string;
  /** How many are tried. */
  readonly count?: readonly [number, number];
  readonly chance?: number;
  /** Required for the room to be of its type. */
  readonly must?: true;
  /** Skipped if the room already has this model. */
  readonly unless?: string;
}

const wall = (model: string, extra: Partial<Rule> = {}): Rule => ({ at: "wall", model, ...extra });
const hung = (model: string, chance = 1, count: readonly [number, number] = [1, 1]): Rule => ({
  at: "hung",
  model,
  chance,
  count,
});
const corner = (model: string, chance = 1): Rule => ({ at: "corner", model, chance });
const beside = (model: string, of: string, count: readonly [number, number], chance = 1): Rule => ({
  at: "beside",
  model,
  of,
  count,
  chance,
});

/** Characteristic things first: they get the best places, and a room without them is furnished again. */
export const RULES: Readonly<Record<RoomType, readonly Rule[]>> = {
  kitchen: [
    {
      at: "run",
      model: "stove",
      run: ["fridge", "kitchen counter", "stove", "kitchen sink", "dishwasher", "kitchen counter"],
      must: true,
    },
    wall("stove", { must: true, unless: "stove" }),
    wall("fridge", { must: true, unless: "fridge" }),
    wall("kitchen sink", { must: true, unless: "kitchen sink" }),
    { at: "over", model: "range hood", of: "stove" },
    { at: "over", model: "wall cupboard", of: "kitchen counter", count: [1, 3] },
    { at: "centre", model: "dining table", chance: 0.6 },
    { at: "around", model: "chair", of: "dining table", count: [2, 4] },
    { at: "centre", model: "kitchen island", chance: 0.25, unless: "dining table" },
    { at: "around", model: "stool", of: "kitchen island", count: [2, 3] },
    corner("rubbish bin", 0.9),
    hung("calendar", 0.5),
    hung("wall clock", 0.5),
    hung("wall shelf", 0.4),
    hung("picture", 0.3),
    corner("plant", 0.3),
  ],
  "living room": [
    wall("sofa", { must: true }),
    { at: "opposite", model: "tv stand", of: "sofa", must: true },
    { at: "before", model: "coffee table", of: "sofa", chance: 0.9 },
    { at: "mat", model: "rug", of: "sofa", chance: 0.8 },
    wall("bookcase", { count: [1, 2], chance: 0.8 }),
    wall("armchair", { count: [1, 2], chance: 0.7 }),
    wall("fireplace", { chance: 0.3 }),
    wall("piano", { chance: 0.2 }),
    beside("side table", "sofa", [1, 1], 0.7),
    corner("floor lamp", 0.8),
    corner("plant", 0.8),
    corner("christmas tree", 0.08),
    hung("picture", 0.95, [1, 3]),
    hung("wall clock", 0.3),
    wall("radiator", { chance: 0.5 }),
  ],
  bedroom: [
    wall("bed"),
    wall("single bed", { must: true, unless: "bed" }),
    wall("wardrobe", { must: true }),
    beside("nightstand", "bed", [1, 2]),
    { at: "mat", model: "rug", of: "bed", chance: 0.6 },
    wall("dresser", { chance: 0.7 }),
    wall("desk", { chance: 0.25 }),
    { at: "before", model: "office chair", of: "desk" },
    wall("armchair", { chance: 0.25 }),
    corner("plant", 0.4),
    hung("mirror", 0.5),
    hung("picture", 0.8, [1, 2]),
    corner("floor lamp", 0.3),
    wall("radiator", { chance: 0.5 }),
  ],
  bathroom: [
    wall("toilet", { must: true }),
    wall("washbasin", { must: true }),
    wall("bathtub", { chance: 0.6 }),
    { at: "corner", model: "shower", unless: "bathtub", must: true },
    { at: "over", model: "mirror", of: "washbasin" },
    hung("towel rail", 0.95, [1, 2]),
    { at: "mat", model: "bath mat", chance: 0.8 },
    corner("laundry basket", 0.4),
    corner("rubbish bin", 0.4),
    hung("wall shelf", 0.4),
    wall("washing machine", { chance: 0.2 }),
  ],
  hallway: [
    wall("shoe rack", { chance: 0.9 }),
    corner("coat rack", 0.9),
    wall("console table", { chance: 0.6 }),
    wall("bench", { chance: 0.5 }),
    { at: "mat", model: "doormat", chance: 0.8 },
    hung("mirror", 0.6),
    hung("picture", 0.9, [1, 3]),
    hung("sign", 0.6),
    corner("plant", 0.4),
    wall("radiator", { chance: 0.4 }),
  ],
  office: [
    wall("desk", { must: true }),
    { at: "before", model: "office chair", of: "desk", must: true },
    wall("bookcase", { count: [1, 2] }),
    wall("filing cabinet", { chance: 0.7 }),
    hung("whiteboard", 0.7),
    hung("calendar", 0.4),
    wall("armchair", { chance: 0.3 }),
    corner("floor lamp", 0.5),
    corner("plant", 0.6),
    corner("rubbish bin", 0.7),
    { at: "mat", model: "rug", chance: 0.4 },
    hung("wall clock", 0.4),
    hung("poster", 0.3),
    wall("radiator", { chance: 0.4 }),
  ],
  "dining room": [
    { at: "centre", model: "dining table", must: true },
    { at: "around", model: "chair", of: "dining table", count: [4, 6] },
    wall("sideboard", { chance: 0.9 }),
    { at: "mat", model: "rug", of: "dining table", chance: 0.4 },
    corner("plant", 0.7),
    corner("floor lamp", 0.4),
    hung("picture", 0.95, [1, 3]),
    hung("wall clock", 0.4),
    wall("radiator", { chance: 0.5 }),
  ],
  laundry: [
    wall("washing machine", { must: true }),
    beside("dryer", "washing machine", [1, 1]),
    wall("ironing board", { chance: 0.7 }),
    corner("laundry basket"),
    wall("shelf rack", { chance: 0.7 }),
    wall("drying rack", { chance: 0.5 }),
    corner("laundry basket", 0.5),
    hung("sign", 0.4),
    hung("wall shelf", 0.5),
  ],
  "children's room": [
    wall("single bed", { must: true }),
    wall("toy chest", { must: true }),
    { at: "mat", model: "rug", chance: 0.8 },
    wall("bookcase", { chance: 0.6 }),
    wall("desk", { chance: 0.5 }),
    { at: "before", model: "office chair", of: "desk" },
    corner("play tent", 0.45),
    corner("beanbag", 0.5),
    beside("nightstand", "single bed", [1, 1], 0.6),
    wall("wardrobe", { chance: 0.6 }),
    wall("crib", { chance: 0.12 }),
    hung("poster", 0.95, [1, 3]),
    hung("picture", 0.4),
  ],
  garage: [
    { at: "centre", model: "car", chance: 0.85 },
    hung("garage door"),
    wall("workbench", { must: true }),
    { at: "over", model: "tool board", of: "workbench" },
    wall("shelf rack", { count: [1, 2] }),
    wall("bicycle", { count: [1, 2], chance: 0.8 }),
    corner("ladder", 0.7),
    corner("tyre stack", 0.7),
    corner("rubbish bin", 0.5),
    hung("sign", 0.4),
  ],
  library: [
    wall("bookcase", { count: [3, 5], must: true }),
    wall("armchair", { count: [1, 2] }),
    beside("side table", "armchair", [1, 1], 0.8),
    corner("floor lamp", 0.9),
    { at: "mat", model: "rug", chance: 0.8 },
    wall("piano", { chance: 0.3 }),
    wall("desk", { chance: 0.3 }),
    { at: "before", model: "office chair", of: "desk" },
    wall("fireplace", { chance: 0.2 }),
    corner("plant", 0.4),
    hung("picture", 0.8, [1, 2]),
  ],
  gym: [
    wall("treadmill", { must: true }),
    wall("dumbbell rack", { must: true }),
    { at: "mat", model: "exercise mat" },
    hung("mirror", 0.9, [1, 3]),
    wall("bench", { chance: 0.6 }),
    hung("poster", 0.7, [1, 2]),
    corner("plant", 0.4),
    hung("wall clock", 0.5),
    corner("laundry basket", 0.4),
  ],
};
