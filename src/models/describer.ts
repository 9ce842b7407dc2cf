import type { EncodedImage } from "./embedder.ts";

/** One thing of a frame to be described. */
export interface ThingToDescribe {
  readonly label?: string | undefined;
  readonly attributes?: Readonly<Record<string, string | number | boolean>> | undefined;
  /** Its crop with everything else greyed, encoded on demand; undefined without colour. */
  image(): Promise<EncodedImage | undefined>;
}

/** What a describer says of one thing. */
export interface ThingDescription {
  /** One short noun phrase: "a red mug with a white handle". */
  readonly phrase: string;
  /** The everyday name of its kind; absent where the describer does not tell. */
  readonly kind?: string | undefined;
  /** False where the kind is a guess. */
  readonly isSure: boolean;
  /** Colour, material, and states by their attribute: `openness` open. */
  readonly attributes: Readonly<Record<string, string>>;
  /** Text that can be read on it. */
  readonly text?: string | undefined;
}

/**
 * Masked crops into descriptions, in the order of the things; null for a thing of which it says nothing, and the caller
 * then uses the label. It throws `aborted`, and never for a single thing: one that the model could not describe is null.
 */
export interface Describer {
  readonly id: string;
  describe(
    things: readonly ThingToDescribe[],
    options?: { readonly signal?: AbortSignal },
  ): Promise<(ThingDescription | null)[]>;
  close(): Promise<void>;
}
