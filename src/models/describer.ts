import type { EncodedImage } from "./embedder.ts";

/** One thing of a frame to be described. */
export interface ThingToDescribe {
  readonly label?: string | undefined;
  readonly attributes?: Readonly<Record<string, string | number | boolean>> | undefined;
  /** Its crop with everything else greyed, encoded on demand; undefined without colour. */
  image(): Promise<EncodedImage | undefined>;
}

/**
 * A masked crop into one short phrase ("a red mug with a white handle"), in the order of the things; null if it gives
 * none, and the caller then uses the label. It throws `aborted`, and never for a single thing: one that the model
 * could not describe is null.
 */
export interface Describer {
  readonly id: string;
  describe(
    things: readonly ThingToDescribe[],
    options?: { readonly signal?: AbortSignal },
  ): Promise<(string | null)[]>;
  close(): Promise<void>;
}
