import { develop, type Negative } from "../datasets/develop.ts";
import type { Developed } from "../datasets/developed.ts";
import { optionalBytes, optionalGrey } from "../files.ts";
import type { frameOf } from "../frame.ts";
import { decodeColour } from "../images.ts";

/** The images of one frame: in our own folder format by their common file stem, or of a dataset. */
export type PictureJob = { readonly stem: string } | { readonly negative: Negative };

export type OwnImages = Parameters<typeof frameOf>[1];

/** Reads and decodes the images of one frame, in any thread. */
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
