import type { AskRequest, Conversation, OpenedModels } from "../../../compose.ts";
import { askAboutPictures, askMemory, memoryExists, readClip, readPictures } from "../../../compose.ts";
import type { Vec3 } from "../../../geometry/index.ts";
import { type AnswerRecord, LociError } from "../../../schema/index.ts";
import { wholeAnswer } from "../answer-text.ts";
import { type ModelOptions, withModels } from "../models.ts";
import { type MemoryOptions, type ReadAs, readerOptions, withMemory } from "../open.ts";
import type { Terminal } from "../terminal.ts";

export interface AskCommandOptions extends MemoryOptions, ReadAs, ModelOptions {
  readonly now?: number;
  readonly options?: string[];
  readonly agent?: string;
  readonly scene?: string;
  readonly frame?: string;
  readonly system?: string;
  readonly strategy?: string;
  readonly mode?: "ours" | "paper";
  readonly risk?: number;
  readonly explain?: boolean;
  readonly image?: string[];
  readonly at?: readonly [number, number, number, number];
  readonly live?: string;
  readonly clip?: string;
  readonly orRules?: boolean;
  readonly from?: { readonly position: Vec3; readonly yawRad: number };
  readonly questions?: string;
  readonly expression?: string;
  readonly goal?: boolean;
}

/** Asks the memory; the answer first, then what it rests on. Without a question a prompt, or each line of a pipe. */
export async function run(options: AskCommandOptions, terminal: Terminal, question?: string): Promise<void> {
  const isMany = question === undefined && options.expression === undefined;
  if (isMany) {
    const { askMany } = await import("../ask-many.ts");
    return askMany(options, terminal, (work) => conversing(options, terminal, work));
  }
  const answer = await withModels(options, "ask", terminal, (models) =>
    answerOf(options, terminal, question, models),
  );
  if (answer.trace.models["failed"] !== undefined)
    terminal.note(`the language model failed, rules answered instead: ${failureIn(answer)}`);
  terminal.result(answer, () => wholeAnswer(answer, options.explain === true).join("\n"));
}

async function answerOf(
  options: AskCommandOptions,
  terminal: Terminal,
  question: string | undefined,
  models: OpenedModels,
): Promise<AnswerRecord> {
  const images = await picturesOf(options);
  const [inView] = await readPictures(options.live === undefined ? [] : [options.live]);
  if (options.at !== undefined && images.length === 0 && inView === undefined)
    throw new LociError("invalid-input", "--at says where in a picture; give one with --image or --live");
  const expression = await expressionOf(options);
  const request = { ...requestOf(options, models), ...(expression && { expression: expression.expression }) };
  const asked = question ?? expression?.text ?? "";
  const call = { signal: terminal.signal };
  if (images.length > 0 && models.get("reasoner") !== undefined && !memoryExists(options.memory)) {
    terminal.note(`there is no memory at ${options.memory}: answered from the pictures alone`);
    return askAboutPictures(images, asked, request, call);
  }
  return withMemory(options, { create: false }, (memory) => {
    const view = readerOptions(options);
    const seen = Object.keys(view).length > 0 ? memory.as(view) : memory;
    const pictures = {
      ...(images.length > 0 && { images }),
      ...(options.at !== undefined && { at: options.at }),
      ...(inView && { inView }),
    };
    return askMemory(seen, asked, { ...request, ...pictures }, call);
  });
}

function requestOf(options: AskCommandOptions, models: OpenedModels) {
  return {
    models,
    // A missing model is an error to report; if a model returns nonsense, the rules answer.
    onFailure: options.orRules ? ("rules" as const) : ("throw-unavailable" as const),
    // The standing pose needs the whole map, so it is computed only for JSON output, which robots read, or on request.
    navigate: options.json === true || options.goal === true,
    ...(options.now !== undefined && { now: options.now }),
    ...(options.options && { options: options.options }),
    ...(options.agent !== undefined && { agentId: options.agent }),
    ...(options.scene !== undefined && { sceneId: options.scene }),
    ...(options.frame !== undefined && { frame: options.frame }),
    ...systemOf(options),
    ...(options.risk !== undefined && { risk: options.risk }),
    ...(options.from && { pose: options.from }),
  };
}

/** The requested system; the memory reports an unknown name. */
function systemOf({ system, strategy, mode }: AskCommandOptions): Pick<AskRequest, "system" | "settings"> {
  const name = system ?? strategy;
  return {
    ...(name !== undefined && { system: name as NonNullable<AskRequest["system"]> }),
    ...(mode !== undefined && { settings: { mode } }),
  };
}

/** Opens what a conversation needs, and closes it after the work. */
async function conversing(
  options: AskCommandOptions,
  terminal: Terminal,
  work: (open: () => Conversation) => Promise<void>,
): Promise<void> {
  const { Conversation } = await import("../../../compose.ts");
  await withModels(options, "ask", terminal, (models) =>
    withMemory(options, { create: false }, (memory) => {
      const view = readerOptions(options);
      const seen = Object.keys(view).length > 0 ? memory.as(view) : memory;
      return work(() => new Conversation(seen, requestOf(options, models)));
    }),
  );
}

/** An expression in the notation that --explain prints, or a file of JSON. */
async function expressionOf({ expression: given }: AskCommandOptions) {
  if (given === undefined) return undefined;
  const { readExpression } = await import("../../../compose.ts");
  return { expression: await readExpression(given), text: given.slice(0, 400) };
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
