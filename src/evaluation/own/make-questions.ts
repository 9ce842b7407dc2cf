import type { Memory } from "../../compose/memory.ts";
import { Random } from "../../geometry/index.ts";
import type { MemoryReader } from "../../memory/index.ts";
import type { LanguageModel } from "../../models/index.ts";
import { contentId, LociError, type QuestionRecord, type QuestionType } from "../../schema/index.ts";
import { makeQuestion } from "../datasets/dataset.ts";
import { questionByModel } from "./by-model.ts";
import { type Draft, LABELS, type Label, questionsByRules } from "./by-rules.ts";
import { knownThings } from "./known-things.ts";
import { merged, type Proposal, readProposals, writeProposals } from "./proposals.ts";
import { spacedViews } from "./spaced-views.ts";

export interface MakeQuestionsOptions {
  readonly count: number;
  /** File of proposals: existing ones, with their verdicts, are kept. */
  readonly out: string;
  readonly seed?: string | undefined;
  /** Writes the questions instead of the rules; it must be a vision model. */
  readonly model?: LanguageModel | undefined;
  /** A person's verdict on one question; undefined ends the review. Without it the file waits for editing. */
  readonly decide?:
    | ((proposal: Proposal, nth: number, of: number) => Promise<boolean | null | undefined>)
    | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((line: string) => void) | undefined;
}

export interface MadeQuestions {
  readonly out: string;
  readonly views: number;
  readonly made: number;
  readonly accepted: number;
  readonly rejected: number;
  readonly waiting: number;
  readonly byLabel: Readonly<Record<string, number>>;
}

const MAX_COUNT = 2_000;
const TRIES_EACH = 3;
const TYPES: Readonly<Record<Label, QuestionType>> = {
  attribute: "attribute",
  comparison: "comparison",
  counting: "counting",
  relationship: "relationship",
};

/** MemoryEQA's recipe on a user's memory: spaced views, questions, a filter, a person's verdict. */
export async function makeOwnQuestions(
  memory: Memory,
  options: MakeQuestionsOptions,
): Promise<MadeQuestions> {
  const { count, out, seed = "own", model, decide } = options;
  if (!Number.isInteger(count) || count < 1 || count > MAX_COUNT)
    throw new LociError("invalid-input", `--count: 1 to ${MAX_COUNT} questions expected, got ${count}`);
  const reader = await memory.reader();
  const { lastUs } = await reader.stats();
  const views = await spacedViews(reader);
  if (lastUs === null || views.length === 0)
    throw new LociError(
      "invalid-input",
      "questions are made from views, and this memory kept none; ingest a recording with pictures",
    );
  const drafts = model
    ? await byModel(model, reader, views, options)
    : questionsByRules(await knownThings(reader, views, lastUs), seed);
  const chosen = evenlyByLabel(drafts, count);
  const fresh = chosen.map((draft) => ({ question: questionOf(draft, lastUs, seed), accept: null }));
  let proposals = merged(await readProposals(out), fresh);
  await writeProposals(out, proposals);
  if (decide) proposals = await decided(proposals, out, decide);
  return {
    out,
    views: views.length,
    made: fresh.length,
    accepted: proposals.filter(({ accept }) => accept === true).length,
    rejected: proposals.filter(({ accept }) => accept === false).length,
    waiting: proposals.filter(({ accept }) => accept === null).length,
    byLabel: Object.fromEntries(
      LABELS.map((label) => [label, chosen.filter((draft) => draft.label === label).length]),
    ),
  };
}

async function byModel(
  model: LanguageModel,
  reader: MemoryReader,
  views: Awaited<ReturnType<typeof spacedViews>>,
  { count, signal, onProgress }: MakeQuestionsOptions,
): Promise<Draft[]> {
  const drafts: Draft[] = [];
  for (let n = 0; drafts.length < count && n < TRIES_EACH * count; n++) {
    const draft = await questionByModel(model, reader, views, LABELS[n % LABELS.length]!, {
      signal,
      sample: n,
    });
    if (draft && !drafts.some(({ text }) => text === draft.text)) drafts.push(draft);
    onProgress?.(`${drafts.length} of ${count} questions, ${n + 1} asked for`);
  }
  return drafts;
}

/** One of each label in turn, while there are any. */
function evenlyByLabel(drafts: readonly Draft[], count: number): Draft[] {
  const distinct = [...new Map(drafts.map((draft) => [draft.text, draft])).values()];
  const byLabel = LABELS.map((label) => distinct.filter((draft) => draft.label === label));
  const longest = Math.max(...byLabel.map((own) => own.length));
  const turns = Array.from({ length: longest }, (_, n) => byLabel.flatMap((own) => own[n] ?? []));
  return turns.flat().slice(0, count);
}

function questionOf(draft: Draft, askedAtUs: number, seed: string): QuestionRecord {
  const random = new Random(`${seed}/${draft.text}`);
  const options = random.shuffle([draft.right, ...draft.wrong]);
  return makeQuestion({
    id: contentId("question", `own/${draft.text}`),
    family: "own",
    suite: "own",
    type: TYPES[draft.label],
    subtype: draft.label,
    text: draft.text,
    options,
    answer: {
      type: "choice",
      text: draft.right,
      letter: String.fromCharCode(65 + options.indexOf(draft.right)),
    },
    targets: [...draft.targets],
    askedAtUs,
  });
}

/** Verdicts are written at once, so that an interrupted review can be resumed. */
async function decided(
  proposals: readonly Proposal[],
  out: string,
  decide: NonNullable<MakeQuestionsOptions["decide"]>,
): Promise<Proposal[]> {
  const all = [...proposals];
  const open = all.filter(({ accept }) => accept === null).length;
  let nth = 0;
  for (const [n, proposal] of all.entries()) {
    if (proposal.accept !== null) continue;
    const accept = await decide(proposal, ++nth, open);
    if (accept === undefined) break;
    all[n] = { ...proposal, accept };
    await writeProposals(out, all);
  }
  return all;
}
