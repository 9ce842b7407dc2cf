import type { EncodedImage, LanguageModel } from "../../models/index.ts";
import { encodePng, type Frame } from "../../sensors/index.ts";

/** The pictures of the view ahead for a model; none if it cannot see, or the body has no colours. */
export async function picturesOf(
  model: Pick<LanguageModel, "capabilities">,
  frame: Frame | undefined,
): Promise<EncodedImage[]> {
  if (!model.capabilities.vision || frame?.rgb === undefined) return [];
  return [{ bytes: await encodePng({ ...frame.rgb, channels: 3 }) }];
}
