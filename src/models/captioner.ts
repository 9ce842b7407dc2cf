import type { EncodedImage } from "./embedder.ts";

/** A few seconds of one camera to be put into words. */
export interface ClipToCaption {
  readonly room?: string | undefined;
  /** Phrases of what is known to be visible. */
  readonly things: readonly string[];
  /** Some of its frames in order, encoded when somebody asks. */
  images(): Promise<EncodedImage[]>;
}

/**
 * Frames into a few sentences. Null where the model has nothing to say or could not be asked, and the caller then
 * falls back on a template; throws only `aborted`.
 */
export interface Captioner {
  readonly id: string;
  caption(clip: ClipToCaption, options?: { readonly signal?: AbortSignal }): Promise<string | null>;
  close(): Promise<void>;
}
