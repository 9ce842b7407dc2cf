import type { Thing } from "./thing.ts";

/** A name of one's own in a phrase: "purple fabric Anna", "red metal forklift that says “F2”". */
export function givenName(phrase: string): string | undefined {
  const written = /[“"]([^”"]+)[”"]/u.exec(phrase);
  const bare = written ? phrase.slice(0, written.index) : phrase;
  return bare.match(/\p{Lu}[\p{L}'’-]*/gu)?.join(" ") ?? written?.[1]?.toUpperCase();
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
