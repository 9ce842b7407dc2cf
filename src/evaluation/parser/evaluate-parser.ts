import { statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { z } from "zod";
import { LociError } from "../../schema/core.ts";
import { readJson } from "../datasets/dataset.ts";
import type { Estimate } from "../statistics.ts";
import { OPEN_EQA_LABELS } from "./open-eqa-labels.ts";
import { type ParserScore, scoreParser } from "./score-parser.ts";

const questionsSchema = z
  .array(z.object({ question: z.string().min(1), question_id: z.string().min(1) }))
  .max(100_000);
const FILE = "open-eqa-v0.json";

/** Scores the reader on OpenEQA's questions: `path` is `open-eqa-v0.json` or the folder that holds it. */
export async function evaluateParser(path: string): Promise<{ score: ParserScore; text: string }> {
  const isFile = statSync(path, { throwIfNoEntry: false })?.isFile() ?? path.endsWith(".json");
  const file = isFile ? path : join(path, FILE);
  const all = readJson("eval parser", dirname(file), basename(file), questionsSchema);
  const score = await scoreParser(
    all.map(({ question, question_id }) => ({ id: question_id, text: question })),
    OPEN_EQA_LABELS,
  );
  if (score.labelled === 0)
    throw new LociError("invalid-input", `eval parser: ${file} has none of the labelled questions`);
  return { score, text: formatScore(score) };
}

function formatScore({ labelled, answer, target, both, fallback, all, wrong, missing }: ParserScore): string {
  return [
    `${labelled} OpenEQA questions labelled by hand before any parser was written:`,
    `  answer type right   ${percent(answer)}`,
    `  target right        ${percent(target)}`,
    `  both right          ${percent(both)}`,
    `  not read            ${percent(fallback)}`,
    `all ${all.questions} questions: not read ${percent(all.fallback)}`,
    ...(wrong.length > 0 ? [`wrong: ${wrong.map(({ id }) => id).join(", ")}`] : []),
    ...(missing.length > 0 ? [`${missing.length} labelled questions are not in the file`] : []),
  ].join("\n");
}

function percent({ value, low, high }: Estimate): string {
  const figure = (share: number) => (100 * share).toFixed(1);
  return `${figure(value)} % [${figure(low)}, ${figure(high)}]`;
}
