import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { LociError, type QuestionInput, type QuestionRecord, questionSchema } from "../../schema/index.ts";
import { AFTER_ALL_US, type Dataset, makeQuestion, truthInWords } from "./dataset.ts";
import type { AskedIn } from "./scene-files.ts";

const FILE = "questions.jsonl";
const MAX_BYTES = 64 * 1024 ** 2;

/** The minimum: a question and its answer; with options, the answer is one of them or its letter. */
const plainSchema = z.object({
  id: z.string().min(1).max(60).optional(),
  question: z.string().min(1),
  answer: z.union([z.string().min(1), z.number(), z.boolean()]),
  options: z.array(z.string().min(1)).min(2).max(26).optional(),
  category: z.string().min(1).max(60).optional(),
  /** A recording or memory in the folder, if it holds several. */
  scene: z.string().min(1).max(200).optional(),
});

/**
 * A user's own folder and questions: `questions.jsonl` beside a recording (the folder itself, or a part of it named
 * by `scene`), or beside a memory in `memory/`. Lines are ours, as `make-questions` writes them, or
 * {"question","answer"}.
 */
export function loadMine(folder: string): Dataset {
  const path = join(folder, FILE);
  if (!existsSync(path))
    throw new LociError(
      "invalid-input",
      `mine: expected ${FILE} in ${folder}: a line {"question":"…","answer":"…"} each, beside a recording or a memory/`,
    );
  if (statSync(path).size > MAX_BYTES)
    throw new LociError("limit-exceeded", `mine: ${path} has more than ${MAX_BYTES} bytes`);
  const lines = readFileSync(path, "utf8").split("\n");
  const asked = lines.flatMap((line, n) => (line.trim() === "" ? [] : [lineOf(line, n + 1)]));
  const scenes = [...Map.groupBy(asked, ({ scene }) => scene)].map(([scene, group]) => ({
    id: scene === "" ? "mine" : scene.replaceAll(/[^A-Za-z0-9_.-]/g, "-"),
    questions: group.map(({ question }) => question),
    records: [],
    sightings: [],
    ...placeOf(folder, scene),
  }));
  const rejected = asked.filter(({ accept }) => accept === false);
  const waiting = asked.filter(({ accept }) => accept === null);
  return {
    name: "mine",
    scenes,
    excluded: [
      ...rejected.map(({ question }) => ({ questionId: question.id, reason: "a person rejected them" })),
      ...waiting.map(({ question }) => ({ questionId: question.id, reason: "nobody has accepted them yet" })),
    ],
    notes: [
      "Your own questions about your own recording; answers that a memory proposed are true as far as you accepted them.",
    ],
  };
}

function placeOf(folder: string, scene: string): { memory: string } | { recording: string } {
  const place = join(folder, scene);
  if (!existsSync(place)) throw new LociError("invalid-input", `mine: there is no ${scene} in ${folder}`);
  const memory = join(place, "memory");
  return existsSync(memory) ? { memory } : { recording: place };
}

function lineOf(line: string, number: number): AskedIn & { readonly accept?: boolean | null } {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (cause) {
    throw new LociError("invalid-input", `mine: ${FILE}, line ${number}: expected JSON`, { cause });
  }
  const whole = questionSchema.safeParse(value);
  const { accept } = (value ?? {}) as { readonly accept?: unknown };
  const said =
    accept === undefined ? {} : { accept: accept === true ? true : accept === false ? false : null };
  if (whole.success) return { scene: "", question: whole.data, ...said };
  const plain = plainSchema.safeParse(value);
  if (!plain.success)
    throw new LociError(
      "invalid-input",
      `mine: ${FILE}, line ${number}: expected {"question":"…","answer":"…","options"?}, got something else at ${plain.error.issues[0]?.path.join(".") || "its top"}`,
    );
  return { scene: plain.data.scene ?? "", question: questionOf(plain.data, number), ...said };
}

function questionOf(plain: z.infer<typeof plainSchema>, number: number): QuestionRecord {
  return makeQuestion({
    id: plain.id ?? `mine-${number}`,
    family: "mine",
    suite: "mine",
    type: "recognition",
    subtype: plain.category ?? "unlabelled",
    text: plain.question.trim(),
    ...(plain.options && { options: plain.options }),
    answer: truthOf(plain, number),
    askedAtUs: AFTER_ALL_US,
  });
}

function truthOf(
  { question, answer, options }: z.infer<typeof plainSchema>,
  number: number,
): QuestionInput["answer"] {
  const text = String(answer);
  if (options) {
    const at = options.findIndex((option) => option.trim().toLowerCase() === text.trim().toLowerCase());
    const letter = at >= 0 ? String.fromCharCode(65 + at) : text.trim().toUpperCase();
    const chosen = options[letter.charCodeAt(0) - 65];
    if (letter.length !== 1 || chosen === undefined)
      throw new LociError("invalid-input", `mine: line ${number}: the answer is none of its options`);
    return { type: "choice", text: chosen, letter };
  }
  if (typeof answer === "boolean") return { type: "binary", text: answer ? "yes" : "no", value: answer };
  if (typeof answer === "number" && Number.isInteger(answer) && /how many/i.test(question))
    return { type: "count", text, count: answer };
  return truthInWords(text);
}
