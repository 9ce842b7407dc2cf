import { answerWriter, retrievalAgent } from "../../../models/prompts/star.ts";
import { findBy, recordsBy } from "../find.ts";
import { answerByModel } from "../model/model-run.ts";
import { once } from "../model/said.ts";
import { readEvidence } from "../reader/read-evidence.ts";
import type { Found, System, SystemOptions } from "../system.ts";
import { searchAndWrite } from "./agent.ts";

/**
 * STaR: captions by cue, the primitives that they saw, the information bottleneck over those (eq. 3–7), and the captions
 * that tell of every cluster (eq. 8–10). With a model the paper's agent: cues in up to three rounds, moments to look at (eq. 11),
 * and a writer that sees captions and annotated keyframes.
 */
export const star: System = {
  name: "star",
  prompts: [retrievalAgent.id, answerWriter.id],
  answer: (question, options) => {
    const { model } = options;
    const offline = async (asked: string) =>
      readEvidence("star", asked, await findStated(asked, options), options);
    if (!model) return offline(question);
    return answerByModel(star, question, { ...options, model }, { work: searchAndWrite, offline });
  },
};

/** The captions, and the primitives of the clusters that they represent: STaR reasons over both. */
async function findStated(question: string, options: SystemOptions): Promise<Found> {
  const found = await findBy("star", question, options);
  const members = found.searches.flatMap(({ retrieved }) =>
    retrieved.clusters.flatMap(({ states }) => states),
  );
  return { ...found, items: once([...found.items, ...(await recordsBy(members, options))]) };
}
