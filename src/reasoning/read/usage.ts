import { attributesOf, fills, headOf, isKindOf, lookup, roomKind } from "../../ontology/index.ts";
import type { Expression } from "../../schema/index.ts";
import { node, print } from "../algebra/notation.ts";
import type { Reading } from "./reading.ts";

/** A way of speaking that means something else than its words. */
interface Usage {
  readonly op: string;
  /** What it is instead; undefined where it means what it says. */
  readonly means: (said: Expression, found: RegExpExecArray | null) => Expression | undefined;
  /** Only in a question like this; what it finds is told. */
  readonly where?: RegExp;
}

/** What the vocabulary and the house know and pairs of words cannot teach; each changed readings of people's questions. */
const USAGES: readonly Usage[] = [
  // "That clock thing" is a clock.
  { op: "things", means: bare },
  // The door of a fridge is where the fridge is, and open when it is.
  { op: "things", means: ofWhole },
  // "The copy" that says so is a book.
  { op: "things", means: asBook },
  // "The bedroom window" is in the bedroom; a kitchen table is a kind of table wherever it stands.
  { op: "things", means: inItsRoom },
  // "The drawers of the dresser" are where the dresser is.
  { op: "relate", means: ofItsWhole },
  // Walls and corners are outlines of rooms, not one of several things.
  {
    op: "the",
    means: ({ of: [set] }) => (/^(?:wall|corner)$/.test(categoryOf(set) ?? "") ? set : undefined),
  },
  // Who climbs the stairs comes upstairs.
  { op: "doings", means: byStairs },
  // There is something in a mug that is full, though nobody saw a thing in it.
  { op: "exists", means: orFull },
  // From when something was seen until it was seen is since then.
  {
    op: "between",
    means: ({ of: [from, to] }) =>
      from && to && print(from) === print(to) ? node("after", [from]) : undefined,
  },
  // A room was first seen when somebody first came into it.
  { op: "when", means: ofRoom },
  { op: "seen", means: ofRoom },
  // The first room after the kitchen is the one after it was left for the first time.
  { op: "after", means: firstLeft, where: /\b(?:first|immediately|right after|straight after|directly)\b/i },
  // "My coat is wet and I'd like to hang it up": what "it" is stands outside the purpose.
  {
    op: "serves",
    means: (said, found) => {
      const needsWhole = /\b(?:it|them|these|those|this|that)\b/i.test(String(said.with["purpose"] ?? ""));
      return needsWhole ? { ...said, with: { ...said.with, purpose: found![0].trim() } } : undefined;
    },
    where: /^.{1,400}$/s,
  },
  // The log of a way tells every room as often as it was entered, and where it began.
  {
    op: "room",
    means: inTurn,
    where:
      /^(?!.*\b(?:first time|each room)\b).*\b(?:sequence|log|chronolog\w+|repeats?|in order\b.*\b(?:from|between|until))\b/is,
  },
  // Who asks how far off the toilet is wants to sit on it.
  { op: "distance", means: toFixtures },
  { op: "direction", means: toFixtures },
  // "Who else was there" asks for all that the asked one knows of, not for those besides themselves.
  { op: "minus", means: ({ of: [all, but] }) => (all && but && print(all) === print(but) ? all : undefined) },
  // Nothing lies on the carpet and on the couch: what is on the one and what is on the other is asked.
  { op: "and", means: onEither },
  // "At the table, on the chairs that are there" is at the table.
  { op: "capacity", means: atTheTable },
  // Who says in which room they are wants to go from there.
  {
    op: "route",
    means: fromThere,
    where: /\bI(?:['’]m| am)\b[^.?!]*?\b(?:in|at|out of|from) (?:the |my |our )?(\w+(?: room)?)\b/i,
  },
  // "Is there water in the bath?" asks whether the bath is full.
  { op: "exists", means: asFill },
  // "The upholstery material of the armchair": what is asked for does not tell which one is meant.
  { op: "attribute", means: unasked },
  // "The note on the fridge" is what can be read on the fridge, whatever it is written on.
  { op: "attribute", means: asWritten },
];

/** Readings with what was meant in the place of what was said. */
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
  return readings.map((reading) => ({ ...reading, parts: reading.parts.map(whole) }));
}

/** "Since this morning", in the morning, is since it began: nothing is after its end yet. */
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

/** What is free between two things. */
const GAP =
  /\b(?:gaps?|clearance|edges?|space|room (?:is there )?between|(?:closest|nearest) (?:points?|parts?)|squeeze|fit)\b/i;

/** Who asks how far one thing is from another means their middles: all 24 of `bench/people/read` do. */
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
  if (done?.op !== "doings" || done.with["verb"] !== "visit" || done.with["agent"] !== undefined)
    return undefined;
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

function ofWhole(things: Expression): Expression | undefined {
  const whole = /^(.+) (?:door|lid)$/.exec(categoryOf(things) ?? "")?.[1];
  if (whole === undefined || !lookup(whole)) return undefined;
  return roomKind(whole) || attributesOf(whole).length > 0 ? undefined : called(things, whole);
}

function asBook(things: Expression): Expression | undefined {
  const isCopy = /^(?:copy|volume|edition)$/.test(categoryOf(things) ?? "");
  return isCopy && things.with["text"] !== undefined ? called(things, "book") : undefined;
}

/** Words that name a room and nothing else: a storage rack and a bath towel are called after what they are for. */
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

/** What a thing is on or in is one thing. */
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

/** Rooms that are called after the thing in them. */
function toFixtures(said: Expression): Expression {
  const of = said.of.map((one) =>
    one.op === "rooms" && /^(?:toilet|loo|wc|bath|shower)$/.test(String(one.with["name"]))
      ? node("the", [node("things", [], { category: one.with["name"]! })])
      : one,
  );
  return { ...said, of };
}

const LIQUID = /^(?:water|tea|coffee|milk|juice|liquid|drink|soup|wine|beer|anything to drink)$/;

function asFill({ of: [set] }: Expression): Expression | undefined {
  const [what, vessel] = set?.op === "relate" && set.with["relation"] === "in" ? set.of : [];
  const isLiquid = what?.op === "things" && LIQUID.test(categoryOf(what) ?? "");
  return isLiquid && vessel && fills(categoryOf(vessel) ?? "")
    ? node("is", [vessel], { attribute: "fill", value: "full" })
    : undefined;
}

/** Names of what is there to be read. */
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

/** Things of another kind that are else the same. */
function called(things: Expression, category: string): Expression {
  return { ...things, with: { ...things.with, category } };
}

function categoryOf(set: Expression | undefined): string | undefined {
  if (set === undefined || set.op !== "things") return set?.of[0] && categoryOf(set.of[0]);
  const { category } = set.with;
  return typeof category === "string" ? category : undefined;
}
