import { attributesOf, fills, headOf, lookup, roomKind } from "../../ontology/index.ts";
import type { Expression } from "../../schema/index.ts";
import { node } from "../algebra/notation.ts";
import type { Reading } from "./reading.ts";

/** Ways of speaking that mean something else than their words, whoever has read them. */
export function asMeant(readings: readonly Reading[], question: string): readonly Reading[] {
  const isBetweenMiddles = MIDDLES.test(question);
  const isOfWriting = WRITTEN.test(question) || LETTERED.test(question);
  const isWhether = WHETHER.test(question) && !HOW.test(question);
  const isFacing = FACING.test(question);
  const here = HERE.exec(question)?.[1]?.toLowerCase();
  const meant = (one: Expression): Expression => {
    const inner: Expression = { ...one, of: one.of.map(meant) };
    if (inner.op === "things") return inItsRoom(titled(ofWhole(bare(isOfWriting ? inner : asKind(inner)))));
    if (inner.op === "doings") return byStairs(inner);
    // Who asks how far off the toilet is wants to sit on it.
    if (inner.op === "direction") return { ...inner, of: inner.of.map(asFixture) };
    if (inner.op === "distance") {
      const middles = isBetweenMiddles && { middles: true };
      return { ...inner, of: inner.of.map(asFixture), with: { ...inner.with, ...middles } };
    }
    // Visits to a room are counted, not rooms of its name.
    if (
      inner.op === "count" &&
      inner.of[0]?.op === "rooms" &&
      inner.of[0].with["name"] &&
      VISITS.test(question)
    )
      return node("count", [node("stay", inner.of)]);
    // The rooms that one comes through are told with where one comes out.
    if (inner.op === "name" && inner.of[0]?.op === "along" && !inner.of[0].with["doors"])
      return inner.of[0].of[0]!;
    if (inner.op === "route" && inner.of.length > 2 && isWhether) return node("reachable", inner.of);
    if (inner.op === "at" && isNowhere(inner.of[1]!)) return inner.of[0]!;
    if (inner.op === "relate") return ofItsWhole(inner);
    if (inner.op === "the" && inner.of[0] && OUTLINE.test(categoryOf(inner.of[0]) ?? "")) return inner.of[0];
    if (inner.op === "exists") return asFill(inner);
    if (here !== undefined && inner.op === "rooms" && inner.with["name"] === here)
      return node("room", [node("self")]);
    if (inner.op === "place" && isFacing) return node("direction", inner.of);
    if (inner.op === "attribute" && inner.with["name"] === "text") return asWritten(inner);
    return inner;
  };
  return readings.map((reading) => ({ ...reading, parts: reading.parts.map(meant) }));
}

/** “Measured from middle to middle” is said of a distance, not of things. */
const MIDDLES =
  /\b(?:in|from) the (?:middle|cent(?:re|er)) of\b|\bsit(?:ting|s)?\b|\b(?:cent(?:re|er)|middle)s?[ -]+(?:to|and)[ -]+(?:cent(?:re|er)|middle)|\bbetween (?:the|their) (?:cent(?:re|er)|middle)s?\b/i;

/** "Can I get there without …" asks whether, and not how. */
const WHETHER = /(?:^|[.,;:] ?)(?:so |and |but )?(?:can|could|is|are|do|does|must|would|will)\b/i;
const HOW = /\b(?:how|which way|what way|tell|show|explain|describe)\b/i;

const VISITS = /\b(?:visits?|trips?|how often|how many times)\b/i;

