import { Belief } from "../../../belief/belief.ts";
import type { EncodedImage } from "../../../models/index.ts";
import type { Evidence } from "../../../retrieval/index.ts";
import { picturesOf, ShortIds } from "../../evidence/index.ts";
import type { SystemOptions } from "../system.ts";

/** A kept view as a picture, with the numbers of its things drawn in. */
export interface ShownFrame {
  readonly image: EncodedImage;
  /** Its time and place, and the meaning of its numbers. */
  readonly caption: string;
}

/** The pictures of views in their order, annotated; a view whose picture retention forgot is left out. */
export async function framesShown(
  views: readonly Evidence[],
  options: SystemOptions,
  ids: ShortIds = new ShortIds(),
): Promise<ShownFrame[]> {
  const viewIds = views.map(({ id }) => id);
  if (viewIds.length === 0) return [];
  const context = { memory: new Belief(options), ids, signal: options.signal };
  const pictures = await picturesOf({ viewIds }, context, { most: viewIds.length, crop: false });
  return pictures.map(({ bytes, caption }) => ({ image: { bytes }, caption }));
}
