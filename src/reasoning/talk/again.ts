import { pathOf } from "../../belief/labels.ts";
import { holds, isKindOf, supports } from "../../ontology/index.ts";
import type { Expression } from "../../schema/index.ts";
import { kindOf } from "../algebra/check.ts";
import { node, print } from "../algebra/notation.ts";
import { nodesCalled } from "../rival-values.ts";
import { isPerson, textOn } from "../say/naming.ts";
import { distinctly, headSet, holdsIt, put, withHead } from "./parts.ts";
import { IN_TURN, inTurn, otherOf, SEVERAL, setsInTurn, toldOf } from "./picked.ts";
import { COSTS, isOne } from "./score.ts";
import { type Filled, nodeOf, ofRooms, ofThings, type Spoken, uniqueThings } from "./spoken.ts";
import type { Turn } from "./turn.ts";

/** The number of past turns that a question may repeat. */
const MOST_TURNS = 2;
/** Operators for how something happened or how it is known: they are not repeated for another thing. */
const OF_HOW: ReadonlySet<string> = new Set(["cause", "carrier", "grounds", "witnesses"]);
const OF_TWO: ReadonlySet<string> = new Set(["most", "least", "total"]);
const STATES: ReadonlySet<string> = new Set(["power", "openness", "fill", "occupancy", "making"]);
/** Operators for things on or in a thing, or beside it. */
const RELATING = ["relate", "held", "contents"] as const;
const OTHER = /^others?$/;
const MORE = /^(?:more|another)$/;

/**
 * An earlier question applied to something else: other things, another room or floor, another time. Each of its parts
 * of that kind is a place for it; the costs tell how well it fits there.
 */
export function againOf(
  said: Expression,
  turns: readonly Turn[],
  spoken: readonly Spoken[],
): readonly Filled[] {
  const before = turns
    .toReversed()
    .flatMap(({ parts }) => parts.slice(-1).map(({ expression }) => expression));
  const plain = before.filter((one, n) => !isOfHow(one, n) && !isOfThat(one, before[n + 1]));
  const other = withOtherKinds(said, spoken);
  const ways = (plain.length > 0 ? plain : before)
    .slice(0, MOST_TURNS)
    .map((one, ago) =>
      asked(one, other, spoken).map((way) => ({ ...way, cost: way.cost + ago * COSTS.again })),
    );
  // "What is in the dresser? And in the other one?" stays that question, whatever the one before it was.
  return isOther(other) || isOtherRoom(other) ? (ways.find(({ length }) => length > 0) ?? []) : ways.flat();
}

/** "Where is Hugo? When was that?", "is it on? since when?": the time of the previous answer. */
function isOfThat({ op, of: [what], with: { which } }: Expression, before: Expression | undefined): boolean {
  if (op !== "when" || !what || !before) return false;
  const so = what.op === "not" ? what.of[0]! : what;
  if (print(so) === print(before)) return true;
  return which === undefined && nodesCalled(what.op, before).some((one) => print(one) === print(what));
}

/** How it came about, "which is bigger?" of the values before, "was it always there?" before that: details. */
function isOfHow(part: Expression, ago: number): boolean {
  const core = part.op === "name" ? part.of[0]! : part;
  const [first] = core.of;
  if (OF_HOW.has(core.op)) return true;
  if (OF_TWO.has(core.op)) return first?.op === "or";
  return (core.op === "none" || (core.op === "exists" && ago > 0)) && first?.op === "changes";
}

/** The ways to put it in the place of a part, the likeliest first. */
function asked(before: Expression, other: Expression, spoken: readonly Spoken[]): readonly Filled[] {
  const bare = other.op === "the" ? other.of[0]! : other;
  const words = wordsOf(bare);
  if (other.op === "called") return ranked(ofOtherCode(before, other));
  if (kindOf(other) === "times")
    return ranked([node("at", [before.op === "at" ? before.of[0]! : before, other])]);
  if (kindOf(other) === "rooms" || kindOf(other) === "floors") {
    if (!isOtherRoom(other)) return ranked(ofOtherRoom(before, other));
    return ranked(isOfRoom(before) ? ofTheOtherRoom(before, spoken) : ofTheOther(before, spoken));
  }
  if (isOther(bare)) return ranked(ofTheOther(before, spoken));
  if (words.some((word) => MORE.test(word))) return ranked(ofMore(spoken));
  if (words.some((word) => IN_TURN.test(word))) return ranked(ofTheNth(before, words, spoken));
  if (bare.op === "known")
    return ranked(namedIn(before).map((old) => put(before, widest(before, old), other)));
  const isPlace = other.op === "relate" && ofOtherPlace(before, other);
  if (isPlace && isPlace.length > 0) return ranked(isPlace);
  return ofOtherThings(before, bare);
}

