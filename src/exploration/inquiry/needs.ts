import { print } from "../../reasoning/index.ts";
import type { Expression } from "../../schema/index.ts";

/**
 * One part of what is asked: a thing that is meant, a set that has to be gone through, or a room. The planner sees which
 * of them are still unknown, and where each could be (docs/formulas.md#needs-of-a-walk).
 */
export interface Need {
  /** The expression in its notation: the same part at every step. */
  readonly key: string;
  readonly kind: "thing" | "one-of" | "all-of" | "around" | "room";
  /** What would have to be seen, by name; empty where anything counts. */
  readonly categories: readonly string[];
  /** Rooms by name in which alone it counts; empty: anywhere. */
  readonly rooms: readonly string[];
  /** They are the ids of rooms that are known by now. */
  readonly isInKnownRoom?: boolean | undefined;
  /** What gives it, where it can be carried out by itself; for `around` the thing that it is around. */
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
/** Sources of things, and what narrows them. */
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
/** Operators that go through all rooms of a kind. */
const OF_ALL_ROOMS: ReadonlySet<string> = new Set(["count", "most", "least"]);
const MAX_NEEDS = 24;

/** The parts of a question, each once, in the order in which it names them. */
export function needsOf(expressions: readonly Expression[]): Need[] {
  const found = new Map<string, Need>();
  for (const expression of expressions) gather(expression, undefined, found);
  return [...found.values()].slice(0, MAX_NEEDS);
}

/** Rooms themselves are asked for, whichever they are: all of the place has to be seen. */
export function isEveryRoom({ key, rooms }: Need): boolean {
  return rooms.length === 0 && key.startsWith("rooms(");
}

/** A need as people would say it: "the black bookshelf in the office", "every chair". */
export function wordsOf(need: Need): string {
  const { kind, categories, rooms, expression } = need;
  const where = rooms.length === 0 ? "" : ` in the ${rooms.join(" and the ")}`;
  if (kind === "room") return rooms.length === 0 ? `the ${categories[0] ?? "room"}` : `the ${rooms[0]}`;
  if (categories.length === 0) return isEveryRoom(need) ? "every room" : `everything${where}`;
  const what = [...(expression ? describedBy(expression) : []), categories.join(" or ")].join(" ");
  if (kind === "around") return `what is at the ${what}${where}`;
  return `${kind === "thing" ? "the" : kind === "one-of" ? "some" : "every"} ${what}${where}`;
}

/** Adjectives of the first source of things below: its colour, what it is made of. */
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
      // What is asked of each of several has to be gone through for all of them.
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
    // What is on the table is to be seen where the table is: a close look at that is all it takes.
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

/** The one thing that a set is told by alone: the table of "what is on the table". */
function hostOf({ op, of }: Expression): Expression | undefined {
  const host = op === "relate" ? of[1] : op === "contents" ? of[0] : undefined;
  return host?.op === "the" && !mentions(host, "it") ? host : undefined;
}

/** Below a description only the things that it leans on are parts of their own: the table of "on the table". */
function gatherInner(node: Expression | undefined, found: Map<string, Need>): void {
  for (const child of node?.of ?? []) {
    if (child.op === "the") gather(child, node, found);
    else gatherInner(child, found);
  }
}

/** A named room whose size, number or way is asked; rooms that only say where a thing is belong to that thing. */
function roomNeed(
  node: Expression,
  parent: Expression | undefined,
  add: (kind: Need["kind"], rooms?: string[]) => void,
): void {
  if (parent === undefined || NARROWS.has(parent.op)) return;
  // Another bedroom may be anywhere: one that is known does not tell how many there are.
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

/** What the first source of things below asks for; a relation's other side has a need of its own. */
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
