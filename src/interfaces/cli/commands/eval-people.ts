import {
  checkPeopleQuestions,
  evaluatePeople,
  listPeopleQuestions,
  preparePeopleHouses,
} from "../../../evaluation/index.ts";
import { LociError } from "../../../schema/core.ts";
import { type ModelOptions, usageLines, withModels } from "../models.ts";
import { countOf, type Terminal } from "../terminal.ts";

export interface PeopleOptions extends ModelOptions {
  readonly data?: string;
  readonly keep?: string;
  readonly out?: string;
  readonly houses?: string[];
  readonly only?: string[];
  readonly questionsOnly?: boolean;
  readonly check?: string;
  readonly prepare?: boolean;
  readonly count?: number;
  readonly parallel?: number;
  readonly system?: string[];
  readonly mode?: "ours" | "paper";
}

/** `eval people`: questions by people who saw only the ground truth of a house. */
export async function run(options: PeopleOptions, terminal: Terminal): Promise<void> {
  if (options.check !== undefined) return check(options.check, terminal);
  const { data, keep, out, only: kinds } = options;
  if (data === undefined)
    throw new LociError(
      "invalid-input",
      "eval people needs --data DIR with houses.json and SEED.jsonl files",
    );
  const chosen = { data, kinds, houses: options.houses?.map(Number), count: options.count };
  if (options.questionsOnly) {
    const questions = await listPeopleQuestions(chosen);
    terminal.result({ questions }, () =>
      questions.map(({ house, id, kind, question }) => `${house}  ${id}  ${kind}  ${question}`).join("\n"),
    );
    return;
  }
  if (keep === undefined)
    throw new LociError(
      "invalid-input",
      "eval people needs --cache DIR, where recordings and memories are kept",
    );
  const request = {
    ...chosen,
    keep,
    out,
    signal: terminal.signal,
    onProgress: (line: string) => terminal.progress(line),
  };
  if (options.prepare) {
    const made = await preparePeopleHouses(request);
    terminal.result({ houses: made }, () => made.map(({ house, sheet }) => `${house}  ${sheet}`).join("\n"));
    return;
  }
  const { mode, parallel } = options;
  const { report, text, usage } = await withModels(options, "eval", terminal, async (models) => {
    await models.check(terminal.signal);
    return {
      ...(await evaluatePeople({ ...request, systems: options.system, mode, parallel, models })),
      usage: usageLines(models),
    };
  });
  terminal.result(report, () => [text, ...usage].join("\n"));
}

async function check(path: string, terminal: Terminal): Promise<void> {
  const { questions, faults } = await checkPeopleQuestions(path);
  terminal.result({ questions, faults }, () =>
    [
      ...questions.flatMap(({ id, kind, voice, question, marking }) => [
        `${id}  ${kind}, ${voice}: ${question}`,
        `    right: ${marking}`,
      ]),
      ...faults.map(({ line, reason }) => `line ${line}: ${reason}`),
      `${countOf(questions.length, "question")}, ${countOf(faults.length, "fault")}`,
    ].join("\n"),
  );
  if (faults.length > 0)
    throw new LociError("invalid-input", `${path}: ${countOf(faults.length, "line")} to be mended`);
}