function ranked(ways: readonly Expression[]): readonly Filled[] {
  return ways.map((expression, n) => ({ expression, cost: n * COSTS.next }));
}

/** "The other one", "the others". */
export function isOther(part: Expression): boolean {
  return wordsOf(part.op === "the" && part.of[0] ? part.of[0] : part).some((word) => OTHER.test(word));
}

function isOtherRoom({ with: { name } }: Expression): boolean {
  return typeof name === "string" && OTHER.test(name.replace(/ ones?$/, ""));
}

/** The modifiers of things without a kind: "other", "first". */
function wordsOf({ op, with: { words, category } }: Expression): readonly string[] {
  return op === "things" && category === undefined && Array.isArray(words) ? words.map(String) : [];
}

/** The sets of things that a question names, its subject first. */
function namedIn(before: Expression): readonly Expression[] {
  return distinctly([...nodesCalled("things", before), ...nodesCalled("known", before)]).filter(
    ({ with: { category, name, rooms } }) =>
      rooms === undefined && (category !== undefined || name !== undefined),
  );
}

/** The reference that narrows a set to the one that is meant, otherwise the set. */
function widest(before: Expression, old: Expression): Expression {
  return narrowing(before, old, false) ?? old;
}

function narrowing(before: Expression, old: Expression, isNarrowed: boolean): Expression | undefined {
  return nodesCalled("the", before).find(
    ({ of: [set] }) => set && (!isNarrowed || set !== headSet(set)) && print(headSet(set)) === print(old),
  );
}

/** With the very thing for each "other dresser": not the dresser that was spoken of. */
function withOtherKinds(part: Expression, spoken: readonly Spoken[]): Expression {
  const inner = part.op === "the" && part.of[0] ? part.of[0] : part;
  const { words, category } = inner.with;
  const isOther = Array.isArray(words) && words.some((word) => OTHER.test(String(word)));
  if (inner.op !== "things" || !isOther || typeof category !== "string")
    return { ...part, of: part.of.map((one) => withOtherKinds(one, spoken)) };
  const own = spoken.filter(({ things }) => things.some((thing) => isKindOf(thing.category, category)));
  return otherOf(own)?.other ?? part;
}

/** "The first one": of those in the last answer. */
function ofTheNth(
  before: Expression,
  words: readonly string[],
  spoken: readonly Spoken[],
): readonly Expression[] {
  const [which, number] = words;
  const meant = number === SEVERAL ? setsInTurn(spoken, which!) : inTurn(spoken, which!);
  return meant.flatMap((one) => namedIn(before).map((old) => put(before, widest(before, old), nodeOf(one))));
}

/** "What is on the sofa? And on the table?", "what is above it? and below?", "and at the bottom of that bay?" */
function ofOtherPlace(before: Expression, other: Expression): readonly Expression[] {
  const slots = codedSlots(before);
  const [set, ...place] = other.of;
  const isSlot = set?.with["category"] === "slot";
  if (isSlot && before.op === "name") return [node("name", [node("held", [node("the", [other])])])];
  if (slots.length > 0)
    return slots.map((one) => {
      const { text: _, ...told } = one.with;
      return put(
        before,
        one,
        node("relate", [node("things", [], { ...told, ...set?.with }), other.of[1]!], other.with),
      );
    });
  const codes = distinctly(nodesCalled("called", before));
  if (isSlot && codes.length > 0) return codes.map((one) => put(before, one, node("the", [other])));
  if (set?.op !== "things" || Object.keys(set.with).length > 0) return [];
  return RELATING.flatMap((op) => nodesCalled(op, before))
    .slice(0, 1)
    .map((one) => {
      const things = one.op === "relate" && one.of[0] ? one.of[0] : node("things");
      return put(before, one, { ...other, of: [things, ...place] });
    });
}

