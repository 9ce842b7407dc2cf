import { pathOf } from "../../belief/labels.ts";
import { holds, isKindOf, supports } from "../../ontology/index.ts";
import type { Expression } from "../../schema/index.ts";
import { kindOf } from "../algebra/check.ts";
import { node, print } from "../algebra/notation.ts";
import { nodesCalled } from "../rival-values.ts";
import { isPerson, textOn } from "../say/naming.ts";
import { IN_TURN, inTurn, SEVERAL, setsInTurn } from "./in-turn.ts";
import { nodeOf, ofRooms, ofThings, type Spoken } from "./spoken-of.ts";
import type { Turn } from "./turn.ts";
import { isOne, toldOf } from "./wanted.ts";

/** The number of past turns that a question may repeat. */
const MOST_TURNS = 2;
/** Operators for how something happened or how it is known: they are not repeated for another thing. */
const OF_HOW: ReadonlySet<string> = new Set(["cause", "carrier", "grounds"]);
const STATES: ReadonlySet<string> = new Set(["power", "openness", "fill", "occupancy", "making"]);

/**
 * The previous question applied to something else: other things, another room or floor, another time; the likeliest
 * first.
 */
export function againOf(
  other: Expression,
  turns: readonly Turn[],
  spoken: readonly Spoken[],
): readonly Expression[] {
  const before = turns
    .toReversed()
    .flatMap(({ parts }) => parts.slice(-1).map(({ expression }) => expression));
  const plain = before.filter((one, n) => !isOfHow(one) && !isOfThat(one, before[n + 1]));
  const ways = (plain.length > 0 ? plain : before)
    .slice(0, MOST_TURNS)
    .map((one) => asked(one, other, spoken));
  // "What is in the dresser? And in the other one?" stays that question, whatever the one before it was.
  return isOtherOne(other) || isTheOther(other) ? (ways.find(({ length }) => length > 0) ?? []) : ways.flat();
}

/** "Where is Hugo? When was that?", "is it on? since when?": the time of the previous answer. */
function isOfThat({ op, of: [what], with: { which } }: Expression, before: Expression | undefined): boolean {
  if (op !== "when" || !what || !before) return false;
  const so = what.op === "not" ? what.of[0]! : what;
  if (print(so) === print(before)) return true;
  return which === undefined && nodesCalled(what.op, before).some((one) => print(one) === print(what));
}

/**
 * "So which is bigger?", "and in all?", "was it always there?": the values of the previous question are compared, or
 * its history is asked for.
 */
function isOfBefore(part: Expression): boolean {
  const core = part.op === "name" ? part.of[0]! : part;
  if (OF_TWO.has(core.op)) return core.of[0]?.op === "or";
  return (core.op === "none" || core.op === "exists") && core.of[0]?.op === "changes";
}

const OF_TWO: ReadonlySet<string> = new Set(["most", "least", "total"]);

function isOfHow(part: Expression): boolean {
  return OF_HOW.has(part.op) || isOfBefore(part) || (part.op === "name" && part.of.some(isOfHow));
}

function asked(before: Expression, said: Expression, spoken: readonly Spoken[]): readonly Expression[] {
  const other = withOtherKinds(said, spoken);
  if (other.op === "called") return ofOtherCode(before, other);
  switch (kindOf(other)) {
    case "times":
      return [node("at", [before.op === "at" ? before.of[0]! : before, other])];
    case "rooms":
    case "floors":
      if (!isTheOther(other)) return ofOtherRoom(before, other);
      return isOfRoom(before) ? ofTheOtherRoom(before, spoken) : ofTheOther(before, spoken);
    default: {
      if (isOtherOne(other)) return ofTheOther(before, spoken);
      if (isCalled(other, MORE)) return ofMore(spoken);
      const bare = other.op === "the" ? other.of[0]! : other;
      if (bare.op === "known") return ofSeveral(before, other);
      if (isCalled(other, IN_TURN)) return ofTheNth(before, other, spoken);
      if (other.op === "relate") return ofOtherPlace(before, other, bare);
      return namedIn(before).flatMap((one) => {
        const way = ofOtherThings(before, one, bare);
        // "What colour is the cup on the desk? And the sofa?": the sofa is hardly on the desk too.
        const around = bare.with["category"] === undefined ? undefined : narrowedTo(before, one);
        const ways = around ? [way, put(before, around, node("the", [bare]))] : [way];
        return before.op === "at" && isOwnStay(before.of[1]!) ? [...ways, ...ways.map(atAnyTime)] : ways;
      });
    }
  }
}

