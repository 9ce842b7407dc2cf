/** A description that is a name alone. */
export function called(name: string) {
  return { head: name, mods: [], attributes: {}, plural: false, phrase: name };
}
