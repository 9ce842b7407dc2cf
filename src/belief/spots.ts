import { type Box, boxFromCentre, polygonContains, type Vec3 } from "../geometry/index.ts";
import type { Hit, SearchRequest } from "../memory/index.ts";
import type { RecordOf, Stored } from "../schema/core.ts";
import type { Description } from "./description.ts";
import { norm } from "./matching.ts";
import type { RoomView } from "./room-names.ts";
import type { KnownThing } from "./thing.ts";

/** What of a memory it takes to find named places. */
interface Searching {
  readonly nowUs: number;
  search(request: SearchRequest): Promise<Hit[]>;
}

/** No memory has more places with names of their own. */
const MOST_SPOTS = 500;
/** "The dock" is the charging dock where nothing else is one. */
const LAST_WORDS = 0.9;
const CORNERS = 12;
/** What hangs higher is on the next storey. */
const HEIGHT_M = 2.5;

/** The places that people gave a name to: asked for, gone to and stood beside like a thing, holding things like a room. */
export class Spots {
  readonly #memory: Searching;
  #all: Promise<KnownThing[]> | undefined;

  constructor(memory: Searching) {
    this.#memory = memory;
  }

  /** Those that a description names. */
  async named(description: Description): Promise<KnownThing[]> {
    const asked = wordsOf(description);
    if (asked === "") return [];
    return (await this.#read()).flatMap((spot) => {
      const name = norm(spot.name);
      const fit = name === asked ? 1 : name.endsWith(` ${asked}`) ? LAST_WORDS : 0;
      return fit > 0 ? [{ ...spot, fit }] : [];
    });
  }

  /** Those of exactly this name, as the rooms they are not: for what is in them. */
  async rooms(description: Description): Promise<RoomView[]> {
    return (await this.named(description)).filter(({ fit }) => fit === 1).map(roomOf);
  }

  #read(): Promise<KnownThing[]> {
    this.#all ??= this.#memory
      .search({
        kinds: ["region"],
        where: { category: ["spot"] },
        time: { overlaps: { fromUs: this.#memory.nowUs, toUs: this.#memory.nowUs + 1 } },
        rank: "id",
        limit: MOST_SPOTS,
      })
      .then((hits) => hits.map(thingOf));
    return this.#all;
  }
}

/** Whether it is no room but a place within one. */
export function isSpot({ record }: RoomView): boolean {
  return record.type === "spot";
}

/** What stands within a place, whatever room it counts to. */
export function isInSpot({ position, box }: KnownThing, { record }: RoomView): boolean {
  if (!position || !record.hull) return false;
  const floor = record.hull[0]!.z;
  return (box?.min.z ?? position.z) < floor + HEIGHT_M && polygonContains({ points: record.hull }, position);
}

function wordsOf({ head, mods, owner }: Description): string {
  return norm([...(owner === undefined ? [] : [`${owner}'s`]), ...mods, head].join(" "));
}

/** A place as the rules see a thing: one stay, where it is. */
function thingOf({ record, position }: Hit): KnownThing {
  const region = record as Stored<RecordOf<"region">>;
  const { type: _, level: __, children: ___, parent: ____, ...common } = region;
  return {
    state: { ...common, kind: "state", trackId: region.id, category: "place", attributes: {}, views: [] },
    trackId: region.id,
    name: region.name,
    category: "place",
    position,
    box: position && boxAbove(position, region.extent ?? { x: 2, y: 2, z: HEIGHT_M }),
    worldFromSubmap: undefined,
    roomId: undefined,
    heldBy: undefined,
    fit: 1,
    spot: region,
  };
}

/** It was named by a point on the floor, or near it. */
function boxAbove(at: Vec3, extent: Vec3): Box {
  return boxFromCentre({ ...at, z: at.z + extent.z / 2 }, extent);
}

/** Its outline is a circle on the floor it was named on. */
function roomOf({ spot, position, name }: KnownThing): RoomView {
  const [centre, radiusM] = [position ?? { x: 0, y: 0, z: 0 }, (spot!.extent?.x ?? 2) / 2];
  const hull = Array.from({ length: CORNERS }, (_, n) => {
    const angle = (2 * Math.PI * n) / CORNERS;
    return { x: centre.x + radiusM * Math.cos(angle), y: centre.y + radiusM * Math.sin(angle), z: centre.z };
  });
  return { id: spot!.id, name, type: name, record: { ...spot!, hull, coverage: 1 }, centre, storey: 0 };
}
