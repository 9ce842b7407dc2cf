import type { Expression } from "../../schema/index.ts";
import { node } from "../algebra/notation.ts";
import { isPerson } from "../say/naming.ts";
import { nodeOf, ofThings, type Spoken } from "./spoken-of.ts";

const ANY_MORE =
  /^(?:and )?(?:(?:are|were) there )?(?:any |some )?(?:more|others)(?: of (?:them|those|these))?(?: (?:in the house|anywhere|around|here))?\s*\?*$/i;

/** "Are there any more?": others of the kind that was spoken of last, beside all of it that were. */
export function anyMore(text: string, spoken: readonly Spoken[]): Expression | undefined {
  if (!ANY_MORE.test(text)) return undefined;
  const own = spoken.filter(({ isHolder }) => !isHolder).flatMap(({ things }) => things);
  const [first] = own;
  if (!first) return undefined;
  const isAlike = (other: typeof first) =>
    isPerson(first) ? isPerson(other) : other.category === first.category;
  const told = new Map(own.filter(isAlike).map((thing) => [thing.trackId, thing]));
  const kind = isPerson(first) ? "person" : first.category;
  const set = node("things", [], { category: kind });
  return node("exists", [node("minus", [set, nodeOf(ofThings([...told.values()]))])]);
}
