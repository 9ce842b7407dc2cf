import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { LociError, parseOrThrow } from "../../schema/index.ts";

/** Two texts with how alike people find them. */
export interface ScoredPair {
  readonly score: number;
  readonly a: string;
  readonly b: string;
}

/** Texts whose partner is to be found among all partners. */
export type Partners = readonly (readonly [string, string])[];

/** One recorded drive: its captions, and questions with the captions that hold their answers. */
export interface Drive {
  readonly captions: readonly string[];
  readonly questions: readonly { readonly text: string; readonly gold: readonly number[] }[];
}

const LINES = 1_000_000;

/** `score ⇥ a ⇥ b` a line, as STS-B and SICK are kept. */
export function readScoredPairs(path: string): ScoredPair[] {
  const rows = read(path)
    .split("\n")
    .filter((line) => line !== "");
  if (rows.length > LINES) throw new LociError("limit-exceeded", `${path}: at most ${LINES} lines`);
  return rows.map((row, i) => {
    const [score, a, b] = row.split("\t");
    if (a === undefined || b === undefined || !Number.isFinite(Number(score))) {
      throw new LociError("invalid-input", `${path}:${i + 1}: expected score, tab, text, tab, text`);
    }
    return { score: Number(score), a, b };
  });
}

const partners = z.array(z.tuple([z.string(), z.string()])).min(2);
const householdSchema = z.object({ synonyms: partners, questionToFact: partners });

export function readHousehold(path: string): z.infer<typeof householdSchema> {
  return parseOrThrow(householdSchema, JSON.parse(read(path)), path);
}

const navqaSchema = z.object({ data: z.array(z.object({ question: z.string(), context: z.string() })) });
const SAW = "The robot saw the following:";

/** NaVQA in RAVEN's layout: the captions are those of the gold segments, quoted in the questions' contexts. */
export function readDrives(folder: string): Drive[] {
  const names = readdirSync(folder).sort();
  return names.map((name) => {
    const path = join(folder, name, "questions.json");
    const { data } = parseOrThrow(navqaSchema, JSON.parse(read(path)), path);
    const captions = new Map<string, number>();
    const questions = data.map(({ question, context }) => ({
      text: question.split("\n").at(-1)!.trim(),
      gold: context
        .split("At time=")
        .slice(1)
        .flatMap((part) => {
          const caption = part.split(SAW)[1]?.trim();
          if (caption === undefined) return [];
          if (!captions.has(caption)) captions.set(caption, captions.size);
          return [captions.get(caption)!];
        }),
    }));
    return { captions: [...captions.keys()], questions: questions.filter(({ gold }) => gold.length > 0) };
  });
}

/** The lines of a caption, without list marks and headings' stars. */
export function captionLines(caption: string): string[] {
  return caption
    .split("\n")
    .map((line) => line.replace(/[*#]/g, "").replace(/^[\s\d.-]+|[\s.-]+$/g, ""))
    .filter((line) => line.split(/\s+/).length >= 2);
}

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new LociError("invalid-input", `${path} cannot be read`, { cause: error });
  }
}
