import type { Thing } from "./thing.ts";

const WRITTEN = /[“"]([^”"]+)[”"]/u;

/** A name of their own that a phrase gives somebody: "purple fabric Anna"; what is written on them is none. */
export function ownName(phrase: string): string | undefined {
  return phrase
    .replace(WRITTEN, "")
    .match(/\p{Lu}[\p{L}'’-]*/gu)
    ?.join(" ");
}

/** The same, or what is written on what has none: "red metal forklift that says “F2”". */
function givenName(phrase: string): string | undefined {
  return ownName(phrase) ?? WRITTEN.exec(phrase)?.[1]?.toUpperCase();
}

/** What tells one mover from all others: of people their own name, since many wear the same print. */
export function callName({ type, words }: Thing): string | undefined {
  return type === "person" ? ownName(words.name) : givenName(words.name);
}

/** Whether somebody, or a vehicle, has another name than the one that is said: they are two, however alike. */
export function isNamedOtherwise({ words }: Thing, phrase: string): boolean {
  const [own, said] = [givenName(words.name), givenName(phrase)];
  return own !== undefined && said !== undefined && own !== said;
}

/** Whether somebody, or a vehicle, has the very name that is said. */
export function isNamedSo({ words }: Thing, phrase: string): boolean {
  const own = givenName(words.name);
  return own !== undefined && own === givenName(phrase);
}