/** "Was the kettle on when you were in the kitchen? And the iron?": the iron was seen on another visit. */
function isOwnStay(time: Expression): boolean {
  return nodesCalled("stay", time).some(({ of }) => of.length === 1);
}

function atAnyTime(part: Expression): Expression {
  return part.op === "at" ? part.of[0]! : part;
}

/** The kind of "the other dresser". */
function ofTheOtherKind({ op, with: { words, category } }: Expression): string | undefined {
  const isOther = op === "things" && Array.isArray(words) && words.some((word) => OTHER.test(String(word)));
  return isOther && typeof category === "string" ? category : undefined;
}

/** With the very thing for each "other dresser": not the dresser that was spoken of. */
function withOtherKinds(part: Expression, spoken: readonly Spoken[]): Expression {
  const inner = part.op === "the" && part.of[0] ? part.of[0] : part;
  const kind = ofTheOtherKind(inner);
  if (kind === undefined) return { ...part, of: part.of.map((one) => withOtherKinds(one, spoken)) };
  const own = spoken.filter(({ things }) => things.some(({ category }) => isKindOf(category, kind)));
  return otherOf(own)?.other ?? part;
}

/** The place at which a set is narrowed to the one that is meant. */
function narrowedTo(before: Expression, old: Expression): Expression | undefined {
  return nodesCalled("the", before).find(
    ({ of: [set] }) => set && NARROWS.has(set.op) && headOf(set) === print(old),
  );
}

/** "Which one do you mean?" "Both.", "the other one". */
function ofSeveral(before: Expression, all: Expression): readonly Expression[] {
  return namedIn(before).map((old) => {
    const around = nodesCalled("the", before).find(({ of: [set] }) => set && headOf(set) === print(old));
    return put(before, around ?? old, all);
  });
}

/** "The first one": of those in the last answer. */
function ofTheNth(before: Expression, other: Expression, spoken: readonly Spoken[]): readonly Expression[] {
  const [which, number] = other.with["words"] as readonly string[];
  const meant = number === SEVERAL ? setsInTurn(spoken, which!) : inTurn(spoken, which!);
  return meant.flatMap((one) => ofSeveral(before, nodeOf(one)));
}

/** "What is on the sofa? And on the table?", "and right above it?", "and at the bottom of that bay?" */
function ofOtherPlace(before: Expression, other: Expression, bare: Expression): readonly Expression[] {
  const slots = codedSlots(before);
  const [set] = other.of;
  if (set?.with["category"] === "slot" && before.op === "name")
    return [node("name", [node("held", [node("the", [other])])])];
  if (slots.length > 0) return slots.map((one) => put(before, one, slotsIn(one, other)));
  if (set?.with["category"] === "slot" && nodesCalled("called", before).length > 0)
    return distinctly(nodesCalled("called", before)).map((one) => put(before, one, node("the", [other])));
  const related = RELATING.flatMap((op) => nodesCalled(op, before)).slice(0, 1);
  if (set?.op === "things" && Object.keys(set.with).length === 0 && related.length > 0)
    return related.map((one) => put(before, one, { ...other, of: [ofSet(one), ...other.of.slice(1)] }));
  return namedIn(before).map((one) => ofOtherThings(before, one, bare));
}

/** Operators for things on or in a thing, or beside it. */
const RELATING = ["relate", "held", "contents"] as const;

function ofSet({ op, of: [set] }: Expression): Expression {
  return op === "relate" && set ? set : node("things");
}

/** Replaces a code, or the room or thing that was named: "what is at dock 4?", "and at dock 3?" */
function ofOtherCode(before: Expression, other: Expression): readonly Expression[] {
  const codes = distinctly(nodesCalled("called", before));
  const rooms = distinctly(nodesCalled("rooms", before).filter(({ with: { name } }) => name !== undefined));
  const slots = codedSlots(before).map((set) => ({
    set,
    by: node("things", [], { ...set.with, text: other.with["name"] }),
  }));
  if (slots.length > 0) return slots.map(({ set, by }) => put(before, set, by));
  const named = [codes, rooms, namedIn(before)].find(({ length }) => length > 0) ?? [];
  return named.map((one) => put(before, one, other));
}

/** Slots given by the code of their bay. */
function codedSlots(before: Expression): readonly Expression[] {
  return distinctly(nodesCalled("things", before)).filter(
    ({ with: { category, text } }) => category === "slot" && text !== undefined,
  );
}

/** The sets of things that a question names, its subject first. */
function namedIn(before: Expression): readonly Expression[] {
  return distinctly([...nodesCalled("things", before), ...nodesCalled("known", before)]).filter(
    ({ with: { category, name, rooms } }) =>
      rooms === undefined && (category !== undefined || name !== undefined),
  );
}