/** Who tells how the asked one stands asks on which side of it something is. */
const FACING =
  /\b(?:way|as|how) (?:that )?you(?:['’]re| are)(?: now)? (?:standing|facing|looking|turned|pointing)\b.*\bwhere\b/i;
/** "The radiator of this hallway": of the one that both stand in. */
const HERE =
  /\bthis ((?:\p{L}+ )?(?:room|hall|hallway|corridor|landing|kitchen|bathroom|bedroom|office|study))\b/iu;

/** Somebody speaks of words that stand on something: by a verb of writing, or by quotes, capitals, a number. */
const WRITTEN =
  /\b(?:says?|saying|said|reads?|reading|marked|marking|label\w*|writ\w*|print\w*|title\w*|call\w*|nam(?:e|ed|es)|tagged|spells?|text|words?|sign\w*|about|letters?|lettering|logo|brand\w*)\b/i;
const LETTERED = /\b[A-Z]{2,}\b|\d|["“”‘]|[a-z,:] [A-Z]/;

/** A thing that is only named is one of that kind, not one with the word on it. */
function asKind(things: Expression): Expression {
  const { text, category, ...rest } = things.with;
  if (typeof text !== "string" || (category !== undefined && category !== text)) return things;
  return { ...things, with: { ...rest, category: text } };
}

/** "That clock thing" is a clock. */
function bare(things: Expression): Expression {
  const { category } = things.with;
  const kind =
    typeof category === "string" ? /^(.+) (?:thing|thingy|thingie)$/.exec(category)?.[1] : undefined;
  return kind !== undefined && lookup(kind)
    ? { ...things, with: { ...things.with, category: kind } }
    : things;
}

/** Rooms that are called after the thing in them. */
const FIXTURE = /^(?:toilet|loo|wc|bath|shower)$/;

function asFixture(place: Expression): Expression {
  const { name } = place.with;
  return place.op === "rooms" && typeof name === "string" && FIXTURE.test(name)
    ? node("the", [node("things", [], { category: name })])
    : place;
}

/** Who climbs the stairs comes upstairs. */
function byStairs(doings: Expression): Expression {
  const [where, ...rest] = doings.of;
  const set = where?.op === "the" ? where.of[0] : where;
  const name =
    set && (set.op === "floors" ? set.with["name"] : set.op === "things" ? set.with["category"] : undefined);
  return typeof name === "string" && /^stair(?:s|case)?$/.test(name)
    ? node("doings", [node("floors", [], { name: "upstairs" }), ...rest], { ...doings.with, verb: "enter" })
    : doings;
}

/** A time told by a stay in what is no room ("while you were on your round") is all of the time. */
function isNowhere({ op, of }: Expression): boolean {
  if (op === "when" || op === "after") return of[0] !== undefined && isNowhere(of[0]);
  const name = op === "stay" && of[0]?.op === "rooms" ? of[0].with["name"] : undefined;
  return typeof name === "string" && WANDERING.test(name);
}

const WANDERING = /^(?:round|tour|walk|way|lap|trip|run|rounds|patrol|visit|mission|drive)$/;

const PART = /^(.+) (?:door|lid)$/;

/** The door of a fridge is where the fridge is, and open when it is. */
function ofWhole(things: Expression): Expression {
  const { category } = things.with;
  const whole = typeof category === "string" ? PART.exec(category)?.[1] : undefined;
  return whole !== undefined && lookup(whole) && !roomKind(whole) && attributesOf(whole).length === 0
    ? { ...things, with: { ...things.with, category: whole } }
    : things;
}

/** "The drawers of the dresser", "the lid of the bin" are where their wholes are, too. */
function ofItsWhole(relate: Expression): Expression {
  const [part, whole] = relate.of;
  const isPart = part?.op === "things" && /^(?:drawer|lid)$/.test(String(part.with["category"]));
  const name = whole?.op === "the" ? categoryOf(whole) : undefined;
  return isPart && OF.has(relate.with["relation"]) && name !== undefined && lookup(name) ? whole! : relate;
}

const OF: ReadonlySet<unknown> = new Set(["in", "with", "on", "at"]);
/** Walls and corners are outlines of rooms, not one of several things. */
const OUTLINE = /^(?:wall|corner)$/;

/** Words that name a room and nothing else: a storage rack and a bath towel are called after what they are for. */
const ROOM_WORD =
  /room$|^(?:kitchen|hall|hallway|corridor|landing|lounge|nursery|attic|study|office|laundry|pantry)$/;

/**
 * "The bedroom window" is the window in the bedroom, "the kitchen door" one that leads there; a kitchen table is a kind
 * of table wherever it stands.
 */
function inItsRoom(things: Expression): Expression {
  const { category, ...rest } = things.with;
  if (typeof category !== "string") return things;
  const words = category.split(" ");
  const head = words.at(-1)!;
  const room = words.slice(0, -1).join(" ");
  if (!ROOM_WORD.test(room) || !roomKind(room) || !lookup(head)) return things;
  if (head === "door") {
    const doors = node("things", [], { category: head, ...rest });
    return node("relate", [doors, node("rooms", [], { name: room })], { relation: "at" });
  }
  if (headOf(category)?.name === category) return things;
  return node("in", [node("things", [], { category: head, ...rest }), node("rooms", [], { name: room })]);
}

const TITLED = /^(copy|book|issue|volume|edition|magazine|novel) of (?:the |a )?(.+)$/;

/** “The copy of Dune” is a book that says so. */
function titled(things: Expression): Expression {
  const { category, text } = things.with;
  const found = typeof category === "string" && text === undefined ? TITLED.exec(category) : null;
  // "The copy" that says so is a book, too.
  if (text !== undefined && typeof category === "string" && /^(?:copy|volume|edition)$/.test(category))
    return { ...things, with: { ...things.with, category: "book" } };
  if (!found || lookup(category as string)) return things;
  const [, kind, title] = found;
  const isBook = /^(?:copy|volume|edition)$/.test(kind!);
  return { ...things, with: { ...things.with, category: isBook ? "book" : kind!, text: title! } };
}

/** Names of what is there to be read. */
const WRITING =
  /^(?:(?:sticky |handwritten |little |shopping |fridge )?(?:note|label|sign|sticker|writing|magnet|list|post-it|post-it note|message|text|inscription|tag|reminder))$/;

/** “The note on the fridge” is what can be read on the fridge, whatever it is written on. */
function asWritten(text: Expression): Expression {
  const [note] = text.of;
  const set = note?.op === "the" ? note.of[0] : note;
  const [what, carrier] = set?.op === "relate" && ON.has(set.with["relation"]) ? set.of : [];
  const category = what?.op === "things" ? what.with["category"] : undefined;
  return typeof category === "string" && WRITING.test(category) && carrier
    ? { ...text, of: [carrier] }
    : text;
}

const ON: ReadonlySet<unknown> = new Set(["on", "at", "in"]);

const LIQUID = /^(?:water|tea|coffee|milk|juice|liquid|drink|soup|wine|beer|anything to drink)$/;

/** “Is there water in the bath?” asks whether the bath is full. */
function asFill(exists: Expression): Expression {
  const [set] = exists.of;
  const [what, vessel] = set?.op === "relate" && set.with["relation"] === "in" ? set.of : [];
  const liquid = what?.op === "things" ? what.with["category"] : undefined;
  const holder = vessel?.op === "the" ? vessel.of[0] : vessel;
  const name = holder && categoryOf(holder);
  return typeof liquid === "string" && LIQUID.test(liquid) && vessel && name !== undefined && fills(name)
    ? node("is", [vessel], { attribute: "fill", value: "full" })
    : exists;
}

function categoryOf(set: Expression): string | undefined {
  if (set.op !== "things") return set.of[0] && categoryOf(set.of[0]);
  const { category } = set.with;
  return typeof category === "string" ? category : undefined;
}
