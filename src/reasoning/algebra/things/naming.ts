import { norm } from "../../memory-view/matching.ts";
import type { KnownThing } from "../../memory-view/thing.ts";

type Called = Pick<KnownThing, "name" | "category" | "state">;

/**
 * What somebody says who is asked what a thing is: "tumble dryer", not "grey steel tumble dryer". Colour and
 * material are left out unless they are part of the kind's own name, as in "cardboard box". People have names.
 */
export function kindName(thing: Called): string {
  // What nobody could name is known by nothing but its looks.
  if (thing.category === "thing") return bareName(thing);
  const words = bareName(thing).split(" ");
  const known = new Set(Object.values(thing.state.attributes).map(({ value }) => norm(String(value))));
  const kind = norm(thing.category);
  while (words.length > 1 && known.has(norm(words[0]!)) && norm(words.join(" ")) !== kind) words.shift();
  return words.join(" ");
}

/** The same with its article: "the tumble dryer"; a name stays as it is. */
export function theKind(thing: Called): string {
  const name = kindName(thing);
  return isPerson(thing) && /^[A-Z]/.test(name) ? name : `the ${name}`;
}

export function isPerson({ category }: Pick<KnownThing, "category">): boolean {
  return category === "person";
}

/** What a thing is called, without what is written on it; detectors may say "blue fabric Olga", nobody else does. */
function bareName(thing: Called): string {
  const own = isPerson(thing) ? /(?:^|\s)([A-Z][a-z]+)$/.exec(thing.name)?.[1] : undefined;
  return own ?? thing.name.replace(/ that says? [“"].*$/, "");
}

/** "a mug", "an oven". */
export function withArticle(name: string): string {
  return `${/^(?:[aeio]|u(?!ni|se|te|ku|ro))/i.test(name) ? "an" : "a"} ${name}`;
}
