import { type ModelsRequest, type OpenedModels, openModels } from "../../compose.ts";
import { countOf, type Terminal } from "./terminal.ts";

/** Options of every command that can use language models. */
export interface ModelOptions {
  readonly model?: string;
  readonly roles?: string[];
  readonly config?: string;
}

/** Opens the models that a command's options, the environment and the file of settings name; closes them afterwards. */
export async function withModels<T>(
  options: ModelOptions & Pick<ModelsRequest, "judge" | "detector">,
  work: ModelsRequest["work"],
  terminal: Terminal,
  run: (models: OpenedModels) => Promise<T>,
): Promise<T> {
  const { model, roles, config, judge, detector } = options;
  const models = await openModels({
    work,
    model,
    roles,
    config,
    judge,
    detector,
    environment: process.env,
    folder: process.cwd(),
  });
  if (models.found !== undefined) terminal.note(models.found);
  try {
    return await run(models);
  } finally {
    await models.close();
  }
}

/** The usage of each role, a line each; empty if no model was called. */
export function usageLines(models: OpenedModels): string[] {
  return models
    .usage()
    .map(({ role, model, calls, inputTokens, outputTokens, costUsd, failures, lastFailure }) => {
      const cost = costUsd > 0 ? `, ${costUsd.toFixed(4)} dollars` : "";
      const failed = failures > 0 ? `, ${failures} failed` : "";
      const why = lastFailure === undefined ? "" : `; the last: ${lastFailure}`;
      return `${role}: ${model}, ${countOf(calls, "call")}, ${(inputTokens + outputTokens).toLocaleString("en")} tokens${cost}${failed}${why}`;
    });
}
