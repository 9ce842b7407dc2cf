import type { OpenedModels } from "../../../compose.ts";
import { askAboutPictures, askMemory, memoryExists, readClip, readPictures } from "../../../compose.ts";
import { type AnswerRecord, LociError } from "../../../schema/index.ts";
import { answerText, evidenceLines, traceLines } from "../answer-text.ts";
import { type ModelOptions, withModels } from "../models.ts";
import { type MemoryOptions, type ReadAs, readerOptions, withMemory } from "../open.ts";
import type { Terminal } from "../terminal.ts";

export interface AskCommandOptions extends MemoryOptions, ReadAs, ModelOptions {
  readonly now?: number;
  readonly options?: string[];
  readonly agent?: string;
  readonly scene?: string;
  readonly strategy?: string;
  readonly explain?: boolean;
  readonly image?: string[];
  readonly at?: readonly [number, number, number, number];
  readonly live?: string;
  readonly clip?: string;
  readonly orRules?: boolean;
}

/** Asks the memory; the answer first, then what it rests on. */
export async function run(options: AskCommandOptions, terminal: Terminal, question: string): Promise<void> {
  const answer = await withModels(options, "ask", terminal, (models) =>
    answerOf(options, terminal, question, models),
  );
  if (answer.trace.models["failed"] !== undefined)
    terminal.note(`the language model failed, rules answered instead: ${failureIn(answer)}`);
  terminal.result(answer, () =>
    [answerText(answer), ...evidenceLines(answer), ...(options.explain ? traceLines(answer) : [])].join("\n"),
  );
}

async function answerOf(
  options: AskCommandOptions,
  terminal: Terminal,
  question: string,
  models: OpenedModels,
): Promise<AnswerRecord> {
  const images = await picturesOf(options);
  const [inView] = await readPictures(options.live === undefined ? [] : [options.live]);
  if (options.at !== undefined && images.length === 0 && inView === undefined)
    throw new LociError("invalid-input", "--at says where in a picture; give one with --image or --live");
  const request = {
    models,
    // A model that is not there is a mistake to be told of; one that talks nonsense leaves the answer to the rules.
    onFailure: options.orRules ? ("rules" as const) : ("throw-unavailable" as const),
    ...(options.now !== undefined && { now: options.now }),
    ...(options.options && { options: options.options }),
    ...(options.agent !== undefined && { agentId: options.agent }),
    ...(options.scene !== undefined && { sceneId: options.scene }),
    ...(options.strategy !== undefined && { strategy: options.strategy as never }),
  };
  const call = { signal: terminal.signal };
  if (images.length > 0 && models.get("reasoner") !== undefined && !memoryExists(options.memory)) {
    terminal.note(`there is no memory at ${options.memory}: answered from the pictures alone`);
    return askAboutPictures(images, question, request, call);
  }
  return withMemory(options, { create: false }, (memory) => {
    const view = readerOptions(options);
    const seen = Object.keys(view).length > 0 ? memory.as(view) : memory;
    const pictures = {
      ...(images.length > 0 && { images }),
      ...(options.at !== undefined && { at: options.at }),
      ...(inView && { inView }),
    };
    return askMemory(seen, question, { ...request, ...pictures }, call);
  });
}

async function picturesOf({ image = [], clip }: AskCommandOptions) {
  if (image.length > 0 && clip !== undefined)
    throw new LociError(
      "invalid-input",
      "a question brings pictures with --image or a folder with --clip, not both",
    );
  return clip === undefined ? readPictures(image) : readClip(clip);
}

function failureIn({ trace }: AnswerRecord): string {
  const failed = trace.rounds.find(({ strategy }) => strategy === "model/failed");
  return failed?.rejected[0]?.reason ?? "no reason given";
}
