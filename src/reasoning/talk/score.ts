import { attributeOf } from "../../belief/thing.ts";
import { holds, isKindOf, supports } from "../../ontology/index.ts";
import type { Expression } from "../../schema/index.ts";
import { operatorNamed } from "../algebra/table.ts";
import type { Kind } from "../algebra/value.ts";
import { isPlaceholder } from "../read/placeholders.ts";
import { nodesCalled } from "../rival-values.ts";
import { isPerson } from "../say/naming.ts";
import type { Pronoun, Role, Spoken } from "./spoken.ts";

/**
 * The costs of taking something for the referent, in the unit of a reading's cost (0.3 is a clear doubt; beyond 1 it is
 * taken only where nothing else is). Set on the conversations of bench/people/read.
 */
export const COSTS = {
  /** For each turn back. */
  turnBack: 0.2,
  /** For each question back that is asked again. */
  again: 0.4,
  /** By how it came up. */
  role: { told: 0, shown: 0.05, asked: 0.1 } satisfies Record<Role, number>,
  /** A place of something, where the thing itself is asked about. */
  holder: 0.7,
  /** The place of a thing, where something that was itself asked about may be the place. */
  place: 0.2,
  /** One where several are meant, or several where one is. */
  number: 0.6,
  /** A person or a thing where another sort is meant. */
  sort: 1,
  /** A room where a thing is meant: rooms are called "it" too. */
  room: 0.15,
  /** A thing without the state that is asked about, or that things are not usually on or in. */
  unfit: 0.4,
  /** A thing that the question names besides. */
  named: 0.5,
  /** For each that fits better. */
  next: 0.1,
} as const;

/** What words and operators want of a referent; what is left open costs nothing. */
export interface Wants {
  readonly sort?: "person" | "thing" | "room" | undefined;
  readonly several?: boolean | undefined;
  /** The pronoun for a person. */
  readonly pronoun?: Pronoun | undefined;
  /** A noun for it: "that table". */
  readonly kind?: string | undefined;
  /** A place that something is on or in. */
  readonly holds?: "on" | "in" | "at" | undefined;
  /** What the operator takes. */
  readonly kinds?: readonly Kind[] | undefined;
  /** The state that is asked about. */
  readonly state?: string | undefined;
}

const SORTS = {
  person: ({ things }: Spoken) => things.length > 0 && things.every(isPerson),
  thing: ({ things }: Spoken) => things.some((one) => !isPerson(one) && one.agentId === undefined),
  room: (one: Spoken) => one.rooms.length > 0,
} as const;

export function isOf(sort: keyof typeof SORTS, one: Spoken): boolean {
  return SORTS[sort](one);
}

export function isOne({ things, rooms }: Spoken): boolean {
  return things.length + rooms.length === 1;
}

/** Whether it can have things on it or in it: it has, or things are usually put there; a bag is no place itself. */
function canHold({ things: [thing], isHolder }: Spoken, where: Wants["holds"]): boolean {
  if (isHolder || !thing) return true;
  const { category } = thing;
  return where === "in" ? holds(category) : supports(category) || isKindOf(category, "seat");
}

