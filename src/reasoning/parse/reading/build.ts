import type { Description, Need, Relation, Subgoal, TimeNeed } from "../../need.ts";
import { type Draft, draft, goal, UNKNOWN, unknownAt } from "../ask-kinds.ts";
import { STATES } from "../lexicon.ts";
import { type Phrase, plain, readPhrase } from "../noun-phrase.ts";
import { readTimes } from "../times.ts";
import type { Chunk } from "./chunk.ts";
import type { Form, Roles } from "./roles.ts";

/** What the builders of needs have at hand: the form, the chunks in their places, and what the asker offers. */
export interface Found {
  readonly form: Form;
  readonly roles: Roles;
  readonly nowUs: number;
  /** The options of a multiple-choice question as things; empty without. */
  readonly among: readonly Subgoal[];
}

export type Builder = (found: Found) => Draft[] | undefined;

export function textOf({ form }: Pick<Found, "form">, chunk: Chunk): string {
  return form.text.slice(chunk.from, chunk.to);
}

/** The phrase in a place. A name stays as it is said. */
export function phraseIn(found: Found, place: string): Phrase {
  const chunk = found.roles[place]!;
  const text = textOf(found, chunk).replace(/^(?:any|some|no)\s+/, "");
  if (chunk.kind === "name" && !/\s/.test(text)) {
    return { description: { ...plain("object", text), head: text, plural: false }, relations: [], rest: "" };
  }
  return readPhrase(text) ?? { description: plain(text, text), relations: [], rest: "" };
}

export function thingIn(found: Found, place: string, more: Partial<Subgoal> = {}): Subgoal {
  return goal(phraseIn(found, place), more);
}

/** Whatever stands in a relation to the thing in a place: "on the table". */
export function whatever(
  found: Found,
  predicate: Relation["predicate"],
  place: string,
  target: Description = UNKNOWN,
): Subgoal {
  const anchor = phraseIn(found, place);
  return unknownAt([{ predicate, anchor: anchor.description }], anchor.region, target);
}

export function timesIn(found: Found, ...places: string[]): TimeNeed[] {
  return places.flatMap((place) => {
    const chunk = found.roles[place];
    if (!chunk) return [];
    const text = textOf(found, chunk).replace(
      /^(?:(?:over|during|within|for|throughout|across|from|of|in) )?(?:about )?(?=(?:the|these) )/,
      "in ",
    );
    return readTimes(`x ${text}`, found.nowUs).times;
  });
}

export function stateIn(found: Found, place: string): { attribute: string; value: string } {
  return STATES[textOf(found, found.roles[place]!)]!;
}

/** A kind of question whose answer is of one of its things. */
export function about(
  asks: Need["asks"],
  answer: Need["answer"],
  property?: string,
  more: Partial<Draft> = {},
): Builder {
  return (found) => [
    draft(asks, answer, [thingIn(found, "thing", property === undefined ? {} : { property })], more),
  ];
}

/** A kind of question about two things that may be the same in something. */
export function alike(dimension: "colour" | "place"): Builder {
  return (found) => [
    draft("relate", "binary", [thingIn(found, "first"), thingIn(found, "second")], {
      compare: { op: "same", dimension },
    }),
  ];
}

/** A kind of question whose answer is the one of the options that shares something with a thing. */
export function alikeAmong(dimension: "colour" | "place"): Builder {
  return (found) =>
    found.among.length === 0
      ? undefined
      : [
          draft("relate", "choice", [thingIn(found, "anchor"), ...found.among], {
            compare: { op: "same", dimension },
            quantifier: "superlative",
          }),
        ];
}

/** When a thing was first or last seen. */
export function sightOf(which: "first" | "last"): Builder {
  return (found) => [draft("when", "time", [thingIn(found, "thing")], { times: [{ kind: which }] })];
}
