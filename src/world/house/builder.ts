import type { Vec3 } from "../../geometry/index.ts";
import type { Specimen } from "./furnish/look.ts";
import type { FluentValues, HouseThing, Look, Part, Placement, Start, ThingType } from "./types.ts";

/** Collects things and numbers them; ids count within a category, numbers over the whole house. */
export class HouseBuilder {
  readonly things: HouseThing[] = [];
  readonly starts: Start[] = [];
  readonly #counts = new Map<string, number>();

  add(thing: Omit<HouseThing, "id" | "number">, start: Start): HouseThing {
    const slug = thing.category.replace(/[^a-z0-9]+/g, "-");
    const count = (this.#counts.get(slug) ?? 0) + 1;
    this.#counts.set(slug, count);
    const full = { id: `${slug}-${count}`, number: this.things.length + 1, ...thing };
    this.things.push(full);
    this.starts.push(start);
    return full;
  }

  /** A thing made after a model. */
  addSpecimen(
    specimen: Specimen,
    type: ThingType,
    placement: Placement,
    fluents: FluentValues,
    owner?: string,
  ): HouseThing {
    const { model, look } = specimen;
    return this.add(
      {
        category: model.category,
        name: specimen.name,
        type,
        colour: specimen.colour,
        material: look.material,
        ...(look.text === undefined ? {} : { text: look.text }),
        ...(owner === undefined ? {} : { owner }),
        affordances: model.affordances,
        fluents: model.fluents ?? [],
        movable: model.movable === true,
        roomAtStart: placement.room ?? "outside",
      },
      { placement, fluents, look },
    );
  }

  /** A piece of the building out of solids in world coordinates. */
  addStructure(
    category: string,
    name: string,
    material: string,
    room: string,
    solids: readonly Part[],
  ): HouseThing {
    const low = { x: Infinity, y: Infinity, z: Infinity };
    const high = { x: -Infinity, y: -Infinity, z: -Infinity };
    for (const { centre, size } of solids) {
      for (const axis of ["x", "y", "z"] as const) {
        low[axis] = Math.min(low[axis], centre[axis] - size[axis] / 2);
        high[axis] = Math.max(high[axis], centre[axis] + size[axis] / 2);
      }
    }
    const extent: Vec3 = { x: high.x - low.x, y: high.y - low.y, z: high.z - low.z };
    const centre: Vec3 = { x: (low.x + high.x) / 2, y: (low.y + high.y) / 2, z: (low.z + high.z) / 2 };
    const bottom = centre.z - extent.z / 2;
    const parts = solids.map((solid) => ({
      ...solid,
      centre: { x: solid.centre.x - centre.x, y: solid.centre.y - centre.y, z: solid.centre.z - bottom },
    }));
    const look: Look = {
      model: category,
      size: extent,
      main: [128, 128, 128],
      accent: [128, 128, 128],
      material,
      variant: 0,
      parts,
    };
    const placement: Placement = { centre, extent, yawRad: 0, room, hidden: false };
    return this.add(
      {
        category,
        name,
        type: "structure",
        material,
        affordances: [],
        fluents: [],
        movable: false,
        roomAtStart: room,
      },
      { placement, fluents: {}, look },
    );
  }
}
