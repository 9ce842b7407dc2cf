import type { LiftedDetection } from "../../schema/core.ts";

/** Text on a thing, in the forms that phrases use. */
const WRITTEN = /\s*(?:that says|labell?ed|reading)?\s*[“"]([^”"]+)[”"].*$/u;

/** The question of the text on a thing. */
export const WRITING = "text";

/** Questions that a phrase answers beside its attributes: the text on the thing, and its name. */
export type Mark = readonly [question: string, value: string];

/**
 * The text and the name in a phrase; the name is the rest without the text and the attributes. Each category has a
 * question of its own for the name, so observations with a wrong label do not affect it.
 */
export function marksOf(detection: LiftedDetection, category: string): readonly Mark[] {
  // An observation is compared with every thing near it, three times a frame.
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

/** The question without the category: the reliability of names is learnt for all categories together. */
export function kindOf(question: string): string {
  return question.startsWith(CALLED) ? CALLED : question;
}
