import { type Developed, develop, type Negative } from "../datasets/develop.ts";
import { optionalBytes, optionalGrey } from "../files.ts";
import type { frameOf } from "../frame.ts";
import { decodeColour } from "../images.ts";

/** The images of one frame: of our own folder by the beginning of their names, or of a dataset. */
export type PictureJob = { readonly stem: string } | { readonly negative: Negative };

export type OwnImages = Parameters<typeof frameOf>[1];

/** Reads and decodes the images of one frame, in whichever thread. */
export async function perform(job: PictureJob): Promise<OwnImages | Developed> {
  if ("negative" in job) return develop(job.negative);
  const { stem } = job;
  const colour = (await optionalBytes(`${stem}.color.png`)) ?? (await optionalBytes(`${stem}.color.jpg`));
  return {
    rgb: colour && (await decodeColour(colour)),
    depth: await optionalGrey(`${stem}.depth.png`),
    masks: await optionalGrey(`${stem}.masks.png`),
  };
}
