import { expand } from "../../retrieval/index.ts";
import { singularOf } from "../parse/nouns.ts";
import { householdNames } from "../words/household.ts";

/** The singular of the last word of a name. */
export { singularOf };

/** Other words for a name, and the names of its kinds. */
export function otherWords(name: string): { same: readonly string[]; kinds: readonly string[] } {
  const [word, thing] = [expand(name), householdNames(name)];
  return { same: [...thing.same, ...word.same], kinds: [...thing.kinds, ...word.kinds] };
}
