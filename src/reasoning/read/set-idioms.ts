import { lookup, movesItself, roomKind } from "../../ontology/index.ts";
import type { Expression } from "../../schema/index.ts";
import { kindOf } from "../algebra/check.ts";
import { node, print } from "../algebra/notation.ts";
import { goesOn } from "./placeholders.ts";

/** A kind and its number: "forklift F1", "cart C-3". */
const NUMBERED = /^(\p{L}[\p{L} ]*?) (\p{L}{1,3}-?\d[\w-]*)$/iu;

/** "Forklift F1" is the vehicle that bears F1. */
export function numberedVehicle({ op, of, with: told }: Expression): Expression | undefined {
  const [, kind, code] = NUMBERED.exec(String(told[op === "called" ? "name" : "category"])) ?? [];
  if (kind === undefined || code === undefined || !movesItself(kind)) return undefined;
  if (op === "called") return { op, of, with: { ...told, name: code } };
  const { category: _, text: __, ...others } = told;
  return Object.keys(others).length === 0 ? node("called", [], { name: code }) : undefined;
}

/** Nothing stands on the floor of a room: its floor is free, whatever hangs on the walls. */
export function freeFloor({ of: [set] }: Expression): Expression | undefined {
  const [inside, floor] = set?.op === "relate" && set.with["relation"] === "on" ? set.of : [];
  const ground = floor?.op === "the" ? floor.of[0] : floor;
  if (inside?.op !== "in" || ground?.op !== "things" || ground.with["category"] !== "floor") return undefined;
  const [what, room] = inside.of;
  const isAnything = what?.op === "things" && Object.keys(what.with).length === 0;
  return isAnything && room ? node("is", [room], { attribute: "occupancy", value: "free" }) : undefined;
}

const ENTERED: ReadonlySet<unknown> = new Set(["visit", "enter", "exit", "pass"]);

/** A kind of room that is no thing is visited as a room: "the order of the staging bays". */
export function visitedRooms({ op, of: [where, ...who], with: done }: Expression): Expression | undefined {
  const set = where?.op === "the" ? where.of[0] : where;
  const { category, ...marks } = set?.op === "things" ? set.with : {};
  if (typeof category !== "string" || Object.keys(marks).length > 0 || !ENTERED.has(done["verb"]))
    return undefined;
  if (roomKind(category) === undefined || lookup(category)) return undefined;
  const verb = done["verb"] === "pass" ? "visit" : done["verb"]!;
  return node(op, [node("rooms", [], { name: category }), ...who], { ...done, verb });
}

/** Wherever they are, people stand on a floor: on "the floor" of a workplace is in it. */
export function onTheFloor({ of: [who, floor, ...more], with: how }: Expression): Expression | undefined {
  const ground = floor?.op === "the" ? floor.of[0] : floor;
  const isFloor = ground?.op === "things" && print(ground) === print(FLOOR);
  const isAnybody = who?.op === "things" && print(who) === print(PERSON);
  return isFloor && isAnybody && more.length === 0 && how["relation"] === "on" ? who : undefined;
}

const FLOOR = node("things", [], { category: "floor" });
const PERSON = node("things", [], { category: "person" });

/** Slots have no colour: what is asked of the one with a code in it is asked of the box. */
export function ofTheBox({ op, of: [carrier], with: asked }: Expression): Expression | undefined {
  const [box] = carrier?.op === "holder" ? carrier.of : [];
  const isLook = asked["name"] === "colour" || asked["name"] === "material";
  return isLook && box?.op === "called" ? node(op, [box], asked) : undefined;
}

/** A vehicle that sets off moves: it is not switched off. */
export function setsOff({ op, of, with: options }: Expression): Expression | undefined {
  const [set, by] = of;
  const things = set?.op === "the" ? set.of[0] : set;
  const [change] = by?.op === "seen" ? by.of : [];
  const kinds = change?.op === "changes" ? change.with["kinds"] : undefined;
  if (!set || !by || !change || !Array.isArray(kinds) || String(kinds) !== "switched-off") return undefined;
  if (!movesItself(String(things?.with["category"]))) return undefined;
  const moved = node("changes", change.of, { ...change.with, kinds: ["moved"] });
  return node(op, [set, node("seen", [moved], by.with), ...of.slice(2)], options);
}

