import type { MaskImage, RgbImage } from "../../schema/index.ts";
import type { FoundThing } from "../detector.ts";
import type { FoundModel } from "../transformers/find-model.ts";

/** The thread's start-up data. */
export interface EyeThreadData {
  readonly task: "detector" | "segmenter";
  readonly model: FoundModel;
  readonly packagesFrom?: string;
  readonly cacheDir?: string;
}

export type EyeRequest =
  | { readonly kind: "load" }
  | {
      readonly kind: "detect";
      readonly picture: RgbImage;
      readonly classes: readonly string[];
      /** Absent for the default of the kind of model. */
      readonly minScore?: number;
    }
  | { readonly kind: "segment"; readonly picture: RgbImage; readonly boxes: readonly FoundThing["bbox"][] };

export interface EyeReply {
  readonly things: FoundThing[];
  readonly masks?: MaskImage;
}
