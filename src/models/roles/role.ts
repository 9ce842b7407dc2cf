/** The kinds of work that a language model can do; what no model is chosen for is done by rules. */
export const MODEL_ROLES = [
  "reasoner", // answers questions in the loop of reasoning/loop
  "confidence", // says by a letter how sure an answer can be (MemoryEQA P6)
  "detector", // finds things in a picture, a call a frame
  "describer", // a masked crop into a phrase
  "captioner", // a clip into sentences
  "adjudicator", // is this the thing seen before? only where the score leaves it open
  "summariser", // names and summaries of rooms and regions
  "selector", // which branch of the forest leads to what is asked for
  "judge", // marks answers in an evaluation
] as const;

export type ModelRole = (typeof MODEL_ROLES)[number];

export function isModelRole(name: string): name is ModelRole {
  return (MODEL_ROLES as readonly string[]).includes(name);
}
