import { createInterface } from "node:readline/promises";
import { openMemory } from "../../../compose.ts";
import { makeOwnQuestions, type Proposal } from "../../../evaluation/index.ts";
import { LociError } from "../../../schema/core.ts";
import { type ModelOptions, withModels } from "../models.ts";
import type { Terminal } from "../terminal.ts";

export interface MakeQuestionsOptions extends ModelOptions {
  readonly json?: boolean;
  readonly count?: number;
  readonly out?: string;
}

const COUNT = 40;

/** `eval make-questions MEMORY`: proposes questions, and asks the person at the terminal which of them are good. */
export async function run(
  options: MakeQuestionsOptions,
  terminal: Terminal,
  path: string | undefined,
): Promise<void> {
  if (path === undefined || options.out === undefined)
    throw new LociError(
      "invalid-input",
      "eval make-questions needs a memory and --out FILE: MEMORY --out questions.jsonl",
    );
  const isAsked = process.stdin.isTTY === true && process.stdout.isTTY === true && options.json !== true;
  const prompt = isAsked ? createInterface({ input: process.stdin, output: process.stdout }) : undefined;
  const memory = await openMemory(path, { create: false });
  try {
    const made = await withModels(options, "eval", terminal, (models) =>
      makeOwnQuestions(memory, {
        count: options.count ?? COUNT,
        out: options.out!,
        model: options.model === undefined ? undefined : models.get("reasoner"),
        signal: terminal.signal,
        onProgress: (line) => terminal.progress(line),
        ...(prompt && {
          decide: async (proposal, nth, of) =>
            decisionOf(
              await prompt.question(`${textOf(proposal, nth, of)}\n[a]ccept, [r]eject, [s]kip, [q]uit? `),
            ),
        }),
      }),
    );
    terminal.result(made, () =>
      [
        `${made.made} proposed from ${made.views} views that lie apart; ${made.accepted} accepted, ${made.rejected} rejected, ${made.waiting} not looked at, in ${made.out}`,
        ...(made.waiting > 0
          ? [`accept by "accept":true in the file, or in a terminal; then: eval mine --data FOLDER`]
          : []),
      ].join("\n"),
    );
  } finally {
    prompt?.close();
    await memory.close();
  }
}

function textOf({ question }: Proposal, nth: number, of: number): string {
  const options = (question.options ?? []).map((option, n) => {
    const letter = String.fromCharCode(65 + n);
    const isRight = question.answer.type === "choice" && question.answer.letter === letter;
    return `  ${isRight ? "*" : " "} ${letter}: ${option}`;
  });
  return [`\n${nth} of ${of} · ${question.subtype}`, question.text, ...options].join("\n");
}

function decisionOf(said: string): boolean | null | undefined {
  const letter = said.trim().toLowerCase().slice(0, 1);
  if (letter === "q") return undefined;
  return letter === "a" ? true : letter === "r" ? false : null;
}