function distinctly(nodes: readonly Expression[]): Expression[] {
  return [...new Map(nodes.map((one) => [print(one), one])).values()];
}

function ofOtherRoom(before: Expression, other: Expression): readonly Expression[] {
  const rooms = distinctly([
    ...["rooms", "floors"]
      .flatMap((op) => nodesCalled(op, before))
      .filter(({ with: { name } }) => name !== undefined),
    ...nodesCalled("known", before).filter(({ with: { rooms: own } }) => own !== undefined),
  ]);
  if (rooms.length > 0)
    return rooms.map((room) => put(before, room, other.op === "rooms" ? numberedLike(room, other) : other));
  return namedIn(before)
    .slice(0, 1)
    .map((set) => put(before, set, node("in", [set, other])));
}

/** "How many are in aisle D? And in E?": a name of one letter or number takes the noun of the previous one. */
function numberedLike(room: Expression, other: Expression): Expression {
  const [own, name] = [room.with["name"], other.with["name"]];
  const noun = typeof own === "string" ? /^(.*\S)\s+(?:\p{L}|\d+)$/u.exec(own)?.[1] : undefined;
  return noun !== undefined && typeof name === "string" && /^(?:\p{L}|\d+)$/u.test(name)
    ? node("rooms", [], { name: `${noun} ${name}` })
    : other;
}

/** "And in the other one?": the other room of its kind. */
function ofTheOtherRoom(before: Expression, spoken: readonly Spoken[]): readonly Expression[] {
  const [room] = spoken.filter(isOne).flatMap(({ rooms }) => rooms);
  if (!room) return [];
  const those = outermost(before, (one) => kindOf(one) === "rooms");
  const kinds = those.flatMap((one) => nodesCalled("rooms", one)).map(({ with: { name } }) => name);
  const kind = kinds.find((name) => name !== undefined) ?? room.type;
  const others = node("minus", [node("rooms", [], { name: kind }), nodeOf(ofRooms([room]))]);
  return those.map((one) => put(before, one, others));
}

/** Whether it asks about a room, or about things by their room; not about what is on or in a thing. */
function isOfRoom(before: Expression): boolean {
  const holders = RELATING.flatMap((op) => nodesCalled(op, before)).map(
    ({ op, of }) => of[op === "relate" ? 1 : 0],
  );
  return !holders.some((one) => one !== undefined && !hasIt(one) && kindOf(one) === "things");
}

function isTheOther({ with: { name } }: Expression): boolean {
  return typeof name === "string" && OTHER.test(name.replace(/ ones?$/, ""));
}

function hasIt(part: Expression): boolean {
  return nodesCalled("it", part).length > 0;
}

/** The outermost parts of an expression that match. */
function outermost(part: Expression, isSuch: (one: Expression) => boolean): Expression[] {
  return !hasIt(part) && isSuch(part) ? [part] : part.of.flatMap((one) => outermost(one, isSuch));
}

function ofOtherThings(before: Expression, old: Expression, bare: Expression): Expression {
  if (bare.op !== "things" && NARROWS.has(bare.op) && headThings(bare)) return ofNarrowed(before, old, bare);
  const isDefinite = isBareHead(bare);
  const kind = old.with["category"];
  const set = isDefinite && kind !== undefined ? { ...bare, with: { category: kind, ...bare.with } } : bare;
  const state = isDefinite ? stateIn(before, old) : undefined;
  if (state !== undefined && bare.with[state] === undefined)
    return node("attribute", [node("the", [set])], { name: state });
  // "Which one is free? And the occupied one?"
  const chosen = nodesCalled("filter", before)[0];
  if (state !== undefined && chosen) return put(before, chosen, put(chosen.of[0]!, old, set));
  const isOne = old.op === "known" && (old.with["states"] as readonly string[]).length === 1;
  const told = Object.entries(old.with).filter(([name]) => old.op === "things" && STATES.has(name));
  const whole = set.op === "things" ? { ...set, with: { ...Object.fromEntries(told), ...set.with } } : set;
  return put(before, old, isOne ? node("the", [whole]) : whole);
}

/** "The one on the table": one of the kind asked for, in the place given. */
function ofNarrowed(before: Expression, old: Expression, bare: Expression): Expression {
  const fill = (one: Expression): Expression =>
    one.op === "things" && isBareHead(one)
      ? { ...old, with: { ...old.with, ...one.with } }
      : { ...one, of: one.of.map((inner, n) => (n === 0 ? fill(inner) : inner)) };
  const one = node("the", [fill(bare)]);
  const around = nodesCalled("the", before).find(({ of: [set] }) => set && headOf(set) === print(old));
  return put(before, around ?? old, one);
}

