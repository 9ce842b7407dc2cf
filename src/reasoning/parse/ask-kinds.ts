import type { Asks, Description, Need, NeedFrame, Relation, Subgoal } from "../need.ts";
import { type Phrase, plain, readPhrase } from "./noun-phrase.ts";

/** What a rule makes of a question; the parser fills in the rest. */
export type Draft = Pick<Need, "asks" | "answer"> &
  Partial<
    Pick<
      Need,
      | "quantifier"
      | "subgoals"
      | "compare"
      | "verb"
      | "alternatives"
      | "frame"
      | "level"
      | "negated"
      | "times"
    >
  >;

/** The thing that is asked for when nobody knows what it is. */
export const UNKNOWN: Description = plain("object", "object");

export function goal(phrase: Phrase | undefined, more: Partial<Subgoal> = {}): Subgoal {
  return {
    target: phrase?.description ?? UNKNOWN,
    relations: [...(phrase?.relations ?? [])],
    ...(phrase?.region && { region: phrase.region }),
    ...more,
  };
}

/** A subgoal about whatever stands in a relation: "what is on the table". */
export function unknownAt(relations: Relation[], region: Description | undefined, target = UNKNOWN): Subgoal {
  return { target, relations, ...(region && { region }) };
}

/** The phrase at the start of a text, with what follows put aside. */
export function thingIn(text: string): Phrase | undefined {
  return readPhrase(text.trim());
}

export function draft(
  asks: Asks,
  answer: Need["answer"],
  subgoals: Subgoal[],
  more: Partial<Draft> = {},
): Draft {
  return { asks, answer, subgoals, ...more };
}

/** "as seen from the door", "when facing the sofa", "from my point of view": taken out of the text. */
export function readFrame(text: string): { text: string; frame?: NeedFrame } {
  const patterns: [RegExp, (rest: string) => { frame: NeedFrame; rest: string } | undefined][] = [
    [
      /^(?:when |if |while )?(?:(?:you|i|we) (?:are |am |were )?)?(?:stand(?:ing)?|positioned) (?:at|in|by|next to|on|in front of|beside|near)\s+|^from\s+(?=the .+ (?:facing|looking))|\b(?:as )?(?:seen|viewed|looking|viewing) from\s+|\bif (?:i|you|we) (?:am|are|was|were)? ?(?:stand(?:ing)?|sit(?:ting)?|look(?:ing)?) (?:at|in|on|by|next to|from)\s+|\bwhen (?:i|you|we)? ?(?:am|are)? ?standing (?:at|in|by|next to)\s+|\bfrom the (?:perspective|viewpoint|point of view) of\s+/,
      (rest) => {
        const place = readPhrase(rest);
        if (!place) return undefined;
        const facing =
          /^[\s,]*(?:and )?(?:(?:you |i )?(?:are |am )?(?:facing|fac(?:e|ing) towards?|look(?:ing)? (?:at|towards?|to)|turned? towards?))\s+/.exec(
            place.rest,
          );
        const faced = facing ? readPhrase(place.rest.slice(facing[0].length)) : undefined;
        // "by the bed facing the door" reads as a bed that stands opposite a door; here it is who stands that faces.
        const opposite = place.relations.find(({ predicate }) => predicate === "opposite")?.anchor;
        const front = faced?.description ?? opposite;
        return {
          frame: { kind: "viewer", ref: place.description, ...(front && { facing: front }) },
          rest: faced?.rest ?? place.rest,
        };
      },
    ],
    [
      /\b(?:when |while |if )?(?:i am |you are |i was |you were )?facing\s+/,
      (rest) => {
        const faced = readPhrase(rest);
        return faced && { frame: { kind: "viewer", facing: faced.description }, rest: faced.rest };
      },
    ],
    [
      /\bfrom (?:my|your) (?:point of view|perspective|viewpoint|position|view)\b/,
      (rest) => ({ frame: { kind: "ego" }, rest }),
    ],
  ];
  for (const [pattern, read] of patterns) {
    const match = pattern.exec(text);
    // "what is facing the sofa" is a relation, not a viewpoint.
    const leads = match !== null && /^(?:when|if|while|you|i |we|stand|positioned|from)/.test(match[0]);
    if (
      !match ||
      (match.index === 0 && !leads) ||
      /\b(?:is|are|was|were)\s*$/.test(text.slice(0, match.index))
    )
      continue;
    const found = read(text.slice(match.index + match[0].length));
    if (!found) continue;
    const left = text.slice(0, match.index).replace(/[\s,]+$/, "");
    return {
      text: `${left} ${found.rest}`
        .replace(/\s+/g, " ")
        .replace(/^[\s,]+/, "")
        .trim(),
      frame: found.frame,
    };
  }
  return { text };
}
