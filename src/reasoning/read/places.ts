import type { Expression } from "../../schema/index.ts";
import { node } from "../algebra/notation.ts";
import { RELATIONS, type Relation, SIDES } from "./lexicon.ts";
import { meant, type Noun, setOf } from "./phrases.ts";
import type { Sentence } from "./sentence.ts";

/** A relation phrase from a word on, the longest first. */
export function relationsAt(s: Sentence, at: number): { relation: Relation; end: number }[] {
  const found: { relation: Relation; end: number }[] = [];
  for (let length = Math.min(6, s.words.length - at); length >= 1; length--) {
    const relation = RELATIONS.get(s.words.slice(at, at + length).join(" "));
    if (relation) found.push({ relation, end: at + length });
  }
  return found;
}

/** Sides by the hours of a clock that lies in front of one. */
const HOURS: readonly Relation[] = [
  ...(["front", "front", "right", "right", "right", "behind"] as const),
  ...(["behind", "behind", "left", "left", "left", "front"] as const),
];

/** "at my three o'clock", "in my 9 o'clock direction". */
function hourAt(s: Sentence, at: number): { relation: Relation; end: number } | undefined {
  if (!/^(?:at|in|on|to)$/.test(s.words[at] ?? "") || !/^(?:my|your|the)$/.test(s.words[at + 1] ?? ""))
    return undefined;
  const hour = s.numberAt(at + 2);
  if (!hour || !/^o'?clock$/.test(s.words[hour.end] ?? "")) return undefined;
  const more = /^(?:direction|position|side)$/.test(s.words[hour.end + 1] ?? "") ? 1 : 0;
  return { relation: HOURS[hour.value % 12] ?? "front", end: hour.end + 1 + more };
}

export function sideAt(s: Sentence, at: number): { relation: Relation; end: number } | undefined {
  const hour = hourAt(s, at);
  if (hour) return hour;
  for (let length = Math.min(7, s.words.length - at); length >= 1; length--) {
    const relation = SIDES.get(s.words.slice(at, at + length).join(" "));
    if (relation) return { relation, end: at + length };
  }
  return undefined;
}

/** Sets that stand in a relation to an anchor; rooms and storeys hold what is in them. */
export function placedAt(
  set: Expression,
  kind: Noun["kind"],
  relation: Relation,
  anchor: Noun,
  withinM?: number,
): Expression | undefined {
  // Who asks what is on the desk takes the desk for granted; in a description it is one hint of several.
  const isOpen = set.op === "things" && Object.keys(set.with).length === 0;
  const there = isOpen ? meant(anchor) : setOf(anchor);
  const isRegion = anchor.kind === "rooms" || anchor.kind === "floors";
  if (kind === "rooms") {
    if (anchor.kind === "floors" || (anchor.kind === "rooms" && anchor.set.op === "house"))
      return node("in", [set, there]);
    if (anchor.kind === "rooms")
      return relation === "beside" || relation === "near" || relation === "opposite"
        ? node("and", [set, node("neighbours", [there])])
        : undefined;
    if (relation === "with" || relation === "in")
      return node("filter", [set, node("exists", [node("in", [there, node("it")])])]);
    return undefined;
  }
  if (isRegion && (relation === "in" || relation === "on" || relation === "at" || relation === "with"))
    return node("in", [set, there]);
  if (relation === "between" && anchor.kind === "rooms" && anchor.items?.length === 2)
    return anchor.items.reduce<Expression>(
      (all, room) => node("relate", [all, setOf(room)], { relation: "at" }),
      set,
    );
  if (relation === "between" && anchor.items && anchor.items.length === 2)
    return node("relate", [set, ...anchor.items.map(isOpen ? meant : setOf)], { relation });
  return node("relate", [set, there], { relation, withinM });
}

/** "two metres", "50 cm". */
export function lengthAt(s: Sentence, at: number): { m: number; end: number } | undefined {
  const n = s.numberAt(at);
  if (n === undefined) return undefined;
  const unit = s.words[n.end] ?? "";
  const m = /^(?:m|metres?|meters?)$/.test(unit)
    ? 1
    : /^(?:cm|centimetres?|centimeters?)$/.test(unit)
      ? 0.01
      : /^(?:foot|feet|ft)$/.test(unit)
        ? 0.3048
        : /^(?:inch|inches)$/.test(unit)
          ? 0.0254
          : undefined;
  return m === undefined ? undefined : { m: n.value * m, end: n.end + 1 };
}
