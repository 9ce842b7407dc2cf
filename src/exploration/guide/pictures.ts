import type { EncodedImage, LanguageModel } from "../../models/index.ts";
import { encodePng, type Frame } from "../../sensors/index.ts";

/** What is ahead as a model sees it; none where it sees nothing, or the body has no colours. */
export async function picturesOf(
  model: Pick<LanguageModel, "capabilities">,
  frame: Frame | undefined,
): Promise<EncodedImage[]> {
  if (!model.capabilities.vision || frame?.rgb === undefined) return [];
  return [{ bytes: await encodePng({ ...frame.rgb, channels: 3 }) }];
}
