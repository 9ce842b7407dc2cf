import type { FloorRaster } from "../map/index.ts";
import type { BodyModel, Look, Whereabouts } from "../sensors/index.ts";
import { Attention } from "./ground/attention.ts";
import { FrontierBook } from "./ground/frontiers.ts";
import { Terrain } from "./ground/terrain.ts";
import { type Site, standOf, type Taken } from "./site.ts";
import { Survey } from "./survey.ts";

/** What is on or around a thing is seen from here. */
const CLOSE_M = 1.7;

/** A place while it is explored: what was seen goes in, the survey of the moment comes out. */
export class Place {
  readonly #site: Site;
  readonly #model: BodyModel;
  readonly #attention = new Attention();
  readonly #book = new FrontierBook();
  #terrain: Terrain | undefined;

  constructor(site: Site, model: BodyModel) {
    this.#site = site;
    this.#model = model;
  }

  /** Counts what was looked at before this run; call it once a first look has opened the map. */
  async recall(at: Whereabouts, looks: Awaited<ReturnType<Site["pastLooks"]>>): Promise<void> {
    const terrain = await this.#ground(at);
    if (terrain) for (const stand of looks) this.#attention.look(terrain, stand, this.#model);
  }

  /** Takes in what a body saw. */
  async take(looks: readonly Look[], at: Whereabouts): Promise<Taken> {
    const made: string[] = [];
    const inView: string[] = [];
    for (const look of looks) {
      const taken = await this.#site.take(look);
      made.push(...taken.made);
      inView.push(...taken.inView);
    }
    const terrain = await this.#ground(at);
    if (terrain)
      for (const { frames } of looks)
        for (const { worldFromCamera } of frames)
          if (worldFromCamera) this.#attention.look(terrain, standOf(worldFromCamera), this.#model);
    return { made, inView };
  }

  /** The place as it is known now, from where an agent stands; undefined where no floor is in sight. */
  async survey(at: Whereabouts, isGivenUp: (target: string) => boolean): Promise<Survey | undefined> {
    const map = await this.#site.map();
    const terrain = await this.#ground(at);
    if (map === undefined || terrain === undefined) return undefined;
    return new Survey({
      map,
      terrain,
      field: terrain.field(at.positionInWorld),
      book: this.#book,
      attention: this.#attention,
      model: this.#model,
      isGivenUp,
    });
  }

  /** Whether something was looked at from close by. */
  isNear(position: { readonly x: number; readonly y: number }): boolean {
    return this.#attention.nearestM(position) <= CLOSE_M;
  }

  async #ground({ positionInWorld: { z } }: Whereabouts): Promise<Terrain | undefined> {
    const map = await this.#site.map();
    const raster: FloorRaster | undefined = map
      ?.floors()
      .toSorted((a, b) => Math.abs(a.floorZ - z) - Math.abs(b.floorZ - z))
      .find(({ width, height }) => width * height > 0);
    if (raster === undefined) return undefined;
    // The map gives the same raster until it has changed.
    if (this.#terrain?.raster !== raster) this.#terrain = new Terrain(raster, this.#model.radiusM);
    return this.#terrain;
  }
}
