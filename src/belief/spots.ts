import { type Box, boxFromCentre, polygonContains, type Vec3 } from "../geometry/index.ts";
import type { Hit } from "../memory/index.ts";
import { roomKind } from "../ontology/index.ts";
import { contentId, type RecordOf, type Stored, WORLD_FRAME } from "../schema/core.ts";
import type { Description } from "./description.ts";
import { codeOf, labelOf, pathOf, sameLabel } from "./labels.ts";
import { norm, printedOn } from "./matching.ts";
import { nameEvidence, type Searching } from "./name-evidence.ts";
import { isPartOfPath } from "./rack-place.ts";
import type { RoomView } from "./room-names.ts";
import { PLACES } from "./settings/places.ts";
import type { Slots } from "./slots.ts";
import type { KnownThing, StateRecord } from "./thing.ts";

/**
 * Named places within rooms: those that a person named, docks and gates by their text, slots and bays by their codes.
 * They can be asked for, gone to and stood beside like a thing, and hold things like a room.
 */
export class Spots {
  readonly #memory: Searching;
  #all: Promise<KnownThing[]> | undefined;
  readonly #slots: Slots;

  constructor(memory: Searching, slots: Slots) {
    this.#memory = memory;
    this.#slots = slots;
  }

  /** The named places that a description means. */
  async named(description: Description): Promise<KnownThing[]> {
    const words = wordsOf(description);
    const asked = norm(words);
    if (asked === "") return [];
    const label = labelOf(words);
    const known = (await this.#read()).flatMap((spot) => {
      const name = norm(spot.name);
      const own = label && labelOf(spot.name);
      const isNamed = name === asked || (own && sameLabel(own, label));
      const fit = isNamed ? 1 : name.endsWith(` ${asked}`) ? PLACES.lastWords : 0;
      return fit > 0 ? [{ ...spot, fit }] : [];
    });
    if (known.length > 0) return known;
    const slot = await this.#slots.called(words.split(" ").at(-1)!);
    return slot ? [slot] : [];
  }

  /** The places with exactly this name, in the form of rooms, to find their contents. */
  async rooms(description: Description): Promise<RoomView[]> {
    return (await this.named(description)).filter(({ fit }) => fit === 1).map(roomOf);
  }

  #read(): Promise<KnownThing[]> {
    this.#all ??= Promise.all([
      this.#memory.search({
        kinds: ["region"],
        where: { category: ["spot"] },
        time: { overlaps: { fromUs: this.#memory.nowUs, toUs: this.#memory.nowUs + 1 } },
        rank: "id",
        limit: PLACES.mostSpots,
      }),
      nameEvidence(this.#memory),
    ]).then(([hits, { labelled }]) => {
      const own = hits.flatMap((hit) => (hit.record.kind === "region" ? [thingOf(hit)] : []));
      const marked = labelled
        .filter(({ label }) => label.path.length > 0 && label.kind !== undefined && !roomKind(label.kind))
        .map(({ label, box, state }) => placeOf(label.name, before(box), state));
      return [...own, ...new Map(marked.map((spot) => [spot.name, spot])).values()];
    });
    return this.#all;
  }
}

/** Whether it is a place within a room and not a room. */
export function isSpot({ record }: RoomView): boolean {
  return record.type === "spot";
}

/** Whether a thing stands within a place, whatever room it is assigned to. */
export function isInSpot({ position, box, slot }: KnownThing, { record, name }: RoomView): boolean {
  const path = pathOf(name);
  if (slot && path && path.length > 1) return isPartOfPath(slot, path);
  if (!position || !record.hull) return false;
  const floor = record.hull[0]!.z;
  const height = record.extent?.z ?? PLACES.heightM;
  const bottom = box?.min.z ?? position.z;
  return bottom < floor + height && position.z > floor && polygonContains({ points: record.hull }, position);
}

