import { distance } from "../../geometry/index.ts";
import type { MemoryReader } from "../../memory/index.ts";
import type { Ratio } from "./ratio.ts";
import type { Truth } from "./truth.ts";

/** An answer is right within a metre, and a moment within five seconds (docs/formulas.md#metrics). */
const NEAR_M = 1;
const NEAR_US = 5e6;
const SHOWN = 6;

/** How many were right, and which, in the order of the questions. */
export interface RecallAnswers extends Ratio {
  readonly isRight: readonly boolean[];
}

/**
 * A fixed set of questions that need no reasoner, so that what a memory has lost is not confused with how it is
 * asked. For each countable thing whose category is unique in the house: where it is (the best state by its words,
 * within 1 m), when it was last seen (within 5 s), and whether there is a picture and a caption of a moment at which
 * it was in view (among the best six by its words, within 5 s).
 */
export async function askRecallQuestions(reader: MemoryReader, truth: Truth): Promise<RecallAnswers> {
  const perCategory = Map.groupBy(truth.things, ({ category }) => category);
  const isRight: boolean[] = [];
  const count = (right: boolean) => isRight.push(right);
  for (const { id, category, type } of truth.things) {
    if (type === "person" || !truth.isCountable(id) || perCategory.get(category)!.length > 1) continue;
    const looks = truth.looksAt(id);
    const lastUs = looks.at(-1)!.trueUs;
    const [state] = (
      await reader.search({
        kinds: ["state"],
        meaning: { words: category },
        where: { category: [category] },
        limit: 1,
      })
    ).hits;
    const real = truth.placementAt(id, lastUs)?.placement.centre;
    count(Boolean(state?.position && real && distance(state.position, real) <= NEAR_M));
    const [presence] = state ? await reader.presence([state.record.id]) : [];
    const seenUs = presence?.lastSeenUs;
    const author = state?.record.author ?? "";
    count(
      seenUs !== undefined && seenUs !== null && Math.abs(truth.trueUs(author, seenUs) - lastUs) <= NEAR_US,
    );
    for (const kind of ["view", "caption"] as const) {
      const { hits: found } = await reader.search({
        kinds: [kind],
        meaning: { words: category },
        limit: SHOWN,
      });
      count(
        found.some(({ record }) => {
          const fromUs = truth.trueUs(record.author, record.validFromUs) - NEAR_US;
          const toUs = truth.trueUs(record.author, record.validToUs ?? record.validFromUs) + NEAR_US;
          return looks.some(({ trueUs }) => trueUs >= fromUs && trueUs <= toUs);
        }),
      );
    }
  }
  return { hits: isRight.filter(Boolean).length, total: isRight.length, isRight };
}
