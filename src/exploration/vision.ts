import { apply, invert } from "../geometry/index.ts";
import type { LanguageModel } from "../models/index.ts";
import { exploreDirection, exploreWorth } from "../models/prompts/memory-eqa.ts";
import { runPrompt } from "../models/prompts/run-prompt.ts";
import { isLociError, type RgbImage } from "../schema/index.ts";
import { encodePng, type Frame } from "../sensors/index.ts";
import type { Frontier } from "./ground/frontiers.ts";

/** Who judges, from what is in view, which frontiers are worth going to: 0–1 for each that it saw. */
export interface DirectionJudge {
  judge(
    frame: Frame,
    frontiers: readonly Frontier[],
    asked: { readonly question: string; readonly memories: string; readonly signal?: AbortSignal | undefined },
  ): Promise<ReadonlyMap<string, number>>;
}

/** explore-eqa letters three places, two to ten metres away (its released code). */
const MOST_LETTERS = 3;
const NEAREST_M = 0.5;
const FARTHEST_M = 10;
/** Letters are drawn on a picture of at least this width. */
const WIDTH_PX = 480;
const LETTERS = "ABCDEFGH";
/** Rows of three bits, the leftmost pixel highest. */
const GLYPHS = [
  [2, 5, 7, 5, 5],
  [6, 5, 6, 5, 6],
  [3, 4, 4, 4, 3],
] as const;
const SCALE = 4;
/** The value of a place that is not chosen, of one that is, and what is left of both where nothing this way would help. */
const OTHERS = 0.2;
const CHOSEN = 1;
const NOT_WORTH = 0.333;

/**
 * A vision model as the judge of directions, by the papers' prompts: lettered places are drawn on the picture, the model
 * names one, and says whether anything this way would help. A model that fails judges nothing; the walk goes on without it.
 */
export function visionJudge(model: LanguageModel): DirectionJudge {
  return {
    async judge(frame, frontiers, { question, memories, signal }) {
      const shown = lettered(frame, frontiers);
      if (shown === undefined) return new Map();
      try {
        const images = [{ bytes: await encodePng({ ...shown.picture, channels: 3 }) }];
        const letters = shown.places.map(({ letter }) => letter);
        const direction = await runPrompt(model, exploreDirection, { question, letters, memories }, { images, signal });
        const worth = await runPrompt(model, exploreWorth, { question, memories }, { images, signal });
        const scale = worth.output === "yes" ? 1 : NOT_WORTH;
        return new Map(
          shown.places.map(({ letter, frontier }) => [
            frontier.id,
            scale * (letter === direction.output.letter ? CHOSEN : OTHERS),
          ]),
        );
      } catch (error) {
        if (isLociError(error, "model-failed") || isLociError(error, "model-unavailable")) return new Map();
        throw error;
      }
    },
  };
}

/** The picture with a letter on each frontier that is in it; undefined where it has no colours or shows none. */
export function lettered(
  { rgb, worldFromCamera, intrinsics }: Frame,
  frontiers: readonly Frontier[],
): { readonly picture: RgbImage; readonly places: readonly { readonly letter: string; readonly frontier: Frontier }[] } | undefined {
  if (rgb === undefined || worldFromCamera === undefined) return undefined;
  const cameraFromWorld = invert(worldFromCamera);
  const { fx, fy, cx, cy, width, height } = intrinsics;
  const inView = frontiers.flatMap((frontier) => {
    const { x, y, z } = apply(cameraFromWorld, frontier.middle);
    if (z < NEAREST_M || z > FARTHEST_M) return [];
    const [u, v] = [cx + (fx * x) / z, cy + (fy * y) / z];
    return u < 0 || v < 0 || u >= width || v >= height ? [] : [{ frontier, u, v, z }];
  });
  if (inView.length === 0) return undefined;
  const places = inView.sort((a, b) => a.z - b.z).slice(0, MOST_LETTERS);
  const factor = Math.max(1, Math.ceil(WIDTH_PX / rgb.width));
  const picture = enlarged(rgb, factor);
  places.forEach(({ u, v }, n) => drawLetter(picture, n, Math.round(u * factor), Math.round(v * factor)));
  return { picture, places: places.map(({ frontier }, n) => ({ letter: LETTERS[n]!, frontier })) };
}

function enlarged({ width, height, data }: RgbImage, factor: number): RgbImage {
  const out = new Uint8Array(width * height * factor * factor * 3);
  for (let j = 0; j < height * factor; j++)
    for (let i = 0; i < width * factor; i++) {
      const from = (Math.floor(j / factor) * width + Math.floor(i / factor)) * 3;
      out.set(data.subarray(from, from + 3), (j * width * factor + i) * 3);
    }
  return { width: width * factor, height: height * factor, data: out };
}

/** White on a black square, so that it can be read on anything. */
function drawLetter({ width, height, data }: RgbImage, n: number, u: number, v: number): void {
  const glyph = GLYPHS[n]!;
  const half = 3 * SCALE;
  for (let dv = -half; dv < half; dv++)
    for (let du = -half; du < half; du++) {
      const [i, j] = [u + du, v + dv];
      if (i < 0 || j < 0 || i >= width || j >= height) continue;
      const column = Math.floor((du + half - 1.5 * SCALE) / SCALE);
      const row = Math.floor((dv + half - 0.5 * SCALE) / SCALE);
      const isInk = column >= 0 && column < 3 && ((glyph[row] ?? 0) >> (2 - column)) & 1;
      data.fill(isInk ? 255 : 0, (j * width + i) * 3, (j * width + i) * 3 + 3);
    }
}
