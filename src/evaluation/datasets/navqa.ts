import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { Vec3 } from "../../geometry/index.ts";
import {
  contentId,
  LociError,
  type QuestionInput,
  type QuestionRecord,
  type QuestionType,
  type RecordInput,
} from "../../schema/index.ts";
import { captionLines } from "../encoder/probes.ts";
import { type Dataset, type DatasetScene, makeQuestion, readJson, truthInWords } from "./dataset.ts";
import { fetchLine } from "./sources.ts";

const point = z.tuple([z.number(), z.number(), z.number()]);
const segmentSchema = z.object({
  id: z.string(),
  position: point,
  time: z.number(),
  start_time: z.number(),
  end_time: z.number(),
  caption: z.string().optional(),
});
const questionSchema = z.object({
  id: z.string().min(1),
  length_category: z.enum(["SHORT", "MEDIUM", "LONG"]),
  start_time: z.number(),
  end_time: z.number(),
  question: z.string().min(1),
  type: z.enum(["position", "binary", "text", "time", "duration"]),
  context: z.string(),
  answers: z.object({
    text: z.array(z.string()).optional(),
    position: point.optional(),
    /** Minutes ago. */
    time: z.number().optional(),
    /** Minutes. */
    duration: z.number().optional(),
  }),
});
type Segment = z.infer<typeof segmentSchema>;
type Question = z.infer<typeof questionSchema>;

/** A caption of a segment with an answer, quoted in the context of a question. */
interface Gold {
  readonly segment: Segment;
  readonly text: string;
}

const TOLERANCE = { m: 15, s: 120 };
/** Contexts give seconds, segments last three: beyond that it is another segment. */
const SAME_SEGMENT_S = 3;
/** A smaller distance between two segments is standing still, which says nothing about the heading. */
const MOVED_M = 0.3;
const CONTEXT =
  /At time=(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d), the robot was at an average position of \[[^\]]*\]\.\s*The robot saw the following:/g;
const EGO =
  /^how long (were|was|have|did|do|are|am) (you|i|we)\b|\b(you|i|we)\b.*\b(turn|turned|stop|stopped|enter|entered|leave|left|exit|exited|drive|driving|walk|walking|go|went|reach|reached|cross|crossed|pass|passed|get off)\b/i;

/**
 * NaVQA in RAVEN's layout: one folder per drive, `segments.json` with the robot's poses every three seconds and
 * `questions.json`. The segments' own captions are blank, so the captions are those quoted as context of the
 * questions: gold segments only, and every figure must state that.
 */
export function loadNavqa(folder: string): Dataset {
  const drives = existsSync(folder)
    ? readdirSync(folder, { withFileTypes: true })
        .filter((entry) => entry.isDirectory() && existsSync(join(folder, entry.name, "segments.json")))
        .map(({ name }) => name)
        .sort()
    : [];
  if (drives.length === 0)
    throw new LociError(
      "invalid-input",
      `navqa: expected a folder of drives, each with segments.json and questions.json, got ${folder}${fetchLine("navqa")}`,
    );
  const excluded: { questionId: string; reason: string }[] = [];
  const scenes = drives.map((drive) => loadDrive(join(folder, drive), drive, excluded));
  const captions = scenes.flatMap(({ records }) => records).filter(({ kind }) => kind === "caption").length;
  return {
    name: "navqa",
    scenes,
    excluded,
    notes: [
      `Gold-segment captions: only the ${captions} captions quoted with the questions exist, not those of every segment.`,
      "The true position is the robot's pose when it saw the answer, not the place of the thing.",
      "Times are unix times; the clock times in the original wording were read once to find the segments.",
    ],
  };
}

function loadDrive(
  folder: string,
  drive: string,
  excluded: { questionId: string; reason: string }[],
): DatasetScene {
  const segments = readJson("navqa", folder, "segments.json", z.array(segmentSchema).min(1).max(100_000));
  const { data } = readJson(
    "navqa",
    folder,
    "questions.json",
    z.object({ data: z.array(questionSchema).max(10_000) }),
  );
  const captions = new Map<string, RecordInput>();
  const questions = data.map((one) => {
    const gold = goldOf(one, segments);
    for (const { segment, text } of gold) {
      const record = captionOf(drive, segment, text);
      captions.set(record.id, record);
    }
    const question = questionOf(one, drive, gold, segments);
    const reason = whyExcluded(one, gold);
    if (reason !== null) excluded.push({ questionId: question.id, reason });
    return question;
  });
  return {
    id: `coda-${drive}`,
    questions,
    records: [...segments.map((segment) => poseOf(drive, segment)), ...captions.values()],
    sightings: [],
  };
}

/** Finds the segments of the quoted captions by time, after removing the shift between clock and unix time. */
function goldOf({ question, context, start_time }: Question, segments: readonly Segment[]): Gold[] {
  const started = /You started moving at (\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)/.exec(question)?.[1];
  if (started === undefined) return [];
  const shiftS = clockS(started) - Math.floor(start_time);
  const marks = [...context.matchAll(CONTEXT)];
  return marks.flatMap((mark, i) => {
    const text = context.slice(mark.index + mark[0].length, marks[i + 1]?.index).trim();
    const timeS = clockS(mark[1]!) - shiftS;
    const off = (segment: Segment) => Math.abs(segment.time - timeS);
    const segment = segments.reduce((best, one) => (off(one) < off(best) ? one : best));
    return text === "" || off(segment) > SAME_SEGMENT_S ? [] : [{ segment, text }];
  });
}