/** Whether the narrowed set has no kind of its own. */
function headThings(set: Expression): boolean {
  const [first] = set.of;
  return first && NARROWS.has(set.op) ? headThings(first) : isBareHead(set);
}

function isBareHead({ op, with: { category, name } }: Expression): boolean {
  return op === "things" && category === undefined && name === undefined;
}

/** The state asked for in one of a set: "has somebody left an iron on", "which of them is free". */
function stateIn(before: Expression, set: Expression): string | undefined {
  const own = Object.keys(set.with).find((name) => STATES.has(name));
  const chosen = nodesCalled("filter", before)[0]?.of[1];
  const attribute = chosen?.op === "is" ? chosen.with["attribute"] : undefined;
  return own ?? (typeof attribute === "string" ? attribute : undefined);
}

/** The same slots of other bays. */
function slotsIn({ with: { text: _, ...told } }: Expression, bays: Expression): Expression {
  return node("relate", [node("things", [], told), bays], { relation: "in" });
}

interface Other {
  readonly one: Spoken;
  readonly other: Expression;
}

const OTHER = /^others?$/;
const MORE = /^(?:more|another)$/;

/** "The other one", "the others". */
export function isOtherOne(other: Expression): boolean {
  return isCalled(other, OTHER);
}

function isCalled({ op, of: [inner], with: { words, category } }: Expression, form: RegExp): boolean {
  if (op === "the" && inner) return isCalled(inner, form);
  return category === undefined && Array.isArray(words) && words.some((word) => form.test(String(word)));
}

/** More things of the last kind mentioned, beside all those mentioned. */
function ofMore(spoken: readonly Spoken[]): readonly Expression[] {
  const own = toldOf(spoken).flatMap(({ things }) => things);
  const [first] = own;
  if (!first) return [];
  const category = isPerson(first) ? "person" : first.category;
  const told = own.filter((one) => (isPerson(one) ? category === "person" : one.category === category));
  const text = textOn(first);
  // For a carton with a code, "more" means others with its code.
  const isCoded = text !== undefined && pathOf(text) !== undefined;
  const set = node("things", [], isCoded ? { category, text } : { category });
  return [node("exists", [node("minus", [set, nodeOf(ofThings(told))])])];
}

/**
 * The meaning of "the other one": of those mentioned together with one, all but that one; otherwise others of its kind.
 */
export function otherOf(all: readonly Spoken[]): Other | undefined {
  const one = all.find(({ things, isHolder }) => things.length === 1 && !isHolder);
  const [thing] = one?.things ?? [];
  if (!one || !thing) return undefined;
  const isIt = (other: typeof thing) => other.trackId === thing.trackId;
  const among = all.find(({ things }) => things.length > 1 && things.some(isIt));
  const others = among?.things.filter((other) => !isIt(other)) ?? [];
  const alike = others.filter(({ category }) => category === thing.category);
  const set = among
    ? nodeOf(ofThings(alike.length > 0 ? alike : others))
    : node("minus", [node("things", [], { category: isPerson(thing) ? "person" : one.name }), nodeOf(one)]);
  return { one, other: node("the", [set]) };
}

function ofTheOther(before: Expression, spoken: readonly Spoken[]): readonly Expression[] {
  const found = otherOf(spoken);
  if (!found) return [];
  const { one, other } = found;
  return namedIn(before)
    .filter(({ with: { category } }) => isAlike(String(category), one))
    .map((old) => {
      const state = stateIn(before, old);
      if (state !== undefined) return node("attribute", [other], { name: state });
      const around = nodesCalled("the", before).find(({ of: [set] }) => set && headOf(set) === print(old));
      return put(before, around ?? old, other);
    });
}

/** The set that is narrowed by place: the other one is elsewhere. */
function headOf(set: Expression): string {
  const [first] = set.of;
  return first && NARROWS.has(set.op) ? headOf(first) : print(set);
}

const NARROWS: ReadonlySet<string> = new Set(["in", "relate", "filter"]);

/** Whether the named thing may be that one: a question about a thing is not about its support. */
function isAlike(category: string, { things: [thing] }: Spoken): boolean {
  return (
    thing !== undefined &&
    supports(category) === supports(thing.category) &&
    holds(category) === holds(thing.category)
  );
}

/** Replaces every occurrence of a node, since a question may contain it twice. */
function put(whole: Expression, old: Expression, instead: Expression): Expression {
  const key = print(old);
  const walk = (one: Expression): Expression =>
    print(one) === key ? instead : { ...one, of: one.of.map(walk) };
  return walk(whole);
}
