import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { apply, fromYaw, type Quat, type Vec3 } from "../../geometry/index.ts";
import { contentId, LociError, type QuestionRecord, type RecordInput } from "../../schema/index.ts";
import { csvRows } from "./csv.ts";
import { type Dataset, type DatasetScene, makeQuestion, readJson } from "./dataset.ts";
import { loadNavqa } from "./navqa.ts";
import { fetchLine } from "./sources.ts";

const ANNOTATIONS = "oc-navqa_data.csv";
const POSES = "dense_global.txt";
const TIMES = "timestamps.txt";
const BOXES = "3d_bbox";
/** An annotated thing nearer than this to its earlier position has not moved. */
const MOVED_M = 2;
const MOST_FRAMES = 200_000;

/** CODa's boxes of one frame, in the frame of the LiDAR: metres and radians. */
const boxesSchema = z.object({
  "3dbbox": z
    .array(
      z.object({
        classId: z.string().min(1).max(256),
        instanceId: z.union([z.string(), z.int()]).transform(String),
        cX: z.number(),
        cY: z.number(),
        cZ: z.number(),
        l: z.number().min(0),
        w: z.number().min(0),
        h: z.number().min(0),
        y: z.number().default(0),
      }),
    )
    .max(10_000),
});

interface Pose {
  readonly timeS: number;
  readonly p: Vec3;
  readonly q: Quat;
}

/**
 * OC-NaVQA (DAAAM): NaVQA's questions about everything since a drive began, with places given by things, from CODa's
 * own boxes, instead of by the robot's position. Its places are in CODa's global frame, so the drive's poses must be
 * too. The boxes, where available, represent an object-centred memory (STaR's, DAAAM's), and are stored as things.
 */
export function loadOcNavqa(folder: string): Dataset {
  const path = join(folder, ANNOTATIONS);
  if (!existsSync(path))
    throw new LociError(
      "invalid-input",
      `oc-navqa: expected ${ANNOTATIONS} in ${folder}, which does not have it${fetchLine("oc-navqa")}`,
    );
  const rows = new Map(csvRows(readFileSync(path, "utf8")).map((row) => [row["UUID"] ?? "", row]));
  const navqa = loadNavqa(folder);
  const excluded: { questionId: string; reason: string }[] = [];
  let boxes = 0;
  const scenes = navqa.scenes.map((scene): DatasetScene => {
    const drive = join(folder, scene.id.replace(/^coda-/, ""));
    const poses = posesIn(drive);
    const questions = scene.questions.flatMap((question) => {
      const row = rows.get(String(question.about["originalId"]));
      if (row === undefined) return [];
      const asked = corrected(question, row);
      const reason =
        asked === undefined
          ? "the annotation has no place"
          : asked.answer.type === "position" && poses === undefined
            ? `places are in CODa's global frame, and ${POSES} is not there`
            : undefined;
      if (reason !== undefined) excluded.push({ questionId: question.id, reason });
      return [asked ?? question];
    });
    const records = poses ? scene.records.map((record) => moved(record, poses)) : scene.records;
    const things = poses ? thingsIn(drive, scene.id, poses) : [];
    boxes += things.length / 2;
    return { ...scene, questions, records: [...records, ...things] };
  });
  return {
    name: "oc-navqa",
    scenes: scenes.filter(({ questions }) => questions.length > 0),
    excluded,
    notes: [
      ...navqa.notes.slice(0, 1),
      "The true position is where the thing is (OC-NaVQA's correction); a question is about all since the drive began.",
      `${boxes} stays of annotated things are in the memory, by CODa's boxes${boxes === 0 ? ", which are not there: only captions and poses are" : ""}.`,
    ],
  };
}

/** The annotation's words and place instead of NaVQA's, and no window. Undefined if its place cannot be parsed. */
function corrected(question: QuestionRecord, row: Record<string, string>): QuestionRecord | undefined {
  const { windowFromUs: _window, ...about } = question.about;
  const text = row["Question"]?.trim() || question.text;
  const common = { ...question, id: `oc-${question.id}`.slice(0, 64), suite: "oc-navqa", text, about };
  if (question.answer.type !== "position") return makeQuestion(common);
  const column = Object.keys(row).find((name) => /^GT Response/.test(name) && !/FullSeq/.test(name));
  const [x, y, z = 0] =
    (column === undefined ? "" : row[column]!).match(/-?\d+(?:\.\d+)?(?:e-?\d+)?/g)?.map(Number) ?? [];
  if (x === undefined || y === undefined) return undefined;
  return makeQuestion({ ...common, answer: { ...question.answer, position: { x, y, z } } });
}

