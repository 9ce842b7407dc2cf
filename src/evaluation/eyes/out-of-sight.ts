import type { QuestionRecord } from "../../schema/index.ts";
import { isDrawn } from "../../world/house/models.ts";
import { FLUENTS, type FluentName } from "../../world/house/types.ts";
import type { Truth } from "../tracking/truth.ts";

const ABOUT_WRITING: ReadonlySet<string> = new Set(["attribute/text", "recognition/says"]);

/** Whether a question asks for what is written on things. */
export function isAboutWriting({ subtype }: Pick<QuestionRecord, "subtype">): boolean {
  return ABOUT_WRITING.has(subtype);
}

/**
 * Whether a question asks for what masks contain and no picture of the simulator shows, at this size or at any: text,
 * a person's identity, and states that are not drawn (the content of a mug, whether a radiator is warm).
 */
export function isOutOfSight(
  question: Pick<QuestionRecord, "subtype" | "targets" | "about">,
  { document: { house } }: Pick<Truth, "document">,
): boolean {
  if (isAboutWriting(question)) return true;
  const targets = house.things.filter(({ id }) => question.targets.includes(id));
  if (targets.some(({ type }) => type === "person")) return true;
  const { fluent } = question.about;
  // Occupancy of a chair is visible by the person on it.
  if (typeof fluent !== "string" || !(fluent in FLUENTS) || fluent === "occupancy") return false;
  return targets.length > 0 && targets.every(({ category }) => !isDrawn(category, fluent as FluentName));
}
