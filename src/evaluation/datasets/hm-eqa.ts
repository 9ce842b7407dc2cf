import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { LociError, type QuestionRecord, type QuestionType } from "../../schema/index.ts";
import { csvRows } from "./csv.ts";
import { AFTER_ALL_US, type Dataset, makeQuestion } from "./dataset.ts";
import { type AskedIn, scenesThatAreThere } from "./scene-files.ts";
import { fetchLine } from "./sources.ts";

/** explore-eqa's 500 questions: `questions.csv` of its data folder. */
export function loadHmEqa(folder: string): Dataset {
  return load("hm-eqa", folder, ["questions.csv"]);
}

/** MemoryEQA's 1,587 questions about several things of several rooms, in the same columns. */
export function loadMtHm3d(folder: string): Dataset {
  return load("mt-hm3d", folder, ["MT-HM3D.csv", "mt-hm3d.csv", "questions.csv"]);
}

function load(name: string, folder: string, files: readonly string[]): Dataset {
  const file = files.map((one) => join(folder, one)).find((path) => existsSync(path));
  if (file === undefined)
    throw new LociError(
      "invalid-input",
      `${name}: expected ${files[0]} in ${folder}, which does not have it${fetchLine(name)}`,
    );
  const asked = csvRows(readFileSync(file, "utf8")).map((row, n) => rowOf(name, row, n));
  if (asked.length === 0) throw new LociError("invalid-input", `${name}: ${file} has no questions`);
  return {
    name,
    ...scenesThatAreThere(name, folder, asked),
    notes: [
      'Options that read "(Do not choose this option)" fill questions with fewer than four: chance is above a quarter there.',
      "Multiple choice, asked of a memory of the scene after its tour (episodic), not gone after: success is comparable with the papers' only as an upper bound of exploring.",
    ],
  };
}

function rowOf(name: string, row: Record<string, string>, n: number): AskedIn {
  const { scene = "", floor, question = "", choices = "", answer = "", label = "" } = row;
  const options = optionsIn(choices);
  const letter = answer.trim().toUpperCase().slice(0, 1);
  if (scene === "" || question === "" || options.length < 2 || !/^[A-Z]$/.test(letter))
    throw new LociError(
      "invalid-input",
      `${name}: row ${n + 2}: expected scene, question, choices (a list) and answer (a letter)`,
    );
  const text = options[letter.charCodeAt(0) - 65] ?? "";
  return {
    scene: floor === undefined || floor === "" ? scene : `${scene}_${floor}`,
    question: questionOf(name, n, question, options, { type: "choice", text: text || letter, letter }, label),
  };
}

function questionOf(
  name: string,
  n: number,
  text: string,
  options: string[],
  answer: { type: "choice"; text: string; letter: string },
  label: string,
): QuestionRecord {
  return makeQuestion({
    id: `${name}-${n}`,
    family: name,
    suite: name,
    type: typeOf(label),
    subtype: label || "unlabelled",
    text: text.trim(),
    options,
    answer,
    askedAtUs: AFTER_ALL_US,
  });
}

/** A Python list as it was printed, or lines. */
function optionsIn(text: string): string[] {
  const quoted = [...text.matchAll(/'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"/g)].map(
    (match) => match[1] ?? match[2] ?? "",
  );
  const all = quoted.length > 0 ? quoted : text.split(/[\n;]/);
  return all.map((option) => option.replace(/^[A-Z][).:]\s*/, "").trim()).filter((option) => option !== "");
}

const TYPES: Readonly<Record<string, QuestionType>> = {
  comparison: "comparison",
  relationship: "relationship",
  counting: "counting",
  count: "counting",
  attribute: "attribute",
  identification: "recognition",
  existence: "existence",
  location: "localisation",
  state: "state",
};

function typeOf(label: string): QuestionType {
  return TYPES[label.trim().toLowerCase()] ?? "recognition";
}
