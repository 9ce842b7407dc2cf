import { type Need, parseQuestion } from "../../reasoning/index.ts";
import { bootstrap, type Estimate, meanOf } from "../statistics.ts";

/** What a question asks for, by the hand of somebody who read it. */
export interface ParserLabel {
  /** The start of the question's id. */
  readonly id: string;
  /** Answer types that are right. */
  readonly answers: readonly string[];
  /** Heads that are right as what it is about. */
  readonly targets: readonly string[];
}

export interface ParserQuestion {
  readonly id: string;
  readonly text: string;
}

/** How well questions are understood, before anything is remembered. Shares, with 95 % intervals. */
export interface ParserScore {
  readonly labelled: number;
  readonly answer: Estimate;
  readonly target: Estimate;
  /** Answer type and target, both right. */
  readonly both: Estimate;
  /** Labelled questions that no rule reads. */
  readonly fallback: Estimate;
  /** Every question of the file, labelled or not. */
  readonly all: { readonly questions: number; readonly fallback: Estimate };
  readonly wrong: readonly { readonly id: string; readonly answer: string; readonly targets: string[] }[];
  /** Labels without a question: another version of the file. */
  readonly missing: readonly string[];
}

/** Times in these questions are never absolute: any moment will do. */
const NOW_US = Date.UTC(2026, 0, 1) * 1000;

/**
 * Scores the parser against labels. A question of several parts is right if one of them is; a target is right if
 * its head is one of those accepted, or ends in one ("toilet paper roll" for "roll"), or if the doing that an
 * implicit need names is.
 */
export function scoreParser(
  questions: readonly ParserQuestion[],
  labels: readonly ParserLabel[],
): ParserScore {
  const parsed = questions.map(({ id, text }) => ({ id, needs: parseQuestion(text, { nowUs: NOW_US }) }));
  const found = labels.map((label) => ({
    label,
    needs: parsed.find(({ id }) => id.startsWith(label.id))?.needs,
  }));
  const rows = found.flatMap(({ label, needs }) => (needs ? [rowOf(label, needs)] : []));
  const share = (one: (row: Row) => boolean) =>
    bootstrap(rows, (some) => meanOf(some.map((row) => Number(one(row)))));
  return {
    labelled: rows.length,
    answer: share(({ answerRight }) => answerRight),
    target: share(({ targetRight }) => targetRight),
    both: share(({ answerRight, targetRight }) => answerRight && targetRight),
    fallback: share(({ fallback }) => fallback),
    all: {
      questions: parsed.length,
      fallback: bootstrap(parsed, (some) => meanOf(some.map(({ needs }) => Number(isFallback(needs))))),
    },
    wrong: rows.flatMap(({ id, answer, targets, answerRight, targetRight }) =>
      answerRight && targetRight ? [] : [{ id, answer, targets }],
    ),
    missing: found.flatMap(({ label, needs }) => (needs ? [] : [label.id])),
  };
}

interface Row {
  readonly id: string;
  readonly answer: string;
  readonly targets: string[];
  readonly answerRight: boolean;
  readonly targetRight: boolean;
  readonly fallback: boolean;
}

function rowOf({ id, answers, targets: right }: ParserLabel, needs: readonly Need[]): Row {
  const targets = needs.flatMap(({ subgoals, verb }) => [
    ...subgoals.map(({ target }) => target.head),
    ...(verb === undefined ? [] : [verb]),
  ]);
  return {
    id,
    answer: needs[0]!.answer,
    targets,
    answerRight: needs.some(({ answer }) => answers.includes(answer)),
    targetRight: targets.some((target) => right.some((accepted) => isSame(target, accepted))),
    fallback: isFallback(needs),
  };
}

/** A phrase of several words that is accepted may be followed by more ("dry shoes" and "dry shoes after rain"). */
function isSame(target: string, accepted: string): boolean {
  return (
    target === accepted ||
    target.endsWith(` ${accepted}`) ||
    (accepted.includes(" ") && target.startsWith(accepted))
  );
}

function isFallback([first]: readonly Need[]): boolean {
  return first?.fallback !== undefined;
}
