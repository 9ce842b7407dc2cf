import { assert } from "../../schema/index.ts";
import { FITTINGS } from "./fittings.ts";
import { BATHROOM } from "./furniture/bathroom.ts";
import { BEDS } from "./furniture/bedroom.ts";
import { DECOR } from "./furniture/decor.ts";
import { HOBBY } from "./furniture/garage.ts";
import { KITCHEN } from "./furniture/kitchen.ts";
import { SEATING } from "./furniture/seating.ts";
import { STORAGE } from "./furniture/storage.ts";
import { TABLES } from "./furniture/tables.ts";
import type { Model, Shelf } from "./model.ts";
import { SMALL } from "./small/things.ts";
import { FLUENTS, type FluentName, type FluentValues, type Look, type Part } from "./types.ts";

export const FURNITURE: readonly Model[] = [
  ...SEATING,
  ...TABLES,
  ...STORAGE,
  ...KITCHEN,
  ...BATHROOM,
  ...BEDS,
  ...DECOR,
  ...HOBBY,
];

const BY_CATEGORY = new Map([...FURNITURE, ...SMALL, ...FITTINGS].map((model) => [model.category, model]));

/** The model of a category; an unknown category is our bug. */
export function modelOf(category: string): Model {
  const model = BY_CATEGORY.get(category);
  assert(model !== undefined, `no model "${category}"`);
  return model;
}

/** The solids of a look in a state, in the thing's own axes. */
export function partsOf(look: Look, fluents: FluentValues): Part[] {
  return look.parts === undefined ? modelOf(look.model).parts(look, fluents) : [...look.parts];
}

/** Any instance of a model is enough to tell whether a state changes its solids. */
function exampleOf({ category, size, materials }: Model): Look {
  const [x, y, z] = size.map(([least]) => least) as [number, number, number];
  const grey = [128, 128, 128] as const;
  return {
    model: category,
    size: { x, y, z },
    main: grey,
    accent: grey,
    material: materials[0]!,
    variant: 0,
  };
}

/**
 * Whether a picture can show the state of a thing: the content of a mug or the warmth of a radiator changes none of
 * its solids.
 */
export function isDrawn(category: string, fluent: FluentName): boolean {
  const model = BY_CATEGORY.get(category);
  if (model === undefined) return true;
  const drawn = (value: string) =>
    JSON.stringify(model.parts(exampleOf(model), { [fluent]: value } as FluentValues));
  const [rest, other] = FLUENTS[fluent];
  return drawn(rest) !== drawn(other);
}

/** The places for things on or in it; an open drawer's place moves out with it. */
export function shelvesOf(look: Look, fluents: FluentValues): Shelf[] {
  const model = BY_CATEGORY.get(look.model);
  const shelves = model?.shelves?.(look) ?? [];
  const out = fluents.openness === "open" ? (model?.slideM ?? 0) : 0;
  if (out === 0) return shelves;
  return shelves.map((s) => (s.kind === "cavity" ? { ...s, minX: s.minX + out, maxX: s.maxX + out } : s));
}
