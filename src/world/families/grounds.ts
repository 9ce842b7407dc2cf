import type { Random, Vec3 } from "../../geometry/index.ts";
import { HouseBuilder } from "../house/builder.ts";
import { drawSpecimen } from "../house/furnish/look.ts";
import { modelOf } from "../house/models.ts";
import { box } from "../house/part.ts";
import { PEOPLE } from "../house/texts.ts";
import type { House, HouseLight, HouseThing, Part, Placement, Rgb, Room, ThingType } from "../house/types.ts";
import { yawOfStep } from "../house/yaw.ts";
import type { Paint } from "../solid.ts";

/** A rectangle of the plan. */
export interface Area {
  readonly x0: number;
  readonly y0: number;
  readonly x1: number;
  readonly y1: number;
}

/** A kind of thing, independent of its place; its solids are in its own axes. */
export interface Piece {
  readonly category: string;
  /** Default: as its category. */
  readonly name?: string;
  readonly type: ThingType;
  readonly colour?: string;
  readonly material: string;
  readonly text?: string;
  readonly lettering?: number;
  readonly size: Vec3;
  readonly parts: readonly Part[];
  readonly movable?: boolean;
  readonly affordances?: readonly string[];
}

/** Where a thing stands: the middle of its base, and a heading in steps of 15°. */
export interface Stand {
  readonly x: number;
  readonly y: number;
  readonly z?: number;
  readonly step?: number;
  /** Null for what arrives later. */
  readonly room: string | null;
  /** Default: the floor of its room. */
  readonly on?: string;
}

/** Builds a world from areas and pieces, in the same form as houses: all other code reads only that. */
export class Grounds {
  readonly #builder = new HouseBuilder();
  readonly #rooms: Room[] = [];
  readonly #lights: HouseLight[] = [];
  readonly #people: string[] = [];
  readonly #floors = new Map<string, string>();

  /** An area with a floor of its own. */
  area(
    { id, type, name, isSigned }: Pick<Room, "id" | "type" | "name" | "isSigned">,
    { x0, y0, x1, y1 }: Area,
    floor: Paint,
    heightM: number,
  ): Room {
    const points = [
      { x: x0, y: y0 },
      { x: x1, y: y0 },
      { x: x1, y: y1 },
      { x: x0, y: y1 },
    ];
    const room: Room = {
      id,
      type,
      name,
      ...(isSigned && { isSigned }),
      floor: 0,
      polygon: { points, minZ: 0, maxZ: heightM },
      floorZM: 0,
      ceilingM: heightM,
      ambience: [],
      doors: [],
      windows: [],
    };
    this.#rooms.push(room);
    const slab = box((x0 + x1) / 2, (y0 + y1) / 2, -0.2, x1 - x0, y1 - y0, 0.2, floor);
    this.#floors.set(id, this.#builder.addStructure("floor", "floor", "concrete", id, [slab]).id);
    return room;
  }

  /** Walls, beams, paths: things without identity for people. */
  structure(category: string, material: string, room: string, solids: readonly Part[]): HouseThing {
    return this.#builder.addStructure(category, category, material, room, solids);
  }

  put(piece: Piece, stand: Stand): HouseThing {
    const { category, name = category, type, colour, material, text, size, parts } = piece;
    return this.#builder.add(
      {
        category,
        name,
        type,
        ...(colour !== undefined && { colour }),
        material,
        ...(text !== undefined && { text }),
        ...(piece.lettering !== undefined && { lettering: piece.lettering }),
        affordances: piece.affordances ?? [],
        fluents: [],
        movable: piece.movable === true,
        roomAtStart: stand.room ?? "outside",
      },
      {
        placement: this.placement(size, stand),
        fluents: {},
        look: { model: category, size, main: GREY, accent: GREY, material, variant: 0, parts },
      },
    );
  }

  placement(extent: Vec3, { x, y, z = 0, step = 0, room, on }: Stand): Placement {
    const support = on ?? (room === null ? undefined : this.#floors.get(room));
    return {
      centre: { x, y, z: z + extent.z / 2 },
      extent,
      yawRad: yawOfStep(step),
      room,
      ...(support !== undefined && { supportedBy: support }),
      hidden: room === null,
    };
  }

  /** People who work or walk here; they enter when the life of the place begins. */
  crowd(count: number, random: Random): HouseThing[] {
    return random
      .shuffle(PEOPLE)
      .slice(0, count)
      .map((name) => {
        this.#people.push(name);
        const specimen = drawSpecimen(modelOf("person"), random);
        const placement = this.placement(specimen.look.size, { x: 0, y: 0, z: -100, room: null });
        return this.#builder.addSpecimen({ ...specimen, name }, "person", placement, {});
      });
  }

  /** A light that is always on; the sun reaches everywhere. */
  light(position: Vec3, room: string, reachM: number, rgb: Rgb): void {
    this.#lights.push({ position, room, reachM, rgb, kind: "window", thing: this.#floors.get(room)! });
  }

  finish(seed: number | string): House {
    return {
      seed: String(seed),
      floors: 1,
      rooms: this.#rooms,
      openings: [],
      stairs: [],
      things: this.#builder.things,
      starts: this.#builder.starts,
      lights: this.#lights,
      people: this.#people,
    };
  }
}

const GREY: Rgb = [128, 128, 128];
