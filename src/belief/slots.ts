import type { Interval } from "../geometry/index.ts";
import type { SearchRequest } from "../memory/index.ts";
import { mobilityOf } from "../ontology/index.ts";
import { type RecordOf, type Stored, WORLD_FRAME } from "../schema/core.ts";
import type { Scope } from "./candidates.ts";
import type { Description } from "./description.ts";
import { codeOf, labelOf, pathOf } from "./labels.ts";
import { norm } from "./matching.ts";
import { nameEvidence, type Searching } from "./name-evidence.ts";
import { isPartOfPath, isWithin, type RackPlace } from "./rack-place.ts";
import { cornersOf, type Racks, racksIn } from "./racks.ts";
import type { RoomView } from "./room-names.ts";
import { RACKS } from "./settings/racks.ts";
import type { KnownThing, StateRecord } from "./thing.ts";

/** The part of a belief that finding the contents of slots needs. */
interface Holding extends Searching {
  everything(scope: Scope): Promise<KnownThing[]>;
  rooms(): Promise<RoomView[]>;
  once<T>(key: string, read: () => Promise<T>): Promise<T>;
}

/** The usual names of the parts of racks. */
const KINDS: Readonly<Record<string, RackPlace["kind"]>> = {
  slot: "slot",
  "rack slot": "slot",
  "storage slot": "slot",
  "storage location": "slot",
  "rack location": "slot",
  "rack space": "slot",
  "storage space": "slot",
  "shelf space": "slot",
  level: "slot",
  "rack level": "slot",
  bay: "bay",
  "rack bay": "bay",
  rack: "rack",
  "storage rack": "rack",
};

const EMPTY_WORD = /^(?:empty|free|open|clear|vacant|available|unused|unoccupied)$/i;
const FULL_WORD = /^(?:full|taken|occupied|used|filled|in use|laden)$/i;

/** The slots, bays and racks of a building as things, with their contents where known. */
export class Slots {
  readonly #memory: Holding;
  #racks: Promise<Racks> | undefined;

  constructor(memory: Holding) {
    this.#memory = memory;
  }

  /** The plan of the racks, computed once for each state of the memory. */
  racks(): Promise<Racks> {
    this.#racks ??= nameEvidence(this.#memory).then(racksIn);
    return this.#racks;
  }

  /** The room that is the aisle of a row, by its sign. */
  async aisleOf({ row }: RackPlace): Promise<RoomView | undefined> {
    const aisles = await this.#memory.once("aisles by row", async () => {
      const rooms = await this.#memory.rooms();
      return new Map(
        rooms.flatMap((room): [string, RoomView][] => {
          const label = labelOf(room.name);
          return label?.path.length === 1 ? [[codeOf(label), room]] : [];
        }),
      );
    });
    return aisles.get(codeOf({ path: [row] }));
  }

  /** The boxes that contain the goods of an aisle's racks, one for each side. */
  async racksOf({ id, name }: RoomView): Promise<NonNullable<SearchRequest["space"]>[]> {
    const [row] = labelOf(name)?.path ?? [];
    if (row === undefined) return [];
    const code = codeOf({ path: [row] });
    const racks = await this.racks();
    const own = racks.racks().filter((rack) => codeOf({ path: [rack.row] }) === code);
    const aisle = own[0] && (await this.aisleOf(own[0]));
    return aisle?.id === id ? own.map((rack) => ({ type: "box" as const, ...racks.goodsOf(rack) })) : [];
  }

  /** The slots, bays or racks that a description means; undefined where it means other things, or there are none. */
  async described(
    description: Description,
    { during, rooms, roomId }: Scope,
  ): Promise<KnownThing[] | undefined> {
    const kind = KINDS[norm(description.head)];
    if (kind === undefined || description.owner !== undefined) return undefined;
    const racks = await this.racks();
    const places = kind === "slot" ? racks.slots() : kind === "bay" ? racks.bays() : racks.racks();
    if (places.length === 0) return undefined;
    const { text } = description.attributes;
    const path = text === undefined ? undefined : pathOf(text);
    const meant = places.filter(
      (place) =>
        (text === undefined || (path !== undefined && isPartOfPath(place, path))) &&
        isOnLevel(place, description.mods, racks),
    );
    const known = await this.#known(meant, during, description);
    const ids = rooms?.map(({ id }) => id) ?? (roomId === undefined ? undefined : [roomId]);
    return ids === undefined ? known : known.filter((one) => ids.includes(one.roomId ?? ""));
  }

  /** The slot or bay of a code. */
  async called(code: string, during?: Interval): Promise<KnownThing | undefined> {
    if ((pathOf(code)?.length ?? 0) < 2) return undefined;
    const place = (await this.racks()).find(code);
    return place && (await this.#known([place], during))[0];
  }

  async #known(
    places: readonly RackPlace[],
    during: Interval | undefined,
    asked?: Description,
  ): Promise<KnownThing[]> {
    if (places.length === 0) return [];
    const wanted = asked && wantedFill(asked);
    const taken = await this.#taken(during);
    const slots = (await this.racks()).slots();
    const known: KnownThing[] = [];
    for (const place of places) {
      const fill = place.kind === "slot" ? fillOf(place, taken) : fillOfAll(place, slots, taken);
      if (wanted && fill && fill.value !== wanted) continue;
      const isUnseen = wanted !== undefined && fill === undefined;
      const thing = thingOf(place, (await this.aisleOf(place))?.id, fill, asked);
      known.push(isUnseen ? { ...thing, fit: RACKS.unseen, unnoticed: wanted } : thing);
    }
    return known;
  }

  /** The codes of occupied slots. */
  #taken(during: Interval | undefined): Promise<ReadonlySet<string>> {
    return this.#memory.once(`taken ${during?.fromUs} ${during?.toUs}`, async () => {
      const all = await this.#memory.everything({ all: true, during });
      return new Set(all.flatMap(({ slot }) => (slot ? [slot.code] : [])));
    });
  }
}