/** Replaces a code, or the room or thing that was named: "what is at dock 4?", "and at dock 3?" */
function ofOtherCode(before: Expression, other: Expression): readonly Expression[] {
  const slots = codedSlots(before);
  if (slots.length > 0)
    return slots.map((one) =>
      put(before, one, node("things", [], { ...one.with, text: other.with["name"] })),
    );
  const rooms = distinctly(nodesCalled("rooms", before)).filter(({ with: { name } }) => name !== undefined);
  const named = [distinctly(nodesCalled("called", before)), rooms, namedIn(before)];
  return (named.find(({ length }) => length > 0) ?? []).map((one) => put(before, one, other));
}

/** Slots given by the code of their bay. */
function codedSlots(before: Expression): readonly Expression[] {
  return distinctly(nodesCalled("things", before)).filter(
    ({ with: { category, text } }) => category === "slot" && text !== undefined,
  );
}

function ofOtherRoom(before: Expression, other: Expression): readonly Expression[] {
  const named = ["rooms", "floors"].flatMap((op) => nodesCalled(op, before));
  const rooms = distinctly([
    ...named.filter(({ with: { name } }) => name !== undefined),
    ...nodesCalled("known", before).filter(({ with: { rooms: own } }) => own !== undefined),
  ]);
  if (rooms.length > 0) return rooms.map((room) => put(before, room, numberedLike(room, other)));
  // "What is in the fridge? And in the kitchen?"
  const borne = nodesCalled("relate", before).filter((one) => !holdsIt(one) && one.of[0]?.op === "things");
  if (borne.length > 0) return borne.map((one) => put(before, one, node("in", [one.of[0]!, other])));
  return namedIn(before)
    .slice(0, 1)
    .map((set) => put(before, set, node("in", [set, other])));
}

/** "How many are in aisle D? And in E?": a name of one letter or number takes the noun of the previous one. */
function numberedLike(room: Expression, other: Expression): Expression {
  const [own, name] = [room.with["name"], other.with["name"]];
  const noun = typeof own === "string" ? /^(.*\S)\s+(?:\p{L}|\d+)$/u.exec(own)?.[1] : undefined;
  const isShort = other.op === "rooms" && typeof name === "string" && /^(?:\p{L}|\d+)$/u.test(name);
  return noun !== undefined && isShort ? node("rooms", [], { name: `${noun} ${name}` }) : other;
}

/** "And in the other one?": the other room of its kind. */
function ofTheOtherRoom(before: Expression, spoken: readonly Spoken[]): readonly Expression[] {
  const [room] = spoken.filter(isOne).flatMap(({ rooms }) => rooms);
  if (!room) return [];
  const those = outermostRooms(before);
  const names = those.flatMap((one) => nodesCalled("rooms", one)).map(({ with: { name } }) => name);
  const name = names.find((one) => one !== undefined) ?? room.type;
  const others = node("minus", [node("rooms", [], { name }), nodeOf(ofRooms([room]))]);
  return those.map((one) => put(before, one, others));
}

function outermostRooms(part: Expression): Expression[] {
  const isRooms = nodesCalled("it", part).length === 0 && kindOf(part) === "rooms";
  return isRooms ? [part] : part.of.flatMap(outermostRooms);
}

/** Whether it asks about a room, or about things by their room; not about what is on or in a thing. */
function isOfRoom(before: Expression): boolean {
  const holders = RELATING.flatMap((op) => nodesCalled(op, before)).flatMap(({ op, of }) =>
    // "In the bedroom next to it" is a room.
    op !== "relate" ? (of[0] ?? []) : of[0]?.op === "things" ? (of[1] ?? []) : [],
  );
  return !holders.some((one) => !holdsIt(one) && kindOf(one) === "things");
}

