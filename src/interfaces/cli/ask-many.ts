import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import type { Conversation } from "../../compose.ts";
import { LociError } from "../../schema/core.ts";
import { answerText, wholeAnswer } from "./answer-text.ts";
import { failureLine, faint, type Terminal } from "./terminal.ts";

interface Options {
  readonly questions?: string;
  readonly explain?: boolean;
}

type Open = () => Conversation;
type Converse = (work: (open: Open) => Promise<void>) => Promise<void>;

/** The most characters of a line that are read as a question. */
const MAX_CHARS = 200_000;

/** Questions of a file, each on its own; from a pipe or a prompt, each with the conversation before it. */
export async function askMany(options: Options, terminal: Terminal, converse: Converse): Promise<void> {
  const isPrompt = options.questions === undefined && process.stdin.isTTY === true;
  await converse((open) =>
    isPrompt ? atPrompt(options, terminal, open) : eachLine(options, terminal, open),
  );
}

async function eachLine({ questions }: Options, terminal: Terminal, open: Open): Promise<void> {
  const input = questions === undefined ? process.stdin : await opened(questions);
  let [asked, failed] = [0, 0];
  let talk = open();
  for await (const line of createInterface({ input, crlfDelay: Infinity })) {
    const question = line.trim().slice(0, MAX_CHARS);
    // An empty line starts a new conversation; lines of a file are independent.
    if (question === "" || questions !== undefined) talk = open();
    if (question === "") continue;
    terminal.signal.throwIfAborted();
    asked++;
    try {
      const answer = await talk.ask(question, { signal: terminal.signal });
      terminal.line(answer, () => answerText(answer).replaceAll("\n", " "));
    } catch (error) {
      if (!(error instanceof LociError)) throw error;
      failed++;
      terminal.line({ question, error: { code: error.code, message: error.message } }, () =>
        failureLine(error),
      );
    }
  }
  if (asked === 0)
    throw new LociError("invalid-input", "expected a question: as an argument, or a line each in a pipe");
  if (failed > 0) process.exitCode = 1;
}

async function opened(path: string) {
  const stream = createReadStream(path, "utf8");
  await new Promise<void>((resolve, reject) => {
    stream.once("open", () => resolve());
    stream.once("error", (cause) =>
      reject(new LociError("invalid-input", `cannot read the questions in ${path}`, { cause })),
    );
  });
  return stream;
}

const HELP =
  "Ask in plain words; “and the blue one?” goes on from the last answer. explain shows how it was understood, new forgets what was said, an empty line or Ctrl-D ends.";

async function atPrompt(options: Options, terminal: Terminal, open: Open): Promise<void> {
  const prompt = createInterface({
    input: process.stdin,
    output: process.stdout,
    prompt: "? ",
    historySize: 200,
  });
  process.stdout.write(`${faint(HELP)}\n`);
  let conversation = open();
  let explain: () => string[] = () => ["nothing was asked yet"];
  prompt.prompt();
  for await (const line of prompt) {
    const question = line.trim();
    if (question === "" || /^(?:exit|quit|bye)$/i.test(question)) break;
    if (question === "explain") process.stdout.write(`${explain().join("\n")}\n`);
    else if (question === "new") conversation = open();
    else {
      try {
        const answer = await conversation.ask(question, { signal: terminal.signal });
        explain = () => wholeAnswer(answer, true);
        terminal.line(answer, () =>
          (options.explain ? wholeAnswer(answer, true) : [answerText(answer)]).join("\n"),
        );
      } catch (error) {
        if (!(error instanceof LociError)) throw error;
        terminal.note(failureLine(error));
      }
    }
    prompt.prompt();
  }
  prompt.close();
}