/** The slot that a thing lies in; undefined for fixed things, and where there are no slots. */
export function slotOf(
  { position, category }: Pick<KnownThing, "position" | "category">,
  racks: Racks,
): RackPlace | undefined {
  if (!position || racks.slots().length === 0) return undefined;
  const mobility = mobilityOf(category);
  if (mobility === "fixed" || mobility === "furniture" || mobility === "agent") return undefined;
  return racks.at(position);
}

interface Fill {
  readonly value: "empty" | "full" | "in part";
  readonly p: number;
}

function fillOf(slot: RackPlace, taken: ReadonlySet<string>): Fill | undefined {
  if (taken.has(slot.code)) return { value: "full", p: RACKS.taken };
  if (slot.count > 0) return { value: "empty", p: RACKS.empty };
  // A robot that read the label of a slot had those above and below it in view.
  return slot.bayRead ? { value: "empty", p: RACKS.emptyInBay } : undefined;
}

function fillOfAll(
  place: RackPlace,
  slots: readonly RackPlace[],
  taken: ReadonlySet<string>,
): Fill | undefined {
  const fills = slots.filter((slot) => isWithin(slot, place)).map((slot) => fillOf(slot, taken));
  const known = fills.flatMap((fill) => fill ?? []);
  const p = Math.min(RACKS.taken, ...known.map((fill) => fill.p));
  const isAll = known.length === fills.length;
  if (isAll && known.every(({ value }) => value === "empty")) return { value: "empty", p };
  if (isAll && known.every(({ value }) => value === "full")) return { value: "full", p };
  return known.some(({ value }) => value === "full") ? { value: "in part", p } : undefined;
}

/** Whether empty or full places are asked for, in whatever words. */
function wantedFill({ attributes, mods }: Description): "empty" | "full" | undefined {
  const said = [attributes["fill"], attributes["occupancy"], attributes["openness"], ...mods].filter(
    (word) => word !== undefined,
  );
  return fillSaid(said);
}

/** Whether words describe a place as empty or full. */
export function fillSaid(said: readonly string[]): "empty" | "full" | undefined {
  if (said.some((word) => EMPTY_WORD.test(word))) return "empty";
  return said.some((word) => FULL_WORD.test(word)) ? "full" : undefined;
}

const ORDINALS: Readonly<Record<string, number>> = { first: 0, second: 1, third: 2, fourth: 3, fifth: 4 };

/** Whether a slot is on the level asked for: "level 2", "ground", "top", "third level". */
function isOnLevel({ level, path, row }: RackPlace, mods: readonly string[], racks: Racks): boolean {
  const said = mods.join(" ").toLowerCase();
  if (level === undefined || said === "") return true;
  const named = /\b(?:level|lvl|tier)[ -]?(\w+)\b/.exec(said)?.[1];
  const nth = /\b(\d)(?:st|nd|rd|th)\b/.exec(said)?.[1];
  if (/\b(?:ground|bottom|lowest|floor)\b/.test(said)) return level === 0;
  if (/\b(?:top|highest|uppermost)\b/.test(said)) return level === racks.topOf(row);
  if (nth !== undefined) return level === Number(nth) - 1;
  const ordinal = said.split(" ").find((word) => ORDINALS[word] !== undefined);
  if (ordinal !== undefined) return level === ORDINALS[ordinal];
  return named === undefined || codeOf({ path: [path.at(-1)!] }) === codeOf({ path: [named] });
}

/** A place of a rack in the form of a thing; the thing that bears its label is its evidence. */
function thingOf(
  place: RackPlace,
  roomId: string | undefined,
  fill: Fill | undefined,
  asked?: Description,
): KnownThing {
  const { code, box, state, kind } = place;
  const { min, max } = box;
  const position = { x: (min.x + max.x) / 2, y: (min.y + max.y) / 2, z: min.z };
  // In the order of their codes where nothing else orders them.
  const id = `${kind}-${code.replaceAll(" ", "-")}`;
  const { kind: _, trackId: __, category: ___, attributes: ____, views: _____, ...common } = state;
  const spot = {
    ...common,
    kind: "region",
    type: "spot",
    level: 0,
    children: [],
    name: code,
    text: [code],
    anchor: { submap: WORLD_FRAME, p: position },
    extent: { x: max.x - min.x, y: max.y - min.y, z: max.z - min.z },
    hull: cornersOf(box),
  } as unknown as Stored<RecordOf<"region">>;
  return {
    state: {
      ...state,
      // The place stays even if the label that was read is gone.
      validToUs: null,
      trackId: id,
      name: code,
      category: kind,
      text: [code],
      attributes: attributesOf(fill, state, asked),
      views: [],
    },
    trackId: id,
    name: code,
    category: kind,
    position,
    box,
    worldFromSubmap: undefined,
    roomId,
    heldBy: undefined,
    fit: 1,
    slot: place,
    spot,
  };
}

/** An empty slot is also free and open; it has its code as text. */
function attributesOf(
  fill: Fill | undefined,
  { validFromUs }: StateRecord,
  asked: Description | undefined,
): StateRecord["attributes"] {
  const own = (value: string, p: number) => ({ value, p, support: 1, lastUs: validFromUs });
  const { openness, text } = asked?.attributes ?? {};
  return {
    ...(text !== undefined && { text: own(text, 1) }),
    ...(fill && {
      fill: own(fill.value, fill.p),
      occupancy: own(fill.value === "empty" ? "free" : "occupied", fill.p),
      ...(openness !== undefined && { openness: own(openness, fill.p) }),
    }),
  };
}
