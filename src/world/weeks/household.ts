import type { Random } from "../../geometry/index.ts";
import { shelvesOf } from "../house/models.ts";
import type { House, HouseThing } from "../house/types.ts";
import { DEVICES, type Device, PROPS, type Use } from "./routines.ts";

/** A thing with a routine: its owner, its homes, and the furniture that each of its uses needs. */
export interface TravellingThing {
  readonly id: string;
  /** The owner; undefined for shared things. */
  readonly owner: number | undefined;
  readonly uses: readonly Use[];
  /** Where it belongs, the best first. */
  readonly homes: readonly string[];
  /** Furniture of these categories, preferred piece first. */
  hostsFor(categories: readonly string[]): readonly string[];
}

/** The people and things that take part in the routines of a house. */
export interface Household {
  /** Numbers of things. */
  readonly persons: readonly number[];
  /** Where each sleeps. */
  readonly bedrooms: readonly (string | undefined)[];
  readonly things: readonly TravellingThing[];
  readonly devices: readonly { readonly id: string; readonly device: Device }[];
  readonly lamps: readonly { readonly id: string; readonly roomId: string }[];
}

/** No routine uses more than this many of one kind. */
const PER_PROP = 4;

/** Chooses from a house its inhabitants, the things they use and what they switch. */
export function castOf(house: House, people: number, random: Random): Household {
  const persons = house.things.flatMap(({ type }, i) => (type === "person" ? [i] : [])).slice(0, people);
  const bedroomsOf = house.rooms.filter(({ type }) => type === "bedroom" || type === "children's room");
  const bedrooms = persons.map((_, n) => bedroomsOf[n % Math.max(1, bedroomsOf.length)]?.id);
  return {
    persons,
    bedrooms,
    things: PROPS.flatMap((prop) => {
      const own = house.things.filter(
        ({ category, type, roomAtStart }) =>
          type === "small" && roomAtStart !== "outside" && prop.categories.includes(category),
      );
      const chosen = random.fork(prop.categories.join()).shuffle(own).slice(0, PER_PROP);
      return chosen.flatMap((thing, n): TravellingThing[] => {
        const owner = prop.isShared === true ? undefined : n % Math.max(1, people);
        const bedroom = owner === undefined ? undefined : bedrooms[owner];
        const hostsFor = (categories: readonly string[]) => hosts(house, categories, bedroom, n);
        const homes = hostsFor(prop.home);
        return homes.length === 0
          ? []
          : [{ id: thing.id, owner, uses: usable(prop.uses, hostsFor), homes, hostsFor }];
      });
    }),
    devices: house.things.flatMap(({ id, category, fluents }) =>
      DEVICES.filter((device) => device.category === category && fluents.includes(device.fluent)).map(
        (device) => ({
          id,
          device,
        }),
      ),
    ),
    lamps: house.things.flatMap(({ id, category, roomAtStart }) =>
      category === "ceiling lamp" ? [{ id, roomId: roomAtStart }] : [],
    ),
  };
}

/** Uses for which there is furniture. */
function usable(uses: readonly Use[], hostsFor: (categories: readonly string[]) => readonly string[]): Use[] {
  return uses.filter(({ to }) => typeof to === "string" || hostsFor(to).length > 0);
}

/** One's own bedroom first, then by the order of the categories; twins use different pieces of a kind. */
function hosts(
  house: House,
  categories: readonly string[],
  bedroom: string | undefined,
  n: number,
): string[] {
  return categories.flatMap((category) => {
    const all = house.things.flatMap((thing, i) =>
      thing.category === category && hasTop(house, thing, i) ? [thing] : [],
    );
    const own = all.filter(({ roomAtStart }) => roomAtStart === bedroom);
    const rest = all.filter((thing) => !own.includes(thing));
    const turned = [
      ...rest.slice(n % Math.max(1, rest.length)),
      ...rest.slice(0, n % Math.max(1, rest.length)),
    ];
    return [...own, ...turned].map(({ id }) => id);
  });
}

function hasTop(house: House, thing: HouseThing, i: number): boolean {
  return (
    thing.type === "furniture" &&
    shelvesOf(house.starts[i]!.look, house.starts[i]!.fluents).some(({ kind }) => kind !== "cavity")
  );
}
