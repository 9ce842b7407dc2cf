import { existsSync } from "node:fs";
import { join } from "node:path";
import { contentId, LociError, type QuestionInput } from "../../schema/index.ts";
import { type Dataset, type DatasetScene, makeQuestion, SOME_TIME_US, truthInWords } from "./dataset.ts";
import { fetchLine } from "./sources.ts";
import { type Example, tfRecords } from "./tfrecord.ts";

const FILE = "erqa.tfrecord";
const MOST = 100_000;

/** ERQA (Gemini Robotics): 400 questions with one or several pictures and four options, as released. */
export function loadErqa(folder: string): Dataset {
  const path = join(folder, FILE);
  if (!existsSync(path))
    throw new LociError(
      "invalid-input",
      `erqa: expected ${FILE} in ${folder}, which does not have it${fetchLine("erqa")}`,
    );
  const scenes: DatasetScene[] = [];
  for (const example of tfRecords(path)) {
    if (scenes.length === MOST) throw new LociError("limit-exceeded", `erqa: at most ${MOST} questions`);
    scenes.push(sceneOf(path, example, scenes.length));
  }
  if (scenes.length === 0) throw new LociError("invalid-input", `erqa: ${path} has no questions`);
  return {
    name: "erqa",
    scenes,
    excluded: [],
    notes: ["Each question is asked of its own pictures alone, taken in as views without a pose, in order."],
  };
}

function sceneOf(path: string, example: Example, n: number): DatasetScene {
  const text = (name: string) => {
    const [first] = example.bytes.get(name) ?? [];
    return first ? new TextDecoder().decode(first.bytes).trim() : "";
  };
  const [asked, answer] = [text("question"), text("answer")];
  if (asked === "" || answer === "")
    throw new LociError("invalid-input", `erqa: question ${n} of ${path} has no text or no answer`);
  const { question, options } = optionsIn(asked);
  const at = /^\(?([A-Z])\b/.exec(answer)?.[1];
  const isLetter = at !== undefined && at.charCodeAt(0) - 65 < options.length;
  const truth: QuestionInput["answer"] = isLetter
    ? { type: "choice", text: options[at.charCodeAt(0) - 65]!, letter: at }
    : truthInWords(answer);
  return {
    id: contentId("scene", "erqa", n),
    questions: [
      makeQuestion({
        id: contentId("question", "erqa", n),
        family: "erqa",
        suite: "erqa",
        type: "multimodal",
        subtype: text("question_type") || "other",
        text: question,
        ...(isLetter && { options }),
        answer: truth,
        askedAtUs: SOME_TIME_US + 86_400_000_000,
      }),
    ],
    records: [],
    sightings: [],
    pictures: (example.bytes.get("image/encoded") ?? []).map(({ fromByte, bytes }) => ({
      file: path,
      fromByte,
      bytes: bytes.length,
    })),
  };
}

/**
 * "… Choices: A. left B. right C. up D. down. Please answer directly with only the letter …": splits off the options.
 */
function optionsIn(asked: string): { question: string; options: string[] } {
  const body = asked.replace(/\s*Please answer[^.]*\.?\s*$/i, "");
  const marks = [...body.matchAll(/(?:^|\s)\(?([A-Z])[.):]\s+/g)];
  const first = marks.findIndex(({ 1: letter }, n) => letter === "A" && marks[n + 1]?.[1] === "B");
  if (first < 0) return { question: asked, options: [] };
  const own = marks.slice(first).filter(({ 1: letter }, n) => letter === String.fromCharCode(65 + n));
  const options = own.map((mark, n) =>
    body
      .slice(mark.index + mark[0].length, own[n + 1]?.index)
      .trim()
      .replace(/[.;]$/, ""),
  );
  const question = body
    .slice(0, own[0]!.index)
    .replace(/\s*(?:Choices|Options)\s*:\s*$/i, "")
    .trim();
  return question === "" || options.some((option) => option === "")
    ? { question: asked, options: [] }
    : { question, options };
}