/** Whether a thing is a part of a place, as the shelves are of a bay: its code begins with the place's. */
export function isPartOf({ state }: KnownThing, place: KnownThing): boolean {
  const path = pathOf(place.name);
  const [text] = path && place.spot ? printedOn(state) : [];
  const own = text === undefined ? undefined : pathOf(text);
  return (
    own !== undefined &&
    path!.every((part, n) => codeOf({ path: [part] }) === codeOf({ path: [own[n] ?? ""] }))
  );
}

function wordsOf({ head, mods, owner, attributes }: Description): string {
  const own = owner === undefined ? [] : [`${owner}'s`];
  const text = attributes["text"];
  return [...own, ...mods, head, ...(text === undefined ? [] : [text])].join(" ");
}

/** The floor area in front of a thing together with the thing's own. */
function before({ min, max }: Box): Box {
  return {
    min: { x: min.x - PLACES.beforeM, y: min.y - PLACES.beforeM, z: min.z },
    max: { x: max.x + PLACES.beforeM, y: max.y + PLACES.beforeM, z: max.z },
  };
}

/** A labelled place in the form of a thing; the thing that bears the label is its evidence. */
function placeOf(name: string, box: Box, state: StateRecord): KnownThing {
  const { min, max } = box;
  const position = { x: (min.x + max.x) / 2, y: (min.y + max.y) / 2, z: min.z };
  const { kind: _, trackId: __, category: ___, attributes: ____, views: _____, ...common } = state;
  const spot = {
    ...common,
    kind: "region",
    type: "spot",
    level: 0,
    children: [],
    name,
    text: [name],
    anchor: { submap: WORLD_FRAME, p: position },
    extent: { x: max.x - min.x, y: max.y - min.y, z: max.z - min.z },
    hull: [min, { ...min, x: max.x }, { ...max, z: min.z }, { ...min, y: max.y }],
  } as unknown as Stored<RecordOf<"region">>;
  const id = contentId("place", state.id, name);
  return {
    state: { ...state, trackId: id, name, category: "place", text: [name], attributes: {}, views: [] },
    trackId: id,
    name,
    category: "place",
    position,
    box,
    worldFromSubmap: undefined,
    roomId: undefined,
    heldBy: undefined,
    fit: 1,
    spot,
  };
}

/** A place in the form of a thing with one stay. */
function thingOf({ record, position }: Hit): KnownThing {
  const region = record as Stored<RecordOf<"region">>;
  const { type: _, level: __, children: ___, parent: ____, ...common } = region;
  return {
    state: { ...common, kind: "state", trackId: region.id, category: "place", attributes: {}, views: [] },
    trackId: region.id,
    name: region.name,
    category: "place",
    position,
    box: position && boxAbove(position, region.extent ?? { x: 2, y: 2, z: PLACES.heightM }),
    worldFromSubmap: undefined,
    roomId: undefined,
    heldBy: undefined,
    fit: 1,
    spot: region,
  };
}

/** A box above the point on the floor at which it was named. */
function boxAbove(at: Vec3, extent: Vec3): Box {
  return boxFromCentre({ ...at, z: at.z + extent.z / 2 }, extent);
}

/** Its outline, or a circle on the floor around the point at which it was named. */
function roomOf({ spot, position, name }: KnownThing): RoomView {
  if (spot?.hull)
    return { id: spot.id, name, type: name, record: { ...spot, coverage: 1 }, centre: position, storey: 0 };
  const [centre, radiusM] = [position ?? { x: 0, y: 0, z: 0 }, (spot!.extent?.x ?? 2) / 2];
  const hull = Array.from({ length: PLACES.corners }, (_, n) => {
    const angle = (2 * Math.PI * n) / PLACES.corners;
    return { x: centre.x + radiusM * Math.cos(angle), y: centre.y + radiusM * Math.sin(angle), z: centre.z };
  });
  return { id: spot!.id, name, type: name, record: { ...spot!, hull, coverage: 1 }, centre, storey: 0 };
}