/** The paper excludes questions whose answer lies outside the time they are about. */
function whyExcluded({ start_time, end_time }: Question, gold: readonly Gold[]): string | null {
  if (gold.length === 0) return "no segment holds the answer";
  const inside = gold.some(({ segment }) => segment.end_time >= start_time && segment.start_time <= end_time);
  return inside ? null : "the answer lies outside of the memory window";
}

function questionOf(
  one: Question,
  drive: string,
  gold: readonly Gold[],
  segments: readonly Segment[],
): QuestionRecord {
  const text = one.question.split("\n").at(-1)!.trim();
  const [, ...more] = one.answers.text ?? [];
  const askedAtUs = micros(one.end_time);
  return makeQuestion({
    id: contentId("navqa", drive, one.id),
    family: "navqa",
    suite: "navqa",
    type: typeOf(one, text),
    subtype: `${one.type}-${one.length_category.toLowerCase()}`,
    text,
    answer: truthOf(one, askedAtUs),
    extra: [...new Set(more.filter((other) => other !== one.answers.text?.[0] && other !== ""))],
    tolerance: TOLERANCE,
    evidenceTimesUs: [...new Set(gold.map(({ segment }) => micros(segment.time)))],
    askedAtUs,
    askedOf: "robot",
    start: startOf(one, segments),
    difficulty:
      one.length_category === "SHORT" ? "easy" : one.length_category === "MEDIUM" ? "medium" : "hard",
    about: { windowFromUs: micros(one.start_time), originalId: one.id, answerType: one.type },
  });
}

function typeOf({ type }: Question, text: string): QuestionType {
  if (type === "position") return /\b(nearest|closest)\b/i.test(text) ? "nearest" : "localisation";
  if (EGO.test(text) && !/\b(see|saw|seen|notice)\b/i.test(text)) return "ego";
  if (type === "time" || type === "duration") return "temporal";
  if (type === "binary") return "existence";
  return /\bcolou?r\b/i.test(text) ? "attribute" : "recognition";
}

function truthOf({ id, type, answers }: Question, askedAtUs: number): QuestionInput["answer"] {
  const text = answers.text?.[0]?.trim() || type;
  const missing = new LociError(
    "invalid-input",
    `navqa: question ${id} is a ${type} question without a ${type}`,
  );
  switch (type) {
    case "position": {
      if (answers.position === undefined) throw missing;
      return { type: "position", text, position: vector(answers.position) };
    }
    case "time": {
      if (answers.time === undefined) throw missing;
      const agoS = answers.time * 60;
      return { type: "time", text, atUs: askedAtUs - Math.round(agoS * 1e6), agoS };
    }
    case "duration": {
      if (answers.duration === undefined) throw missing;
      return { type: "duration", text, durationS: answers.duration * 60 };
    }
    case "binary": {
      const truth = truthInWords(text);
      if (truth.type !== "binary") throw missing;
      return truth;
    }
    case "text":
      return { type: "text", text };
  }
}

/** The robot's position when asked; its heading is that of its last motion. */
function startOf({ end_time }: Question, segments: readonly Segment[]) {
  const past = segments.filter((segment) => segment.time <= end_time);
  const here = (past.at(-1) ?? segments[0]!).position;
  const before = past.findLast(
    ({ position }) => Math.hypot(here[0] - position[0], here[1] - position[1]) >= MOVED_M,
  );
  const yawRad =
    before === undefined ? 0 : Math.atan2(here[1] - before.position[1], here[0] - before.position[0]);
  return { position: vector(here), yawRad };
}

function captionOf(drive: string, segment: Segment, text: string): RecordInput & { id: string } {
  return {
    kind: "caption",
    id: contentId("caption", drive, segment.id, text),
    source: "vlm",
    author: "robot",
    sceneId: `coda-${drive}`,
    text: captionLines(text),
    validFromUs: micros(segment.start_time),
    validToUs: micros(segment.end_time),
    anchor: { submap: "world", p: vector(segment.position) },
  };
}

/** A pose every three seconds: what ego questions are answered from. */
function poseOf(drive: string, segment: Segment): RecordInput {
  return {
    kind: "observation",
    id: contentId("pose", drive, segment.id),
    sensorId: "camera",
    author: "robot",
    sceneId: `coda-${drive}`,
    validFromUs: micros(segment.start_time),
    validToUs: Math.max(micros(segment.end_time), micros(segment.start_time) + 1),
    anchor: { submap: "world", p: vector(segment.position) },
  };
}

function vector([x, y, z]: readonly [number, number, number]): Vec3 {
  return { x, y, z };
}

function micros(seconds: number): number {
  return Math.round(seconds * 1e6);
}

/** A clock time as if it were UTC, in seconds: only differences of these are used. */
function clockS(text: string): number {
  return Date.parse(`${text.replace(" ", "T")}Z`) / 1000;
}
