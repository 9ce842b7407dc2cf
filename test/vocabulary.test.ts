import { describe, expect, it } from "vitest";
import {
  colourOf,
  fills,
  lookup,
  materialOf,
  mobilityOf,
  nameFit,
  opens,
  roomKind,
  switches,
} from "../src/ontology/index.ts";
import { FITTINGS } from "../src/world/house/fittings.ts";
import { FURNITURE } from "../src/world/house/models.ts";
import { COLOUR_NAMES } from "../src/world/house/palette.ts";
import { SMALL } from "../src/world/house/small/things.ts";
import { ROOM_TYPES } from "../src/world/house/types.ts";

const models = [...FURNITURE, ...SMALL, ...FITTINGS];

/** The simulator keeps its own stock; whatever it can make, the vocabulary must know. */
describe("the vocabulary knows the simulator's world", () => {
  it("by category and by name", () => {
    const unknown = models.flatMap(({ category, names }) =>
      [category, ...names].filter((name) => lookup(name) === undefined),
    );
    expect(unknown).toEqual([]);
  });

  it("with names that mean the category or a kind of it", () => {
    const strange = models.flatMap(({ category, names }) =>
      names.filter((name) => nameFit(category, name) < 0.7).map((name) => `${name}: ${category}`),
    );
    expect(strange).toEqual([]);
  });

  it("and agrees on what opens, is switched and is filled", () => {
    const wrong = models.flatMap(({ category, fluents = [] }) => [
      ...(fluents.includes("openness") && !opens(category) ? [`${category} opens`] : []),
      ...(fluents.includes("power") && !switches(category) ? [`${category} switches`] : []),
      ...(fluents.includes("fill") && !fills(category) ? [`${category} fills`] : []),
    ]);
    expect(wrong).toEqual([]);
  });

  it("and on what people carry about", () => {
    const stays = new Set(["fixed", "furniture"]);
    const wrong = models.filter(
      ({ category, movable }) => movable === true && stays.has(mobilityOf(category) ?? "unknown"),
    );
    expect(wrong.map(({ category }) => category)).toEqual([]);
  });

  it("with its rooms, colours and materials", () => {
    expect(ROOM_TYPES.filter((type) => roomKind(type)?.name !== type)).toEqual([]);
    expect(COLOUR_NAMES.filter((name) => colourOf(name) !== name)).toEqual([]);
    const materials = [...new Set(models.flatMap((model) => model.materials))];
    expect(materials.filter((name) => materialOf(name) === undefined)).toEqual([]);
  });
});
