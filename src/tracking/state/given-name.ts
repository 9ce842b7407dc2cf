import type { Thing } from "./thing.ts";

const WRITTEN = /[“"]([^”"]+)[”"]/u;

/** The personal name that a phrase gives a person: "purple fabric Anna"; text on their clothes is none. */
export function ownName(phrase: string): string | undefined {
  return phrase
    .replace(WRITTEN, "")
    .match(/\p{Lu}[\p{L}'’-]*/gu)
    ?.join(" ");
}

/** The same, or the text on a mover without a name: "red metal forklift that says “F2”". */
function givenName(phrase: string): string | undefined {
  return ownName(phrase) ?? WRITTEN.exec(phrase)?.[1]?.toUpperCase();
}

/** The name that identifies a mover: of people their own name, since many wear the same print. */
export function callName({ type, words }: Thing): string | undefined {
  return type === "person" ? ownName(words.name) : givenName(words.name);
}

/** Whether a person or vehicle has another name than the given one: then they are two, however alike. */
export function isNamedOtherwise({ words }: Thing, phrase: string): boolean {
  const [own, said] = [givenName(words.name), givenName(phrase)];
  return own !== undefined && said !== undefined && own !== said;
}

/** Whether a person or vehicle has exactly the given name. */
export function isNamedSo({ words }: Thing, phrase: string): boolean {
  const own = givenName(words.name);
  return own !== undefined && own === givenName(phrase);
}