/** "And the mug?", "the blue one?", "the one on the table?" in the place of the things that were asked about. */
function ofOtherThings(before: Expression, bare: Expression): readonly Filled[] {
  // "Which of them is red? And the blue one?"
  const asks = nodesCalled("is", before).find((one) => holdsIt(one));
  const value = asks && bare.with[String(asks.with["attribute"])];
  const isKnown = nodesCalled("known", before).length > 0;
  if (asks && value !== undefined && isKnown && bare.with["category"] === undefined)
    return ranked([put(before, asks, { ...asks, with: { ...asks.with, value } })]);
  return namedIn(before).flatMap((old, n) => {
    const cost = n * COSTS.next + (isAlike(old, bare) ? 0 : COSTS.unfit / 2);
    const whole = inPlaceOf(before, old, bare);
    const ways = [{ expression: whole, cost }];
    // "What colour is the cup on the desk? And the sofa?": the sofa is hardly on the desk too.
    const around = bare.with["category"] === undefined ? undefined : narrowing(before, old, true);
    if (around) ways.push({ expression: put(before, around, node("the", [bare])), cost: cost + COSTS.next });
    // "Was the kettle on when you were in the kitchen? And the iron?": the iron was seen on another visit.
    const isOwnStay =
      before.op === "at" && nodesCalled("stay", before.of[1]!).some(({ of }) => of.length === 1);
    return isOwnStay ? [...ways, { expression: whole.of[0]!, cost: cost + 2 * COSTS.next }] : ways;
  });
}

/** Whether one may stand in the place of the other: a question about a thing is not about its support. */
function isAlike({ with: { category: old } }: Expression, { with: { category } }: Expression): boolean {
  if (typeof old !== "string" || typeof category !== "string") return true;
  return supports(old) === supports(category) && holds(old) === holds(category);
}

function inPlaceOf(before: Expression, old: Expression, bare: Expression): Expression {
  const head = headSet(bare);
  const isBare =
    head.op === "things" && head.with["category"] === undefined && head.with["name"] === undefined;
  // "The one on the table": one of the kind asked for, in the place given.
  if (bare !== head && isBare) {
    const own = withHead(bare, (one) => ({ ...old, with: { ...old.with, ...one.with } }));
    return put(before, widest(before, old), node("the", [own]));
  }
  const kind = old.with["category"];
  const set = isBare && kind !== undefined ? { ...bare, with: { category: kind, ...bare.with } } : bare;
  const state = isBare ? stateIn(before, old) : undefined;
  if (state !== undefined && bare.with[state] === undefined)
    return node("attribute", [node("the", [set])], { name: state });
  // "Which one is free? And the occupied one?"
  const chosen = nodesCalled("filter", before)[0];
  if (state !== undefined && chosen) return put(before, chosen, put(chosen.of[0]!, old, set));
  const isOneKnown = old.op === "known" && (old.with["states"] as readonly string[]).length === 1;
  const told = Object.entries(old.with).filter(([name]) => old.op === "things" && STATES.has(name));
  const whole = set.op === "things" ? { ...set, with: { ...Object.fromEntries(told), ...set.with } } : set;
  return put(before, old, isOneKnown ? node("the", [whole]) : whole);
}

/** The state asked for in one of a set: "has somebody left an iron on", "which of them is free". */
function stateIn(before: Expression, set: Expression): string | undefined {
  const own = Object.keys(set.with).find((name) => STATES.has(name));
  const chosen = nodesCalled("filter", before)[0]?.of[1];
  const attribute = chosen?.op === "is" ? chosen.with["attribute"] : undefined;
  return own ?? (typeof attribute === "string" ? attribute : undefined);
}

function ofTheOther(before: Expression, spoken: readonly Spoken[]): readonly Expression[] {
  const found = otherOf(spoken);
  const [thing] = found?.one.things ?? [];
  if (!found || !thing) return [];
  return namedIn(before)
    .filter((old) => isAlike(old, node("things", [], { category: thing.category })))
    .map((old) => {
      const state = stateIn(before, old);
      return state !== undefined
        ? node("attribute", [found.other], { name: state })
        : put(before, widest(before, old), found.other);
    });
}

/** More things of the last kind mentioned, beside all those mentioned. */
function ofMore(spoken: readonly Spoken[]): readonly Expression[] {
  const own = toldOf(spoken).flatMap(({ things }) => things);
  const [first] = own;
  if (!first) return [];
  const category = isPerson(first) ? "person" : first.category;
  const all = uniqueThings(spoken.filter(({ role }) => role !== "asked").flatMap(({ things }) => things));
  const told = [...own, ...all].filter((one) => (isPerson(one) ? "person" : one.category) === category);
  const text = textOn(first);
  // For a carton with a code, "more" means others with its code.
  const isCoded = text !== undefined && pathOf(text) !== undefined;
  const set = node("things", [], isCoded ? { category, text } : { category });
  return [node("exists", [node("minus", [set, nodeOf(ofThings(uniqueThings(told)))])])];
}
