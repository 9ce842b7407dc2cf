import type { LiftedDetection } from "../../schema/core.ts";

/** What is written on a thing, as phrases put it. */
const WRITTEN = /\s*(?:that says|labell?ed|reading)?\s*[“"]([^”"]+)[”"].*$/u;

/** The question of what is written on a thing. */
export const WRITING = "text";

/** Questions about a thing that its phrase answers beside its attributes: what is written on it, and what it is called. */
export type Mark = readonly [question: string, value: string];

/**
 * What a phrase says of a thing: its inscription, and the name that is left without that and without the attributes.
 * A name is the answer to a question of its own for each category: misnamed looks say nothing about it.
 */
export function marksOf(detection: LiftedDetection, category: string): readonly Mark[] {
  // A look is compared with everything near it, three times a frame.
  const known = MARKS.get(detection);
  if (known) return known;
  const marks = read(detection, category);
  MARKS.set(detection, marks);
  return marks;
}

const MARKS = new WeakMap<LiftedDetection, readonly Mark[]>();

function read({ phrase, attributes }: LiftedDetection, category: string): Mark[] {
  const marks: Mark[] = [];
  const written = WRITTEN.exec(phrase);
  if (written) marks.push([WRITING, written[1]!]);
  const said = new Set(Object.values(attributes).map(String));
  const name = phrase
    .replace(WRITTEN, "")
    .split(" ")
    .filter((word) => !said.has(word))
    .join(" ");
  if (name !== "") marks.push([`${CALLED}${category}`, name]);
  return marks;
}

const CALLED = "called ";
const PROPER = /\p{Lu}[\p{L}'’-]*/gu;

/** The name of their own that a phrase gives somebody: "green fabric Anna"; what is written on them is none. */
export function ownNameIn(phrase: string): string | undefined {
  return phrase.replace(WRITTEN, "").match(PROPER)?.join(" ");
}

/** The question without the category: how far names can be trusted is learnt for all of them. */
export function kindOf(question: string): string {
  return question.startsWith(CALLED) ? CALLED : question;
}
