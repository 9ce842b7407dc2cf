import { appendFile, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { guidanceOf } from "../../../compose/guidance.ts";
import { guess } from "../../../reasoning/systems/baselines/blind.ts";
import { throwIfAborted } from "../../../schema/index.ts";
import { type Episode, type Explorers, runHouse } from "../../active/episode.ts";
import { type ActiveHouse, activeHouse } from "../../active/house.ts";
import { splOf } from "../../active/report.ts";
import { isBlindAnswerable } from "../../runner/report.ts";
import type { Experiment } from "../experiment.ts";
import { HEADLINE, WITHOUT_BLIND } from "../figures.ts";
import type { Lab } from "../lab.ts";
import type { Mark } from "../mark.ts";
import { seedsText } from "../question-experiment.ts";

export interface ActiveExperiment extends Omit<Experiment, "measure"> {
  readonly explorers: readonly Explorers[];
  /** Questions per house, explored one after the other. */
  readonly count: number;
}

/** The generator's development wordings: others are misread before the exploration starts. */
const WORDING = "dev";
const NOISE = 0.5;
export const FIRST = "first question";
export const LATER = "later questions";

/** A line of the file of episodes: the same code and model do not run it again. */
interface Kept {
  readonly commit: string;
  readonly model?: string | undefined;
  readonly count: number;
  readonly episode: Episode;
}

/** An experiment with exploration: the same houses and questions for every explorer. */
export function activeExperiment(definition: ActiveExperiment): Experiment {
  const { explorers, count, ...rest } = definition;
  return {
    ...rest,
    async measure(lab) {
      const file = join(lab.folder, "episodes.jsonl");
      const guidance = await guidanceOf({ models: lab.models });
      const model = guidance?.model?.id;
      const known = (await keptIn(file, lab, count)).filter((one) => one.model === model);
      const marks: Mark[] = [];
      for (const seed of lab.seeds) {
        let house: ActiveHouse | undefined;
        const made = () => {
          house ??= activeHouse({ seed, count, wording: WORDING });
          return house;
        };
        marks.push(...blindMarks(made()));
        for (const way of explorers) {
          throwIfAborted(lab.signal);
          const of = ({ episode }: Kept) => episode.seed === String(seed) && episode.explorers === way.name;
          let episodes = known.filter(of).map(({ episode }) => episode);
          if (episodes.length === 0) {
            lab.progress(`house ${seed}: ${way.name}`);
            episodes = await run(made(), way, lab, guidance);
            const lines = episodes.map(
              (episode) => ({ commit: lab.commit, model, count, episode }) satisfies Kept,
            );
            await appendFile(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
          }
          const open = openQuestions(made());
          marks.push(...episodes.flatMap((episode) => marksOf(episode, open)));
        }
      }
      const stated = [
        `MT-like questions (${WORDING} wordings) with four options about houses of one storey, seeds ${seedsText(lab.seeds)}, ${count} a house, noise ${NOISE}; reasoner ${model ?? "rules"}; right is the letter, or saying that there is no answer; code ${lab.commit}.`,
      ];
      return { marks, stated };
    },
  };
}

async function run(
  house: ActiveHouse,
  way: Explorers,
  lab: Lab,
  guidance: Awaited<ReturnType<typeof guidanceOf>>,
): Promise<Episode[]> {
  const folder = await mkdtemp(join(tmpdir(), "loci-going-"));
  try {
    return await runHouse(house, way, { folder, noise: NOISE, signal: lab.signal, guidance });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Questions that cannot be answered blind. */
function openQuestions({ questions }: ActiveHouse): ReadonlySet<string> {
  return new Set(questions.flatMap(({ record }) => (isBlindAnswerable(record, false) ? [] : [record.id])));
}

function marksOf(episode: Episode, open: ReadonlySet<string>): Mark[] {
  const mark = markOf(episode.explorers, episode.seed, episode.questionId, episode.nth, open);
  const of = (metric: string, value: number) => ({ ...mark, metric, value, type: episode.subtype });
  return [
    of(HEADLINE, episode.success ? 100 : 0),
    of("right for the right reason", episode.isConsistent ? 100 : 0),
    of("SPL", 100 * splOf(episode)),
    of("team SPL", 100 * splOf({ ...episode, pathM: episode.teamM })),
    of("steps, normalised", episode.normSteps),
    of("steps", episode.steps),
    of("metres", episode.pathM),
  ];
}

function markOf(
  config: string,
  seed: string,
  item: string,
  nth: number,
  open: ReadonlySet<string>,
): Omit<Mark, "metric" | "value"> {
  const slices = [nth === 0 ? FIRST : LATER, ...(open.has(item) ? [WITHOUT_BLIND] : [])];
  return { config, suite: "mt, active", scene: `house-${seed}`, item, slices };
}

/** Marks of the blind baselines, which do not explore. */
function blindMarks(house: ActiveHouse): Mark[] {
  const { seed, questions } = house;
  const open = openQuestions(house);
  return questions.map(({ record }, nth) => {
    const { choice } = guess(record, { nowUs: record.askedAtUs, seed: `${seed}/${record.id}` });
    const isRight = record.answer.type === "choice" && choice === record.answer.letter;
    return {
      ...markOf("blind", String(seed), record.id, nth, open),
      metric: HEADLINE,
      value: isRight ? 100 : 0,
      type: record.subtype,
    };
  });
}

async function keptIn(file: string, { commit }: Lab, count: number): Promise<Kept[]> {
  const text = await readFile(file, "utf8").catch(() => "");
  return text
    .split("\n")
    .flatMap((line) => {
      try {
        return line === "" ? [] : [JSON.parse(line) as Kept];
      } catch {
        return [];
      }
    })
    .filter((kept) => kept.commit === commit && kept.count === count);
}
