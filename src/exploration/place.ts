import type { FloorRaster } from "../map/index.ts";
import type { BodyModel, Look, Whereabouts } from "../sensors/index.ts";
import { Attention } from "./ground/attention.ts";
import { FrontierBook } from "./ground/frontiers.ts";
import { Terrain } from "./ground/terrain.ts";
import type { Door } from "./inquiry/doors.ts";
import type { Flight } from "./inquiry/flights.ts";
import { type Site, standOf, type Taken } from "./site.ts";
import { Survey } from "./survey.ts";

/** From this distance, what is on or around a thing is visible. */
const CLOSE_M = 1.7;
/** An agent farther than this above or below a floor does not stand on it: it is on the stairs. */
const ON_FLOOR_M = 1.2;

/** One storey during exploration. */
interface Ground {
  terrain: Terrain;
  readonly attention: Attention;
  readonly book: FrontierBook;
  /** Its state when an agent was last there. */
  survey?: Survey;
}

/** A place during exploration: observations go in, the current survey comes out. */
export class Place {
  readonly #site: Site;
  readonly #model: BodyModel;
  readonly #grounds = new Map<number, Ground>();

  constructor(site: Site, model: BodyModel) {
    this.#site = site;
    this.#model = model;
  }

  /** Adds observations from before this run; call it once a first look has opened the map. */
  async recall(looks: Awaited<ReturnType<Site["pastLooks"]>>): Promise<void> {
    for (const stand of looks) {
      const ground = await this.#ground(stand.positionInWorld.z - this.#model.eyeHeightM);
      ground?.attention.look(ground.terrain, stand, this.#model);
    }
  }

  /** Ingests what a body saw. */
  async take(looks: readonly Look[]): Promise<Taken> {
    const made: string[] = [];
    const inView: string[] = [];
    for (const look of looks) {
      const taken = await this.#site.take(look);
      made.push(...taken.made);
      inView.push(...taken.inView);
    }
    for (const { frames } of looks)
      for (const { worldFromCamera } of frames) {
        if (!worldFromCamera) continue;
        const ground = await this.#ground(worldFromCamera.p.z - this.#model.eyeHeightM);
        ground?.attention.look(ground.terrain, standOf(worldFromCamera), this.#model);
      }
    return { made, inView };
  }

  /** The storey of an agent as known now, and the other storeys as they were left; undefined without a floor. */
  async survey(
    at: Whereabouts,
    {
      flights,
      mayClimb,
      doors,
    }: {
      readonly flights: readonly Flight[];
      readonly mayClimb: boolean;
      readonly doors: readonly Door[];
    },
    isGivenUp: (target: string) => boolean,
  ): Promise<Survey | undefined> {
    const map = await this.#site.map();
    const ground = await this.#ground(at.positionInWorld.z);
    if (map === undefined || ground === undefined) return undefined;
    const { terrain, book, attention } = ground;
    const others = [...this.#grounds.values()].flatMap((one) =>
      one !== ground && one.survey ? [one.survey] : [],
    );
    ground.survey = new Survey({
      map,
      terrain,
      field: terrain.field(at.positionInWorld),
      book,
      attention,
      model: this.#model,
      flights: flights.map((flight) => ({
        ...flight,
        leftM2: beyond(flight, terrain.raster, others)?.leftM2,
      })),
      mayClimb,
      doors,
      others,
      isGivenUp,
    });
    return ground.survey;
  }

  /** Whether something was observed from close by. */
  isNear(position: { readonly x: number; readonly y: number; readonly z: number }): boolean {
    const [ground] = [...this.#grounds.values()]
      .filter(({ terrain }) => terrain.raster.floorZ <= position.z + ON_FLOOR_M)
      .sort((a, b) => b.terrain.raster.floorZ - a.terrain.raster.floorZ);
    return (ground?.attention.nearestM(position) ?? Infinity) <= CLOSE_M;
  }

  /** The storey at a height; undefined between two of them. */
  async #ground(z: number): Promise<Ground | undefined> {
    const map = await this.#site.map();
    const raster: FloorRaster | undefined = map
      ?.floors()
      .toSorted((a, b) => Math.abs(a.floorZ - z) - Math.abs(b.floorZ - z))
      .find(({ width, height }) => width * height > 0);
    if (raster === undefined || Math.abs(raster.floorZ - z) > ON_FLOOR_M) return undefined;
    let ground = this.#grounds.get(raster.storey);
    if (ground === undefined) {
      const terrain = new Terrain(raster, this.#model.radiusM);
      ground = { terrain, attention: new Attention(), book: new FrontierBook() };
      this.#grounds.set(raster.storey, ground);
    }
    // The map returns the same raster object until it changes.
    if (ground.terrain.raster !== raster) ground.terrain = new Terrain(raster, this.#model.radiusM);
    return ground;
  }
}

/** The storey that a flight leads to from here; undefined if no agent has been there. */
function beyond({ box }: Flight, { floorZ }: FloorRaster, others: readonly Survey[]): Survey | undefined {
  const isUp = floorZ < (box.min.z + box.max.z) / 2;
  return others.find(({ terrain }) => terrain.raster.floorZ > floorZ === isUp);
}
