import { existsSync } from "node:fs";
import { join } from "node:path";
import { LociError, type QuestionRecord } from "../../schema/index.ts";
import type { Dataset, DatasetScene } from "./dataset.ts";
import { fetchLine } from "./sources.ts";

/** The folder for the frames of scenes; anything that `ingest` reads. */
export const SCENES = "scenes";

export interface AskedIn {
  readonly scene: string;
  readonly question: QuestionRecord;
}

/**
 * Questions about scenes whose frames need a licence: what lies in `scenes/NAME` is ingested and asked about, the
 * rest is left out and listed. If nothing is there, the error says what to fetch and where to put it.
 */
export function scenesThatAreThere(
  name: string,
  folder: string,
  asked: readonly AskedIn[],
): Pick<Dataset, "scenes" | "excluded"> {
  const scenes = [...Map.groupBy(asked, ({ scene }) => scene)].map(([id, group]): DatasetScene => {
    const recording = join(folder, SCENES, id);
    const questions = group.map(({ question }) => question);
    return { id, questions, records: [], sightings: [], ...(existsSync(recording) && { recording }) };
  });
  const there = scenes.filter(({ recording }) => recording !== undefined);
  const missing = scenes.filter(({ recording }) => recording === undefined);
  if (there.length === 0)
    throw new LociError(
      "invalid-input",
      `${name}: ${asked.length} questions about ${scenes.length} scenes, and no frames of any${fetchLine(name)}`,
    );
  const reason = `the frames of their scenes are not in ${SCENES}/`;
  return {
    scenes,
    excluded: missing.flatMap(({ questions }) => questions.map(({ id }) => ({ questionId: id, reason }))),
  };
}