/** What it costs to take it for what is wanted; undefined where it cannot be meant. */
export function costOf(
  one: Spoken,
  { sort, several, pronoun, kind, kinds, holds: where, state }: Wants,
): number | undefined {
  const { things, rooms, isHolder, ago, role } = one;
  const isOther = pronoun !== undefined && one.pronoun !== undefined && pronoun !== one.pronoun;
  if (kinds && !kinds.includes(SORTS.room(one) ? "rooms" : "things")) return undefined;
  // She is a person.
  if (isOther || (sort === "person" && !SORTS.person(one))) return undefined;
  const isLess = role === "asked" && isHolder === true ? 2 : 1;
  let cost = COSTS.turnBack * ago + COSTS.role[role] * isLess;
  if (sort !== undefined && !SORTS[sort](one))
    cost += sort === "thing" && SORTS.room(one) && where === undefined ? COSTS.room : COSTS.sort;
  if (kind !== undefined && !(things.length > 0 && things.every((each) => isKindOf(each.category, kind))))
    cost += COSTS.sort;
  if (several !== undefined && several !== things.length + rooms.length > 1) cost += COSTS.number;
  if (where === undefined && isHolder && sort !== "room" && kind === undefined) cost += COSTS.holder;
  if (where !== undefined && !canHold(one, where)) cost += COSTS.unfit;
  if (where !== undefined && where !== "at" && isHolder) cost += COSTS.place;
  if (state !== undefined && !things.some((each) => attributeOf(each, state))) cost += COSTS.unfit;
  return cost;
}

/** Whether nothing in it speaks against what is wanted. */
export function fits(one: Spoken, wants: Wants): boolean {
  const [plain, wanted] = [costOf(one, {}), costOf(one, wants)];
  return plain !== undefined && wanted !== undefined && wanted - plain <= COSTS.room;
}

/** Operators with a place as an argument: its position, and what is there. */
const PLACES: Readonly<Record<string, { readonly from: number; readonly holds: Wants["holds"] }>> = {
  within: { from: 1, holds: "at" },
  in: { from: 1, holds: "at" },
  contents: { from: 0, holds: "in" },
  held: { from: 0, holds: "at" },
  stay: { from: 0, holds: "at" },
  doings: { from: 0, holds: "at" },
};
/** Operators whose place is a room or a floor. */
const OF_ROOMS: ReadonlySet<string> = new Set(["in", "stay", "doings", "neighbours", "size"]);
/** Operators whose second argument is somebody who was there. */
const OF_SOMEBODY: ReadonlySet<string> = new Set(["stay", "doings"]);
/** Relations to a support or container; beside and above may take anything. */
const HOLDING: Readonly<Record<string, Wants["holds"]>> = { on: "on", under: "on", in: "in" };
/** Operators that choose among several. */
const AMONG: ReadonlySet<string> = new Set(["filter", "most", "least", "nth", "each", "all"]);
/** Operators whose argument is no person. */
const OF_THINGS: ReadonlySet<string> = new Set(["carrier", "holder", "held", "contents"]);
/** Attributes that only some things have. */
const STATES: ReadonlySet<string> = new Set(
  "power openness fill occupancy making colour material".split(" "),
);

/** What an operator wants of its n-th argument. */
export function wantedBy(parent: Expression | undefined, n: number): Wants {
  if (!parent) return {};
  if (isPlaceholder(parent.op)) return {};
  const { takes } = operatorNamed(parent.op);
  const kinds = (takes[n] ?? takes.at(-1))?.kinds;
  return { ...meantBy(parent, n), kinds };
}

/** What is usually meant there. */
function meantBy(parent: Expression, n: number): Wants {
  const { op, of } = parent;
  const relation = op === "relate" ? HOLDING[String(parent.with["relation"])] : undefined;
  const place = PLACES[op];
  const isWho = OF_SOMEBODY.has(op) && n > 0;
  if (relation !== undefined && n === 1) return { sort: "thing", holds: relation };
  if (place && n >= place.from && !isWho)
    return OF_ROOMS.has(op) ? { sort: "room", holds: "at" } : { holds: place.holds };
  // "Did she take it?": what she carried, and it.
  const isOfCarried = op === "and" && of.some((one) => one.op === "carried");
  const sort = op === "carried" || isWho ? "person" : isOfCarried || OF_THINGS.has(op) ? "thing" : undefined;
  const asked = [parent, ...nodesCalled("is", parent)].map(({ with: options }) =>
    String(options["attribute"] ?? options["name"] ?? options["measure"]),
  );
  return { sort, several: AMONG.has(op) || undefined, state: asked.find((one) => STATES.has(one)) };
}
