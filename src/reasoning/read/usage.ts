import { attributesOf, fills, headOf, isKindOf, lookup, roomKind } from "../../ontology/index.ts";
import type { Expression } from "../../schema/index.ts";
import { node, print } from "../algebra/notation.ts";
import type { Reading } from "./reading.ts";
import {
  asLeft,
  atAnyTime,
  bearersOf,
  freeFloor,
  numberedVehicle,
  ofTheBox,
  onTheFloor,
  roomsThat,
  sawThere,
  setsOff,
  visitedRooms,
  whoOfYou,
} from "./set-idioms.ts";

/** An idiom whose meaning differs from its words. */
interface Usage {
  readonly op: string;
  /** Its meaning; undefined where it is meant literally. */
  readonly means: (said: Expression, found: RegExpExecArray | null) => Expression | undefined;
  /** Only in matching questions; the match is passed on. */
  readonly where?: RegExp;
}

/**
 * Facts of the vocabulary and the house that pairs of words cannot teach; each changed readings of people's questions.
 */
const USAGES: readonly Usage[] = [
  // "That clock thing" is a clock.
  { op: "things", means: bare },
  // The door of a fridge is where the fridge is, and open when it is.
  { op: "things", means: ofWhole },
  // "The copy" with a title is a book.
  { op: "things", means: asBook },
  // "A box of MB-747" is one with that text.
  { op: "things", means: marked },
  { op: "things", means: numberedVehicle },
  { op: "called", means: numberedVehicle },
  { op: "none", means: freeFloor },
  { op: "doings", means: visitedRooms },
  { op: "filter", means: roomsThat },
  { op: "and", means: bearersOf },
  { op: "attribute", means: ofTheBox },
  { op: "least", means: setsOff, where: /\bset(?:s|ting)? off\b/i },
  { op: "most", means: setsOff, where: /\bset(?:s|ting)? off\b/i },
  { op: "name", means: whoOfYou, where: /\bone of you\b[^.?!]*\bwhich(?: one)?(?: was it)?\?/i },
  // Beside "the loo" stand things, unless rooms are asked for.
  { op: "relate", means: besideFixture, where: /^(?!.*\brooms?\b)/is },
  // Where somebody lies or sits on the floor, the floor itself is meant.
  {
    op: "relate",
    means: onTheFloor,
    where: /^(?!.*\b(?:l(?:ying|ies|ay|aid)|s(?:itting|its|at)|asleep|fell|fallen)\b)/is,
  },
  // An open slot is a free one.
  { op: "things", means: free },
  // "The bedroom window" is in the bedroom; a kitchen table is a kind of table wherever it stands.
  { op: "things", means: inItsRoom },
  // Which robot saw somebody somewhere: at any time.
  { op: "by", means: sawThere, where: /\b(?:saw|seen|see|caught|met|spotted|noticed)\b/i },
  // What you have seen may be gone by now.
  {
    op: "exists",
    means: atAnyTime,
    where: /\b(?:have|has|had|did)\b[^.?!]*\b(?:seen|spotted|noticed|come across|see|spot|notice)\b/i,
  },
  // "The drawers of the dresser" are where the dresser is.
  { op: "relate", means: ofItsWhole },
  // Walls and corners are outlines of rooms, not one of several things.
  {
    op: "the",
    means: ({ of: [set] }) => (/^(?:wall|corner)$/.test(categoryOf(set) ?? "") ? set : undefined),
  },
  // Climbing the stairs is going upstairs.
  { op: "doings", means: byStairs },
  // A full mug contains something, even if nothing was seen in it.
  { op: "exists", means: orFull },
  // "From when it was seen until it was seen" means since then.
  {
    op: "between",
    means: ({ of: [from, to] }) =>
      from && to && print(from) === print(to) ? node("after", [from]) : undefined,
  },
  // A room was first seen when it was first entered.
  { op: "when", means: ofRoom },
  { op: "seen", means: ofRoom },
  // The first room after the kitchen is the one after it was left for the first time.
  { op: "after", means: firstLeft, where: /\b(?:first|immediately|right after|straight after|directly)\b/i },
  // "My coat is wet and I'd like to hang it up": the referent of "it" is outside the purpose.
  {
    op: "serves",
    means: (said, found) => {
      const needsWhole = /\b(?:it|them|these|those|this|that)\b/i.test(String(said.with["purpose"] ?? ""));
      return needsWhole ? { ...said, with: { ...said.with, purpose: found![0].trim() } } : undefined;
    },
    where: /^.{1,400}$/s,
  },
  // The log of a route repeats rooms, and includes its start.
  {
    op: "room",
    means: inTurn,
    where:
      /^(?!.*\b(?:first time|each room)\b).*\b(?:sequence|log|chronolog\w+|repeats?|in order\b.*\b(?:from|between|until)|(?:before|until|between|by) .*\bin order)\b/is,
  },
  // Of two things mentioned one is the higher: "which of those two", not the two highest.
  { op: "most", means: oneOf, where: /\bwhich of (?:the|those|these) (two|three|four)\b/i },
  { op: "least", means: oneOf, where: /\bwhich of (?:the|those|these) (two|three|four)\b/i },
  // The distance to "the toilet" is to the fixture, not to the room.
  { op: "distance", means: toFixtures },
  { op: "direction", means: toFixtures },
  // "Who else was there" asks for all people the robot knows of, not for those besides itself.
  { op: "minus", means: ({ of: [all, but] }) => (all && but && print(all) === print(but) ? all : undefined) },
  // Nothing lies on the carpet and on the couch: the question is about each of them.
  { op: "and", means: onEither },
  // "At the table, on the chairs that are there" is at the table.
  { op: "capacity", means: atTheTable },
  // A speaker who names their room asks for the route from there.
  {
    op: "route",
    means: fromThere,
    where: /\bI(?:['’]m| am)\b[^.?!]*?\b(?:in|at|out of|from) (?:the |my |our )?(\w+(?: room)?)\b/i,
  },
  // "Is there water in the bath?" asks whether the bath is full.
  { op: "exists", means: asFill },
  // "The upholstery material of the armchair": the attribute asked for does not describe the thing.
  { op: "attribute", means: unasked },
  // "The note on the fridge" is any text on the fridge.
  { op: "attribute", means: asWritten },
];

/** Readings with idioms replaced by their meaning. */
export function asMeant(readings: readonly Reading[], question: string, nowUs: number): readonly Reading[] {
  const usages = USAGES.flatMap(({ op, means, where }) => {
    const found = where?.exec(question) ?? null;
    return where === undefined || found ? [{ op, means, found }] : [];
  });
  const meant = (one: Expression): Expression =>
    usages.reduce<Expression>(
      (said, { op, means, found }) => (said.op === op ? (means(said, found) ?? said) : said),
      { ...one, of: one.of.map(meant) },
    );
  const whole = (part: Expression) => sinceBegun(betweenMiddles(meant(part), question), nowUs);
  const meanings = readings.map((reading) => ({ ...reading, parts: reading.parts.map(whole) }));
  return [...meanings, ...meanings.flatMap(leftSo)].sort((a, b) => a.cost - b.cost);
}

/** Extra cost of reading a change as the state that it leads to: only where the change was not noticed. */
const AS_LEFT = 0.25;

function leftSo(reading: Reading): Reading[] {
  const [part] = reading.parts;
  const left = reading.parts.length === 1 && part ? asLeft(part) : undefined;
  return left ? [{ ...reading, parts: [left], cost: reading.cost + AS_LEFT }] : [];
}

/** "Since this morning", in the morning, is since it began: its end is in the future. */
function sinceBegun(part: Expression, nowUs: number): Expression {
  const of = part.of.map((one) => sinceBegun(one, nowUs));
  const { fromUs, toUs } = of[0]?.op === "moment" ? of[0].with : {};
  const goesOn = Number(fromUs) < nowUs && Number(toUs) > nowUs;
  return part.op === "after" && goesOn ? node("moment", [], { fromUs: fromUs! }) : { ...part, of };
}

function ofRoom({ op, of: [the], with: options }: Expression): Expression | undefined {
  const isOne = the?.op === "the" && the.of[0]?.op === "things";
  const { category, ...marks } = isOne ? the.of[0]!.with : {};
  const isRoom = typeof category === "string" && roomKind(category) !== undefined && !lookup(category);
  if (!isRoom || Object.keys(marks).length > 0) return undefined;
  return node(op, [node("stay", [node("rooms", [], { name: category })])], options);
}

function orFull(said: Expression): Expression | undefined {
  const [related] = said.of;
  if (related?.op !== "relate" || related.with["relation"] !== "in") return undefined;
  const [anything, holder] = related.of;
  const isAny = anything?.op === "things" && Object.keys(anything.with).length === 0;
  const kind = holder?.op === "the" ? categoryOf(holder.of[0]) : undefined;
  if (!isAny || kind === undefined || !fills(kind)) return undefined;
  return node("or", [said, node("is", [holder!], { attribute: "fill", value: "full" })]);
}

function firstLeft({ op, of: [left] }: Expression): Expression | undefined {
  const isOfStay = left?.op === "when" && left.of[0]?.op === "stay" && left.with["which"] === undefined;
  return isOfStay ? node(op, [node("when", left.of, { which: "first" })]) : undefined;
}

/** Words for the free gap between two things. */
const GAP =
  /\b(?:gaps?|clearance|edges?|space|room (?:is there )?between|(?:closest|nearest) (?:points?|parts?)|squeeze|fit)\b/i;

/** "How far is one thing from another?" means their centres: all 24 of `bench/people/read` do. */
function betweenMiddles(part: Expression, question: string): Expression {
  // "… at nine", "… as seen from the door": the same measure, then or from there.
  if (part.op === "at" || part.op === "from")
    return { ...part, of: part.of.map((one, n) => (n === 0 ? betweenMiddles(one, question) : one)) };
  const [first] = part.of;
  const isOfTwo =
    (part.of.length === 2 && part.of.every(({ op }) => op !== "self")) ||
    (first?.op === "the" && Number(first.with["number"] ?? 1) > 1);
  if (part.op !== "distance" || !isOfTwo || part.with["walking"] === true || GAP.test(question)) return part;
  return { ...part, with: { ...part.with, middles: true } };
}

function inTurn({ op, of: [done] }: Expression): Expression | undefined {
  const isWay = done?.op === "doings" && /^(?:visit|enter)$/.test(String(done.with["verb"]));
  if (!isWay || done.with["agent"] !== undefined) return undefined;
  const [where = node("rooms"), ...who] = done.of;
  return node(op, [node("stay", [where, ...who])], { inTurn: true });
}

function unasked(said: Expression): Expression | undefined {
  const [whose, ...more] = said.of;
  const set = whose?.op === "the" ? whose.of[0] : undefined;
  const name = String(said.with["name"]);
  if (!whose || set?.op !== "things" || set.with[name] === undefined) return undefined;
  const { [name]: _, ...told } = set.with;
  return { ...said, of: [{ ...whose, of: [{ ...set, with: told }] }, ...more] };
}

function atTheTable({ op, of: [host, ...rest], with: options }: Expression): Expression | undefined {
  const set = host?.op === "the" ? host.of[0] : host;
  const [table, seats] = set?.op === "relate" ? set.of : [];
  const isSat = options["verb"] === "sit" && isKindOf(categoryOf(seats) ?? "", "seat");
  return isSat && table ? node(op, [node("the", [table]), ...rest], options) : undefined;
}

function fromThere(way: Expression, found: RegExpExecArray | null): Expression | undefined {
  const [first, second, ...without] = way.of;
  const name = found?.[1]?.toLowerCase() ?? "";
  const to = second === undefined || print(second) === print(first!) ? first! : undefined;
  const from = node("rooms", [], { name });
  if (!to || !roomKind(name) || print(from) === print(to)) return undefined;
  return { ...way, of: [from, to, ...without] };
}

function bare(things: Expression): Expression | undefined {
  const kind = /^(.+) (?:thing|thingy|thingie)$/.exec(categoryOf(things) ?? "")?.[1];
  return kind !== undefined && lookup(kind) ? called(things, kind) : undefined;
}

const CODED = /^(\p{L}[\p{L} ]*?) (?:of|marked|labelled|labeled|numbered) (\p{L}{1,3}-?\d[\w-]*)$/iu;

function marked(things: Expression): Expression | undefined {
  const [, kind, code] = CODED.exec(categoryOf(things) ?? "") ?? [];
  if (kind === undefined || code === undefined || things.with["text"] !== undefined) return undefined;
  return { ...things, with: { ...things.with, category: kind, text: code } };
}

const FREE: Readonly<Record<string, string>> = { open: "empty", closed: "full" };

function free({ op, of, with: { openness, ...told } }: Expression): Expression | undefined {
  const isPlace = /^(?:slot|level|bay|rack)$/.test(String(told["category"]));
  const fill = isPlace ? FREE[String(openness)] : undefined;
  return fill === undefined ? undefined : { op, of, with: { ...told, fill } };
}

const NUMBERS: Readonly<Record<string, number>> = { two: 2, three: 3, four: 4 };

function oneOf(
  { op, of, with: { n, ...rest } }: Expression,
  found: RegExpExecArray | null,
): Expression | undefined {
  return n !== undefined && n === NUMBERS[found?.[1]?.toLowerCase() ?? ""]
    ? { op, of, with: rest }
    : undefined;
}

function ofWhole(things: Expression): Expression | undefined {
  const whole = /^(.+) (?:door|lid)$/.exec(categoryOf(things) ?? "")?.[1];
  if (whole === undefined || !lookup(whole)) return undefined;
  return roomKind(whole) || attributesOf(whole).length > 0 ? undefined : called(things, whole);
}

function asBook(things: Expression): Expression | undefined {
  const isCopy = /^(?:copy|volume|edition)$/.test(categoryOf(things) ?? "");
  return isCopy && things.with["text"] !== undefined ? called(things, "book") : undefined;
}

/** Words that only name a room: a storage rack and a bath towel are named after their purpose. */
const ROOM_WORD =
  /room$|^(?:kitchen|hall|hallway|corridor|landing|lounge|nursery|attic|study|office|laundry|pantry)$/;

function inItsRoom(things: Expression): Expression | undefined {
  const category = categoryOf(things) ?? "";
  const at = category.lastIndexOf(" ");
  const [room, head] = [category.slice(0, Math.max(0, at)), category.slice(at + 1)];
  if (!ROOM_WORD.test(room) || !roomKind(room) || !lookup(head)) return undefined;
  const rooms = node("rooms", [], { name: room });
  if (head === "door") return node("relate", [called(things, head), rooms], { relation: "at" });
  return headOf(category)?.name === category ? undefined : node("in", [called(things, head), rooms]);
}

/** The support or container of a thing is one thing. */
const RESTS: ReadonlySet<unknown> = new Set(["on", "in"]);

function onEither({ of }: Expression): Expression | undefined {
  const isResting = of.every(({ op, with: { relation } }) => op === "relate" && RESTS.has(relation));
  return isResting && new Set(of.map(print)).size > 1 ? node("or", of) : undefined;
}

const PART_OF: ReadonlySet<unknown> = new Set(["in", "with", "on", "at"]);

function ofItsWhole({ of: [part, whole], with: { relation } }: Expression): Expression | undefined {
  const isPart = part?.op === "things" && /^(?:drawer|lid)$/.test(categoryOf(part) ?? "");
  const isKnown = whole?.op === "the" && lookup(categoryOf(whole) ?? "") !== undefined;
  return isPart && isKnown && PART_OF.has(relation) ? whole : undefined;
}

function byStairs({ of: [where, ...rest], with: options }: Expression): Expression | undefined {
  const set = where?.op === "the" ? where.of[0] : where;
  const name = set?.op === "floors" ? set.with["name"] : set?.op === "things" ? set.with["category"] : "";
  return /^stair(?:s|case)?$/.test(String(name))
    ? node("doings", [node("floors", [], { name: "upstairs" }), ...rest], { ...options, verb: "enter" })
    : undefined;
}

/** Rooms that are named after the fixture in them. */
function toFixtures(said: Expression): Expression {
  const of = said.of.map((one) =>
    one.op === "rooms" && /^(?:toilet|loo|wc|bath|shower)$/.test(String(one.with["name"]))
      ? node("the", [node("things", [], { category: one.with["name"]! })])
      : one,
  );
  return { ...said, of };
}

function besideFixture(said: Expression): Expression | undefined {
  const [rooms, ...anchors] = said.of;
  const isAny = rooms?.op === "rooms" && Object.keys(rooms.with).length === 0;
  const fixed = toFixtures({ ...said, of: anchors });
  if (!isAny || said.with["relation"] !== "beside" || !fixed.of.every(({ op }) => op === "the"))
    return undefined;
  return { ...said, of: [node("things"), ...fixed.of] };
}

const LIQUID = /^(?:water|tea|coffee|milk|juice|liquid|drink|soup|wine|beer|anything to drink)$/;

function asFill({ of: [set] }: Expression): Expression | undefined {
  const [what, vessel] = set?.op === "relate" && set.with["relation"] === "in" ? set.of : [];
  const isLiquid = what?.op === "things" && LIQUID.test(categoryOf(what) ?? "");
  return isLiquid && vessel && fills(categoryOf(vessel) ?? "")
    ? node("is", [vessel], { attribute: "fill", value: "full" })
    : undefined;
}

/** Names of things to read. */
const WRITING =
  /^(?:(?:sticky |handwritten |little |shopping |fridge )?(?:note|label|sign|sticker|writing|magnet|list|post-it|post-it note|message|text|inscription|tag|reminder))$/;
const ON: ReadonlySet<unknown> = new Set(["on", "at", "in"]);

function asWritten(text: Expression): Expression | undefined {
  const [note] = text.of;
  const set = note?.op === "the" ? note.of[0] : note;
  const [what, carrier] = set?.op === "relate" && ON.has(set.with["relation"]) ? set.of : [];
  const isWriting = what?.op === "things" && WRITING.test(categoryOf(what) ?? "");
  return text.with["name"] === "text" && isWriting && carrier ? { ...text, of: [carrier] } : undefined;
}

/** The same set with another kind. */
function called(things: Expression, category: string): Expression {
  return { ...things, with: { ...things.with, category } };
}

function categoryOf(set: Expression | undefined): string | undefined {
  if (set === undefined || set.op !== "things") return set?.of[0] && categoryOf(set.of[0]);
  const { category } = set.with;
  return typeof category === "string" ? category : undefined;
}
