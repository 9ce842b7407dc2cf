import type { EncodedImage } from "./embedder.ts";

/** One thing of a frame to be put into words. */
export interface ThingToDescribe {
  readonly label?: string | undefined;
  readonly attributes?: Readonly<Record<string, string | number | boolean>> | undefined;
  /** Its crop with everything else greyed, encoded when somebody asks; undefined without colour. */
  image(): Promise<EncodedImage | undefined>;
}

/**
 * A masked crop into one short phrase ("a red mug with a white handle"), in the order of the things; null where it
 * has nothing to say, and the caller then falls back on the label. It throws `aborted`, and never for a single
 * thing: what a model could not describe is null.
 */
export interface Describer {
  readonly id: string;
  describe(
    things: readonly ThingToDescribe[],
    options?: { readonly signal?: AbortSignal },
  ): Promise<(string | null)[]>;
  close(): Promise<void>;
}