const SETS: ReadonlySet<string> = new Set(["things", "the", "relate", "in", "called"]);

/** "Which of you saw her in the hall?": whether she was there at any time, as each robot saw it. */
export function sawThere({ op, of: [said, robot, ...more], with: told }: Expression): Expression | undefined {
  const isThere = said?.op === "within" && robot?.op === "it" && more.length === 0;
  const isOfThings = isThere && said.of[0]?.op !== "self" && said.of[0]?.op !== "it";
  return isOfThings ? { op, of: [node("ever", [said]), robot], with: told } : undefined;
}

/** Whether it gives things; what continues a conversation has no kind yet. */
function isOfThings(set: Expression): boolean {
  return !goesOn(set) && kindOf(set) === "things";
}

/** Whether there are such things, or were at any time. */
export function atAnyTime(said: Expression): Expression | undefined {
  const [set] = said.of;
  const isPlain = set !== undefined && SETS.has(set.op) && isOfThings(set);
  return isPlain ? node("at", [said, node("moment", [], { phase: "all" })]) : undefined;
}

/** "One of you saw the mug: which?" asks for the robot, not for the mug. */
export function whoOfYou({ of: [set], with: told }: Expression): Expression | undefined {
  const isPlain = set !== undefined && SETS.has(set.op) && Object.keys(told).length === 0;
  const isOfRobots = set !== undefined && print(set).includes("robots(");
  return isPlain && !isOfRobots && isOfThings(set) ? node("witnesses", [set]) : undefined;
}

/** What a change leads to: the attribute and its value. */
const LEADS_TO: Readonly<Record<string, readonly [string, string]>> = {
  "switched-off": ["power", "off"],
  "switched-on": ["power", "on"],
  opened: ["openness", "open"],
  closed: ["openness", "closed"],
};

/**
 * "Which lamp did somebody turn off?", where no change was noticed: the lamps that are off. Undefined where another question is
 * asked.
 */
export function asLeft({ op, of: [affected] }: Expression): Expression | undefined {
  const [changed] = op === "name" && affected?.op === "affected" ? affected.of : [];
  const [set] = changed?.op === "changes" ? changed.of : [];
  const [attribute, value] = LEADS_TO[String(changed?.with["kinds"])] ?? [];
  if (!set || attribute === undefined || value === undefined || kindOf(set) !== "things") return undefined;
  return node(op, [node("filter", [set, node("is", [node("it")], { attribute, value })])]);
}

/** "Which staging bays have no pallet in them?": a kind of room that is no thing is chosen among as rooms. */
export function roomsThat({ op, of: [set, says], with: told }: Expression): Expression | undefined {
  const { category, ...marks } = set?.op === "things" ? set.with : {};
  if (typeof category !== "string" || !says || Object.keys(marks).length > 0) return undefined;
  if (roomKind(category) === undefined || lookup(category)) return undefined;
  return node(op, [node("rooms", [], { name: category }), withinIt(says)], told);
}

const THERE: ReadonlySet<unknown> = new Set(["on", "in", "at"]);

/** What is on or in each element is in that room. */
function withinIt(said: Expression): Expression {
  const [what, where] = said.of;
  const isThere = said.op === "relate" && where?.op === "it" && THERE.has(said.with["relation"]);
  if (isThere) return node("in", [what!, where]);
  return { ...said, of: said.of.map(withinIt) };
}

/** "The boxes of AK-134": what is in the place of that code, or bears it. */
export function bearersOf({ op, of: [set, held], with: told }: Expression): Expression | undefined {
  const code = held?.op === "held" ? held.of[0] : undefined;
  if (set?.op !== "things" || code?.op !== "called" || String(code.with["name"]).includes(" "))
    return undefined;
  return node(op, [set, node("or", [code, held!])], told);
}
