import { print } from "../../reasoning/index.ts";
import type { Expression } from "../../schema/index.ts";

/**
 * One part of a question: a particular thing, a set that must be searched completely, or a room. The planner sees
 * which parts are still open, and where each could be (docs/formulas.md#needs-of-a-walk).
 */
export interface Need {
  /** The expression in its notation: it identifies the part across steps. */
  readonly key: string;
  readonly kind: "thing" | "one-of" | "all-of" | "around" | "room";
  /** Categories that satisfy it; empty: any. */
  readonly categories: readonly string[];
  /** Rooms, by name, in which it must be; empty: anywhere. */
  readonly rooms: readonly string[];
  /** The rooms are ids of rooms already known. */
  readonly isInKnownRoom?: boolean | undefined;
  /** The expression that evaluates it, if it can be evaluated alone; for `around`, the thing that it surrounds. */
  readonly expression: Expression | undefined;
}

/** Operators for which one member of a set is enough. */
const ONE_IS_ENOUGH: ReadonlySet<string> = new Set([
  "exists",
  "place",
  "direction",
  "route",
  "reachable",
  "is",
  "attribute",
  "serves",
  "action",
]);
/** Operators that produce things, and those that narrow them. */
const NARROWS: ReadonlySet<string> = new Set([
  "in",
  "relate",
  "described",
  "filter",
  "minus",
  "nth",
  "contents",
  "and",
]);
/** Operators over all rooms of a type. */
const OF_ALL_ROOMS: ReadonlySet<string> = new Set(["count", "most", "least"]);
const MAX_NEEDS = 24;

/** The parts of a question, without repeats, in the order it names them. */
export function needsOf(expressions: readonly Expression[]): Need[] {
  const found = new Map<string, Need>();
  for (const expression of expressions) gather(expression, undefined, found);
  return [...found.values()].slice(0, MAX_NEEDS);
}

/** Asks for rooms themselves, of any kind: the whole place must be seen. */
export function isEveryRoom({ key, rooms }: Need): boolean {
  return rooms.length === 0 && key.startsWith("rooms(");
}

/** A need in plain words: "the black bookshelf in the office", "every chair". */
export function wordsOf(need: Need): string {
  const { kind, categories, rooms, expression } = need;
  const where = rooms.length === 0 ? "" : ` in the ${rooms.join(" and the ")}`;
  if (kind === "room") return rooms.length === 0 ? `the ${categories[0] ?? "room"}` : `the ${rooms[0]}`;
  if (categories.length === 0) return isEveryRoom(need) ? "every room" : `everything${where}`;
  const what = [...(expression ? describedBy(expression) : []), categories.join(" or ")].join(" ");
  if (kind === "around") return `what is at the ${what}${where}`;
  return `${kind === "thing" ? "the" : kind === "one-of" ? "some" : "every"} ${what}${where}`;
}

/** Adjectives of the first source of things below: its colour and material. */
function describedBy(node: Expression): string[] {
  if (node.op === "things") {
    const { category: _, any: __, ...rest } = node.with;
    return Object.values(rest).filter((value) => typeof value === "string");
  }
  const [first] = node.of;
  return first === undefined ? [] : describedBy(first);
}

function gather(node: Expression, parent: Expression | undefined, found: Map<string, Need>): void {
  const add = (kind: Need["kind"], rooms = roomsOf(node)): void => {
    const isOwn = !mentions(node, "it");
    const need: Need = {
      key: print(node),
      // A question about each of several things requires all of them.
      kind: isOwn ? kind : "all-of",
      categories: categoriesOf(node),
      rooms,
      expression: isOwn ? node : undefined,
    };
    if (!found.has(need.key)) found.set(need.key, need);
  };
  switch (node.op) {
    case "the":
      add("thing");
      gatherInner(node.of[0], found);
      return;
    case "things":
      if (parent?.op !== "the") add(kindUnder(parent));
      return;
    case "rooms":
      roomNeed(node, parent, add);
      return;
    default:
      break;
  }
  const host = hostOf(node);
  if (host !== undefined) {
    // What is on the table is visible at the table: one nearer look there is enough.
    found.set(print(node), {
      key: print(node),
      kind: "around",
      categories: categoriesOf(host),
      rooms: roomsOf(host),
      expression: host,
    });
    gather(host, node, found);
    return;
  }
  if (NARROWS.has(node.op) && isOfThings(node)) {
    add(kindUnder(parent));
    gatherInner(node, found);
    return;
  }
  for (const child of node.of) gather(child, node, found);
}

/** The one reference thing of a set: the table in "what is on the table". */
function hostOf({ op, of }: Expression): Expression | undefined {
  const host = op === "relate" ? of[1] : op === "contents" ? of[0] : undefined;
  return host?.op === "the" && !mentions(host, "it") ? host : undefined;
}

/** Within a description, only its reference things are parts of their own: the table in "on the table". */
function gatherInner(node: Expression | undefined, found: Map<string, Need>): void {
  for (const child of node?.of ?? []) {
    if (child.op === "the") gather(child, node, found);
    else gatherInner(child, found);
  }
}

/** A named room whose size, number or route is asked. Rooms that only locate a thing belong to that thing's need. */
function roomNeed(
  node: Expression,
  parent: Expression | undefined,
  add: (kind: Need["kind"], rooms?: string[]) => void,
): void {
  if (parent === undefined || NARROWS.has(parent.op)) return;
  // Another bedroom may be anywhere: one known bedroom does not give their number.
  if (node.with["name"] === undefined || OF_ALL_ROOMS.has(parent.op)) add("all-of", []);
  else add("room");
}

function kindUnder(parent: Expression | undefined): Need["kind"] {
  return parent !== undefined && ONE_IS_ENOUGH.has(parent.op) ? "one-of" : "all-of";
}

function isOfThings(node: Expression): boolean {
  const [first] = node.of;
  if (first === undefined) return node.op === "contents";
  return first.op === "things" || first.op === "the" || (NARROWS.has(first.op) && isOfThings(first));
}

function mentions(node: Expression, op: string): boolean {
  return node.op === op || node.of.some((child) => mentions(child, op));
}

/** The categories of the first source of things below; the other side of a relation has its own need. */
function categoriesOf(node: Expression): string[] {
  if (node.op === "things") {
    const { category, any } = node.with;
    const named = typeof category === "string" ? [category] : Array.isArray(any) ? any : [];
    return named.filter((name) => name !== "thing" && name !== "object") as string[];
  }
  for (const child of node.of) {
    const below = categoriesOf(child);
    if (below.length > 0) return below;
  }
  return [];
}

function roomsOf(node: Expression): string[] {
  if (node.op === "rooms") return typeof node.with["name"] === "string" ? [node.with["name"]] : [];
  if (node.op === "the" || node.op === "things" || NARROWS.has(node.op))
    return node.of.slice(node.op === "relate" ? 0 : undefined).flatMap((child) => roomsOf(child));
  return [];
}