/** "seconds x y z qw qx qy qz" a line. */
function posesIn(drive: string): Pose[] | undefined {
  const path = join(drive, POSES);
  if (!existsSync(path)) return undefined;
  const poses = linesOf(path).map((numbers): Pose => {
    const [timeS = Number.NaN, x = 0, y = 0, z = 0, qw = 1, qx = 0, qy = 0, qz = 0] = numbers;
    return { timeS, p: { x, y, z }, q: { x: qx, y: qy, z: qz, w: qw } };
  });
  if (poses.length === 0 || poses.some(({ timeS, p }) => !Number.isFinite(timeS + p.x + p.y + p.z)))
    throw new LociError("invalid-input", `oc-navqa: expected lines of a time and a pose in ${path}`);
  return poses;
}

function linesOf(path: string): number[][] {
  const lines = readFileSync(path, "utf8").trim().split("\n").slice(0, MOST_FRAMES);
  return lines.map((line) => line.trim().split(/\s+/).map(Number));
}

/** The pose nearest in time. */
function poseAt(poses: readonly Pose[], timeS: number): Pose {
  let [low, high] = [0, poses.length - 1];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (poses[middle]!.timeS <= timeS) low = middle;
    else high = middle;
  }
  const [a, b] = [poses[low]!, poses[high]!];
  return timeS - a.timeS <= b.timeS - timeS ? a : b;
}

/** A record moved to the global frame, if it has a place. */
function moved(record: RecordInput, poses: readonly Pose[]): RecordInput {
  if (!("anchor" in record) || record.anchor === undefined) return record;
  const { validFromUs, validToUs } = record;
  const { p } = poseAt(poses, ((validFromUs ?? 0) + (validToUs ?? validFromUs ?? 0)) / 2e6);
  return { ...record, anchor: { submap: "world", p } };
}

/** Annotated things as states: a new one where an instance is found elsewhere. */
function thingsIn(drive: string, sceneId: string, poses: readonly Pose[]): RecordInput[] {
  const folder = join(drive, BOXES);
  if (!existsSync(folder) || !existsSync(join(drive, TIMES))) return [];
  const times = linesOf(join(drive, TIMES)).map(([timeS]) => timeS ?? Number.NaN);
  const frames = readdirSync(folder)
    .flatMap((name) => {
      const frame = /_(\d+)\.json$/.exec(name)?.[1];
      return frame === undefined ? [] : [{ name, frame: Number(frame) }];
    })
    .sort((a, b) => a.frame - b.frame);
  const last = new Map<string, Vec3>();
  const records: RecordInput[] = [];
  for (const { name, frame } of frames.slice(0, MOST_FRAMES)) {
    const timeS = times[frame];
    if (timeS === undefined || !Number.isFinite(timeS)) continue;
    const { p, q } = poseAt(poses, timeS);
    for (const box of readJson("oc-navqa", folder, name, boxesSchema)["3dbbox"]) {
      const centre = apply({ p, q }, { x: box.cX, y: box.cY, z: box.cZ });
      const before = last.get(box.instanceId);
      if (before && Math.hypot(before.x - centre.x, before.y - centre.y) < MOVED_M) continue;
      last.set(box.instanceId, centre);
      records.push(...stayOf(sceneId, box, centre, Math.round(timeS * 1e6)));
    }
  }
  return records;
}

type Boxed = z.output<typeof boxesSchema>["3dbbox"][number];

function stayOf(sceneId: string, box: Boxed, p: Vec3, fromUs: number): RecordInput[] {
  const trackId = contentId("track", sceneId, box.instanceId);
  const category = box.classId.toLowerCase();
  const [long, wide] = [Math.max(0.05, box.l), Math.max(0.05, box.w)];
  const turned = apply({ p: { x: 0, y: 0, z: 0 }, q: fromYaw(box.y) }, { x: long, y: wide, z: 0 });
  const common = { sceneId, author: "robot", name: category, category, text: [category] };
  return [
    { ...common, kind: "track", id: trackId, validFromUs: fromUs, validToUs: null },
    {
      ...common,
      kind: "state",
      id: contentId("state", trackId, fromUs),
      trackId,
      validFromUs: fromUs,
      validToUs: null,
      anchor: { submap: "world", p },
      extent: {
        x: Math.max(wide, Math.abs(turned.x)),
        y: Math.max(wide, Math.abs(turned.y)),
        z: Math.max(0.05, box.h),
      },
    },
  ];
}
