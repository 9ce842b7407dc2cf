/** The roles that a language model can fill; roles without a model are done by rules. */
export const MODEL_ROLES = [
  "reasoner", // answers questions in the loop of reasoning/loop
  "confidence", // rates the confidence of an answer by a letter (MemoryEQA P6)
  "detector", // finds things in a picture, one call per frame
  "describer", // describes a masked crop
  "captioner", // captions a clip
  "adjudicator", // decides whether this is the thing seen before, if the score is undecided
  "summariser", // names and summaries of rooms and regions
  "selector", // which branch of the forest leads to the target
  "judge", // marks answers in an evaluation
] as const;

export type ModelRole = (typeof MODEL_ROLES)[number];

export function isModelRole(name: string): name is ModelRole {
  return (MODEL_ROLES as readonly string[]).includes(name);
}
