import { readdirSync } from "node:fs";
import { isAbsolute, join, normalize } from "node:path";
import { z } from "zod";
import { contentId, LociError } from "../../schema/index.ts";
import {
  type Dataset,
  type DatasetScene,
  makeQuestion,
  readJson,
  SOME_TIME_US,
  truthInWords,
} from "./dataset.ts";

const path = z.string().min(1).max(1_024);

/**
 * Questions with their own pictures, in our general format for ERQA (several pictures, four options) and VLM4D (a
 * clip as a folder of frames, options): `pictures.json`, with paths relative to its folder. The answer is the letter
 * of an option, or words if there are no options.
 */
const itemsSchema = z.object({
  name: z.string().min(1).max(64).default("pictures"),
  items: z
    .array(
      z
        .object({
          id: z.string().min(1).max(256),
          question: z.string().min(1).max(4_096),
          options: z.array(z.string().min(1).max(1_000)).min(2).max(26).optional(),
          answer: z.string().min(1).max(4_096),
          category: z.string().min(1).max(64).default("other"),
          images: z.array(path).min(1).max(16).optional(),
          clip: path.optional(),
        })
        .refine(({ images, clip }) => (images === undefined) !== (clip === undefined), {
          message: 'an item has "images" or a "clip", and not both',
        }),
    )
    .min(1)
    .max(100_000),
});
type Item = z.output<typeof itemsSchema>["items"][number];

export function loadPictureQuestions(folder: string): Dataset {
  const { name, items } = readJson("pictures", folder, "pictures.json", itemsSchema);
  return {
    name,
    scenes: items.map((item) => sceneOf(name, folder, item)),
    excluded: [],
    notes: ["Each question is asked of its own pictures alone, taken in as views without a pose."],
  };
}

function sceneOf(name: string, folder: string, item: Item): DatasetScene {
  const { id, question, options, answer, category } = item;
  const letter = options && letterOf(item, options);
  return {
    id: contentId("scene", name, id),
    questions: [
      makeQuestion({
        id: contentId("question", name, id),
        family: name,
        suite: name,
        type: "multimodal",
        subtype: category,
        text: question,
        ...(options && { options }),
        answer: letter === undefined ? truthInWords(answer) : { type: "choice", text: answer, letter },
        // Long after the end of any clip.
        askedAtUs: SOME_TIME_US + 86_400_000_000,
      }),
    ],
    records: [],
    sightings: [],
    pictures:
      item.clip === undefined
        ? (item.images ?? []).map((file) => inside(folder, file))
        : clipOf(folder, item),
  };
}

/** "B", "(B)", "B. left" or the words of an option. */
function letterOf({ id, answer }: Item, options: readonly string[]): string {
  const said = /^\(?([A-Z])(?:[).:\s]|$)/.exec(answer.trim())?.[1];
  const at = said === undefined ? options.indexOf(answer) : said.charCodeAt(0) - 65;
  if (at < 0 || at >= options.length)
    throw new LociError(
      "invalid-input",
      `pictures: the answer of ${id} is none of its ${options.length} options`,
    );
  return String.fromCharCode(65 + at);
}

/** A dataset is external data: it must not read anything outside its folder. */
function inside(folder: string, file: string): string {
  if (isAbsolute(file) || normalize(file).startsWith(".."))
    throw new LociError("invalid-input", `pictures: ${file} is outside of the dataset's folder`);
  return join(folder, file);
}

function clipOf(folder: string, { id, clip = "" }: Item): string[] {
  const dir = inside(folder, clip);
  let names: string[];
  try {
    names = readdirSync(dir);
  } catch (cause) {
    throw new LociError("invalid-input", `pictures: ${id} has no clip at ${dir}`, { cause });
  }
  const frames = names.filter((one) => /\.(?:jpe?g|png)$/i.test(one));
  frames.sort((a, b) => a.localeCompare(b, "en", { numeric: true }) || (a < b ? -1 : 1));
  return frames.map((one) => join(dir, one));
}
