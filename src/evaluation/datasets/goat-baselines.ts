import { distance, Random, type Vec3 } from "../../geometry/index.ts";
import type { MemoryReader } from "../../memory/index.ts";
import { singularOf } from "../../ontology/index.ts";
import { type AnswerRecord, answerSchema } from "../../schema/index.ts";
import type { AskedQuestion, MemoryContext, Strategy } from "../runner/strategy.ts";

interface Known {
  readonly id: string;
  readonly category: string;
  readonly position: Vec3;
}

/** The category of a question's target, which these baselines are told. */
export type CategoryOf = (questionId: string) => string | undefined;

/** Knows the category and guesses among its objects: the chance level. */
export function byCategory(categoryOf: CategoryOf): Strategy {
  return {
    id: "chance",
    async answer(question, context) {
      const { candidates } = await sceneFor(question, categoryOf, context.reader);
      const pick = candidates[Math.floor(new Random(context.seed).next() * candidates.length)];
      return answerOf(question, pick, context);
    },
  };
}

/** Of that category, the object nearest to anything else that is mentioned and known. */
export function byNeighbours(categoryOf: CategoryOf): Strategy {
  return {
    id: "nearest",
    async answer(question, context) {
      const { candidates, mentioned } = await sceneFor(question, categoryOf, context.reader);
      const away = ({ id, position }: Known) =>
        Math.min(
          ...mentioned.filter((other) => other.id !== id).map((other) => distance(position, other.position)),
        );
      const random = new Random(context.seed);
      const order = candidates.map((one) => ({ one, m: away(one), lot: random.next() }));
      const [best] = order.sort((a, b) => (a.m === b.m ? a.lot - b.lot : a.m - b.m));
      return answerOf(question, best?.one, context);
    },
  };
}

/** All objects of the target's category, and all others that the text names. */
async function sceneFor({ id, text }: AskedQuestion, categoryOf: CategoryOf, reader: MemoryReader) {
  const { hits } = await reader.search({ kinds: ["state"], limit: 2_000, rank: "id" });
  const known = hits.flatMap(({ record, position }) =>
    record.kind === "state" && position ? [{ id: record.id, category: record.category, position }] : [],
  );
  const words = ` ${text
    .toLowerCase()
    .split(/[^a-z]+/)
    .map(singularOf)
    .join(" ")} `;
  const meant = categoryOf(id);
  const isNamed = (category: string) => words.includes(` ${singularOf(category.toLowerCase())} `);
  return {
    candidates: known.filter(({ category }) => category === meant),
    mentioned: known.filter(({ category }) => category !== meant && isNamed(category)),
  };
}

function answerOf({ text }: AskedQuestion, found: Known | undefined, { nowUs }: MemoryContext): AnswerRecord {
  return answerSchema.parse({
    question: text,
    askedAtUs: nowUs,
    strategy: "baseline",
    type: found ? "position" : "text",
    status: found ? "answered" : "not-seen",
    text: found?.category ?? "not seen",
    ...(found && { position: { point: found.position, frame: "world" } }),
    confidence: 0.5,
  });
}
