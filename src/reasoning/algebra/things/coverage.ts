import { area, type RoomView } from "../../../belief/room-names.ts";
import type { Scope } from "../operator.ts";
import type { Completeness } from "../value.ts";

/** The share of a space that must have been observed for "it is not there" (docs/formulas.md#completeness). */
export const LOOKED = 0.9;
/** If less than this was observed, nothing can be concluded about the contents. */
export const HARDLY_LOOKED = 0.1;
/** The assumed completeness without a map, or in a building too large to be searched. */
const WITHOUT_MAP = 0.5;

/** How much of these rooms was observed, by area; of the whole place where none are given. */
export async function completenessOf(
  rooms: readonly RoomView[] | undefined,
  { memory }: Scope,
): Promise<Completeness> {
  const all = rooms ?? (await memory.house()) ?? [];
  if (all.length === 0) {
    return { share: (await memory.holdsThings()) ? WITHOUT_MAP : 0, missing: [] };
  }
  let [looked, whole] = [0, 0];
  for (const room of all) {
    const m2 = Math.max(1, area(room));
    looked += m2 * room.record.coverage;
    whole += m2;
  }
  return {
    share: looked / whole,
    missing: all.filter(({ record }) => record.coverage < LOOKED).map(({ name }) => `the ${name}`),
  };
}

/** The probability that an unlabelled thing is one of those asked for by name. */
const NAMELESS_IS_IT = 0.05;
const MOST_NAMELESS = 100;

/** How many of the things asked for by name are known: each unrecognised thing may be one of them. */
export async function completenessOfNamed(
  phrase: string,
  rooms: readonly RoomView[] | undefined,
  scope: Scope,
): Promise<Completeness> {
  const complete = await completenessOf(rooms, scope);
  return { ...complete, share: complete.share * (await recognisedShare(phrase, scope)) };
}

/** The probability that none of the unrecognised things is what is asked for by name. */
export async function recognisedShare(phrase: string, { memory }: Scope): Promise<number> {
  if (phrase === "thing") return 1;
  return (1 - NAMELESS_IS_IT) ** (await memory.once("nameless", () => countNameless(memory)));
}

async function countNameless(memory: Scope["memory"]): Promise<number> {
  const { nowUs } = memory;
  const hits = await memory.search({
    kinds: ["state"],
    where: { category: ["thing"] },
    time: { overlaps: { fromUs: nowUs, toUs: nowUs + 1 } },
    limit: MOST_NAMELESS,
    rank: "latest",
  });
  return hits.length;
}
