import { existsSync, readdirSync } from "node:fs";
import { join, normalize } from "node:path";
import { z } from "zod";
import { contentId, LociError } from "../../schema/index.ts";
import { type Dataset, type DatasetScene, makeQuestion, readJson, SOME_TIME_US } from "./dataset.ts";
import { fetchLine } from "./sources.ts";

const FILES = ["real_mc.json", "synthetic_mc.json"] as const;
const FRAMES = "frames";

const questionsSchema = z
  .array(
    z.object({
      id: z.union([z.string(), z.int()]).transform(String),
      /** A URL; the path from videos_… on is used. */
      video: z.string().min(1).max(1_024),
      question_type: z.string().default("other"),
      question: z.string().min(1).max(4_096),
      choices: z.record(z.string().regex(/^[A-Z]$/), z.string().min(1).max(1_000)),
      answer: z.string().min(1).max(1_000),
    }),
  )
  .max(100_000);
type Asked = z.output<typeof questionsSchema>[number];

/** VLM4D: motion in videos, four options; videos as folders of frames, since we ship no video decoder. */
export function loadVlm4d(folder: string): Dataset {
  const base = existsSync(join(folder, "QA")) ? join(folder, "QA") : folder;
  const files = FILES.filter((file) => existsSync(join(base, file)));
  if (files.length === 0) readJson("vlm4d", base, FILES[0], questionsSchema);
  const asked = files.flatMap((file) =>
    readJson("vlm4d", base, file, questionsSchema).map((one) => ({
      one,
      part: file.replace("_mc.json", ""),
    })),
  );
  const scenes = asked.map(({ one, part }) => sceneOf(folder, part, one));
  const there = scenes.filter(({ pictures = [] }) => pictures.length > 0);
  if (there.length === 0)
    throw new LociError(
      "invalid-input",
      `vlm4d: ${asked.length} questions, and no frames of any video in ${join(folder, FRAMES)}${fetchLine("vlm4d")}`,
    );
  const reason = `the frames of their videos are not in ${FRAMES}/`;
  return {
    name: "vlm4d",
    scenes,
    excluded: scenes
      .filter((scene) => !there.includes(scene))
      .flatMap(({ questions }) => questions.map(({ id }) => ({ questionId: id, reason }))),
    notes: ["Each question is asked of sixteen evenly chosen frames of its video, as views without a pose."],
  };
}

function sceneOf(folder: string, part: string, one: Asked): DatasetScene {
  const options = Object.entries(one.choices)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, option]) => option);
  const at = options.indexOf(one.answer);
  const letter = at >= 0 ? String.fromCharCode(65 + at) : one.answer.trim().slice(0, 1).toUpperCase();
  if (options.length < 2 || letter.charCodeAt(0) - 65 >= options.length || letter < "A")
    throw new LociError("invalid-input", `vlm4d: the answer of ${one.id} is none of its options`);
  return {
    id: contentId("scene", "vlm4d", part, one.id),
    questions: [
      makeQuestion({
        id: contentId("question", "vlm4d", part, one.id),
        family: "vlm4d",
        suite: "vlm4d",
        type: "motion",
        subtype: `${part}/${one.question_type}`,
        text: one.question,
        options,
        answer: { type: "choice", text: options[letter.charCodeAt(0) - 65]!, letter },
        askedAtUs: SOME_TIME_US + 86_400_000_000,
      }),
    ],
    records: [],
    sightings: [],
    pictures: framesOf(folder, one.video),
  };
}

/** The frames of a video: in a folder of its name, without the ending. */
function framesOf(folder: string, video: string): string[] {
  const own = /videos_[a-z]+\/.*$/.exec(video)?.[0] ?? video.split("/").at(-1)!;
  const path = normalize(own.replace(/\.[a-z0-9]+$/i, ""));
  if (path.startsWith("..")) return [];
  const dir = join(folder, FRAMES, path);
  if (!existsSync(dir)) return [];
  const frames = readdirSync(dir).filter((name) => /\.(?:jpe?g|png)$/i.test(name));
  frames.sort((a, b) => a.localeCompare(b, "en", { numeric: true }) || (a < b ? -1 : 1));
  return frames.map((name) => join(dir, name));
}
