import { area, type RoomView } from "../../../belief/room-names.ts";
import type { Scope } from "../operator.ts";
import type { Completeness } from "../value.ts";

/** So much of a space must have been looked at before "it is not there" may be said (docs/formulas.md#completeness). */
export const LOOKED = 0.9;
/** Where less than this was looked at, nothing can be said of what is there. */
export const HARDLY_LOOKED = 0.1;
/** Nothing is known of the space around things where no map was made, or of a building too large to be gone through. */
const WITHOUT_MAP = 0.5;

/** How much of these rooms was looked at, by their area; of the whole place where none are given. */
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

/** How likely a thing that has no name is one of those that are asked for by theirs. */
const NAMELESS_IS_IT = 0.05;
const MOST_NAMELESS = 100;

/** How many of what is asked for by its name are known: where things were seen and not recognised, one of them may be it. */
export async function completenessOfNamed(
  phrase: string,
  rooms: readonly RoomView[] | undefined,
  scope: Scope,
): Promise<Completeness> {
  const complete = await completenessOf(rooms, scope);
  return { ...complete, share: complete.share * (await recognisedShare(phrase, scope)) };
}

/** How likely nothing that was seen and not recognised is what is asked for by its name. */
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
