import { kindOf, type Reading, read } from "../../reasoning/index.ts";
import { type Expression, isLociError } from "../../schema/index.ts";
import { bootstrap, type Estimate, meanOf } from "../statistics.ts";

/** What a question asks for, labelled by a person. */
export interface ParserLabel {
  /** The start of the question's id. */
  readonly id: string;
  /** Answer types that are right. */
  readonly answers: readonly string[];
  /** Accepted target heads. */
  readonly targets: readonly string[];
}

export interface ParserQuestion {
  readonly id: string;
  readonly text: string;
}

/** How well questions are understood, independent of a memory. Shares, with 95 % intervals. */
export interface ParserScore {
  readonly labelled: number;
  readonly answer: Estimate;
  readonly target: Estimate;
  /** Answer type and target, both right. */
  readonly both: Estimate;
  /** Labelled questions that are not parsed, only searched for by their words. */
  readonly fallback: Estimate;
  /** Every question of the file, labelled or not. */
  readonly all: { readonly questions: number; readonly fallback: Estimate };
  readonly wrong: readonly { readonly id: string; readonly answer: string; readonly targets: string[] }[];
  /** Labels without a question: another version of the file. */
  readonly missing: readonly string[];
}

/** Times in these questions are never absolute, so any moment will do. */
const NOW_US = Date.UTC(2026, 0, 1) * 1000;

/**
 * Scores the likeliest reading of each question against labels. A question of several parts is right if one of them
 * is; a target is right if it is one of those accepted, or ends in one ("toilet paper roll" for "roll").
 */
export async function scoreParser(
  questions: readonly ParserQuestion[],
  labels: readonly ParserLabel[],
): Promise<ParserScore> {
  const parsed: { readonly id: string; readonly parts: Reading["parts"] }[] = [];
  for (const { id, text } of questions) {
    const [best] = await read(text, { nowUs: NOW_US, names: async () => [] });
    parsed.push({ id, parts: best?.parts ?? [] });
  }
  const found = labels.map((label) => ({
    label,
    parts: parsed.find(({ id }) => id.startsWith(label.id))?.parts,
  }));
  const rows = found.flatMap(({ label, parts }) => (parts ? [rowOf(label, parts)] : []));
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
      fallback: bootstrap(parsed, (some) => meanOf(some.map(({ parts }) => Number(isFallback(parts))))),
    },
    wrong: rows.flatMap(({ id, answer, targets, answerRight, targetRight }) =>
      answerRight && targetRight ? [] : [{ id, answer, targets }],
    ),
    missing: found.flatMap(({ label, parts }) => (parts ? [] : [label.id])),
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

function rowOf({ id, answers: accepted, targets: right }: ParserLabel, parts: readonly Expression[]): Row {
  const answers = parts.map(answerTypeOf);
  const targets = parts.flatMap((part) => targetOf(part) ?? []);
  return {
    id,
    answer: answers[0] ?? "none",
    targets,
    answerRight: answers.some((answer) => accepted.includes(answer)),
    targetRight: targets.some((target) => right.some((one) => isSame(target, one))),
    fallback: isFallback(parts),
  };
}

/** Operators around a question that do not change its answer type. */
const AROUND: ReadonlySet<string> = new Set(["at", "from", "usual", "likely"]);

/** The answer type of an expression, by its root operator and its kind. */
function answerTypeOf(expression: Expression): string {
  const { op, of } = expression;
  if (AROUND.has(op) && of[0]) return answerTypeOf(of[0]);
  if (op === "place" || op === "room" || op === "route" || op === "direction") return "position";
  if (op === "count") return "count";
  switch (kindIn(expression)) {
    case undefined:
      return "none";
    case "truth":
      return "binary";
    case "times":
      return "time";
    case "number":
      return op === "duration" ? "duration" : "quantity";
    default:
      return "text";
  }
}

/** Undefined for an invalid expression: a wrong reading, not the end of the run. */
function kindIn(expression: Expression) {
  try {
    return kindOf(expression);
  } catch (error) {
    if (isLociError(error)) return undefined;
    throw error;
  }
}

/** The first subject of an expression: a category, a name, or a purpose. */
function targetOf({ op, of, with: { category, name, purpose } }: Expression): string | undefined {
  if (op === "things") return String(category ?? name ?? "object");
  if (op === "rooms") return String(name ?? "room");
  if (op === "serves" && purpose !== undefined) return String(purpose);
  for (const one of of) {
    const found = targetOf(one);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A phrase of several words that is accepted may be followed by more ("dry shoes" and "dry shoes after rain"). */
function isSame(target: string, accepted: string): boolean {
  return (
    target === accepted ||
    target.endsWith(` ${accepted}`) ||
    (accepted.includes(" ") && target.startsWith(accepted))
  );
}

function isFallback([first]: readonly Expression[]): boolean {
  return first === undefined || first.op === "recall";
}
