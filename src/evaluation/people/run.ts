import { join } from "node:path";
import type { AnswerRecord } from "../../schema/index.ts";
import { LociError, throwIfAborted } from "../../schema/index.ts";
import { inParallel } from "../in-parallel.ts";
import { type HouseSpec, readHouses } from "./houses.ts";
import { explainMarking, markAnswer } from "./mark.ts";
import { type PeopleQuestion, readPeopleQuestions } from "./questions.ts";
import type { PeopleRow } from "./report.ts";

/** A house with the questions about it. */
export interface AskedHouse {
  readonly house: HouseSpec;
  readonly questions: readonly PeopleQuestion[];
}

export interface PeopleSelection {
  readonly houses?: readonly number[] | undefined;
  readonly kinds?: readonly string[] | undefined;
  /** Only this many per house, spread over its file, because writers group questions by kind. */
  readonly count?: number | undefined;
}

/** The houses of a folder and their questions; any faulty line is an error, because the figures would omit it. */
export async function readPeopleData(folder: string, selection: PeopleSelection = {}): Promise<AskedHouse[]> {
  const houses = await readHouses(folder);
  const unknown = selection.houses?.find((seed) => !houses.some((house) => house.seed === seed));
  if (unknown !== undefined)
    throw new LociError("invalid-input", `expected houses of ${folder}, got ${unknown}`);
  const chosen = houses.filter(({ seed }) => selection.houses?.includes(seed) ?? true);
  return Promise.all(
    chosen.map(async (house) => {
      const path = join(folder, `${house.seed}.jsonl`);
      const { questions, faults } = await readPeopleQuestions(path);
      const [fault] = faults;
      if (fault) throw new LociError("invalid-input", `${path} line ${fault.line}: ${fault.reason}`);
      const wanted = questions.filter(({ kind }) => selection.kinds?.includes(kind) ?? true);
      return { house, questions: spread(wanted, selection.count ?? wanted.length) };
    }),
  );
}

function spread<Item>(items: readonly Item[], count: number): Item[] {
  return items.filter(
    (_, n) => Math.floor((n * count) / items.length) !== Math.floor(((n - 1) * count) / items.length),
  );
}

/**
 * Asks every question of a house with this concurrency, and marks the answers in order; a failure is a wrong answer.
 */
export async function askHouse(
  { house, questions }: AskedHouse,
  ask: (question: string) => Promise<AnswerRecord>,
  signal?: AbortSignal | undefined,
  atOnce = 1,
): Promise<PeopleRow[]> {
  const rows = new Array<PeopleRow>(questions.length);
  await inParallel([...questions.entries()], atOnce, async ([n, { id, kind, voice, question, expect }]) => {
    throwIfAborted(signal);
    const asked = { house: house.seed, id, kind, voice, question, expect };
    rows[n] = await ask(question).then(
      (answer) => markedRow(asked, answer),
      (error) => failedRow(asked, error, signal),
    );
  });
  return rows;
}

type Asked = Pick<PeopleRow, "house" | "id" | "kind" | "voice" | "question" | "expect">;

function markedRow(asked: Asked, answer: AnswerRecord): PeopleRow {
  const { status, text, confidence } = answer;
  const mark = markAnswer(asked.expect, answer);
  // Training data for bench/fit-confidence.ts.
  const { features } = (answer.trace.plan ?? {}) as { readonly features?: unknown };
  const right = mark.verdict === "right" || mark.verdict === "rightly-refused";
  return {
    ...asked,
    status,
    text,
    fields: fieldsOf(answer),
    confidence,
    ...mark,
    ...(features !== undefined && { features, right }),
  };
}

function failedRow(asked: Asked, error: unknown, signal?: AbortSignal): PeopleRow {
  throwIfAborted(signal);
  const why = error instanceof Error ? error.message : String(error);
  return { ...asked, status: "failed", text: "", fields: {}, confidence: 0, verdict: "wrong", why };
}

function fieldsOf({ type, binary, count, quantity, durationS, time, set, position }: AnswerRecord) {
  const filled = { type, binary, count, quantity, durationS, time, set, region: position?.region };
  return Object.fromEntries(Object.entries(filled).filter(([, value]) => value !== undefined));
}

/** The output of `--check`: each question with its marking, and each invalid line. */
export async function checkQuestionFile(path: string) {
  const { questions, faults } = await readPeopleQuestions(path);
  const checked = questions.map(({ id, kind, voice, question, expect }) => ({
    id,
    kind,
    voice,
    question,
    marking: explainMarking(expect),
  }));
  return { path, questions: checked, faults };
}
