import { norm } from "../recall/matching.ts";
import type { Thing } from "../recall/thing.ts";
import { bareName } from "../words/phrases.ts";

type Called = Pick<Thing, "name" | "category" | "state">;

/**
 * What somebody says who is asked what a thing is: "tumble dryer", not "grey steel tumble dryer". Colour and
 * material are left out unless they are part of the kind's own name, as in "cardboard box".
 */
export function kindName(thing: Called): string {
  const words = bareName(thing).split(" ");
  const known = new Set(Object.values(thing.state.attributes).map(({ value }) => norm(String(value))));
  const kind = norm(thing.category);
  while (words.length > 1 && known.has(norm(words[0]!)) && norm(words.join(" ")) !== kind) words.shift();
  return words.join(" ");
}

/** The same with its article: "the tumble dryer". */
export function theKind(thing: Called): string {
  const name = kindName(thing);
  return /^[A-Z]/.test(name) && thing.category === "person" ? name : `the ${name}`;
}
